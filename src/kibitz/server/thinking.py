"""Thinking as a service: a few threads, shared fairly among those who ask.

Bots' moves come first, then hints, then looks at whole matches, bars and reviews. Long work comes
in slices. Among questions of a kind, those of the address that has used least of late come first:
whatever one guest asks for, others wait for a slice of it at most.
"""

import asyncio
import contextlib
import logging
import os
import threading
import time
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import islice
from typing import Any, TypeVar

from kibitz.engine.machine import let_the_main_thread_go_first
from kibitz.server.protocol import Refused

log = logging.getLogger(__name__)
T = TypeVar("T")
HALF_LIFE = 30.0  # seconds after which half of what an address has used is forgotten
NOTHING = 1e-3  # seconds used that can be forgotten
MOST_REMEMBERED = 500  # addresses, before those that have used nothing are forgotten
CLOSE_SECONDS = 2.0  # for a thread to finish its slice


class Kind(IntEnum):
    """What is asked for; what is wanted soonest comes first."""

    MOVE = 0
    HINT = 1
    LOOK = 2
    BARS = 3
    REVIEW = 4


# How many questions of a kind one address may have open. Bots' moves are few: one a seat.
MOST_OPEN = {Kind.HINT: 8, Kind.LOOK: 8, Kind.BARS: 64, Kind.REVIEW: 8}


@dataclass(eq=False)
class Job:
    """A slice of work, and who waits for it."""

    kind: Kind
    work: Callable[[], Any]
    done: "asyncio.Future[Any]"
    loop: asyncio.AbstractEventLoop


@dataclass
class Account:
    """What an address waits for, and what it has used of late."""

    waiting: dict[Kind, deque[Job]] = field(default_factory=dict)
    running: int = 0
    _used: float = 0.0
    _at: float = 0.0

    def used(self, now: float) -> float:
        """Seconds of thinking, the longer ago the less."""
        return float(self._used * 0.5 ** ((now - self._at) / HALF_LIFE))

    def charge(self, seconds: float) -> None:
        """So much has been used."""
        now = time.monotonic()
        self._used, self._at = self.used(now) + seconds, now

    def is_idle(self, now: float) -> bool:
        """Whether there is nothing to remember."""
        return not self.running and self.first() is None and self.used(now) < NOTHING

    def put(self, job: Job) -> None:
        """One more to do."""
        self.waiting.setdefault(job.kind, deque()).append(job)

    def first(self) -> Kind | None:
        """The kind of what is wanted soonest, once those whom nobody waits for are dropped."""
        for kind in sorted(self.waiting):
            jobs = self.waiting[kind]
            while jobs and jobs[0].done.cancelled():
                jobs.popleft()
            if jobs:
                return kind
            del self.waiting[kind]
        return None


class Thinking:
    """The threads, and the queue before them."""

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or max(2, os.cpu_count() or 1)
        self._accounts: dict[str, Account] = {}
        self._open: Counter[tuple[str, Kind]] = Counter()
        self._answering: set[asyncio.Task[None]] = set()
        self._changed = threading.Condition()
        self._closing = False
        self._started: list[threading.Thread] = []

    # ---- asking

    async def run(self, kind: Kind, askers: Collection[str], work: Callable[[], T]) -> T:
        """Do a slice of work in a thread; `askers` are the addresses of those who wait for it."""
        loop = asyncio.get_running_loop()
        job = Job(kind, work, loop.create_future(), loop)
        with self._changed:
            self._start()
            self._account(askers).put(job)
            self._changed.notify()
        found: T = await job.done
        return found

    async def stream(
        self, kind: Kind, askers: Collection[str], slices: Callable[[], Iterator[T]]
    ) -> AsyncIterator[T]:
        """Do long work slice by slice, and hear what each has come to."""
        words = await self.run(kind, askers, slices)
        while next_word := await self.run(kind, askers, lambda: list(islice(words, 1))):
            yield next_word[0]

    def waiting(self) -> int:
        """How many questions wait for a thread."""
        with self._changed:
            jobs = (
                jobs for account in self._accounts.values() for jobs in account.waiting.values()
            )
            return sum(map(len, jobs))

    def begin(self, kind: Kind, asker: str, work: Coroutine[Any, Any, None]) -> None:
        """Answer a question beside; an address may not have many of a kind at a time."""
        if self._open[asker, kind] >= MOST_OPEN[kind]:
            work.close()
            text = f"too many at once from your address: {kind.name.lower()}"
            raise Refused("too_fast", text, wait=1.0)
        self._open[asker, kind] += 1
        task = asyncio.create_task(work)
        self._answering.add(task)

        def over(_: "asyncio.Task[None]") -> None:
            self._open[asker, kind] -= 1
            self._answering.discard(task)
            if not task.cancelled() and (error := task.exception()) is not None:
                log.error("thinking failed: %s", kind.name.lower(), exc_info=error)

        task.add_done_callback(over)

    def _account(self, askers: Collection[str]) -> Account:
        """Who is charged: of those who wait, the one who has used least."""
        now, accounts = time.monotonic(), self._accounts
        if len(accounts) > MOST_REMEMBERED:
            for name in [name for name, account in accounts.items() if account.is_idle(now)]:
                del accounts[name]
        found = [accounts.setdefault(name, Account()) for name in askers or ("",)]
        return min(found, key=lambda account: account.used(now))

    # ---- in the threads

    def _start(self) -> None:
        if not self._started:
            self._started = [
                threading.Thread(target=self._serve, name=f"thinking-{n}", daemon=True)
                for n in range(self.threads)
            ]
            for thread in self._started:
                thread.start()

    def _serve(self) -> None:
        let_the_main_thread_go_first()
        while (found := self._next()) is not None:
            account, job = found
            began = time.monotonic()
            value, error = None, None
            try:
                value = job.work()
            except Exception as raised:  # whoever waits for it is told
                error = raised
            with self._changed:
                account.charge(time.monotonic() - began)
                account.running -= 1
                self._changed.notify()
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
                job.loop.call_soon_threadsafe(_settle, job.done, value, error)

    def _next(self) -> tuple[Account, Job] | None:
        """What is to be done now; waits for it. None: no more."""
        with self._changed:
            while not self._closing:
                account = self._whose_turn()
                if account is not None:
                    kind = account.first()
                    assert kind is not None
                    account.running += 1
                    return account, account.waiting[kind].popleft()
                self._changed.wait()
        return None

    def _whose_turn(self) -> Account | None:
        now = time.monotonic()
        waiting = [
            (kind, account.used(now), n, account)
            for n, account in enumerate(self._accounts.values())
            if (kind := account.first()) is not None
        ]
        return min(waiting)[-1] if waiting else None

    def close(self) -> None:
        """Think no more."""
        for task in self._answering:
            task.cancel()
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        until = time.monotonic() + CLOSE_SECONDS
        for thread in self._started:
            thread.join(max(0.0, until - time.monotonic()))


def _settle(done: "asyncio.Future[Any]", value: Any, error: Exception | None) -> None:
    if done.cancelled():
        return
    if error is not None:
        done.set_exception(error)
    else:
        done.set_result(value)
