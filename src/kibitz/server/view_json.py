"""Views as JSON, fast: what has changed for each viewer, and nothing else.

This is the busiest code of the server, and the only place where JSON is put together by hand. What
a viewer sees of a zone is decided by `engine.visibility`, in numbers; here numbers become text,
most of it found ready-made.
"""

import struct
from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.game import Game
from kibitz.engine.log import Done, Line, line
from kibitz.engine.match import Match
from kibitz.engine.record import COMMON, Field
from kibitz.engine.view import codes_of, new_rows, pile_codes, row_of, show, trim
from kibitz.engine.visibility import CHANGE, ROW, changes_at
from kibitz.engine.zones import Zone
from kibitz.games import find
from kibitz.server.protocol import By, EventData, LineData, encode

MOST_REMEMBERED = 100_000  # texts, before a game's are forgotten and made anew
_TOP = {
    "round": "round_no", "due": "due", "round_over": "round_over", "over": "over",
    "winners": "winners", "scores": "total",
}  # fmt: skip
_STARTS = range(16, 1 << 30, 8 * CHANGE)  # where the row of each change begins
_FIRST = b'{"seq":0'
_FLAGS = ("round_over", "over")


class Value(NamedTuple):
    """A field of the state that everyone sees: where its bytes lie and how to say it."""

    label: bytes
    name: str
    field: Field
    start: int
    end: int
    is_top: bool  # every game has it
    said: dict[bytes, bytes]


class Face:
    """How the states of a game with so many players are said in JSON."""

    def __init__(self, game: Game, players: int) -> None:
        self.game, self.players = game, players
        zones = game.layout.zones.at(players)
        self.zones: dict[int, Zone] = {row_of(game, zone): zone for zone in zones}
        self.labels = {row: _label(zone.name) for row, zone in self.zones.items()}
        piles = {row: zone.family for row, zone in self.zones.items() if zone.family.is_pile}
        self._piles = {row: family.looked_through for row, family in piles.items()}
        self.rows = len(new_rows(game))
        top = [self._value(label, COMMON[name], name, True) for label, name in _TOP.items()]
        fields = [self._value(n, field, n, False) for n, field in game.layout.shown.items()]
        self.values, self.tops = [*top, *fields], len(top)  # those of every game come first
        self.pieces = itemgetter(*(slice(value.start, value.end) for value in self.values))
        self.actions = [encode(action.text) for action in game.actions.all]
        self._said: dict[bytes, bytes] = {}
        self._lines: dict[tuple[Done, int | None], bytes] = {}

    def _value(self, label: str, field: Field, name: str, is_top: bool) -> Value:
        fields = self.game.layout.dtype.fields
        assert fields is not None
        dtype, start = fields[name][:2]
        return Value(_label(label), name, field, start, start + dtype.itemsize, is_top, {})

    def zone(self, state: Any, row: int, seen: bytes) -> bytes:
        """A zone as a viewer sees it; `seen` are the numbers of its row."""
        looked_through = self._piles.get(row)
        if looked_through is None:
            key = seen  # a row of a set says all
        elif looked_through:
            key = b"%c%b" % (row, seen)
        else:
            key = seen[:8] + seen[16:24]  # size and top
        said = self._said.get(key)
        if said is None:
            if len(self._said) > MOST_REMEMBERED:
                self._said.clear()
            numbers = struct.unpack(f"={ROW}q", seen)
            said = self._said[key] = self._say_zone(state, self.zones[row], numbers)
        return said

    def _say_zone(self, state: Any, zone: Zone, seen: tuple[int, ...]) -> bytes:
        size, top = seen[0], seen[2]
        if not zone.family.is_pile:
            return _zone_text(size, codes_of(self.game, seen[1:3]), codes_of(self.game, seen[3:5]))
        if zone.family.looked_through:
            return _zone_text(size, pile_codes(self.game, state[0], zone), ())
        deck = self.game.layout.deck
        return _zone_text(size, () if top < 0 else (deck.codes[deck.kind[top]],), ())

    def say(self, value: Value, state: Any, piece: bytes) -> bytes:
        """A field that everyone sees; `piece` are its bytes."""
        said = value.said.get(piece)
        if said is None:
            if len(value.said) > MOST_REMEMBERED:
                value.said.clear()
            shown = show(
                value.field,
                trim(value.field, state[0][value.name], self.players),
                self.game.layout.deck.codes,
            )
            said = encode(bool(shown) if value.name in _FLAGS else shown)
            value.said[piece] = said
        return said

    def line(self, done: Done, seq: int, viewer: int | None) -> bytes:
        """A line of the log as a viewer may read it; nothing, if it may not."""
        said = self._lines.get((done, viewer))
        if said is None:
            if len(self._lines) > MOST_REMEMBERED:
                self._lines.clear()
            found = line(self.game, done, viewer)
            said = b"" if found is None else encode(line_data(found, 0)).removeprefix(_FIRST)
            self._lines[done, viewer] = said
        return said and b'{"seq":%d%b' % (seq, said)

    def legal(self, numbers: Sequence[int]) -> bytes:
        """A list of actions."""
        actions = self.actions
        return b"[" + b",".join([actions[n] for n in numbers]) + b"]"


def line_data(line: Line, seq: int, by: By | None = None) -> LineData:
    """A line of the log on the wire; `by` is who chose, where it was not the player."""
    events = [
        EventData(e.name, e.seat, e.number, e.other, e.word, e.cards, e.size) for e in line.events
    ]
    verb = None if line.seat is None or line.action is not None else line.verb
    return LineData(seq, line.seat, line.action, verb, by, tuple(events))


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


class ViewWriter:
    """What some viewers of a match have been shown, and what is new to them."""

    def __init__(self, match: Match, viewers: Sequence[int]) -> None:
        self.match = match
        self.face = face(match.game.name, match.players)
        self._viewers = np.array(viewers, np.int64)
        self._rows = new_rows(match.game, len(viewers))
        self._rows[:] = -1
        self._fresh = new_rows(match.game)
        self._changed = np.zeros((len(viewers) * self.face.rows + 1, CHANGE), np.int64)
        self._shown: list[dict[int, bytes]] = [{} for _ in viewers]
        self._like = np.zeros(len(viewers), np.int64)
        self._pieces: tuple[bytes, ...] = (b"",) * len(self.face.values)
        self.news()

    def news(self) -> list[bytes]:
        """For each viewer what has changed since the last time, as a JSON object."""
        state, labels, zone = self.match.state, self.face.labels, self.face.zone
        n = changes_at(state, 0, self._viewers, self._rows, self._fresh, self._changed, self._like)
        said: list[dict[int, bytes]] = [{} for _ in self._shown]
        changed = self._changed[:n]
        numbers = changed.tobytes()
        for start, (viewer, row) in zip(_STARTS, changed[:, :2].tolist(), strict=False):
            if row in labels:
                said[viewer][row] = zone(state, row, numbers[start : start + 8 * ROW])
        common = self._common()
        texts: list[bytes] = []
        # Most viewers see the same change: it is put into words once.
        for viewer, like in enumerate(self._like.tolist()):
            shown, now = self._shown[viewer], said[like]
            if like == viewer:
                new = [labels[row] + text for row, text in now.items() if shown.get(row) != text]
                texts.append(b'{%b"zones":{%b}}' % (common, b",".join(new)))
            else:
                texts.append(texts[like])
            shown.update(now)
        return texts

    def _common(self) -> bytes:
        """What has changed for everyone."""
        face, state = self.face, self.match.state
        before, self._pieces = self._pieces, face.pieces(state.tobytes())
        parts: list[bytes] = []
        fields: list[bytes] = []
        for value, piece, old in zip(face.values, self._pieces, before, strict=True):
            if piece != old:
                said = value.label + face.say(value, state, piece)
                (parts if value.is_top else fields).append(said)
        if fields:
            parts.append(b'"fields":{' + b",".join(fields) + b"}")
        return b",".join(parts) + b"," if parts else b""

    def whole(self, viewer: int) -> bytes:
        """All that a viewer sees now, as a JSON object."""
        face, state = self.face, self.match.state
        said = [
            value.label + face.say(value, state, piece)
            for value, piece in zip(face.values, self._pieces, strict=True)
        ]
        shown = self._shown[viewer]
        zones = [label + shown[row] for row, label in face.labels.items()]
        parts = said[: face.tops]
        parts.append(b'"fields":{' + b",".join(said[face.tops :]) + b"}")
        parts.append(b'"zones":{' + b",".join(zones) + b"}")
        return b"{" + b",".join(parts) + b"}"
