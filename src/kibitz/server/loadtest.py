"""How much a server on one core can carry, with every move on disk before it is acknowledged.

Tables for four, dealt beforehand. A closed loop: at each table the next move is made as soon as the
last one is seen. Then an open loop: each table one move every two seconds, and how long it takes
until all four players have it. Where there are several servers, each has players of every table.
"""

import asyncio
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from kibitz.engine.errors import KibitzError
from kibitz.games import find
from kibitz.server import deal, entries
from kibitz.server.app import make_bus, make_store
from kibitz.server.entries import Draft
from kibitz.server.event_loop import new_event_loop
from kibitz.server.load import SEATS, Load, Player, TableLoad
from kibitz.server.protocol import VERSION
from kibitz.server.settings import Settings
from kibitz.server.store import new_table, now_ms
from kibitz.server.tokens import SeatToken, Signer

CLOSED_TABLES = 120  # in the closed loop; enough to keep a server busy
MATCH_SECONDS = 2.0  # for which a match lasts at the least where everyone moves at once
SPARE_FILES = 200  # of those that a process may open, for all but players
CLEARED_AT_ONCE = 100  # tables
STOP_SECONDS = 20.0  # for which a server may take to end
JOINING = 150  # players that come at the same time
MOVE_SECONDS = 2.0  # between two moves of a table in the open loop
T = TypeVar("T")
Told = Callable[[str], None]


@dataclass(frozen=True)
class Wish:
    """What is to be measured."""

    game: str
    tables: int
    seconds: float  # for which each loop runs
    servers: int = 1
    store: str = ""  # a SQLite file of its own, if nothing else is said
    bus: str = ""
    bare: bool = False  # also what a server needs that only hands moves on

    @property
    def few(self) -> int:
        """The tables at which everyone moves at once."""
        return min(self.tables // 10 or 1, CLOSED_TABLES)

    @property
    def matches(self) -> int:
        """How many matches are played there one after the other, at the most."""
        return 2 + int(self.seconds / MATCH_SECONDS)

    def check(self) -> None:
        """Refuse what cannot be measured."""
        if self.tables < 2 or self.seconds <= 0 or self.servers < 1:
            raise KibitzError("give at least two tables, some seconds and one server")
        if self.store and not self.store.startswith(("postgresql://", "postgres://")):
            raise KibitzError(
                f"a store to be measured is postgresql://…, not {self.store!r}; without --store"
                " a SQLite file is made"
            )
        if self.servers > 1 and not (self.store and self.bus):
            raise KibitzError(
                "several servers share a store and a bus: give --store postgresql://… and"
                " --bus redis://…"
            )
        make_bus(Settings(bus=self.bus))
        if any(verb.continues for verb in find(self.game).actions.verbs):
            raise KibitzError(f"{self.game} has choices of several steps; measure a game without")
        if not hasattr(os, "sched_setaffinity") or not Path("/proc/self/stat").exists():
            raise KibitzError("loadtest runs on Linux only: it gives the server a core of its own")


@dataclass(frozen=True)
class Running:
    """A server that has started."""

    process: "subprocess.Popen[str]"
    port: int

    def cpu_seconds(self) -> float:
        """The processor time that it has used."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text()
        fields = stat.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class _Busy:
    """How much of a core servers and players use, from now on."""

    def __init__(self, servers: list[Running]) -> None:
        self._servers = servers
        self._before = self._used()

    def _used(self) -> tuple[float, float, float]:
        servers = sum(server.cpu_seconds() for server in self._servers)
        return time.perf_counter(), servers, time.process_time()

    def shares(self) -> tuple[float, float]:
        """Of the servers together, and of the players."""
        seconds, servers, players = (
            now - then for now, then in zip(self._used(), self._before, strict=True)
        )
        return servers / seconds, players / seconds


async def _deal(store_url: str, game: str, tables: int) -> tuple[list[str], Signer]:
    """Tables that have begun, four people at each, written as a server would write them."""
    store = make_store(Settings(store=store_url))
    await store.open()
    signer = Signer(await store.key())
    found = find(game)
    options = json.dumps(found.written(found.settings(SEATS, {})))
    drafts = [Draft(entries.SIT, n, entries.Sat(f"Player {n}")) for n in range(SEATS)]
    drafts.append(Draft(entries.CLOSE, 0, entries.Closed()))
    drafts.append(Draft(entries.START, None, entries.Started(deal.PROMISED)))
    first = [draft.entry(n, now_ms(), None) for n, draft in enumerate(drafts, 1)]
    made = [
        new_table(game, found.identity.version, SEATS, options, None, True, is_open=False)
        for _ in range(tables)
    ]
    await asyncio.gather(*(store.add(table, first) for table in made))
    await store.close()
    return [table.id for table in made], signer


async def _clear_away(store_url: str, names: list[str]) -> None:
    """Leave no tables behind in a store that is not our own."""
    store = make_store(Settings(store=store_url))
    await store.open()
    for n in range(0, len(names), CLEARED_AT_ONCE):
        await store.delete(names[n : n + CLEARED_AT_ONCE])
    await store.close()


def _until_ready(port: int, game: str) -> None:
    """On a new machine the server has to compile the game first."""
    while True:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/ready") as answer:
            if json.load(answer)["games"][game] == "bots":
                return
        time.sleep(0.2)


def _start_server(wish: Wish, store: str) -> "subprocess.Popen[str]":
    """A server of our own."""
    settings = {
        "KIBITZ_CONNECTIONS_PER_ADDRESS": "1000000",
        "KIBITZ_MESSAGES_PER_SECOND": "1000000",
        "KIBITZ_GAMES_OFFERED": wish.game,
        "KIBITZ_ROUND_PAUSE": "0",
        "KIBITZ_STORE": store,
        "KIBITZ_BUS": wish.bus,
    }
    return _start(["kibitz.cli", "serve", "--port", "0"], settings)


def _start(module: list[str], settings: dict[str, str] | None = None) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", *module],
        env={**os.environ, **(settings or {})},
        stdout=subprocess.PIPE,
        text=True,
    )


def _port(server: "subprocess.Popen[str]") -> int:
    """Where a server that was started listens."""
    assert server.stdout is not None
    for line in server.stdout:
        if "http://" in line:
            return int(line.split("http://")[1].split("/")[0].rpartition(":")[2])
    raise KibitzError("the server did not start")


def _stop(server: "subprocess.Popen[str]") -> None:
    server.terminate()
    try:
        server.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Nothing that the players do for themselves may count as waiting for the server."""
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


@contextmanager
def _servers(n: int, start: Callable[[], "subprocess.Popen[str]"]) -> Iterator[list[Running]]:
    """Servers, each on a core of its own where there are enough; ours is another one."""
    cores = sorted(os.sched_getaffinity(0))
    running: list[Running] = []
    with ExitStack() as stopping:
        for core in range(n):
            process = stopping.enter_context(start())
            stopping.callback(_stop, process)
            if len(cores) > n:
                os.sched_setaffinity(process.pid, {cores[core]})
            running.append(Running(process, _port(process)))
        if len(cores) > n:
            stopping.callback(os.sched_setaffinity, 0, set(cores))
            os.sched_setaffinity(0, {cores[n]})
        yield running


@asynccontextmanager
async def _seated(
    load: Load, names: list[str], signer: Signer, ports: list[int], per_connection: int
) -> AsyncIterator[list[Player]]:
    """Everyone comes to their tables, and leaves them; those of each are spread over the servers.

    A connection left open would outlive the event loop.
    """
    loop = asyncio.get_running_loop()
    gate = asyncio.Semaphore(JOINING)
    players: list[Player] = []

    async def come(group: list[str], seat: int) -> None:
        async with gate:
            host = f"127.0.0.{2 + seat}"  # another address for each seat: more ports to go round
            _, player = await loop.create_connection(
                lambda: Player(load), "127.0.0.1", ports[seat % len(ports)], local_addr=(host, 0)
            )
            players.append(player)
            await player.ready
            for name in group:
                await _enter(load, player, name, signer.token(SeatToken(name, seat, seat + 1)))

    groups = [names[n : n + per_connection] for n in range(0, len(names), per_connection)]
    for name in names:
        load.tables[name.encode()] = TableLoad(name)
    try:
        async with asyncio.TaskGroup() as coming:
            for group in groups:
                for seat in range(SEATS):
                    coming.create_task(come(group, seat))
        yield players
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
    finally:
        for player in players:
            player.transport.abort()
        await asyncio.gather(*(player.gone for player in players))


async def _enter(load: Load, player: Player, name: str, token: str) -> None:
    """A player comes to a table."""
    enter = {"do": "enter", "id": name, "table": name, "version": VERSION, "token": token}
    before = player.entered
    player.send(json.dumps(enter).encode())
    while player.entered == before:
        if load.refused or load.lost:
            raise KibitzError("the server refused a player, or dropped one")
        await asyncio.sleep(0.001)


async def _closed_loop(
    load: Load, seconds: float, servers: list[Running], matches: int
) -> tuple[float, float]:
    """Moves a second when everyone moves at once, and the servers' processor time for one.

    So many matches are played one after the other. The first second is not counted.
    """
    load.at_once = True
    tables = list(load.tables.values())
    for first in range(0, len(tables), matches):
        for table, following in pairwise(tables[first : first + matches]):
            table.following = following
        load.move(tables[first])
    await asyncio.sleep(1.0)
    before, started = load.moves, time.perf_counter()
    used = sum(server.cpu_seconds() for server in servers)
    await asyncio.sleep(seconds)
    moves = load.moves - before
    rate = moves / (time.perf_counter() - started)
    used = sum(server.cpu_seconds() for server in servers) - used
    load.at_once = False
    await asyncio.sleep(0.5)
    return rate, used / max(moves, 1)


async def _open_loop(load: Load, seconds: float) -> tuple[float, float, float]:
    """Each table a move every two seconds: p50 and p99 in milliseconds, and moves a second."""
    tables = list(load.tables.values())
    load.latencies.clear()
    started = time.perf_counter()
    moved = 0
    while (now := time.perf_counter() - started) < seconds:
        due = int(now / MOVE_SECONDS * len(tables))
        while moved < due:
            load.move(tables[moved % len(tables)])
            moved += 1
        await asyncio.sleep(0.001)
    await asyncio.sleep(0.5)
    found = sorted(load.latencies[len(load.latencies) // 5 :])  # without the first fifth
    if not found:
        raise KibitzError("no move came through")
    return (
        found[len(found) // 2] * 1000,
        found[len(found) * 99 // 100] * 1000,
        len(load.latencies) / seconds,
    )


def files_allowed() -> int:
    """How many files a process may open, after asking for as many as it can get."""
    import resource  # noqa: PLC0415  not on Windows

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return most


def _run(work: Coroutine[Any, Any, T]) -> T:
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        return runner.run(work)


def loadtest(wish: Wish, told: Told) -> dict[str, Any]:
    """Measure, and say what was found."""
    wish.check()
    with tempfile.TemporaryDirectory() as folder:
        store = wish.store or str(Path(folder) / "load.db")
        told(f"dealing {wish.tables} tables")
        names, signer = _run(_deal(store, wish.game, wish.tables + wish.few * (wish.matches - 1)))
        try:
            with _servers(wish.servers, lambda: _start_server(wish, store)) as servers:
                for server in servers:
                    _until_ready(server.port, wish.game)
                found = _run(_measure(wish, names, signer, servers, told))
        finally:
            if wish.store:
                _run(_clear_away(store, names))
    if wish.bare:
        found["bare_us_per_move"] = _measure_bare(wish, names[: wish.few], signer, told)
        found["times_bare"] = round(found["cpu_us_per_move"] / found["bare_us_per_move"], 2)
    return found


def _measure_bare(wish: Wish, names: list[str], signer: Signer, told: Told) -> int:
    """The processor time of a server that only hands moves on."""

    async def measure(servers: list[Running]) -> float:
        load = Load()
        async with _seated(load, names, signer, [servers[0].port], 1):
            _, cpu = await _closed_loop(load, wish.seconds, servers, 1)
        return cpu

    told("a server that only hands moves on")
    with _servers(1, lambda: _start(["kibitz.server.bare"])) as servers:
        return round(_run(measure(servers)) * 1e6)


async def _measure(
    wish: Wish, names: list[str], signer: Signer, servers: list[Running], told: Told
) -> dict[str, Any]:
    ports = [server.port for server in servers]
    closed, opened = names[: wish.few * wish.matches], names[wish.few * wish.matches :]
    load = Load()
    told(f"closed loop over {wish.few} tables")
    async with _seated(load, closed, signer, ports, wish.matches):
        moves_per_s, cpu = await _closed_loop(load, wish.seconds, servers, wish.matches)
    await asyncio.sleep(0.3)
    load = Load()
    per_connection = -(-len(opened) * SEATS // (files_allowed() - SPARE_FILES))
    told(f"{len(opened)} tables sit down, {per_connection} on each connection")
    async with _seated(load, opened, signer, ports, per_connection) as players:
        told("open loop")
        busy = _Busy(servers)
        with _undisturbed():
            p50, p99, rate = await _open_loop(load, wish.seconds)
        server_share, player_share = busy.shares()
        refused, lost = load.refused, load.lost
    return {
        "servers": len(servers),
        "moves_per_s": round(moves_per_s),
        "closed_tables": wish.few,
        "cpu_us_per_move": round(cpu * 1e6),
        "tables": len(opened),
        "open_moves_per_s": round(rate),
        "p50_ms": round(p50, 1),
        "p99_ms": round(p99, 1),
        "server_cpu": round(server_share, 2),
        "players_cpu": round(player_share, 2),
        "connections": len(players),
        "refused": refused,
        "lost": lost,
    }
