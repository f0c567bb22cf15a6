"""A table with people at it: carries out commands one after the other, and tells everyone.

The life of a command: `decide` says what entry it leads to, the store writes it, and only then it
is folded into the table and told. What the store did not write has not happened.
"""

import asyncio
import secrets
import time
from collections.abc import Callable, Coroutine
from typing import Any

from kibitz.bots.inference import Onlooker
from kibitz.engine.errors import IllegalAction
from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.server import entries, frames
from kibitz.server import protocol as p
from kibitz.server.audience import Audience, News, Visitor
from kibitz.server.bars import Bars
from kibitz.server.bot_pool import BotPool
from kibitz.server.bus import Bus, Word
from kibitz.server.decide import (
    BotChoice,
    MakeRematch,
    Sit,
    check_rematch,
    check_stand_in,
    decide,
)
from kibitz.server.entries import Draft, Entry
from kibitz.server.event_loop import start
from kibitz.server.hints import Hints
from kibitz.server.limits import ChatLimits
from kibitz.server.outbox import Outbox
from kibitz.server.presence import Presence
from kibitz.server.protocol import Refused, encode
from kibitz.server.readiness import Readiness
from kibitz.server.situation import Situation, due, seated
from kibitz.server.store import Store, StoreBusy, StoredTable, new_table, now_ms
from kibitz.server.table import USUAL_LEVEL, Table
from kibitz.server.tokens import SeatToken, Signer
from kibitz.server.turns import Turns
from kibitz.server.warmup import Stage

_TO_BE_PREPARED = frozenset([p.Start, p.Say, p.Rematch, p.StandIn])
_ANSWERED_BY_NEWS = frozenset([p.Play, p.NextRound])
TRIES = 4  # how often a command is tried anew after another server was faster


class Services:
    """What all rooms of a server share."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        signer: Signer,
        bots: BotPool,
        readiness: Readiness,
        *,
        pace: float,
        pause: float,
        on_move: Callable[[], None] = lambda: None,
        on_written: Callable[[float], None] = lambda _: None,
        on_refused: Callable[[str], None] = lambda _: None,
        on_lobby: Callable[[], None] = lambda: None,
    ) -> None:
        self.store, self.bus, self.signer = store, bus, signer
        self.bots, self.readiness = bots, readiness
        self.pace = pace  # how long bots wait before they move, in times of a human-like delay
        self.pause = pause  # how long a table rests after a round, in seconds
        self.on_move, self.on_lobby = on_move, on_lobby
        self.on_written, self.on_refused = on_written, on_refused
        self.chat, self.outbox, self.news = ChatLimits(), Outbox(), News()
        self.server = secrets.token_hex(4)  # the name of this process among others
        self.presence = Presence(self.server, bus, store)


class Room:
    """A table with people at it."""

    def __init__(self, table: Table, services: Services) -> None:
        self.table, self.services = table, services
        self.audience = Audience(
            table, services.signer, services.presence, services.pause, services.news
        )
        self.lock = asyncio.Lock()
        self.is_stale = False  # the store may hold entries that have not been folded
        self._unsure = False  # and one of them may be ours, of which nobody has been told
        self._background: set[asyncio.Task[None]] = set()
        self._onlooker: Onlooker | None = None
        self.hints = Hints(table, services.bots, lambda: self.onlooker, self.bots_ready)
        self.bars = Bars(self.audience, services.bots, self.bots_ready)
        self.turns = Turns(self, services.bots, services.pace)

    @property
    def id(self) -> str:
        """The table's name in links."""
        return self.table.id

    @property
    def is_attended(self) -> bool:
        """Whether anybody is here."""
        return bool(self.audience.visitors)

    @property
    def onlooker(self) -> Onlooker:
        """What bots infer from the match so far."""
        assert self.table.match is not None
        if self._onlooker is None:
            self._onlooker = Onlooker(self.table.match)
        return self._onlooker

    @property
    def askers(self) -> frozenset[str]:
        """The addresses of those for whom bots think here."""
        return self.audience.addresses()

    def situation(self) -> Situation:
        """What decisions depend on besides the table."""
        return self.audience.situation()

    async def bots_ready(self) -> None:
        """Until bots can think about this game."""
        await self.services.readiness.wait(self.table.stored.game, "bots")

    def _check_ready(self, stage: Stage) -> None:
        self.services.readiness.check(self.table.stored.game, stage)

    # ---- coming and going

    async def enter(self, visitor: Visitor, token: str | None, re: str, have: int) -> None:
        """Somebody comes to the table."""
        async with self.lock:
            await self._catch_up()
            visitor.seat = visitor.came_as = None if token is None else self.seat_of(token)
            if self.audience.come(visitor, re, have):
                self._tell_who_is_here()
                self.announce()
            self.turns.go_on()

    def exit(self, visitor: Visitor) -> None:
        """Somebody is no longer told."""
        if self.audience.go(visitor):
            self._tell_who_is_here()
            self.announce()

    def _tell_who_is_here(self) -> None:
        self.audience.tell_seats()
        if self.table.stored.open and self.table.match is None:
            self.services.on_lobby()  # where tables with nobody at them are not listed

    def seat_of(self, token: str) -> int:
        """The seat that a token proves."""
        proven = self.services.signer.read(token)
        if proven is None or not self.table.is_held_by(proven):
            raise Refused("bad_token", "this token proves no seat at this table")
        return proven.seat

    def token_of(self, seat: int) -> str:
        """The token of a seat."""
        serial = self.table.seats[seat].serial
        return self.services.signer.token(SeatToken(self.id, seat, serial))

    def announce(self) -> None:
        """Tell other servers what is new at this table, and who is here."""
        services = self.services
        if services.bus.is_shared:
            services.bus.tell(
                Word(self.id, self.table.seq, services.server, self.audience.connected())
            )

    # ---- commands

    async def carry_out(self, visitor: Visitor, command: Any) -> bytes | None:
        """A command of somebody at the table; the answer, if it has not been told already."""
        kind = type(command)
        if kind is p.Preview:
            self._check_ready("moves")
            return encode(await self._preview(visitor, command))
        # Who watches could be anyone: only their connection tells them apart.
        owner = f"-{visitor.key}" if visitor.came_as is None else visitor.came_as
        cid = f"{owner}:{command.id}"
        asked = command
        if cid not in self.table.done:
            if self.table.match is not None:
                self._check_ready("moves")
            if kind in _TO_BE_PREPARED:
                asked = await self._prepared(visitor, command)
        # The news of a choice answers whoever made it.
        cause = (visitor, command.id) if kind in _ANSWERED_BY_NEWS else None
        try:
            entry = await self.do(visitor.seat, asked, cid, cause)
        except Refused:
            self.audience.tell_news()  # of what may be the reason
            raise
        if cause is not None and entry is not None and entry.kind != entries.READY:
            return None
        self.audience.tell_news()  # an answer is about what has been told
        answer = p.OkFrame(re=command.id, seq=self.table.done.get(cid, self.table.seq))
        if kind is p.Rematch and self.table.rematch:
            answer.table = self.table.rematch
        return encode(answer)

    async def _prepared(self, visitor: Visitor, command: Any) -> Any:
        """What has to be seen to before a command is decided upon; what is to be decided upon."""
        match command:
            case p.Start():  # a clock does not run while nobody can move
                self._check_ready("moves" if self.table.stored.clock else "deal")
            case p.Say():
                self.services.chat.take(self.id, visitor.seat, visitor.address)
            case p.Rematch():
                return await self._prepared_rematch(visitor)
            case p.StandIn():
                self.services.presence.check()
                if command.how == "turn":
                    return await self._choice_for_the_absent(visitor, command)
        return command

    async def do(
        self,
        seat: int | None,
        command: Any,
        cid: str | None = None,
        cause: tuple[Visitor, str] | None = None,
    ) -> Entry | None:
        """Decide, append, fold, tell; the entry, or None if there was nothing to do."""
        async with self.lock:
            for _ in range(TRIES):
                if self.is_stale:
                    await self._catch_up()
                if cid is not None and cid in self.table.done:
                    return None
                draft = decide(self.table, seat, command, self.situation())
                if draft is None:
                    return None
                entry = await self._append(draft, cid)
                if entry is not None:
                    self._happened(entry, cause, draft.after)
                    self.announce()
                    return entry
        raise Refused("busy", "others were faster each time; try again")

    async def sit(self, name: str, seat: int | None, promise: str | None) -> int:
        """A newcomer takes a seat; which."""
        entry = await self.do(None, Sit(name, seat, promise))
        assert entry is not None
        assert entry.seat is not None
        return entry.seat

    async def _preview(self, visitor: Visitor, command: p.Preview) -> p.PreviewFrame:
        async with self.lock:
            await self._catch_up()
            self.audience.tell_news()
            seat = seated(visitor.seat)
            match = due(self.table, seat)
            try:
                after = match.preview(seat, command.actions)
            except IllegalAction as refusal:
                raise Refused("illegal", refusal.reason, rule=refusal.rule) from None
            changes: Any = frames.preview(match, after, seat)
            return p.PreviewFrame(
                re=command.id, table=self.id, view=changes, legal=after.legal(seat)
            )

    async def _choice_for_the_absent(self, visitor: Visitor, command: p.StandIn) -> BotChoice:
        """What a bot would choose for somebody who is not there."""
        seated(visitor.seat)
        await self.bots_ready()
        match = due(self.table, command.seat)
        check_stand_in(self.table, command.seat, self.situation())
        actions = await self.services.bots.choose(
            match, command.seat, USUAL_LEVEL, self.onlooker, [visitor.address]
        )
        return BotChoice(command.seat, actions, "stand_in")

    async def _prepared_rematch(self, visitor: Visitor) -> MakeRematch:
        """A table for the next match; whoever is not the first to make one makes it in vain."""
        check_rematch(self.table, visitor.seat)
        if self.table.rematch is not None:
            return MakeRematch(self.table.rematch)
        stored, first = next_table(self.table)
        try:
            await self.services.store.add(stored, first)
        except StoreBusy as error:
            raise Refused("busy", "the server cannot write to its disk now") from error
        return MakeRematch(stored.id)

    # ---- the store

    async def _append(self, draft: Draft, cid: str | None) -> Entry | None:
        """Write an entry; None if another server was faster."""
        entry = draft.entry(self.table.seq + 1, now_ms(), cid)
        self.is_stale = True  # until it is known what became of it
        began = time.monotonic()
        try:
            written = await self.services.store.append(self.id, entry)
        except StoreBusy as error:
            self._unsure = True
            raise Refused("busy", "the server cannot write to its disk now") from error
        self.services.on_written(time.monotonic() - began)
        self.is_stale = not written
        return entry if written else None

    async def _catch_up(self) -> None:
        """Read what other servers have appended, or what we do not know the fate of."""
        if not self.is_stale:
            return
        self._check_ready("moves")
        try:
            found = await self.services.store.entries(self.id, self.table.seq)
        except StoreBusy as error:
            raise Refused("busy", "the server cannot read its store now") from error
        self.is_stale = False
        for entry in found:
            self._happened(entry)
        if self._unsure:
            self._unsure = False
            self.announce()

    async def heard(self, word: Word) -> None:
        """Another server has something new for this table."""
        before = self.audience.here()
        self.services.presence.heard(word)
        await self.services.readiness.wait(self.table.stored.game, "moves")
        await self.look(word.seq)
        self.see_who_is_gone(before)

    def see_who_is_gone(self, before: frozenset[int]) -> None:
        """Others may be connected to other servers now than before."""
        here = self.audience.here()
        if here != before:
            self.audience.have_gone(before - here)
            self._tell_who_is_here()

    async def look(self, seq: int) -> None:
        """Read what is new if there is an entry of this number."""
        if seq <= self.table.seq and not self.is_stale:
            return
        async with self.lock:
            self.is_stale = self.is_stale or seq > self.table.seq
            if self.is_stale:
                try:
                    await self._catch_up()
                except Refused:
                    return  # the next command, or the next word, will try again

    def _happened(
        self, entry: Entry, cause: tuple[Visitor, str] | None = None, after: Match | None = None
    ) -> None:
        """An entry is on disk: fold it, and tell everyone; `cause` is who asked for it."""
        self.audience.tell_news()
        asker, now = self.table.asker, now_ms()
        self.table.fold(entry, now, after)
        if entry.kind == entries.UNDONE:
            self._onlooker = None
            self.turns.think_anew()
        self.audience.tell(entry, cause, now)
        if asker is not None and entry.kind in (entries.PLAY, entries.DEAL):
            self.audience.tell_seats()
        match entry.kind:
            case entries.PLAY | entries.LAST:
                self.services.on_move()
            case entries.SIT | entries.STAND | entries.BOT | entries.CLOSE:
                self.services.on_lobby()
        if entry.kind in (entries.START, *entries.IN_THE_MATCH):
            self.bars.renew()
        self.turns.go_on()

    # ---- beside

    def spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Do something beside, kept until it is done."""
        task = start(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
        return task

    def stop(self) -> None:
        """Do nothing more by itself. The server stops; somebody may still be here."""
        self.turns.close()
        for task in self._background:
            task.cancel()

    def close(self) -> None:
        """Nobody is here any more.

        What refers back to the room goes: it would wait for the garbage collector otherwise, which
        is to have nothing to do.
        """
        self.stop()
        del self.turns, self.hints, self.bars


def next_table(table: Table) -> tuple[StoredTable, list[Entry]]:
    """A table for a rematch: the same settings, everyone in their seats."""
    old, rules = table.stored, find(table.stored.game).identity.version
    stored = new_table(
        old.game, rules, old.players, old.options, old.clock, old.hints, is_open=False
    )
    first = []
    for n, seat in enumerate(table.seats):
        if seat.kind == "bot":
            draft = Draft(entries.BOT, n, entries.BotSeated(seat.level))
        else:
            draft = Draft(entries.SIT, n, entries.Sat(seat.name))
        first.append(draft.entry(n + 1, now_ms(), None))
    return stored, first
