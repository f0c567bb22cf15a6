"""Writes into a store, batch after batch, and comes back from trouble by itself.

What comes in while a batch is being written shares the next one. Whatever goes wrong fails its
batch and nothing else: the next one is tried anew. While in trouble, an empty batch is tried every
second, so that the end of it is noticed even if nobody plays.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from kibitz.server.entries import Entry
from kibitz.server.store import StoreBusy, StoredTable

log = logging.getLogger(__name__)
PROBE_SECONDS = 1.0  # between two tries while in trouble
STUCK_SECONDS = 3.0  # after which a batch that is not written counts as trouble
CLOSE_SECONDS = 2.0  # for writing what is left


@dataclass
class Writing:
    """Rows that belong together, and who waits for them."""

    table: StoredTable | None
    rows: list[tuple[str, Entry]]
    done: "asyncio.Future[bool]"
    taken: bool = False  # another has an entry of that number


class Writer:
    """One batch at a time, for as long as the store is open."""

    def __init__(
        self,
        write: Callable[[list[Writing]], Coroutine[Any, Any, None]],
        explain: Callable[[BaseException], str],
        gather: float = 0.0,
    ) -> None:
        self._write, self._explain = write, explain
        self._gather = gather  # seconds from one batch to the next, when there is much to write
        self._waiting: list[Writing] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None  # asked for once: that costs a move 4 %
        self._closing = self._in_doubt = False
        self.trouble: str | None = None  # why nothing can be written now

    def start(self) -> None:
        """From now on."""
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._write_on())

    async def close(self) -> None:
        """Write what is left, unless that takes too long."""
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await asyncio.wait({self._task}, timeout=CLOSE_SECONDS)
            self._task.cancel()
            await asyncio.wait({self._task})

    def put(
        self, table: StoredTable | None, rows: list[tuple[str, Entry]]
    ) -> "asyncio.Future[bool]":
        """True once it is on disk; False if the number of an entry is taken."""
        assert self._loop is not None, "a writer is started before anything is put into it"
        writing = Writing(table, rows, self._loop.create_future())
        self._waiting.append(writing)
        self._wake.set()
        return writing.done

    def doubt(self) -> None:
        """Something could not be read: see whether anything can be written."""
        self._in_doubt = True
        self._wake.set()

    async def _write_on(self) -> None:
        began = 0.0
        while self._waiting or not self._closing:
            await self._something_to_do()
            await asyncio.sleep(began + self._gather - time.monotonic())
            batch, self._waiting = self._waiting, []
            if not batch and self.trouble is None and not self._in_doubt:
                continue
            self._in_doubt = False
            began = time.monotonic()
            work = asyncio.create_task(self._write(batch))
            try:
                while not (await asyncio.wait({work}, timeout=STUCK_SECONDS))[0]:
                    self._is_in_trouble("the store does not answer")
                    self._fail([*batch, *self._waiting])
                    self._waiting = []
            finally:
                work.cancel()
            self._settle(batch, work)

    async def _something_to_do(self) -> None:
        """Until there is something to write, or it is time to see whether the trouble is over."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(None if self.trouble is None else PROBE_SECONDS):
                await self._wake.wait()
        self._wake.clear()

    def _settle(self, batch: list[Writing], work: "asyncio.Task[None]") -> None:
        error = asyncio.CancelledError() if work.cancelled() else work.exception()
        if error is not None:
            self._is_in_trouble(self._explain(error))
            self._fail(batch)
            return
        self._is_well()
        for writing in batch:
            if not writing.done.done():
                writing.done.set_result(not writing.taken)

    def _fail(self, batch: list[Writing]) -> None:
        """Nobody knows whether this was written: whoever waits for it has to look."""
        for writing in batch:
            if not writing.done.done():
                writing.done.set_exception(StoreBusy(self.trouble))

    def _is_in_trouble(self, reason: str) -> None:
        if self.trouble is None:
            log.error("nothing can be stored: %s", reason)
        self.trouble = reason

    def _is_well(self) -> None:
        if self.trouble is not None:
            log.warning("what happens is stored again")
        self.trouble = None
