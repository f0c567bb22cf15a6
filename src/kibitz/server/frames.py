"""The frames that tell viewers of a table what has happened: the seats, then a spectator.

A frame is put together from texts that are ready: what most viewers hear alike is put into JSON
once.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import UNSET, Raw

from kibitz.engine.match import Match
from kibitz.engine.visibility import SPECTATOR
from kibitz.server import protocol as p
from kibitz.server.entries import Entry
from kibitz.server.protocol import LineData, encode
from kibitz.server.situation import Situation
from kibitz.server.table import Table
from kibitz.server.view_json import ViewWriter, line_data


def lines_of(table: Table, numbers: Iterable[int], viewer: int | None) -> list[LineData]:
    """Those lines of the log that a viewer may read."""
    match = table.match
    if match is None:
        return []
    lines = ((n, match.line(n, viewer)) for n in numbers)
    return [line_data(line, table.line_seq[n], table.line_by.get(n)) for n, line in lines if line]


def log(table: Table, viewer: int | None, have: int) -> list[LineData]:
    """The lines of the log that a viewer can read, those that came after an entry."""
    if table.former is not None:
        return [line for line in table.former.lines if line.seq > have]
    first = next((n for n, seq in enumerate(table.line_seq) if seq > have), len(table.line_seq))
    lines = lines_of(table, range(first, len(table.line_seq)), viewer)
    notes = [note for note in table.notes if note.seq > have]
    return sorted([*lines, *notes], key=lambda line: line.seq)


def turn(table: Table, now: int) -> p.Turn:
    """Since when somebody is awaited, and what is left of the clock."""
    began = min(table.due_since.values(), default=0)
    clock = table.stored.clock
    if clock is None or not table.due_since:
        return p.Turn(began, None)
    return p.Turn(began, max(0, began + 1000 * clock - now))


def rest(table: Table, now: int, pause: int) -> p.Rest | None:
    """Who wants to go on after a round, and when it goes on anyway."""
    if not table.rests:
        return None
    left = max(0, table.rests_since + pause - now)
    return p.Rest(sorted(table.ready), 0 if table.awaits_nobody else left)


class TableFrames:
    """What the viewers of a table have been told, and what is new to them."""

    def __init__(self, table: Table) -> None:
        assert table.match is not None
        self.table, self.match = table, table.match
        viewers = [*range(self.match.players), SPECTATOR]
        self.views = ViewWriter(self.match, viewers)
        self._lines = len(self.match.done)
        self._rounds = len(self.match.sheet)

    def moved(self, entry: Entry, now: int, pause: int) -> "Moved":
        """A choice, or a deal, of which viewers are to hear."""
        lines = range(self._lines, len(self.match.done))
        self._lines = len(self.match.done)
        return Moved(self.table, self.views, lines, self._common(entry, now, pause))

    def _common(self, entry: Entry, now: int, pause: int) -> p.MovedFrame:
        """What all hear alike."""
        table, match = self.table, self.match
        later: Any = UNSET  # for each viewer
        common = p.MovedFrame(
            table=table.id, seq=entry.seq, seat=entry.seat, turn=turn(table, now),
            lines=later, view=later,
        )  # fmt: skip
        by = table.line_by.get(len(match.done) - 1)
        if by is not None:
            common.by = by
        if (rests := rest(table, now, pause)) is not None:
            common.rest = rests
        if len(match.sheet) > self._rounds:
            self._rounds = len(match.sheet)
            common.sheet = match.sheet[-1]
        if match.over:
            common.phase, common.deal = "over", table.deal() or UNSET
        return common


class Moved:
    """A choice, or a deal, put into words for each viewer that is there to hear of it."""

    def __init__(self, table: Table, views: ViewWriter, lines: range, frame: p.MovedFrame) -> None:
        assert table.match is not None
        self._table, self._match, self._face = table, table.match, views.face
        self._views, self._lines = views.news(), lines
        self._head = encode(frame)[:-1]  # without the closing brace
        self._due = self._match.to_act
        self._has_chosen = not frame.by
        done, seq = self._match.done, table.line_seq
        self._told = [(seq[n], self._face.line(done[n])) for n in lines]
        self._insiders = {seat for _, told in self._told for seat in told.insiders}
        self._start = self._begun(None)  # as most read it

    def text(self, viewer: int | None, re: str | None = None) -> bytes:
        """What a viewer hears; `re` is the command that it answers."""
        start = self._begun(viewer) if viewer in self._insiders else self._start
        text = start + self._views[-1 if viewer is None else viewer]
        if viewer is not None and viewer in self._due:
            text += b',"legal":' + self._face.legal(self._match.legal_numbers(viewer))
        if re is not None:
            text += b',"re":' + encode(re)
        return text + b"}"

    def _begun(self, viewer: int | None) -> bytes:
        """What a viewer hears, up to what it sees."""
        return b'%b,"lines":%b,"view":' % (self._head, self._read(viewer))

    def _read(self, viewer: int | None) -> bytes:
        """The lines of the log that have come, as a viewer may read them."""
        if not self._has_chosen:
            return encode(lines_of(self._table, self._lines, viewer))
        read = [(seq, told.to(viewer)) for seq, told in self._told]
        return b"[%b]" % b",".join([b'{"seq":%d%b' % line for line in read if line[1]])


def preview(match: Match, after: Match, seat: int) -> Raw:
    """What a seat would see change by some steps of its choice."""
    before = match.in_world(match.sample_world(seat))
    views = ViewWriter(before, [seat])
    before.state[:] = after.state
    return Raw(views.news()[0])


def _sheet(table: Table) -> p.SheetData:
    if table.match is not None:
        return table.match.sheet
    result = None if table.former is None else table.former.result
    return [] if result is None else result.sheet


def whole(
    table: Table,
    frames: TableFrames | None,
    viewer: int | None,
    seats: list[p.SeatData],
    join: str,
    re: str,
    have: int,
    situation: Situation,
) -> p.TableFrame:
    """The whole table, as a viewer sees it."""
    stored, match = table.stored, table.match
    view: Any = None
    legal = None
    if match is not None and frames is not None:
        view = Raw(frames.views.whole(match.players if viewer is None else viewer))
        if viewer is not None and viewer in match.to_act:
            legal = match.legal(viewer)
    return p.TableFrame(
        re=re,
        table=table.id,
        seq=table.seq,
        version=p.VERSION,
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
        turn=None if match is None else turn(table, situation.now),
        rest=rest(table, situation.now, situation.pause),
        log=log(table, viewer, have),
        chat=[line for line in table.chat if line.seq > have],
        sheet=_sheet(table),
        deal=table.deal(),
        rematch=table.rematch,
        former=None if table.former is None else table.former.data(),
        again=table.again,
    )
