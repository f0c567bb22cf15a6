"""Views as JSON, fast: what has changed for each viewer, and nothing else.

This is the busiest code of the server. What a viewer sees of a zone is decided by
`engine.visibility`, in numbers, and written by `engine.zone_text`; fields and lines of the log are
mostly found ready-made.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.game import Game
from kibitz.engine.log import Done, Line, insiders, line
from kibitz.engine.match import Match
from kibitz.engine.record import COMMON, Field
from kibitz.engine.view import new_rows, show, trim
from kibitz.engine.visibility import spans_changed
from kibitz.engine.zone_text import ZoneWords, write_changes_at
from kibitz.games import find
from kibitz.server.protocol import By, EventData, LineData, encode

MOST_REMEMBERED = 100_000  # texts, before a game's are forgotten and made anew
_TOP = {
    "round": "round_no", "due": "due", "round_over": "round_over", "over": "over",
    "winners": "winners", "scores": "total",
}  # fmt: skip
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
        self.zones = ZoneWords(game, players, encode)
        top = [self._value(label, COMMON[name], name) for label, name in _TOP.items()]
        fields = [self._value(n, field, n) for n, field in game.layout.shown.items()]
        self.values, self.tops = [*top, *fields], len(top)  # those of every game come first
        self.spans = np.array([(value.start, value.end) for value in self.values], np.int64)
        self.actions = [encode(action.text) for action in game.actions.all]
        self._lines: dict[Done, Told] = {}

    def _value(self, label: str, field: Field, name: str) -> Value:
        fields = self.game.layout.dtype.fields
        assert fields is not None
        dtype, start = fields[name][:2]
        return Value(_label(label), name, field, start, start + dtype.itemsize, {})

    def say(self, memory: memoryview, i: int) -> bytes:
        """A field that everyone sees, with its name; `memory` are the bytes of a state."""
        _, _, _, start, end, known = value = self.values[i]
        said = known.get(piece := bytes(memory[start:end]))
        if said is None:
            if len(known) > MOST_REMEMBERED:
                known.clear()
            said = known[piece] = self._put(value, memory)
        return said

    def _put(self, value: Value, memory: memoryview) -> bytes:
        """What `say` has not said before."""
        record = np.frombuffer(memory, self.game.layout.dtype)[0]
        shown = show(
            value.field,
            trim(value.field, record[value.name], self.players),
            self.game.layout.deck.codes,
        )
        return value.label + encode(bool(shown) if value.name in _FLAGS else shown)

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
        assert len(viewers) <= match.players + 1  # for so many there is paper
        self._viewers = np.array(viewers, np.int64)
        self._rows = self._blank(len(viewers))
        self._memory = match.state.view(np.uint8)
        self._bytes: memoryview = self._memory.data  # quicker to be cut into pieces
        self._before = ~self._memory  # what everyone was shown of it
        self._spans = np.zeros(len(self.face.values), np.int64)
        self._zones(self._viewers, self._rows)
        self._common()

    def _blank(self, viewers: int) -> Any:
        """The rows of viewers who have been shown nothing."""
        rows = new_rows(self.match.game, viewers)
        rows[:, :, 0] = self.face.zones.mask[:, 0]  # no size at all
        return rows

    def _zones(self, viewers: Any, rows: Any) -> list[bytes]:
        """For each viewer the zones that have changed; what some see alike is written once."""
        words, paper = self.face.zones, self.face.zones.paper
        n = write_changes_at(
            self.match.state, 0, viewers, rows, words.mask, words.form, words.letters, words.starts,
            words.kind, words.cards, paper.fresh, paper.changed, paper.runs, paper.text,
        )  # fmt: skip
        said: bytes = paper.text[:n].tobytes()
        texts: list[bytes] = []
        start = 0
        for like, end in paper.runs.tolist()[: len(viewers)]:
            texts.append(texts[like] if like < len(texts) else said[start:end])
            start = end
        return texts

    def news(self) -> list[bytes]:
        """For each viewer what has changed since the last time, as a JSON object."""
        zones, common = self._zones(self._viewers, self._rows), self._common()
        return [b'{%b"zones":{%b}}' % (common, text) for text in zones]

    def _common(self) -> bytes:
        """What has changed for everyone."""
        face = self.face
        n = spans_changed(self._memory, self._before, face.spans, self._spans)
        parts: list[bytes] = []
        fields: list[bytes] = []
        for i in self._spans[:n].tolist():
            (parts if i < face.tops else fields).append(face.say(self._bytes, i))
        if fields:
            parts.append(b'"fields":{' + b",".join(fields) + b"}")
        return b",".join(parts) + b"," if parts else b""

    def whole(self, viewer: int) -> bytes:
        """All that a viewer sees now, as a JSON object."""
        face = self.face
        said = [face.say(self._bytes, i) for i in range(len(face.values))]
        (zones,) = self._zones(self._viewers[viewer : viewer + 1], self._blank(1))
        parts = said[: face.tops]
        parts.append(b'"fields":{' + b",".join(said[face.tops :]) + b"}")
        parts.append(b'"zones":{' + zones + b"}")
        return b"{" + b",".join(parts) + b"}"
