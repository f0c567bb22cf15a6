"""Nobody waits: whatever a table asks of the server, its event loop goes on.

The loop of a server has a heart that beats every millisecond, and notes how late it is and how much
was computed meanwhile. A thread that does nothing else beats beside it, so what is late because the
machine is busy is known.
"""

import asyncio
import gc
import itertools
import random
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import pytest

from kibitz.cli.serve import SWITCH_SECONDS
from kibitz.server import protocol as p
from kibitz.server.entries import Entry
from kibitz.server.sqlite import SqliteStore
from kibitz.server.table import Table
from kibitz.server.warmup import warm_game
from server.guests import House, play_on, run, serving, told
from server.memory import Gathering

BEAT = 0.001  # seconds
MOST = 0.005  # seconds that anything may keep the loop
LATEST = 5  # a few beats are late on any machine
LONG: dict[str, dict[str, Any]] = {"kolpa": {"target": 200}, "viva": {"rounds": 12}}
TRIES = 3  # a machine is late now and then, a server that blocks its loop is so every time


class Beat(NamedTuple):
    """From one beat of a heart to the next, in seconds."""

    late: float  # by the clock on the wall
    work: float  # by the processor time of the thread


class Pulse:
    """The heart of a server's loop, and the one beside it."""

    def __init__(self) -> None:
        self.loop: list[Beat] = []
        self.beside: list[Beat] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._beat_beside)

    async def beat(self) -> None:
        """In the loop."""
        self._thread.start()
        try:
            while True:
                wall, work = time.perf_counter(), time.thread_time()
                await asyncio.sleep(BEAT)
                late = time.perf_counter() - wall - BEAT
                self.loop.append(Beat(late, time.thread_time() - work))
        finally:
            self._stop.set()

    def _beat_beside(self) -> None:
        while not self._stop.is_set():
            wall = time.perf_counter()
            time.sleep(BEAT)
            self.beside.append(Beat(time.perf_counter() - wall - BEAT, 0.0))

    @property
    def held_up(self) -> float:
        """By how much the loop was late where the machine was not."""
        loop, beside = (
            sorted(b.late for b in found)[-LATEST] for found in (self.loop, self.beside)
        )
        return loop - beside

    @property
    def most_work(self) -> float:
        """The most that was computed between two beats."""
        return max(beat.work for beat in self.loop)

    @property
    def is_steady(self) -> bool:
        """Whether nothing has kept the loop for long; threads that take turns cost some more."""
        return self.most_work < MOST and self.held_up < 2 * MOST

    def __str__(self) -> str:
        work, late = 1000 * self.most_work, 1000 * self.held_up
        return f"{len(self.loop)} beats, {work:.1f} ms computed, {late:.1f} ms late"


class Apart:
    """A server in a thread of its own, so that its guests cost its loop nothing."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.pulse = Pulse()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))

    async def _serve(self) -> None:
        self._loop, self._done = asyncio.get_running_loop(), asyncio.Event()
        async with serving(self.file) as self.house:
            self._ready.set()
            await self._done.wait()
            if self._beating is not None:
                self._beating.cancel()

    _beating: "asyncio.Task[None] | None" = None

    def measure(self) -> None:
        """From now on; what is made once, at the start, does not count."""

        def begin() -> None:
            self._beating = self._loop.create_task(self.pulse.beat())

        self._loop.call_soon_threadsafe(begin)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[House]:
        """The way to it, for guests in this thread."""
        self._thread.start()
        await asyncio.to_thread(self._ready.wait)
        try:
            async with aiohttp.ClientSession() as session:
                yield House(self.house.server, self.house.base, session)
        finally:
            self._loop.call_soon_threadsafe(self._done.set)
            await asyncio.to_thread(self._thread.join)


@pytest.fixture
def as_served() -> Iterator[None]:
    """As `kibitz serve` does, what is loaded is frozen, and threads take turns often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()
    sys.setswitchinterval(before)


async def a_match_on_disk(file: Path) -> str:
    """A table whose match was played to its end by a server that is no more."""
    async with serving(file) as house:
        players = await house.started(people=2, options={"target": 20})
        await play_on(players, random.Random(1))
        return players[0].table


async def everything_at_once(file: Path, old: str) -> Pulse:
    """Rules, bots, hints, bars, looking back, a review, a long table read from the disk."""
    apart = Apart(file)
    async with apart.serving() as house:
        await house.get("/api/games/kolpa")
        bots = [None, None, "hard", "expert"]
        players = await house.started(people=2, players=4, bots=bots)
        table = players[0].table
        watcher = await house.at(table)
        apart.measure()
        assert (await house.at(old)).whole["phase"] == "over"
        await house.get(f"/api/tables/{old}/review")
        await watcher.ask("bars", on=True)
        for n in range(3):
            await play_on(players, random.Random(n), choices=1)
            for player in players:
                if player.now().get("legal"):
                    await player.ask("hint", on=True)
            for path in (f"{table}/history", f"{old}/history?all=1", f"{old}/match"):
                assert (await house.get(f"/api/tables/{path}"))[0] == 200
            await house.make(options={"target": 20 + n})
        for player in players:
            await player.ask("hint", on=False)
    return apart.pulse


def is_steady(measured: Callable[[], Coroutine[Any, Any, Pulse]], least: int) -> bool:
    """Whether a pulse is steady, at once or after some tries."""
    for _ in range(TRIES):
        pulse = run(measured())
        assert len(pulse.loop) > least
        if pulse.is_steady:
            return True
        print(pulse)
    return False


@pytest.mark.usefixtures("as_served")
def test_the_loop_is_never_held_up(file: Path) -> None:
    """Not by rules, bots, hints, bars, looking back, reviews or the disk."""
    warm_game("kolpa")
    old = run(a_match_on_disk(file))
    assert is_steady(lambda: everything_at_once(file, old), 300)


async def half_a_match(game: str, choices: int) -> Gathering:
    """A long match that is not over; its players have left it to bots."""
    gathering = Gathering(game, 4, **LONG[game])
    await gathering.begin()
    rng = random.Random(1)
    for _ in range(choices):
        await gathering.play(*await gathering.choice(rng))
    await gathering.go_on()
    for seat in range(4):
        await gathering.ask(seat, p.Leave)
    gathering.end()
    return gathering


async def come_back_to(gathering: Gathering, file: Path) -> Pulse:
    """Somebody comes to a match that only the disk knows, and bots go on with it."""
    store, table = SqliteStore(file), gathering.room.table
    await store.open()
    await store.add(table.stored, gathering.store.rows[table.id][: table.seq])
    await store.close()
    apart = Apart(file)
    async with apart.serving() as house:
        await house.make(table.stored.game)
        apart.measure()
        watcher = await house.at(table.id)
        await told([watcher], table.seq + 40)
    return apart.pulse


@pytest.mark.usefixtures("as_served")
@pytest.mark.parametrize("game", LONG)
def test_a_long_match_that_is_read_from_the_disk_holds_up_nobody(game: str, tmp_path: Path) -> None:
    """Though it is folded from its first entry on, and bots look back on all of it."""
    warm_game(game)
    gathering = run(half_a_match(game, 300))
    files = (tmp_path / f"{n}.db" for n in itertools.count())
    assert is_steady(lambda: come_back_to(gathering, next(files)), 20)


def compute() -> None:
    until = time.thread_time() + 20 * MOST
    while time.thread_time() < until:
        pass


def wait() -> None:
    time.sleep(20 * MOST)


@pytest.mark.usefixtures("as_served")
@pytest.mark.parametrize("block", [compute, wait])
def test_a_server_that_blocks_its_loop_would_be_found_out(
    block: Callable[[], None], file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fold = Table.fold

    warm_game("kolpa")
    old = run(a_match_on_disk(file))

    def slowly(self: Table, entry: Entry, *more: Any) -> None:
        if self.id != old:
            block()
        fold(self, entry, *more)

    monkeypatch.setattr(Table, "fold", slowly)
    pulse = run(everything_at_once(file, old))
    assert not pulse.is_steady, str(pulse)


def test_a_review_is_made_beside_and_says_how_far_it_is(file: Path) -> None:
    async def asked() -> None:
        async with serving(file) as house:
            players = await house.started(people=2, options={"target": 20})
            table = players[0].table
            status, refused = await house.get(f"/api/tables/{table}/review")
            assert (status, refused["error"]) == (409, "phase")
            await play_on(players, random.Random(1))
            status, found = await house.get(f"/api/tables/{table}/review")
            assert status == 202
            assert 0 <= found["progress"] <= 1
            while status == 202:
                await asyncio.sleep(0.2)
                status, found = await house.get(f"/api/tables/{table}/review")
            assert [move["number"] for move in found["moves"]] == list(range(1, len(found["seqs"])))
            assert len(found["start"]) == 2
            assert sum(found["moves"][-1]["chances"]) == pytest.approx(1)
            assert set(found["decisive"]) <= {move["number"] for move in found["moves"]}
            _, back = await house.get(f"/api/tables/{table}/history?all=1")
            lines = [line for part in (back, *back["moves"]) for line in part["lines"]]
            assert found["seqs"] == [line["seq"] for line in lines]

    run(asked())
