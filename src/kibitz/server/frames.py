"""The frames that tell viewers of a table what has happened: the seats, then a spectator.

A frame is made of texts that are ready, in parts, as `msgspec.Raw`: what most viewers see alike is
put into JSON once.
"""

from typing import Any

from msgspec import UNSET, Raw

from kibitz.engine.actions import Secrecy
from kibitz.engine.events import Witnesses
from kibitz.engine.log import Line
from kibitz.engine.match import Match
from kibitz.engine.visibility import SPECTATOR
from kibitz.server import protocol as p
from kibitz.server.decide import Situation
from kibitz.server.entries import Entry
from kibitz.server.protocol import EventData, LineData, encode
from kibitz.server.table import Table
from kibitz.server.view_json import ViewWriter


def line_data(table: Table, n: int, viewer: int | None) -> LineData | None:
    """Line n of the log as a viewer may read it."""
    match = table.match
    assert match is not None
    line = match.line(n, viewer)
    if line is None:
        return None
    return LineData(
        seq=table.line_seq[n],
        seat=line.seat,
        action=line.action,
        verb=None if line.seat is None or line.action is not None else line.verb,
        by=table.line_by.get(n),
        events=_events(line),
    )


def _events(line: Line) -> tuple[EventData, ...]:
    return tuple(EventData(e.name, e.seat, e.number, e.other, e.word, e.cards, e.size)
                 for e in line.events)  # fmt: skip


def log(table: Table, viewer: int | None, have: int) -> list[LineData]:
    """The lines of the log that a viewer can read, those that came after an entry."""
    if table.former is not None:
        return [line for line in table.former.lines if line.seq > have]
    first = next((n for n, seq in enumerate(table.line_seq) if seq > have), len(table.line_seq))
    lines = (line_data(table, n, viewer) for n in range(first, len(table.line_seq)))
    return [line for line in lines if line is not None]


def turn(table: Table, situation: Situation) -> p.Turn:
    """Since when somebody is awaited, and what is left of the clock."""
    began = min(table.due_since.values(), default=0)
    clock = table.stored.clock
    if clock is None or not table.due_since:
        return p.Turn(began, None)
    return p.Turn(began, max(0, began + 1000 * clock - situation.now))


def rest(table: Table, situation: Situation) -> p.Rest | None:
    """Who wants to go on after a round, and when it goes on anyway."""
    if not table.rests:
        return None
    left = max(0, table.rests_since + situation.pause - situation.now)
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

    def moved(self, entry: Entry, situation: Situation, wanting: set[int]) -> list[p.MovedFrame]:
        """What each viewer hears of a choice, or of a deal.

        `wanting` are the seats whose players are there, so that they hear what they may do.
        """
        news = self.views.news()
        lines = self._new_lines()
        due = self.match.to_act
        common = self._common(entry, situation)
        frames = []
        for viewer, changes in enumerate(news):
            view: Any = Raw(b"{%b}" % changes)
            legal: Any = UNSET
            if viewer in wanting and viewer in due:
                legal = Raw(self.views.face.legal(self.match.legal_numbers(viewer)))
            frames.append(p.MovedFrame(lines=lines[viewer], view=view, legal=legal, **common))
        return frames

    def _common(self, entry: Entry, situation: Situation) -> dict[str, Any]:
        """What all hear alike."""
        common: dict[str, Any] = {
            "table": self.table.id,
            "seq": entry.seq,
            "seat": entry.seat,
            "turn": turn(self.table, situation),
        }
        by = self.table.line_by.get(len(self.match.done) - 1)
        if by is not None:
            common["by"] = by
        if (rests := rest(self.table, situation)) is not None:
            common["rest"] = rests
        if len(self.match.sheet) > self._rounds:
            self._rounds = len(self.match.sheet)
            common["sheet"] = self.match.sheet[-1]
        if self.match.over:
            common |= {"phase": "over", "deal": self.table.deal()}
        return common

    def _new_lines(self) -> list[Any]:
        """For each viewer the lines of the log that have come."""
        new = range(self._lines, len(self.match.done))
        self._lines = len(self.match.done)
        viewers = (*range(self.match.players), None)
        if all(self._is_open(n) for n in new):
            return [Raw(encode([line_data(self.table, n, None) for n in new]))] * len(viewers)
        told = [[line_data(self.table, n, viewer) for n in new] for viewer in viewers]
        return [[line for line in lines if line is not None] for lines in told]

    def _is_open(self, n: int) -> bool:
        """Whether a line reads the same to everyone."""
        done, kinds = self.match.done[n], self.match.game.events.kinds
        if any(kinds[event.kind].witnesses is not Witnesses.EVERYONE for event in done.events):
            return False
        if done.seat is None:
            return True
        return self.match.game.actions.all[done.action].verb.secrecy is Secrecy.OPEN


def preview(match: Match, after: Match, seat: int) -> Raw:
    """What a seat would see change by some steps of its choice."""
    before = match.in_world(match.sample_world(seat))
    views = ViewWriter(before, [seat])
    before.state[:] = after.state
    return Raw(b"{%b}" % views.news()[0])


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
        turn=None if match is None else turn(table, situation),
        rest=rest(table, situation),
        log=log(table, viewer, have),
        chat=[line for line in table.chat if line.seq > have],
        sheet=_sheet(table),
        deal=table.deal(),
        rematch=table.rematch,
        former=None if table.former is None else table.former.data(),
    )
