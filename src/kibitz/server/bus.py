"""Word between servers of one store: "table X has something new". Who misses it catches up."""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Protocol

CHANNEL = "kibitz"
RETRY_SECONDS = 1.0


class Bus(Protocol):
    """Tells other servers, and hears of them."""

    async def open(self, heard: Callable[[str, int], None]) -> None:
        """Begin to listen."""
        ...

    def tell(self, table: str, seq: int) -> None:
        """A table has a new entry."""
        ...

    @property
    def is_up(self) -> bool:
        """Whether words get through."""
        ...

    async def close(self) -> None:
        """Listen no more."""
        ...


class NoBus:
    """For one server alone: there is nobody to tell."""

    is_up = True

    async def open(self, heard: Callable[[str, int], None]) -> None:
        """Nobody will be heard."""

    def tell(self, table: str, seq: int) -> None:
        """Nobody listens."""

    async def close(self) -> None:
        """Nothing to close."""


class RedisBus:
    """Word by Redis; while it is down, servers look into the store now and then."""

    def __init__(self, url: str) -> None:
        import redis.asyncio as redis  # noqa: PLC0415  only where several servers run

        self._redis: Any = redis.from_url(url)
        self._to_tell: asyncio.Queue[str] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self.is_up = False

    async def open(self, heard: Callable[[str, int], None]) -> None:
        """Begin to listen, and to tell."""
        self._tasks = [
            asyncio.create_task(self._listen(heard)),
            asyncio.create_task(self._speak()),
        ]

    def tell(self, table: str, seq: int) -> None:
        """A table has a new entry."""
        self._to_tell.put_nowait(f"{table} {seq}")

    async def _listen(self, heard: Callable[[str, int], None]) -> None:
        while True:
            with contextlib.suppress(Exception):
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(CHANNEL)
                    self.is_up = True
                    async for message in channel.listen():
                        if message["type"] == "message":
                            table, seq = message["data"].decode().split()
                            heard(table, int(seq))
            self.is_up = False
            await asyncio.sleep(RETRY_SECONDS)

    async def _speak(self) -> None:
        while True:
            word = await self._to_tell.get()
            with contextlib.suppress(Exception):
                await self._redis.publish(CHANNEL, word)

    async def close(self) -> None:
        """Listen no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._redis.aclose()
