"""What is old is deleted, a little at a time."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from kibitz.server.settings import Settings
from kibitz.server.store import Store, now_ms

log = logging.getLogger(__name__)
SWEEP_SECONDS = 300.0
BATCH = 20  # tables, or chat lines, that are deleted at a time
PAUSE_SECONDS = 0.05  # in which others get their turn
UNBEGUN_DAYS = 14  # for which a table is kept at which nobody begins
DAY = 86_400_000  # milliseconds


class Retention:
    """Deletes what need not be kept. `let_go` closes a table's room, unless somebody is there."""

    def __init__(self, store: Store, settings: Settings, let_go: Callable[[str], bool]) -> None:
        self._store, self._let_go = store, let_go
        self._days, self._chat_days = settings.keep_days, settings.keep_chat_days

    async def sweep(self) -> None:
        """Delete all that is too old now."""
        gone = await self._delete(self._store.never_begun, UNBEGUN_DAYS)
        if self._days:
            gone += await self._delete(self._store.ended, self._days)
        lines = await self._drop_chat() if self._chat_days else 0
        if gone or lines:
            log.info("deleted what was old: %d tables, %d chat lines", gone, lines)

    async def _delete(self, find: Callable[[int, int], Awaitable[list[str]]], days: float) -> int:
        gone = 0
        while True:
            found = await find(_before(days), BATCH)
            free = [name for name in found if self._let_go(name)]
            if not free:  # nothing is left, or all of it is being looked at: later
                return gone
            await self._store.delete(free)
            gone += len(free)
            await asyncio.sleep(PAUSE_SECONDS)

    async def _drop_chat(self) -> int:
        lines = 0
        while dropped := await self._store.drop_chat(_before(self._chat_days), BATCH):
            lines += dropped
            await asyncio.sleep(PAUSE_SECONDS)
        return lines


def _before(days: float) -> int:
    return now_ms() - int(days * DAY)
