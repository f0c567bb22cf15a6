"""The frames that tell viewers of a choice, and of the whole table."""

import time
from typing import Any

from msgspec import Raw

from kibitz.engine.visibility import SPECTATOR
from kibitz.engine.match import Match
from kibitz.server.protocol import VERSION, Line, SeatData, Turn, encode
from kibitz.server.protocol import Table as TableFrame
from kibitz.server.showing import Showing
from kibitz.server.store import Entry
from kibitz.server.table import Table


def now_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Telling:
    """Says to each viewer of a table what it may know. Viewers are the seats, then a spectator."""

    def __init__(self, table: Table) -> None:
        assert table.match is not None
        self.table = table
        self.match: Match = table.match
        viewers = [*range(self.match.players), SPECTATOR]
        self.showing = Showing(self.match, viewers)
        self._lines = len(self.match.log)
        self._sealed = self.match.sealed
        self._rounds = len(self.match.sheet)
        self._head = b'{"t":"moved","table":' + encode(table.id) + b',"seq":'

    def moved(self, entry: Entry, by: str | None, seats: set[int]) -> list[bytes]:
        """What each viewer hears of a choice; `seats` are those that want to know what is legal."""
        news = self.showing.news()
        head = b'%s%d,"seat":%d,"lines":' % (self._head, entry.seq, entry.seat or 0)
        tail = self._tail(by)
        lines = self._new_lines()
        due = self.match.to_act
        frames = []
        for viewer, changes in enumerate(news):
            legal = self.choices(viewer) if viewer in seats and viewer in due else b""
            frames.append(b"".join(
                (head, lines[viewer], b',"view":{', changes, b"}", legal, tail)
            ))  # fmt: skip
        return frames

    def choices(self, seat: int) -> bytes:
        """What a seat can do, as a part of a frame."""
        legal = self.showing.face.legal(self.match.legal_numbers(seat))
        held = encode(self.match.held(seat)) if self.match.game.tabletop.steps else b"[]"
        return b',"legal":' + legal + b',"held":' + held

    def _tail(self, by: str | None) -> bytes:
        """What all hear alike."""
        parts = [b',"turn":', encode(turn(self.table))]
        if by is not None:
            parts += [b',"by":', encode(by)]
        if len(self.match.sheet) > self._rounds:
            self._rounds = len(self.match.sheet)
            parts += [b',"sheet":', encode(self.match.sheet[-1])]
        if self.match.over:
            parts += [b',"phase":"over","deal":', encode(self.table.deal())]
        return b"".join((*parts, b"}"))

    def _new_lines(self) -> list[bytes]:
        """For each viewer the lines of the log that it can read now and could not before."""
        first, known, sealed = self._sealed, self._lines, self.match.sealed
        self._lines = last = len(self.match.log)
        self._sealed = sealed
        if last == known + 1 and first == known and sealed == last and self._all_saw(known):
            return [encode((self.match.log[known],))] * (self.match.players + 1)
        return [
            encode([line for _, line in self._between(viewer, first, known, last)])
            for viewer in (*range(self.match.players), None)
        ]

    def _all_saw(self, n: int) -> bool:
        return self.match.told(None, n, n + 1) == self.match.log[n]

    def _between(
        self, viewer: int | None, first: int, known: int, last: int
    ) -> list[tuple[int, tuple[int, str]]]:
        new = []
        for n in range(first, last):
            before = self.match.told(viewer, n, first) if n < known else None
            now = self.match.told(viewer, n, self.match.sealed)
            if now is not None and before is None:
                new.append((n, now))
        return new


def preview(match: Match, after: Match, seat: int) -> Raw:
    """What a seat would see change by some steps of its choice."""
    before = match.copy()
    before.state = match.sample_world(seat)
    showing = Showing(before, [seat])
    before.state[:] = after.state
    return Raw(b"{" + showing.news()[0] + b"}")


def turn(table: Table) -> Turn:
    """Since when somebody is awaited, and what is left of the clock."""
    began = min(table.due_since.values(), default=0)
    clock = table.stored.clock
    left = None if clock is None else max(0, began + 1000 * clock - now_ms())
    return Turn(began, left)


def log(table: Table, viewer: int | None, have: int) -> list[Line]:
    """The lines of the log that a viewer can read, those that came after an entry."""
    match = table.match
    assert match is not None
    lines: list[Line] = []
    for n in range(len(match.log)):
        line = match.told(viewer, n, match.sealed)
        if line is None:
            continue
        at_once = match.told(viewer, n, n) is not None
        seq = table.line_seq[n] if at_once else table.open_seq[n]
        if seq > have:
            lines.append((*line, seq))
    return lines


def whole(
    table: Table,
    telling: Telling | None,
    viewer: int | None,
    seats: list[SeatData],
    join: str,
    re: str,
    have: int,
) -> bytes:
    """The whole table, as a viewer sees it."""
    stored, match = table.stored, table.match
    view: Any = None
    legal, held = None, []
    if match is not None and telling is not None:
        view = Raw(telling.showing.whole(match.players if viewer is None else viewer))
        if viewer is not None and viewer in match.to_act:
            legal, held = match.legal(viewer), match.held(viewer)
    return encode(
        TableFrame(
            re=re,
            table=table.id,
            seq=table.seq,
            version=VERSION,
            game=stored.game,
            players=stored.players,
            options=table.options,
            clock=stored.clock,
            hints=stored.hints,
            open=stored.open,
            phase=table.phase,
            you=viewer,
            host=viewer is not None and viewer == table.host,
            join=join if viewer is not None or stored.open else None,
            commitment=stored.commitment,
            seats=seats,
            view=view,
            legal=legal,
            held=held,
            turn=None if match is None else turn(table),
            log=[] if match is None else log(table, viewer, have),
            chat=[line for line in table.chat if line.seq > have],
            sheet=[] if match is None else match.sheet,
            deal=table.deal(),
            rematch=table.rematch,
        )
    )
