"""Bots and the kibitzer in threads, so that the table never waits for them.

A bot and a hint are given a world sampled from what a seat may know. Chances for spectators are
taken from worlds redealt for a spectator.
"""

import asyncio
import os
import secrets
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ParamSpec, TypeVar

from kibitz.bots.bars import public_chances
from kibitz.bots.inference import Onlooker
from kibitz.bots.kibitzer import Thought, think
from kibitz.bots.levels import level
from kibitz.engine.match import Match

P = ParamSpec("P")
T = TypeVar("T")
HINT_SECONDS = 3.0


class BotPool:
    """A few threads that think."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max(2, os.cpu_count() or 1), "bot")
        self._following = threading.Lock()  # an onlooker follows its match in one thread at a time

    async def choose(self, match: Match, seat: int, name: str, onlooker: Onlooker) -> list[str]:
        """A bot's choice for a seat, all its steps."""
        known = match.in_world(match.sample_world(seat))
        return await self._run(self._choose, known, seat, name, onlooker)

    async def chances(self, match: Match) -> list[float]:
        """Everyone's chances, as somebody sees them who watches."""
        return await self._run(public_chances, match.copy())

    async def hints(
        self, match: Match, seat: int, stop: threading.Event, onlooker: Onlooker
    ) -> AsyncIterator[Thought]:
        """What the kibitzer thinks of a seat's actions, better and better."""
        loop = asyncio.get_running_loop()
        thoughts: asyncio.Queue[Thought | None] = asyncio.Queue()
        known = match.in_world(match.sample_world(seat))

        def run() -> None:
            beliefs = self._beliefs(known, onlooker)
            for thought in think(known, seat, HINT_SECONDS, stop=stop, beliefs=beliefs):
                loop.call_soon_threadsafe(thoughts.put_nowait, thought)
            loop.call_soon_threadsafe(thoughts.put_nowait, None)

        loop.run_in_executor(self._pool, run)
        while (thought := await thoughts.get()) is not None:
            yield thought

    async def _run(self, work: Callable[P, T], *values: P.args, **_: P.kwargs) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *values)

    def _choose(self, known: Match, seat: int, name: str, onlooker: Onlooker) -> list[str]:
        beliefs = self._beliefs(known, onlooker)
        bot, actions = level(name), known.game.actions
        steps: list[str] = []
        while True:
            seed = secrets.randbits(60)
            world = known.sample_world(seat)
            number = bot.choose(known.game, world, seat, seed, beliefs=beliefs)
            steps.append(actions.write(number))
            if not actions.all[number].verb.continues:
                return steps
            known.play(seat, steps[-1])

    def _beliefs(self, known: Match, onlooker: Onlooker) -> Any:
        """What play so far tells everyone: a long look back where a match was read anew."""
        with self._following:
            return onlooker.beliefs(known)

    def close(self) -> None:
        """Think no more."""
        self._pool.shutdown(wait=False, cancel_futures=True)
