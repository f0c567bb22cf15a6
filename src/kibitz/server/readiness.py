"""Which games are ready to be played, and the work to get the others so.

A game that was never compiled on this machine takes some seconds. It is compiled in a process of
its own, which fills the cache on disk: here it would hold up everyone. Then a thread loads it.

`python -m kibitz.server.readiness` gets all games ready: what is started next need not compile.
"""

import asyncio
import contextlib
import gc
import logging
import sys
from collections.abc import Iterable

from kibitz.engine.compiled import CACHE
from kibitz.engine.machine import cores
from kibitz.games import names
from kibitz.server.protocol import Refused
from kibitz.server.protocol.catalogue import Prepared
from kibitz.server.warmup import LATER, STAGES, Stage, is_compiled

log = logging.getLogger(__name__)
ORDER: tuple[Stage, ...] = tuple(STAGES)  # cards first, bots last
SOON = 0.5  # seconds until it is worth asking again


class Readiness:
    """How far each game is. Games that it was not given count as ready."""

    def __init__(self, games: Iterable[str]) -> None:
        self._todo: dict[str, list[Stage]] = {game: list(ORDER) for game in games}
        self._done = {(game, stage): asyncio.Event() for game in self._todo for stage in ORDER}
        self._wanted: list[str] = []
        self._at_work: set[str] = set()
        self._crew: asyncio.TaskGroup | None = None

    # ---- how far it is

    @property
    def is_complete(self) -> bool:
        """Whether all is done."""
        return not any(self._todo.values())

    def progress(self) -> dict[str, Prepared]:
        """For each game the last stage that is done."""
        steps: tuple[Prepared, ...] = ("waiting", *ORDER)
        return {game: steps[len(ORDER) - len(todo)] for game, todo in self._todo.items()}

    def is_ready(self, game: str, stage: Stage) -> bool:
        """Whether a game is that far."""
        return stage not in self._todo.get(game, ())

    def check(self, game: str, stage: Stage) -> None:
        """Refuse what a game is not ready for; it comes first from now on."""
        if not self.is_ready(game, stage):
            self.want(game)
            raise Refused("getting_ready", "this game is getting ready", wait=SOON)

    async def wait(self, game: str, stage: Stage) -> None:
        """Until a game is that far; it comes first from now on."""
        if not self.is_ready(game, stage):
            self.want(game)
            await self._done[game, stage].wait()

    # ---- getting there

    def want(self, game: str) -> None:
        """Somebody has chosen this game: do not let it wait for others."""
        if self._todo.get(game) and game not in self._wanted:
            self._wanted.append(game)
            if self._crew is not None and game not in self._at_work:
                self._crew.create_task(self._hurry(game))

    def load(self) -> None:
        """Load what has been compiled before, now: this takes a moment."""
        for game in self._todo:
            while self._todo[game] and is_compiled(game, self._todo[game][0]):
                STAGES[self._todo[game][0]](game)
                self._advance(game)

    async def run(self) -> None:
        """Get all games ready, as many at a time as there are cores."""
        async with asyncio.TaskGroup() as self._crew:
            for game in self._wanted:
                self._crew.create_task(self._hurry(game))
            for _ in range(cores()):
                self._crew.create_task(self._work())
        gc.freeze()  # compiled games stay: there is no need to look through them again and again

    async def _work(self) -> None:
        """One game after the other, while there are any that nobody works on."""
        while free := [g for g, todo in self._todo.items() if todo and g not in self._at_work]:
            await self._prepare(min(free, key=self._rank), LATER)

    def _rank(self, game: str) -> tuple[bool, int]:
        return game not in self._wanted, -len(self._todo[game])

    async def _hurry(self, game: str) -> None:
        while self._todo[game] and game not in self._at_work:
            await self._prepare(game)

    async def _prepare(self, game: str, *when: str) -> None:
        """The next stage of a game."""
        stage = self._todo[game][0]
        self._at_work.add(game)
        try:
            if CACHE is not None and not is_compiled(game, stage):
                await self._compile(stage, game, *when)
            await asyncio.to_thread(STAGES[stage], game)
        except Exception:
            log.exception("%s could not be made ready", game)  # whoever plays it will see
        finally:
            self._at_work.discard(game)
        self._advance(game)

    def _advance(self, game: str) -> None:
        self._done[game, self._todo[game].pop(0)].set()

    async def _compile(self, *words: str) -> None:
        """In a process of its own, which does not hear the Ctrl-C that is meant for us."""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "kibitz.server.warmup",
            *words,
            start_new_session=True,
        )
        try:
            if await process.wait():
                log.warning("could not compile %s; trying again in this process", " ".join(words))
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()


if __name__ == "__main__":
    asyncio.run(Readiness(names()).run())
