"""Keeps a match going: bots move by themselves, people by the clock, rounds follow each other."""

import asyncio
import logging
import random
from collections.abc import Callable, Collection, Coroutine
from typing import Any, Protocol

from kibitz.bots.inference import Onlooker
from kibitz.bots.levels import level as find_level
from kibitz.server.bot_pool import BotPool
from kibitz.server.decide import BotChoice, FirstDeal, PauseOver, reveal_left
from kibitz.server.frames import rest, turn
from kibitz.server.protocol import Refused
from kibitz.server.situation import Situation
from kibitz.server.table import USUAL_LEVEL, Table

log = logging.getLogger(__name__)
DELAY = 0.6, 1.2  # seconds: a human-like delay before a bot moves
ROUNDS_WATCHED = 3  # turns of the whole table without a person's, before bots move faster
FASTER, FASTEST = 0.9, 0.3  # times the delay, with each choice more; and at the most
SPARE = 1.2  # times a bot's time to think; a delay is longer, so that it tells nothing
SLOT = 0.5  # seconds by which a delay grows at a time, where there is much to think about
AFTER_TROUBLE = 1.0  # seconds until the store is tried again
AFTER_A_FAULT = 5.0  # seconds until a bot is asked again that failed
LATE = 0.05  # seconds by which an alarm may be early


def delay(level: str, pace: float = 1.0) -> float:
    """How long a bot takes for a choice, in seconds: longer than it may think about any."""
    shortest, longest = DELAY
    budget = find_level(level).budget
    thinks = 0.0 if budget is None else budget.seconds or 0.0
    return max(pace * shortest, SPARE * thinks) + pace * random.uniform(0.0, longest - shortest)


def pace_after(choices: int, players: int) -> float:
    """How bots' delays shrink when there have been so many choices without a person being due.

    Somebody who is out of a round is not kept waiting while bots play it to its end.
    """
    return max(FASTEST, FASTER ** max(0, choices - ROUNDS_WATCHED * players))


class Place(Protocol):
    """Where a match is played: what `Turns` needs to know of a room, and ask of it."""

    table: Table

    @property
    def is_attended(self) -> bool:
        """Whether anybody is there."""
        ...

    @property
    def onlooker(self) -> Onlooker:
        """What bots infer from the match so far."""
        ...

    @property
    def askers(self) -> Collection[str]:
        """The addresses of those for whom bots think."""
        ...

    async def bots_ready(self) -> None:
        """Until bots can think about this game."""
        ...

    def situation(self) -> Situation:
        """What decisions depend on besides the table."""
        ...

    async def do(self, seat: int | None, command: Any) -> Any:
        """Decide, append, fold, tell."""
        ...

    def spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        """Do something beside."""
        ...


class Turns:
    """The bots and the clock of one room."""

    def __init__(self, room: Place, bots: BotPool, pace: float) -> None:
        self._room, self._bots = room, bots
        self._pace = pace  # how long bots wait before they move, in times of a human-like delay
        self._thinking: dict[int, asyncio.Task[None]] = {}
        self._alarm: asyncio.TimerHandle | None = None
        self._by_bots = 0  # choices since a person was due

    def go_on(self) -> None:
        """Something has happened: see who is due, and set the alarm."""
        self.close()
        room, table = self._room, self._room.table
        match = table.match
        if not room.is_attended:
            return
        if match is None:
            if table.phase == "dealing":
                seconds = reveal_left(table, room.situation().now) / 1000
                self._wake_in(seconds, lambda: self._deal(FirstDeal()))
            return
        if match.over:
            return
        for seat in match.to_act:
            if table.level_of(seat) is None:
                self._by_bots = 0
            elif seat not in self._thinking:
                self._thinking[seat] = room.spawn(self._bot_turn(seat))
        if not table.rests and table.stored.clock is None:
            return
        situation = room.situation()
        rests = rest(table, situation.now, situation.pause)
        left = turn(table, situation.now).left
        if rests is not None:
            self._wake_in(rests.left / 1000, lambda: self._deal(PauseOver()))
        elif left is not None:
            self._wake_in(left / 1000, self._choose_for_the_late)

    def think_anew(self) -> None:
        """A move was taken back: what bots think about is no longer so."""
        for task in self._thinking.values():
            task.cancel()
        self._thinking = {}

    def close(self) -> None:
        """No alarm any more."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _wake_in(self, seconds: float, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        loop = asyncio.get_running_loop()
        self._alarm = loop.call_later(seconds + LATE, lambda: self._room.spawn(work()))

    async def _bot_turn(self, seat: int) -> None:
        """A bot takes a human-like delay, thinking meanwhile, and makes its choice."""
        room = self._room
        try:
            await room.bots_ready()
            match, level = room.table.match, room.table.level_of(seat)
            if match is None or level is None or seat not in match.to_act:
                return
            thinking = self._bots.choose(match, seat, level, room.onlooker, room.askers)
            choice = asyncio.create_task(thinking)
            try:
                await self._delay(level, choice, match.players)
                await room.do(None, BotChoice(seat, await choice))
                self._by_bots += 1
            finally:
                choice.cancel()
        except Refused:
            await asyncio.sleep(AFTER_TROUBLE)
        except Exception:
            log.exception("table %s: a bot's turn failed", room.table.id)
            await asyncio.sleep(AFTER_A_FAULT)
        finally:
            if self._thinking.get(seat) is asyncio.current_task():
                del self._thinking[seat]
        self.go_on()

    async def _delay(self, level: str, choice: "asyncio.Task[list[str]]", players: int) -> None:
        """A human-like delay: how long it is tells nothing of what there was to think about."""
        if self._pace:
            pace = pace_after(self._by_bots, players)
            await asyncio.sleep(self._pace * delay(level, pace))
        while self._pace and not choice.done():
            await asyncio.sleep(self._pace * SLOT)

    async def _choose_for_the_late(self) -> None:
        """The clock of whoever is awaited longest has run out: a bot makes this one choice."""
        room, table = self._room, self._room.table
        try:
            await room.bots_ready()
            if table.match is None or not table.due_since:
                return
            seat = min(table.due_since, key=table.due_since.__getitem__)
            actions = await self._bots.choose(
                table.match, seat, USUAL_LEVEL, room.onlooker, room.askers
            )
            await room.do(None, BotChoice(seat, actions, "clock"))
        except Refused:
            await asyncio.sleep(AFTER_TROUBLE)
        except Exception:
            log.exception("table %s: the choice for who was late failed", table.id)
            await asyncio.sleep(AFTER_A_FAULT)
        self.go_on()

    async def _deal(self, why: FirstDeal | PauseOver) -> None:
        """The table has waited long enough."""
        try:
            await self._room.do(None, why)
        except Refused:
            await asyncio.sleep(AFTER_TROUBLE)
        self.go_on()
