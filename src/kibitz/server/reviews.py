"""Reviews of finished matches, made one at a time and kept for a while."""

import asyncio
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

from kibitz.bots.review import review
from kibitz.engine.match import Match
from kibitz.server.protocol import ReviewData, encode
from kibitz.server.readiness import Readiness
from kibitz.server.table import Table

MOST_REVIEWS = 200
SIMULATIONS = 600


class Reviews:
    """The reviews of a server."""

    def __init__(self, readiness: Readiness) -> None:
        self._readiness = readiness
        self._pool = ThreadPoolExecutor(1, "reviewer")
        self._done: OrderedDict[str, bytes] = OrderedDict()
        self._progress: dict[str, float] = {}

    def ask(self, table: Table) -> bytes | float:
        """The review, or how much of it is done."""
        if table.id in self._done:
            return self._done[table.id]
        if table.id not in self._progress:
            assert table.match is not None
            self._progress[table.id] = 0.0
            work = self._review(table.id, table.match.copy(), list(table.line_seq))
            self._task = asyncio.create_task(work)
        return self._progress[table.id]

    async def _review(self, name: str, match: Match, line_seq: list[int]) -> None:
        def told(n: int) -> None:
            self._progress[name] = n / len(match.done)

        def work() -> bytes:
            data = review(match, simulations=SIMULATIONS, progress=told).data()
            return encode(ReviewData(**data, seqs=line_seq))

        try:
            await self._readiness.wait(match.game.name, "bots")
            done = await asyncio.get_running_loop().run_in_executor(self._pool, work)
            self._done[name] = done
            if len(self._done) > MOST_REVIEWS:
                self._done.popitem(last=False)
        finally:
            self._progress.pop(name, None)

    def close(self) -> None:
        """Review no more."""
        self._pool.shutdown(wait=False, cancel_futures=True)
