"""Views as JSON, fast: what has changed for each viewer, and nothing else.

This is the busiest code of the server. What a viewer sees of a zone is decided by
`engine.glimpse`, in numbers; here numbers become text, most of it found ready-made.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.game import Game
from kibitz.engine.glimpse import ROW, changes_at
from kibitz.engine.match import Match
from kibitz.engine.record import COMMON, Field
from kibitz.engine.view import codes_of, new_rows, pile_codes, row_of, show, trim
from kibitz.engine.zones import Zone
from kibitz.games import find
from kibitz.server.protocol import encode

MOST_REMEMBERED = 100_000  # texts, before a game's are forgotten and made anew
_TOP = {"round": "round_no", "due": "due", "over": "over", "winners": "winners", "scores": "total"}


class Value(NamedTuple):
    """A field of the state that everyone sees: where its bytes lie and how to say it."""

    label: bytes
    name: str
    field: Field
    start: int
    end: int
    said: dict[bytes, bytes]


class Face:
    """How the states of a game with so many players are said in JSON."""

    def __init__(self, game: Game, players: int) -> None:
        self.game, self.players = game, players
        zones = game.layout.zones.at(players)
        self.zones: dict[int, Zone] = {row_of(game, zone): zone for zone in zones}
        self.labels = {row: _label(zone.name) for row, zone in self.zones.items()}
        self.rows = len(new_rows(game))
        self.top = [self._value(label, COMMON[name], name) for label, name in _TOP.items()]
        self.fields = [self._value(n, field, n) for n, field in game.layout.shown.items()]
        self.actions = [encode(action.text) for action in game.actions.all]
        self._said: dict[tuple[int, ...], bytes] = {}

    def _value(self, label: str, field: Field, name: str) -> Value:
        fields = self.game.layout.dtype.fields
        assert fields is not None
        dtype, start = fields[name][:2]
        return Value(_label(label), name, field, start, start + dtype.itemsize, {})

    def zone(self, record: Any, row: int, seen: tuple[int, ...]) -> bytes:
        """A zone as a viewer sees it."""
        zone = self.zones[row]
        # A row of a set says all; which pile it is matters for what lies below its top.
        key = (row, *seen) if zone.family.is_pile else seen
        said = self._said.get(key)
        if said is None:
            if len(self._said) > MOST_REMEMBERED:
                self._said.clear()
            said = self._said[key] = self._say_zone(record, zone, seen)
        return said

    def _say_zone(self, record: Any, zone: Zone, seen: tuple[int, ...]) -> bytes:
        size, top = seen[0], seen[2]
        if not zone.family.is_pile:
            return _zone_text(size, codes_of(self.game, seen[1:3]), codes_of(self.game, seen[3:5]))
        if zone.family.looked_through:
            return _zone_text(size, pile_codes(self.game, record, zone), ())
        deck = self.game.layout.deck
        return _zone_text(size, () if top < 0 else (deck.codes[deck.kind[top]],), ())

    def say(self, value: Value, record: Any, raw: bytes) -> bytes:
        """A field that everyone sees."""
        piece = raw[value.start : value.end]
        said = value.said.get(piece)
        if said is None:
            if len(value.said) > MOST_REMEMBERED:
                value.said.clear()
            shown = show(
                value.field,
                trim(value.field, record[value.name], self.players),
                self.game.layout.deck.codes,
            )
            said = encode(bool(shown) if value.name == "over" else shown)
            value.said[piece] = said
        return said

    def legal(self, numbers: Sequence[int]) -> bytes:
        """A list of actions."""
        actions = self.actions
        return b"[" + b",".join([actions[n] for n in numbers]) + b"]"


@cache
def face(game: str, players: int) -> Face:
    """The face of a game."""
    return Face(find(game), players)


def _label(name: str) -> bytes:
    return encode(name) + b":"


def _zone_text(size: int, cards: Sequence[str], known: Sequence[str]) -> bytes:
    data: dict[str, object] = {"size": size}
    if cards:
        data["cards"] = cards
    if known:
        data["known"] = known
    return encode(data)


class Showing:
    """What some viewers of a match have been shown, and what is new to them."""

    def __init__(self, match: Match, viewers: Sequence[int]) -> None:
        self.match = match
        self.face = face(match.game.name, match.players)
        self._viewers = np.array(viewers, np.int64)
        self._rows = new_rows(match.game, len(viewers))
        self._rows[:] = -1
        self._fresh = new_rows(match.game)
        self._changed = np.zeros((len(viewers) * self.face.rows, 2 + ROW), np.int64)
        self._shown: list[dict[int, bytes]] = [{} for _ in viewers]
        self._raw = b""
        self.news()

    def news(self) -> list[bytes]:
        """For each viewer what has changed since the last time, as the inside of a JSON object."""
        state, face = self.match.state, self.face
        n = changes_at(state, 0, self._viewers, self._rows, self._fresh, self._changed)
        record = state[0]
        zones: list[list[bytes]] = [[] for _ in self._shown]
        labels = face.labels
        for viewer, row, *seen in self._changed[:n].tolist():
            if row in labels:
                text = face.zone(record, row, tuple(seen))
                shown = self._shown[viewer]
                if shown.get(row) != text:
                    shown[row] = text
                    zones[viewer].append(labels[row] + text)
        common = self._common(record)
        return [common + b'"zones":{' + b",".join(texts) + b"}" for texts in zones]

    def _common(self, record: Any) -> bytes:
        """What has changed for everyone."""
        before, self._raw = self._raw, self.match.state.tobytes()
        raw, face = self._raw, self.face
        top = [
            value.label + face.say(value, record, raw)
            for value in face.top
            if raw[value.start : value.end] != before[value.start : value.end]
        ]
        fields = [
            value.label + face.say(value, record, raw)
            for value in face.fields
            if raw[value.start : value.end] != before[value.start : value.end]
        ]
        if fields:
            top.append(b'"fields":{' + b",".join(fields) + b"}")
        return b",".join(top) + b"," if top else b""

    def whole(self, viewer: int) -> bytes:
        """All that a viewer sees now, as a JSON object."""
        record, face = self.match.state[0], self.face
        parts = [v.label + face.say(v, record, self._raw) for v in face.top]
        fields = [v.label + face.say(v, record, self._raw) for v in face.fields]
        shown = self._shown[viewer]
        zones = [label + shown[row] for row, label in face.labels.items()]
        parts.append(b'"fields":{' + b",".join(fields) + b"}")
        parts.append(b'"zones":{' + b",".join(zones) + b"}")
        return b"{" + b",".join(parts) + b"}"
