"""Bots and the kibitzer in threads, so that the table never waits for them."""

import asyncio
import os
import secrets
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from kibitz.bots.bars import public_chances
from kibitz.bots.kibitzer import Thought, think
from kibitz.bots.levels import level
from kibitz.engine.match import Match

P = ParamSpec("P")
T = TypeVar("T")
HINT_SECONDS = 3.0


class Thinkers:
    """A few threads that think. Each is given what a seat may know, and nothing more."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max(2, os.cpu_count() or 1), "thinker")

    async def choose(self, match: Match, seat: int, name: str) -> list[str]:
        """A bot's choice for a seat, all its steps."""
        known = match.copy()
        known.state = match.sample_world(seat)
        return await self._run(_choose, known, seat, name)

    async def chances(self, match: Match) -> list[float]:
        """Everyone's chances, as somebody sees them who watches."""
        return await self._run(public_chances, match.copy())

    async def hints(self, match: Match, seat: int, stop: threading.Event) -> AsyncIterator[Thought]:
        """What the kibitzer thinks of a seat's actions, better and better."""
        loop = asyncio.get_running_loop()
        thoughts: asyncio.Queue[Thought | None] = asyncio.Queue()
        known = match.copy()
        known.state = match.sample_world(seat)

        def run() -> None:
            for thought in think(known, seat, HINT_SECONDS, stop=stop):
                loop.call_soon_threadsafe(thoughts.put_nowait, thought)
            loop.call_soon_threadsafe(thoughts.put_nowait, None)

        loop.run_in_executor(self._pool, run)
        while (thought := await thoughts.get()) is not None:
            yield thought

    async def _run(self, work: Callable[P, T], *values: P.args, **_: P.kwargs) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *values)

    def close(self) -> None:
        """Think no more."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _choose(known: Match, seat: int, name: str) -> list[str]:
    bot = level(name)
    steps: list[str] = []
    while True:
        held = known.held(seat)
        seed = secrets.randbits(60)
        step = known.game.actions.write(bot.choose(known.game, known.sample_world(seat), seat, seed))
        steps.append(step)
        if step not in held:
            return steps
        known.play(seat, step)
