"""Word between servers of one store: "table X has entry n, and these seats are here with me".

Who misses it catches up from the store.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from itertools import islice
from typing import Any, NamedTuple, Protocol

log = logging.getLogger(__name__)
CHANNEL, BEAT = "kibitz", "kibitz-beat"
RETRY_SECONDS = 1.0
BEAT_SECONDS = 1.0  # between two words, if only to hear oneself
MOST_AT_ONCE = 50  # words: more would hold up the loop
SILENCE_SECONDS = 3.0  # after which the bus counts as down


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
    """Word by Redis; while it is down, servers look into the store now and then.

    Every server hears itself too. So silence means that the bus is down, even if nothing breaks.
    """

    is_shared = True

    def __init__(self, url: str) -> None:
        # Only where several servers run.
        import redis.asyncio as redis  # noqa: PLC0415
        from redis.asyncio.retry import Retry  # noqa: PLC0415
        from redis.backoff import NoBackoff  # noqa: PLC0415

        # A client that came back by itself would not say what it has missed.
        self._redis: Any = redis.from_url(
            url, retry=Retry(NoBackoff(), 0), socket_connect_timeout=SILENCE_SECONDS
        )
        self._to_tell: dict[str, Word] = {}  # of each table only the last word counts
        self._news = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.is_up = False
        self._missed = True
        self._trouble_told = False

    def missed(self) -> bool:
        """Whether words may have been lost since this was last asked."""
        missed, self._missed = self._missed, not self.is_up
        return missed

    async def open(self, heard: Callable[[Word], None]) -> None:
        """Begin to listen, and to tell."""
        self._tasks = [
            asyncio.create_task(self._for_ever(lambda: self._listen(heard))),
            asyncio.create_task(self._for_ever(self._speak)),
        ]

    def tell(self, word: Word) -> None:
        """Something is new at a table."""
        self._to_tell[word.table] = word
        self._news.set()

    async def _for_ever(self, work: Callable[[], Awaitable[None]]) -> None:
        """Listen or speak, again and again, whatever goes wrong."""
        while True:
            try:
                await work()
            except Exception as error:
                self._is_down(error)
            await asyncio.sleep(RETRY_SECONDS)

    async def _listen(self, heard: Callable[[Word], None]) -> None:
        async with self._redis.pubsub() as channel:
            await channel.subscribe(CHANNEL, BEAT)
            while True:
                async with asyncio.timeout(SILENCE_SECONDS):
                    message = await channel.get_message(
                        ignore_subscribe_messages=True, timeout=None
                    )
                self._is_back()
                if message is not None and message["channel"] == CHANNEL.encode():
                    heard(Word.read(message["data"].decode()))

    async def _speak(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BEAT_SECONDS):
                    await self._news.wait()
            self._news.clear()
            words = dict(islice(self._to_tell.items(), MOST_AT_ONCE))
            for table in words:
                del self._to_tell[table]
            if self._to_tell:
                self._news.set()
            try:
                async with asyncio.timeout(SILENCE_SECONDS):
                    await self._publish(list(words.values()))
            except Exception:
                self._to_tell = {**words, **self._to_tell}  # to be told when it is back
                raise

    async def _publish(self, words: list[Word]) -> None:
        together = self._redis.pipeline(transaction=False)
        for word in words:
            together.publish(CHANNEL, word.write())
        if not words:
            together.publish(BEAT, "")
        await together.execute()

    def _is_down(self, error: Exception) -> None:
        if not self._trouble_told:
            reason = str(error) or "it does not answer"
            log.error("the bus is down (%s): looking into the store instead", reason)
        self.is_up, self._missed, self._trouble_told = False, True, True

    def _is_back(self) -> None:
        if self._trouble_told:
            log.warning("the bus is back")
        self.is_up, self._trouble_told = True, False

    async def close(self) -> None:
        """Listen no more; a Redis that does not answer is not waited for."""
        for task in self._tasks:
            task.cancel()
        ending = asyncio.gather(*self._tasks, self._redis.aclose(), return_exceptions=True)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(ending, 1.0)
