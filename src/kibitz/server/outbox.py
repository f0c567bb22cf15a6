"""What is done when everything else is done: telling what is new, and writing frames to clients.

A batch of the store brings news to hundreds of clients at once. To do the same thing for all of
them in one go, and not bit by bit between other work, takes less time: the processor stays at the
same code, and so does whoever reads at the other end.
"""

import asyncio
import logging
from collections.abc import Callable
from typing import Generic, TypeVar

log = logging.getLogger(__name__)
MOST_AT_ONCE = 256  # frames, before others get their turn
T = TypeVar("T")


class Later(Generic[T]):
    """Things that wait for the end of this turn of the event loop, in order."""

    def __init__(self, do: Callable[[list[T]], None], most: int) -> None:
        self._do, self._most = do, most
        self._waiting: list[T] = []

    def put(self, thing: T) -> None:
        """One more, to be done before anything more is read."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._go_on)
        self._waiting.append(thing)

    def empty(self) -> None:
        """Do all of it now."""
        things, self._waiting = self._waiting, []
        self._do(things)

    def _go_on(self) -> None:
        things, self._waiting = self._waiting[: self._most], self._waiting[self._most :]
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._go_on)
        self._do(things)


class Outbox(Later[tuple[asyncio.Transport, bytes]]):
    """Frames that are to be written."""

    def __init__(self) -> None:
        super().__init__(_write, MOST_AT_ONCE)


def _write(frames: list[tuple[asyncio.Transport, bytes]]) -> None:
    for transport, frame in frames:
        if transport.is_closing():
            continue
        try:
            transport.write(frame)
        except Exception:  # of one client; the others are still told
            log.exception("a frame could not be written")
            transport.abort()
