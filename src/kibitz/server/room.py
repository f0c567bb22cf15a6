"""A table with people at it: carries out commands one after the other, and tells everyone.

The life of a choice: it is played in the match, written to the store, and only then told. If the
store refuses, the match goes back to where it was.
"""

import asyncio
import contextlib
import json
import random
import secrets
import time
from collections.abc import Callable
from typing import Any

from kibitz.engine.errors import IllegalAction
from kibitz.engine.match import Mark
from kibitz.server import protocol as p
from kibitz.server import store as kinds
from kibitz.server import telling
from kibitz.server.bus import Bus, Word
from kibitz.server.commands import ANSWERED, HANDLERS, Visitor, playing
from kibitz.server.protocol import Refused, encode
from kibitz.server.store import Entry, Store, StoreBusy
from kibitz.server.table import USUAL_LEVEL, Table
from kibitz.server.telling import Telling, now_ms
from kibitz.server.thinking import Thinkers
from kibitz.server.tokens import SeatToken, Signer

PRESENCE_SECONDS = 30.0  # for which another server's word counts on who is there
TRIES = 4  # how often a command is tried anew after another server was faster


class Overtaken(Exception):
    """Another server has appended an entry first."""


class Surroundings:
    """What all rooms of a server share."""

    def __init__(
        self, store: Store, bus: Bus, signer: Signer, thinkers: Thinkers, pace: float
    ) -> None:
        self.store, self.bus, self.signer, self.thinkers = store, bus, signer, thinkers
        self.pace = pace  # how long a bot waits before it moves, in times of a humane moment
        self.server = secrets.token_hex(4)  # the name of this process among others
        self.lobby_changed: Callable[[], None] = lambda: None
        self.moved: Callable[[], None] = lambda: None


class Room:
    """A table with people at it."""

    def __init__(self, table: Table, around: Surroundings) -> None:
        self.table, self.around = table, around
        self.visitors: list[Visitor] = []
        self.lock = asyncio.Lock()
        self.telling: Telling | None = None
        self.watching_bars: list[Visitor] = []
        self._elsewhere: dict[str, tuple[frozenset[int], float]] = {}
        self._stale = False
        self.answering: tuple[Visitor, bytes] | None = None
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._alarm: asyncio.TimerHandle | None = None
        self._background: set[asyncio.Task[None]] = set()

    @property
    def id(self) -> str:
        """The table's name in links."""
        return self.table.id

    # ---- coming and going

    async def enter(self, visitor: Visitor, token: str | None, re: str, have: int) -> None:
        """Somebody comes to the table."""
        async with self.lock:
            await self._catch_up()
            visitor.seat = visitor.came_as = None if token is None else self.seat_of(token)
            self._prepare()
            was_here = visitor.seat is None or self.is_here(visitor.seat)
            if visitor not in self.visitors:
                self.visitors.append(visitor)
            join = self.around.signer.join_key(self.id)
            visitor.send(
                telling.whole(self.table, self.telling, visitor.seat, self.seats(), join, re, have)
            )
            if self.table.rematch is not None:
                self._tell_rematch(visitor, self.table.rematch)
            if not was_here:
                self._tell_seats()
                self.announce()
            self._go_on()

    def exit(self, visitor: Visitor) -> None:
        """Somebody is no longer told."""
        if visitor not in self.visitors:
            return
        self.visitors.remove(visitor)
        if visitor in self.watching_bars:
            self.watching_bars.remove(visitor)
        if visitor.seat is not None and not self.is_here(visitor.seat):
            self._tell_seats()
            self.announce()

    def seat_of(self, token: str) -> int:
        """The seat that a token proves."""
        proven = self.around.signer.read(token)
        if (
            proven is None
            or proven.table != self.id
            or not 0 <= proven.seat < len(self.table.seats)
            or self.table.seats[proven.seat].serial != proven.serial
            or self.table.seats[proven.seat].kind != "person"
        ):
            raise Refused("bad_token", "this token proves no seat at this table")
        return proven.seat

    def token_of(self, seat: int) -> str:
        """The token of a seat."""
        serial = self.table.seats[seat].serial
        return self.around.signer.token(SeatToken(self.id, seat, serial))

    def _connected(self) -> frozenset[int]:
        """The seats whose players are connected to this server."""
        return frozenset(v.seat for v in self.visitors if v.seat is not None)

    def _here(self) -> frozenset[int]:
        """The seats whose players are connected, here or to another server."""
        now = time.monotonic()
        others = (seats for seats, until in self._elsewhere.values() if until > now)
        return self._connected().union(*others)

    def is_here(self, seat: int) -> bool:
        """Whether the player of a seat is connected, to whichever server."""
        return seat in self._here()

    def announce(self) -> None:
        """Tell other servers what is new at this table, and who is here."""
        around = self.around
        if around.bus.is_shared:
            around.bus.tell(Word(self.id, self.table.seq, around.server, self._connected()))

    def seats(self) -> list[p.SeatData]:
        """Who sits where."""
        here = self._here()
        return [seat.data(n in here) for n, seat in enumerate(self.table.seats)]

    def _prepare(self) -> None:
        if self.telling is None and self.table.match is not None:
            self.telling = Telling(self.table)

    # ---- commands

    async def carry_out(self, visitor: Visitor, command: Any) -> bytes | None:
        """A command of somebody at the table; the answer, if it is not sent already."""
        cid = f"{'-' if visitor.came_as is None else visitor.came_as}:{command.id}"
        handler = HANDLERS[type(command)]
        async with self.lock:
            for _ in range(TRIES):
                await self._catch_up()
                if cid in self.table.done:
                    break
                with contextlib.suppress(Overtaken):
                    answer = await handler(self, visitor, command, cid)
                    if answer is ANSWERED:
                        return None
                    if answer is not None:
                        return encode(answer)
                    break
            else:
                raise Refused("busy", "others were faster each time; try again")
        seq = self.table.done.get(cid, self.table.seq)
        if isinstance(command, p.Rematch) and self.table.rematch:
            return encode(p.Ok(re=command.id, seq=seq, table=self.table.rematch))
        return b'{"t":"ok","re":%s,"seq":%d}' % (encode(command.id), seq)

    async def choose(self, seat: int, actions: list[str], cid: str | None, by: str | None) -> None:
        """A seat makes a choice, given whole."""
        match = playing(self)
        if seat not in match.to_act:
            raise Refused("not_due", "it is not your turn")
        try:
            # Only steps that reveal nothing come before the last, so nobody can try out what an
            # action would bring, and have it taken back by a second one that is refused.
            before = match.preview(seat, actions[:-1]) if len(actions) > 1 else match
            if match.game.tabletop.steps and actions[-1] in before.held(seat):
                raise Refused("unfinished", "a choice of several steps must be sent whole")
            mark = match.play_all(seat, actions)
        except IllegalAction as refusal:
            raise Refused("illegal", refusal.reason, rule=refusal.rule) from None
        body = {"actions": actions} if by is None else {"actions": actions, "by": by}
        kind = kinds.LAST if match.over else kinds.PLAY
        await self.append(kind, seat, body, cid, mark)

    async def sit(self, name: str, seat: int | None, contribution: str | None) -> int:
        """A newcomer takes a seat; which."""
        async with self.lock:
            for _ in range(TRIES):
                await self._catch_up()
                chosen = self._free_seat(seat)
                body = {"name": name, "contribution": contribution}
                with contextlib.suppress(Overtaken):
                    await self.append(kinds.SIT, chosen, body, None)
                    return chosen
        raise Refused("busy", "others were faster each time; try again")

    def _free_seat(self, wanted: int | None) -> int:
        if self.table.phase != "gathering":
            raise Refused("phase", "the match has begun; you can watch it")
        free = [n for n, seat in enumerate(self.table.seats) if seat.kind == "empty"]
        if not free:
            raise Refused("full", "all seats are taken")
        if wanted is not None and wanted not in free:
            raise Refused("taken", "this seat is taken")
        return free[0] if wanted is None else wanted

    # ---- the store

    async def append(
        self, kind: str, seat: int | None, body: dict[str, Any], cid: str | None,
        mark: Mark | None = None,
    ) -> None:  # fmt: skip
        """Write an entry, then let it have happened; a choice goes back to `mark` if it fails."""
        entry = Entry(self.table.seq + 1, now_ms(), kind, seat, encode(body).decode(), cid)
        written = False
        try:
            written = await self.around.store.append(self.id, entry)
        except StoreBusy as error:
            self._stale = True
            raise Refused("busy", "the server cannot write to its disk now") from error
        except asyncio.CancelledError:
            self._stale = True
            raise
        finally:
            if mark is not None and not written and self.table.match is not None:
                self.table.match.back_to(mark)
        if not written:
            self._stale = True
            raise Overtaken
        self._happened(entry, body, played=mark is not None)
        self.announce()

    async def _catch_up(self) -> None:
        """Read what other servers have appended, or what we do not know the fate of."""
        if not self._stale:
            return
        try:
            entries = await self.around.store.entries(self.id, self.table.seq)
        except StoreBusy as error:
            raise Refused("busy", "the server cannot read its store now") from error
        self._stale = False
        for entry in entries:
            self._happened(entry, json.loads(entry.body), played=False)

    async def heard(self, word: Word) -> None:
        """Another server has something new for this table."""
        before = self._here()
        self._elsewhere[word.server] = word.here, time.monotonic() + PRESENCE_SECONDS
        await self.look(word.seq)
        if self._here() != before:
            self._tell_seats()

    async def look(self, seq: int) -> None:
        """Read what is new if there is an entry of this number."""
        if seq <= self.table.seq:
            return
        async with self.lock:
            if seq > self.table.seq:
                self._stale = True
                with contextlib.suppress(Refused):
                    await self._catch_up()

    # ---- telling

    def _happened(self, entry: Entry, body: dict[str, Any], *, played: bool) -> None:
        """An entry is on disk: fold it, and tell everyone."""
        if entry.kind == kinds.LAST or entry.kind == kinds.PLAY:
            self.table.fold(entry, played=played)
            self._tell_moved(entry, body.get("by"))
        elif entry.kind == kinds.SAY:
            self.table.fold(entry)
            line = self.table.chat[-1]
            self._tell_all(encode(p.Said(table=self.id, seq=entry.seq, seat=line.seat,
                                         name=line.name, text=line.text, at=line.at)))  # fmt: skip
        elif entry.kind == kinds.REMATCH:
            self.table.fold(entry)
            for visitor in self.visitors:
                self._tell_rematch(visitor, body["next"])
        elif entry.kind == kinds.START:
            self.table.fold(entry)
            self._prepare()
            self._tell_whole()
            self.around.lobby_changed()
        else:
            self.table.fold(entry)
            if entry.kind == kinds.STAND:
                self._unseat(entry.seat)
            self._tell_seats()
            self.around.lobby_changed()
        self._go_on()

    def _unseat(self, seat: int | None) -> None:
        """Who gave up a seat watches, on every connection: the seat can be another's soon."""
        for visitor in self.visitors:
            if visitor.seat == seat:
                visitor.seat = None

    def _tell_moved(self, entry: Entry, by: str | None) -> None:
        self.around.moved()
        if self.telling is None:
            return
        seats = {visitor.seat for visitor in self.visitors if visitor.seat is not None}
        frames = self.telling.moved(entry, by, seats)
        for visitor in self.visitors:
            frame = frames[-1 if visitor.seat is None else visitor.seat]
            if self.answering is not None and self.answering[0] is visitor:
                frame = b'%b,"re":%b}' % (frame[:-1], self.answering[1])
                self.answering = None
            visitor.send(frame)
        if self.watching_bars:
            self.spawn(self._tell_bars())

    def _tell_whole(self) -> None:
        join = self.around.signer.join_key(self.id)
        seats = self.seats()
        for visitor in self.visitors:
            visitor.send(telling.whole(self.table, self.telling, visitor.seat, seats, join, "", 0))

    def _tell_seats(self) -> None:
        self._tell_all(encode(p.Seats(
            table=self.id, seq=self.table.seq, phase=self.table.phase, seats=self.seats()
        )))  # fmt: skip

    def _tell_rematch(self, visitor: Visitor, following: str) -> None:
        again = p.Again(table=self.id, next=following)
        if visitor.seat is not None:
            again.seat = visitor.seat
            again.join = self.around.signer.join_key(following)
            # The new table's first entries seat everyone in order, so their numbers are known.
            place = SeatToken(following, visitor.seat, visitor.seat + 1)
            again.token = self.around.signer.token(place)
        visitor.send(encode(again))

    def _tell_all(self, frame: bytes) -> None:
        for visitor in self.visitors:
            visitor.send(frame)

    # ---- the kibitzer's bars

    async def bars(self, visitor: Visitor, on: bool) -> None:
        """Somebody wants to see everyone's chances, or no longer."""
        if visitor.seat is not None and self.table.phase != "over":
            raise Refused("no_hints", "the bars are for those who watch")
        if visitor in self.watching_bars:
            self.watching_bars.remove(visitor)
        if on:
            self.watching_bars.append(visitor)
            self.spawn(self._tell_bars())

    async def _tell_bars(self) -> None:
        if self.table.match is None:
            return
        seq = self.table.seq
        chances = await self.around.thinkers.chances(self.table.match)
        frame = encode(p.Barred(table=self.id, seq=seq, chances=chances))
        for visitor in self.watching_bars:
            if visitor.seat is None or self.table.phase == "over":
                visitor.send(frame)

    # ---- bots and clocks

    def _go_on(self) -> None:
        """See to it that whoever is due acts: bots by themselves, people by the clock."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        match = self.table.match
        if match is None or match.over or not self.visitors:
            return
        for seat in match.to_act:
            if self.table.level_of(seat) is not None and seat not in self._thinking:
                self._thinking[seat] = self.spawn(self._bot_turn(seat))
        left = telling.turn(self.table).left
        if left is not None:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_later(left / 1000 + 0.05, self._time_is_up, self.table.seq)

    def spawn(self, work: Any) -> "asyncio.Task[None]":
        """Do something beside, kept until it is done."""
        task: asyncio.Task[None] = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    async def _bot_turn(self, seat: int) -> None:
        """A bot takes a humane moment, thinking meanwhile, and makes its choice."""
        try:
            match = self.table.match
            level = self.table.level_of(seat)
            if match is None or level is None:
                return
            actions, _ = await asyncio.gather(
                self.around.thinkers.choose(match, seat, level),
                asyncio.sleep(self.around.pace * random.uniform(0.6, 1.2)),
            )
            async with self.lock:
                await self._catch_up()
                if self.table.level_of(seat) is not None and seat in match.to_act:
                    with contextlib.suppress(Refused, Overtaken):
                        self._thinking.pop(seat, None)
                        await self.choose(seat, actions, None, None)
        except Refused:
            await asyncio.sleep(1.0)  # the store is busy
        finally:
            if self._thinking.get(seat) is asyncio.current_task():
                del self._thinking[seat]
        self._go_on()

    def _time_is_up(self, seq: int) -> None:
        if seq == self.table.seq:
            self.spawn(self._choose_for_the_late(seq))

    async def _choose_for_the_late(self, seq: int) -> None:
        """The clock of whoever is awaited longest has run out: a bot makes this one choice."""
        try:
            async with self.lock:
                await self._catch_up()
                match = self.table.match
                if match is None or seq != self.table.seq:
                    return
                seat = min(self.table.due_since, key=self.table.due_since.__getitem__)
                actions = await self.around.thinkers.choose(match, seat, USUAL_LEVEL)
                with contextlib.suppress(Overtaken):
                    await self.choose(seat, actions, None, "clock")
        except Refused:
            await asyncio.sleep(1.0)  # the store is busy
        self._go_on()

    def close(self) -> None:
        """Nobody is here any more: rest."""
        if self._alarm is not None:
            self._alarm.cancel()
        for task in self._background:
            task.cancel()
