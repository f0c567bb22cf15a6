"""Views as JSON, fast: what has changed for each viewer, and nothing else.

This is the busiest code of the server, and the only place where JSON is put together by hand. What
a viewer sees of a zone is decided by `engine.visibility`, in numbers; here numbers become text,
most of it found ready-made.
"""

import struct
import sys
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.game import Game
from kibitz.engine.log import Done, Line, insiders, line
from kibitz.engine.match import Match
from kibitz.engine.record import COMMON, Field
from kibitz.engine.view import cards_of, new_rows, pile_of, row_of, show, trim
from kibitz.engine.visibility import CHANGE, ROW, changes_at, spans_changed
from kibitz.engine.zones import Zone
from kibitz.games import find
from kibitz.server.protocol import By, EventData, LineData, encode

MOST_REMEMBERED = 100_000  # texts, before a game's are forgotten and made anew
_TOP = {
    "round": "round_no", "due": "due", "round_over": "round_over", "over": "over",
    "winners": "winners", "scores": "total",
}  # fmt: skip
_KEY = 8 * (1 + ROW)  # bytes: the number of a row, and the row
_FIRST = b'{"seq":0'
_FLAGS = ("round_over", "over")


class Value(NamedTuple):
    """A field of the state that everyone sees: where its bytes lie and how to say it."""

    label: bytes
    name: str
    field: Field
    start: int
    end: int
    said: dict[bytes, bytes]


class Told(NamedTuple):
    """A line of the log without its number: as most read it, and as seats do who saw more."""

    most: bytes  # nothing, where they may read none of it
    insiders: dict[int | None, bytes]

    def to(self, viewer: int | None) -> bytes:
        """As a viewer reads it."""
        return self.insiders.get(viewer, self.most)


class Face:
    """How the states of a game with so many players are said in JSON."""

    def __init__(self, game: Game, players: int) -> None:
        self.game, self.players = game, players
        zones = game.layout.zones.at(players)
        self.zones: dict[int, Zone] = {row_of(game, zone): zone for zone in zones}
        self.rows = new_rows(game)  # which bits of which rows are said
        for row, zone in self.zones.items():
            self.rows[row] = -1
            if zone.family.is_pile and not zone.family.looked_through:
                self.rows[row, 1] = 0  # of its order nothing but the uppermost card
        top = [self._value(label, COMMON[name], name) for label, name in _TOP.items()]
        fields = [self._value(n, field, n) for n, field in game.layout.shown.items()]
        self.values, self.tops = [*top, *fields], len(top)  # those of every game come first
        self.spans = np.array([(value.start, value.end) for value in self.values], np.int64)
        self.actions = [encode(action.text) for action in game.actions.all]
        self.said: dict[bytes, bytes] = {}  # what `zone` has said
        self._codes = [encode(code) for code in game.layout.deck.codes]
        self._lines: dict[Done, Told] = {}

    def _value(self, label: str, field: Field, name: str) -> Value:
        fields = self.game.layout.dtype.fields
        assert fields is not None
        dtype, start = fields[name][:2]
        return Value(_label(label), name, field, start, start + dtype.itemsize, {})

    def zone(self, state: Any, key: bytes) -> bytes:
        """A zone as a viewer sees it, with its name; `key` is the number of its row and the row."""
        said = self.said.get(key)
        if said is None:
            if len(self.said) > MOST_REMEMBERED:
                self.said.clear()
            row, *seen = struct.unpack(f"={1 + ROW}q", key)
            said = self.said[key] = self._say_zone(state, self.zones[row], seen)
        return said

    def zone_before(self, state: Any, key: bytes) -> bytes:
        """The same as it was before; nothing, where only the state of then could tell."""
        family = self.zones[int.from_bytes(key[:8], sys.byteorder)].family
        return b"" if family.is_pile and family.looked_through else self.zone(state, key)

    def _say_zone(self, state: Any, zone: Zone, seen: list[int]) -> bytes:
        size, top = seen[0], seen[2]
        kind = self.game.layout.deck.kinds_by_card
        known: list[int] = []
        if not zone.family.is_pile:
            cards = sorted([kind[card] for card in cards_of(seen[1:3])])
            known = sorted([kind[card] for card in cards_of(seen[3:5])])
        elif zone.family.looked_through:
            cards = [kind[card] for card in pile_of(state[0], zone.index)]
        else:
            cards = [] if top < 0 else [kind[top]]
        said = _label(zone.name) + b'{"size":%d' % size
        for name, kinds in (b"cards", cards), (b"known", known):
            if kinds:
                said += b',"%b":[%b]' % (name, b",".join([self._codes[k] for k in kinds]))
        return said + b"}"

    def say(self, memory: Any, i: int) -> bytes:
        """A field that everyone sees, with its name; `memory` are the bytes of a state."""
        value = self.values[i]
        piece: bytes = memory[value.start : value.end].tobytes()
        said = value.said.get(piece)
        if said is None:
            if len(value.said) > MOST_REMEMBERED:
                value.said.clear()
            shown = show(
                value.field,
                trim(value.field, memory.view(self.game.layout.dtype)[0][value.name], self.players),
                self.game.layout.deck.codes,
            )
            told = encode(bool(shown) if value.name in _FLAGS else shown)
            said = value.said[piece] = value.label + told
        return said

    def line(self, done: Done) -> Told:
        """A line of the log as viewers may read it."""
        told = self._lines.get(done)
        if told is None:
            if len(self._lines) > MOST_REMEMBERED:
                self._lines.clear()
            seats: frozenset[int | None] = insiders(self.game, done)
            inside = {seat: self._read(done, seat) for seat in seats}
            told = self._lines[done] = Told(self._read(done, None), inside)
        return told

    def _read(self, done: Done, viewer: int | None) -> bytes:
        found = line(self.game, done, viewer)
        return b"" if found is None else encode(line_data(found, 0)).removeprefix(_FIRST)

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


class ViewWriter:
    """What some viewers of a match have been shown, and what is new to them."""

    def __init__(self, match: Match, viewers: Sequence[int]) -> None:
        self.match = match
        self.face = face(match.game.name, match.players)
        self._viewers = np.array(viewers, np.int64)
        self._rows = new_rows(match.game, len(viewers))
        self._rows[:] = -1
        self._fresh = new_rows(match.game)
        self._changed = np.zeros((self._rows.size // ROW, CHANGE), np.int64)
        self._runs = np.zeros((len(viewers), 2), np.int64)
        self._memory = match.state.view(np.uint8)
        self._before = ~self._memory  # what everyone was shown of it
        self._spans = np.zeros(len(self.face.values), np.int64)
        self._look()
        self._common()

    def _look(self) -> int:
        """Find the rows that have changed; how many there are."""
        return changes_at(
            self.match.state, 0, self._viewers, self.face.rows, self._rows, self._fresh,
            self._changed, self._runs,
        )  # fmt: skip

    def news(self) -> list[bytes]:
        """For each viewer what has changed since the last time, as a JSON object."""
        face, state = self.face, self.match.state
        said, numbers = face.said, self._changed[: self._look()].tobytes()
        common = self._common()
        texts: list[bytes] = []
        first = 0
        for like, end in self._runs.tolist():
            if like < len(texts):  # most viewers see the same change: it is put into words once
                texts.append(texts[like])
                continue
            zones: list[bytes] = []
            for at in range(2 * _KEY * first, 2 * _KEY * end, 2 * _KEY):
                key, before = numbers[at : at + _KEY], numbers[at + _KEY : at + 2 * _KEY]
                zone = said.get(key) or face.zone(state, key)
                # Of cards that look alike nobody may notice which one it is.
                if zone != (said.get(before) or face.zone_before(state, before)):
                    zones.append(zone)
            first = end
            texts.append(b'{%b"zones":{%b}}' % (common, b",".join(zones)))
        return texts

    def _common(self) -> bytes:
        """What has changed for everyone."""
        face = self.face
        n = spans_changed(self._memory, self._before, face.spans, self._spans)
        parts: list[bytes] = []
        fields: list[bytes] = []
        for i in self._spans[:n].tolist():
            (parts if i < face.tops else fields).append(face.say(self._memory, i))
        if fields:
            parts.append(b'"fields":{' + b",".join(fields) + b"}")
        return b",".join(parts) + b"," if parts else b""

    def whole(self, viewer: int) -> bytes:
        """All that a viewer sees now, as a JSON object."""
        face, state = self.face, self.match.state
        said = [face.say(self._memory, i) for i in range(len(face.values))]
        rows = self._rows[viewer]
        keys = [row.to_bytes(8, sys.byteorder) + rows[row].tobytes() for row in face.zones]
        zones = [face.zone(state, key) for key in keys]
        parts = said[: face.tops]
        parts.append(b'"fields":{' + b",".join(said[face.tops :]) + b"}")
        parts.append(b'"zones":{' + b",".join(zones) + b"}")
        return b"{" + b",".join(parts) + b"}"
