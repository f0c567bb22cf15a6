"""Frames on their way to clients, written when everything else is done.

A batch of the store brings news to hundreds of clients at once. To write all of it in one go, and
not bit by bit between other work, takes less time: the processor stays at the same thing, and so
does whoever reads at the other end.
"""

import asyncio
import logging

log = logging.getLogger(__name__)
MOST_AT_ONCE = 256  # frames, before others get their turn


class Outbox:
    """What is to be written soon, in order."""

    def __init__(self) -> None:
        self._frames: list[tuple[asyncio.Transport, bytes]] = []

    def put(self, transport: asyncio.Transport, frame: bytes) -> None:
        """Have a frame written before anything more is read."""
        if not self._frames:
            asyncio.get_running_loop().call_soon(self._write_on)
        self._frames.append((transport, frame))

    def empty(self) -> None:
        """Write all of it now: somebody is about to leave."""
        frames, self._frames = self._frames, []
        _write(frames)

    def _write_on(self) -> None:
        frames, self._frames = self._frames[:MOST_AT_ONCE], self._frames[MOST_AT_ONCE:]
        if self._frames:
            asyncio.get_running_loop().call_soon(self._write_on)
        _write(frames)


def _write(frames: list[tuple[asyncio.Transport, bytes]]) -> None:
    for transport, frame in frames:
        if transport.is_closing():
            continue
        try:
            transport.write(frame)
        except Exception:  # of one client; the others are still told
            log.exception("a frame could not be written")
            transport.abort()
