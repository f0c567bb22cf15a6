"""Those who are at a table: who they are, and what each of them is told."""

import logging
from collections.abc import Iterable
from typing import Protocol

from kibitz.server import entries, frames
from kibitz.server import protocol as p
from kibitz.server.entries import Entry
from kibitz.server.frames import TableFrames
from kibitz.server.outbox import Later
from kibitz.server.presence import Presence
from kibitz.server.protocol import Refused, encode
from kibitz.server.situation import Situation
from kibitz.server.store import now_ms
from kibitz.server.table import Table
from kibitz.server.tokens import SeatToken, Signer

log = logging.getLogger(__name__)
TABLES_AT_ONCE = 50  # of which news is told, before others get their turn
MOST_WATCHING = 200  # connections at one table
MOST_OF_A_SEAT = 20


class Visitor(Protocol):
    """Somebody who is told what happens at a table; `came_as` is the seat it entered with.

    `address` is where it comes from, `key` tells connections apart.
    """

    seat: int | None
    came_as: int | None
    address: str
    key: str

    def send(self, frame: bytes) -> None:
        """Tell."""
        ...


class News(Later["Audience"]):
    """The tables at which something has happened that nobody has been told yet."""

    def __init__(self) -> None:
        super().__init__(_tell, TABLES_AT_ONCE)


def _tell(audiences: list["Audience"]) -> None:
    for audience in audiences:
        audience.tell_news()


class Audience:
    """The visitors of a table: players and those who watch, here or at another server.

    A choice is told a little later than it has happened: `news` has it told. Whatever else changes
    the table, or is told of it, comes after that.
    """

    def __init__(
        self, table: Table, signer: Signer, presence: Presence, pause: float, news: News
    ) -> None:
        self.table, self._news = table, news
        self._untold: tuple[Entry, tuple[Visitor, str] | None, int] | None = None
        self._signer, self._presence, self._pause = signer, presence, int(1000 * pause)
        self._everyone = frozenset(range(len(table.seats)))
        self.visitors: list[Visitor] = []
        self.watching_bars: list[Visitor] = []
        self._frames: TableFrames | None = None
        self._opened = now_ms()
        self._connected: frozenset[int] | None = None  # until somebody comes, goes, or stands up
        self._gone: dict[int, int] = {}  # when seats' players were last seen to go
        self._players_from: set[str] = set()  # addresses from which somebody has come to a seat

    # ---- who is here

    def come(self, visitor: Visitor, re: str, have: int) -> bool:
        """Somebody comes, and is shown the whole table; whether a seat's player was not here."""
        self.tell_news()
        self._connected = None
        self._check_space(visitor)
        self._prepare()
        if visitor.seat is not None:
            self._players_from.add(visitor.address)
        is_back = visitor.seat is not None and visitor.seat not in self.here()
        if visitor not in self.visitors:
            self.visitors.append(visitor)
        self._connected = None
        visitor.send(encode(self._whole(visitor, re, have)))
        if self.table.rematch is not None:
            self._tell_rematch(visitor, self.table.rematch)
        return is_back

    def _check_space(self, visitor: Visitor) -> None:
        """Refuse one too many: each of them is told everything."""
        alike = sum(v.seat == visitor.seat for v in self.visitors if v is not visitor)
        if visitor.seat is None and alike >= MOST_WATCHING:
            raise Refused("too_many", f"at most {MOST_WATCHING} people watch a table")
        if visitor.seat is not None and alike >= MOST_OF_A_SEAT:
            raise Refused("too_many", f"a seat has at most {MOST_OF_A_SEAT} connections")

    def may_see_bars(self, visitor: Visitor) -> bool:
        """Whether everyone's chances help nobody who plays, as far as the server can know."""
        if self.table.phase == "over":
            return True
        helps = not self.table.stored.hints and visitor.address in self._players_from
        return visitor.seat is None and not helps

    def go(self, visitor: Visitor) -> bool:
        """Somebody is no longer told; whether a seat's player is gone."""
        if visitor not in self.visitors:
            return False
        self.tell_news()
        self._connected = None
        self.visitors.remove(visitor)
        if visitor in self.watching_bars:
            self.watching_bars.remove(visitor)
        if visitor.seat is None or visitor.seat in self.here():
            return False
        self.have_gone([visitor.seat])
        return True

    def addresses(self) -> frozenset[str]:
        """Where the visitors come from."""
        return frozenset(visitor.address for visitor in self.visitors)

    def connected(self) -> frozenset[int]:
        """The seats whose players are connected to this server."""
        if self._connected is None:
            self._connected = frozenset(v.seat for v in self.visitors if v.seat is not None)
        return self._connected

    def here(self) -> frozenset[int]:
        """The seats whose players are connected, here or to another server."""
        elsewhere = self._presence.elsewhere(self.table.id)
        return self.connected() | elsewhere if elsewhere else self.connected()

    def have_gone(self, seats: Iterable[int]) -> None:
        """The players of some seats are no longer connected."""
        self._gone |= dict.fromkeys(seats, now_ms())

    def situation(self) -> Situation:
        """What decisions depend on besides the table."""
        here = self.here()
        if here == self._everyone:
            return Situation(now_ms(), here, self._pause)
        gone = {seat: self._gone.get(seat, self._opened) for seat in self._everyone - here}
        return Situation(now_ms(), here, self._pause, gone)

    def seats(self) -> list[p.SeatData]:
        """Who sits where."""
        now = self.situation()
        return [
            seat.data(n in now.here, None if n in now.here else now.grace(n))
            for n, seat in enumerate(self.table.seats)
        ]

    # ---- telling

    def tell(self, entry: Entry, cause: tuple[Visitor, str] | None, now: int) -> None:
        """Tell everyone of an entry that has just been folded; `cause` is who asked for it."""
        self.tell_news()
        if entry.kind == entries.PLAY:  # of which there are most
            self._untold = entry, cause, now
            self._news.put(self)
        else:
            self._tell(entry, cause, now)

    def tell_news(self) -> None:
        """Tell what waits to be told: before the table changes again, or anything else is said."""
        if self._untold is None:
            return
        news, self._untold = self._untold, None
        try:
            self._tell(*news)
        except Exception:  # of one table, which goes on, and so do the others
            log.exception("table %s: what is new could not be told", self.table.id)

    def _tell(self, entry: Entry, cause: tuple[Visitor, str] | None, now: int) -> None:
        match entry.kind:
            case entries.LAST if entry.seat is None:
                self._tell_all()
            case entries.PLAY | entries.LAST | entries.DEAL:
                self._tell_moved(entry, cause, now)
            case entries.READY:
                self._tell_ready(entry, now)
            case entries.SAY:
                self._tell_said()
            case entries.REMATCH:
                for visitor in self.visitors:
                    self._tell_rematch(visitor, entry.read().next)
            case entries.START | entries.UNDONE:
                self._tell_all()
            case entries.STAND:
                self._unseat(entry.seat)
                self.tell_seats()
            case _:
                self.tell_seats()

    def _tell_all(self) -> None:
        """Show everyone the whole table, where news alone would not do."""
        self._frames = None
        self._prepare()
        for visitor in self.visitors:
            visitor.send(encode(self._whole(visitor, "", 0)))

    def tell_seats(self) -> None:
        """Tell everyone who sits where."""
        self.tell_news()
        self._send(self.visitors, p.SeatsFrame(
            table=self.table.id, seq=self.table.seq, phase=self.table.phase, seats=self.seats()
        ))  # fmt: skip

    def tell_bars(self, visitors: list[Visitor], chances: list[float]) -> None:
        """Tell those who want to know, and may, of everyone's chances."""
        self.tell_news()
        frame = p.BarsFrame(table=self.table.id, seq=self.table.seq, chances=chances)
        self._send([v for v in visitors if self.may_see_bars(v)], frame)

    def _prepare(self) -> None:
        if self._frames is None and self.table.match is not None:
            self._frames = TableFrames(self.table)

    def _unseat(self, seat: int | None) -> None:
        """Who gave up a seat watches, on every connection: the seat can be another's soon."""
        self._connected = None
        for visitor in self.visitors:
            if visitor.seat == seat:
                visitor.seat = None

    def _tell_moved(self, entry: Entry, cause: tuple[Visitor, str] | None, now: int) -> None:
        if self._frames is None:
            return
        asked, re = cause or (None, "")
        moved = self._frames.moved(entry, now, self._pause)
        texts: dict[int | None, bytes] = {}
        for visitor in self.visitors:
            seat = visitor.seat
            if visitor is asked:
                visitor.send(moved.text(seat, re))
                continue
            if seat not in texts:
                texts[seat] = moved.text(seat)
            visitor.send(texts[seat])

    def _tell_ready(self, entry: Entry, now: int) -> None:
        rests = frames.rest(self.table, now, self._pause)
        assert rests is not None
        self._send(self.visitors, p.ReadyFrame(table=self.table.id, seq=entry.seq, rest=rests))

    def _tell_said(self) -> None:
        line = self.table.chat[-1]
        self._send(self.visitors, p.SaidFrame(
            table=self.table.id, seq=line.seq, seat=line.seat, name=line.name, text=line.text,
            at=line.at,
        ))  # fmt: skip

    def _tell_rematch(self, visitor: Visitor, following: str) -> None:
        again = p.RematchFrame(table=self.table.id, next=following)
        if visitor.seat is not None:
            again.seat = visitor.seat
            again.join = self._signer.join_key(following)
            # The new table's first entries seat everyone in order, so their numbers are known.
            again.token = self._signer.token(SeatToken(following, visitor.seat, visitor.seat + 1))
        visitor.send(encode(again))

    def _whole(self, visitor: Visitor, re: str, have: int) -> p.TableFrame:
        join = self._signer.join_key(self.table.id)
        return frames.whole(
            self.table, self._frames, visitor.seat, self.seats(), join, re, have, self.situation()
        )

    @staticmethod
    def _send(visitors: Iterable[Visitor], frame: p.Frame) -> None:
        text = encode(frame)
        for visitor in visitors:
            visitor.send(text)
