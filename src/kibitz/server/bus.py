"""Word between servers of one store: "table X has entry n, and these seats are here with me".

Who misses it catches up from the store.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

CHANNEL = "kibitz"
RETRY_SECONDS = 1.0


class Word(NamedTuple):
    """What one server tells the others of a table."""

    table: str
    seq: int
    server: str
    here: frozenset[int]  # the seats whose players are connected to that server

    def write(self) -> str:
        """As it goes over the bus."""
        return f"{self.table} {self.seq} {self.server} {','.join(map(str, sorted(self.here)))}"

    @classmethod
    def read(cls, text: str) -> "Word":
        """As it came over the bus."""
        table, seq, server, here = text.split(" ")
        return cls(table, int(seq), server, frozenset(int(n) for n in here.split(",") if n))


class Bus(Protocol):
    """Tells other servers, and hears of them."""

    async def open(self, heard: Callable[[Word], None]) -> None:
        """Begin to listen."""
        ...

    def tell(self, word: Word) -> None:
        """Something is new at a table."""
        ...

    @property
    def is_shared(self) -> bool:
        """Whether there are others to tell."""
        ...

    @property
    def is_up(self) -> bool:
        """Whether words get through."""
        ...

    def missed(self) -> bool:
        """Whether words may have been lost since this was last asked."""
        ...

    async def close(self) -> None:
        """Listen no more."""
        ...


class NoBus:
    """For one server alone: there is nobody to tell."""

    is_up = True
    is_shared = False

    async def open(self, heard: Callable[[Word], None]) -> None:
        """Nobody will be heard."""

    def tell(self, word: Word) -> None:
        """Nobody listens."""

    def missed(self) -> bool:
        """There was nothing to hear."""
        return False

    async def close(self) -> None:
        """Nothing to close."""


class RedisBus:
    """Word by Redis; while it is down, servers look into the store now and then."""

    is_shared = True

    def __init__(self, url: str) -> None:
        # Only where several servers run.
        import redis.asyncio as redis  # noqa: PLC0415
        from redis.asyncio.retry import Retry  # noqa: PLC0415
        from redis.backoff import NoBackoff  # noqa: PLC0415

        # A client that came back by itself would not say what it has missed.
        self._redis: Any = redis.from_url(url, retry=Retry(NoBackoff(), 0))
        self._to_tell: asyncio.Queue[str] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        self.is_up = False
        self._missed = True

    def missed(self) -> bool:
        """Whether words may have been lost since this was last asked."""
        missed, self._missed = self._missed, not self.is_up
        return missed

    async def open(self, heard: Callable[[Word], None]) -> None:
        """Begin to listen, and to tell."""
        self._tasks = [
            asyncio.create_task(self._listen(heard)),
            asyncio.create_task(self._speak()),
        ]

    def tell(self, word: Word) -> None:
        """Something is new at a table."""
        self._to_tell.put_nowait(word.write())

    async def _listen(self, heard: Callable[[Word], None]) -> None:
        while True:
            with contextlib.suppress(Exception):
                async with self._redis.pubsub() as channel:
                    await channel.subscribe(CHANNEL)
                    self.is_up = True
                    async for message in channel.listen():
                        if message["type"] == "message":
                            heard(Word.read(message["data"].decode()))
            self.is_up, self._missed = False, True
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
