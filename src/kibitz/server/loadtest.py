"""How much a server on one core can carry, with every move on disk before it is acknowledged.

Tables for four, dealt beforehand into a store of their own. A closed loop: at each table the next
move is made as soon as the last one is seen. Then an open loop: each table one move every two
seconds, and how long it takes until all four players have it.
"""

import asyncio
import base64
import json
import os
import random
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

from kibitz.engine.errors import KibitzError
from kibitz.games import find
from kibitz.server import deal, entries
from kibitz.server.entries import Draft
from kibitz.server.event_loop import new_event_loop
from kibitz.server.protocol import VERSION
from kibitz.server.sqlite import SqliteStore
from kibitz.server.store import new_table, now_ms
from kibitz.server.tokens import SeatToken, Signer

SEATS = 4
CLOSED_TABLES = 120  # in the closed loop; enough to keep a server busy
SPARE_FILES = 200  # of those that a process may open, for all but players
JOINING = 150  # players that come at the same time
MOVE_SECONDS = 2.0  # between two moves of a table in the open loop
T = TypeVar("T")
LEGAL = b'"legal":['


class Player(asyncio.Protocol):
    """One WebSocket, with a seat at one or more tables. Written to cost little."""

    def __init__(self, load: "Load") -> None:
        self.load = load
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._rest = b""
        self._upgraded = False
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        """Ask for a WebSocket."""
        self.transport = transport
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        transport.write(
            f"GET /ws HTTP/1.1\r\nHost: load\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, error: Exception | None) -> None:
        """The server has gone."""
        self.load.lost += 1
        if not self.ready.done():
            self.ready.set_exception(KibitzError("the server closed a connection"))

    def send(self, text: bytes) -> None:
        """Write a masked text frame; the mask is zero, which the protocol allows."""
        n = len(text)
        head = b"\x81%c" % (0x80 | n) if n < 126 else b"\x81\xfe" + n.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + text)

    def data_received(self, data: bytes) -> None:
        """Frames come in."""
        data = self._rest + data
        if not self._upgraded:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._rest = data
                return
            if b" 101 " not in data[:end]:
                self.ready.set_exception(KibitzError(data[:end].decode(errors="replace")))
                return
            self._upgraded = True
            self.ready.set_result(None)
            data = data[end + 4 :]
        at, size = 0, len(data)
        while size - at >= 2:
            n, start = data[at + 1] & 0x7F, at + 2
            if n == 126:
                n, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif n == 127:
                n, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if size < start + n:
                break
            if data[at] == 0x81:
                self.load.heard(self, data[start : start + n])
            elif data[at] == 0x89:
                self.transport.write(b"\x8a\x80\0\0\0\0")
            at = start + n
        self._rest = data[at:]


class TableLoad:
    """One table, as the generator sees it."""

    __slots__ = ("due", "got", "legal", "name", "sent", "seq")

    def __init__(self, name: str) -> None:
        self.name = name
        self.due: Player | None = None  # who can move
        self.legal: list[bytes] = []
        self.seq = 0
        self.got = 0  # how many players have the last move
        self.sent = 0.0


class Load:
    """Players at tables."""

    def __init__(self) -> None:
        self.tables: dict[bytes, TableLoad] = {}
        self.moves = self.refused = self.lost = self.entered = 0
        self.latencies: list[float] = []
        self.at_once = False
        self._ids = 0
        self._rng = random.Random(7)

    def heard(self, player: Player, frame: bytes) -> None:
        """A frame for one player: a whole table, a move, or an answer."""
        if frame.startswith(b'{"t":"moved"'):
            table = self.tables[frame[22:32]]
            seq = int(frame[40 : frame.index(b",", 40)])
            if seq > table.seq:
                table.seq, table.got = seq, 0
            table.got += 1
            self._offered(table, player, frame)
            if table.got == SEATS:
                self.moves += 1
                if table.sent:
                    self.latencies.append(time.perf_counter() - table.sent)
            if self.at_once and table.got == SEATS and table.due is not None:
                self.move(table)
        elif frame.startswith(b'{"t":"table"'):
            whole = json.loads(frame)
            table = self.tables[whole["table"].encode()]
            self.entered += 1
            self._offered(table, player, frame)
        elif frame.startswith(b'{"t":"no"'):
            self.refused += 1

    def _offered(self, table: TableLoad, player: Player, frame: bytes) -> None:
        at = frame.find(LEGAL)
        if at > 0:
            legal = frame[at + len(LEGAL) : frame.index(b"]", at)]
            table.due, table.legal = player, legal.split(b",")

    def move(self, table: TableLoad) -> None:
        """Whoever is due makes a move at random."""
        player, table.due = table.due, None
        if player is None:
            return
        self._ids += 1
        action = self._rng.choice(table.legal)
        table.sent = time.perf_counter()
        player.send(
            b'{"do":"play","id":"%d","table":"%b","actions":[%b]}'
            % (self._ids, table.name.encode(), action)
        )


async def _deal(file: Path, game: str, tables: int) -> tuple[list[str], Signer]:
    """Tables that have begun, four people at each, written as a server would write them."""
    store = SqliteStore(file)
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


def _until_ready(port: int, game: str) -> None:
    """On a new machine the server has to compile the game first."""
    while True:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/ready") as answer:
            if json.load(answer)["games"][game] == "bots":
                return
        time.sleep(0.2)


def _start_server(file: Path, game: str, core: int | None) -> tuple["subprocess.Popen[str]", int]:
    """A server of our own, on a core of its own; its port."""
    limits = {
        "KIBITZ_CONNECTIONS_PER_ADDRESS": "1000000",
        "KIBITZ_MESSAGES_PER_SECOND": "1000000",
        "KIBITZ_GAMES_OFFERED": game,
        "KIBITZ_ROUND_PAUSE": "0",
    }
    command = [sys.executable, "-m", "kibitz.cli", "serve", "--port", "0", "--store", str(file)]
    server = subprocess.Popen(
        command, env={**os.environ, **limits}, stdout=subprocess.PIPE, text=True
    )
    if core is not None:
        os.sched_setaffinity(server.pid, {core})
    assert server.stdout is not None
    for line in server.stdout:
        if "http://" in line:
            port = int(line.split("http://")[1].split("/")[0].rpartition(":")[2])
            _until_ready(port, game)
            return server, port
    raise KibitzError("the server did not start")


async def _sit_down(
    load: Load, names: list[str], signer: Signer, port: int, per_connection: int
) -> list[Player]:
    """Everyone comes to their tables."""
    loop = asyncio.get_running_loop()
    gate = asyncio.Semaphore(JOINING)
    players: list[Player] = []

    async def come(group: list[str], seat: int) -> None:
        async with gate:
            host = f"127.0.0.{2 + seat}"  # another address for each seat: more ports to go round
            _, player = await loop.create_connection(
                lambda: Player(load), "127.0.0.1", port, local_addr=(host, 0)
            )
            players.append(player)
            await player.ready
            for name in group:
                token = signer.token(SeatToken(name, seat, seat + 1))
                enter = {
                    "do": "enter",
                    "id": name,
                    "table": name,
                    "version": VERSION,
                    "token": token,
                }
                before = load.entered
                player.send(json.dumps(enter).encode())
                while load.entered == before:
                    await asyncio.sleep(0.001)

    groups = [names[n : n + per_connection] for n in range(0, len(names), per_connection)]
    for name in names:
        load.tables[name.encode()] = TableLoad(name)
    await asyncio.gather(*(come(group, seat) for group in groups for seat in range(SEATS)))
    return players


def _cpu_seconds(process: int) -> float:
    """The processor time that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _closed_loop(load: Load, seconds: float, server: int) -> tuple[float, float]:
    """ActionList a second when everyone moves at once, and the server's processor time for one.

    The first second is not counted.
    """
    load.at_once = True
    for table in load.tables.values():
        load.move(table)
    await asyncio.sleep(1.0)
    before, started, used = load.moves, time.perf_counter(), _cpu_seconds(server)
    await asyncio.sleep(seconds)
    moves = load.moves - before
    rate = moves / (time.perf_counter() - started)
    used = _cpu_seconds(server) - used
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


def loadtest(game: str, tables: int, seconds: float, told: Callable[[str], None]) -> dict[str, Any]:
    """Measure, and say what was found."""
    if any(verb.continues for verb in find(game).actions.verbs):
        raise KibitzError(f"{game} has choices of several steps; measure a game without")
    if not hasattr(os, "sched_setaffinity") or not Path("/proc/self/stat").exists():
        raise KibitzError("loadtest runs on Linux only: it gives the server a core of its own")
    allowed = files_allowed() - SPARE_FILES
    per_connection = -(-tables * SEATS // allowed)
    cores = sorted(os.sched_getaffinity(0))
    apart = len(cores) > 1
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "load.db"
        told(f"dealing {tables} tables")
        names, signer = _run(_deal(file, game, tables))
        server, port = _start_server(file, game, cores[0] if apart else None)
        if apart:
            os.sched_setaffinity(0, set(cores[1:2]))
        try:
            return _run(_measure(names, signer, (server.pid, port), per_connection, seconds, told))
        finally:
            server.terminate()
            server.wait(20)
            os.sched_setaffinity(0, set(cores))


async def _measure(
    names: list[str],
    signer: Signer,
    server: tuple[int, int],
    per_connection: int,
    seconds: float,
    told: Callable[[str], None],
) -> dict[str, Any]:
    process, port = server
    few = min(len(names) // 10 or 1, CLOSED_TABLES)
    load = Load()
    told(f"closed loop over {few} tables")
    players = await _sit_down(load, names[:few], signer, port, 1)
    moves_per_s, cpu = await _closed_loop(load, seconds, process)
    for player in players:
        player.transport.close()
    await asyncio.sleep(0.3)
    load = Load()
    told(f"{len(names)} tables sit down, {per_connection} on each connection")
    players = await _sit_down(load, names[few:], signer, port, per_connection)
    told("open loop")
    p50, p99, rate = await _open_loop(load, seconds)
    return {
        "moves_per_s": round(moves_per_s),
        "closed_tables": few,
        "cpu_us_per_move": round(cpu * 1e6),
        "tables": len(names) - few,
        "open_moves_per_s": round(rate),
        "p50_ms": round(p50, 1),
        "p99_ms": round(p99, 1),
        "connections": len(players),
        "refused": load.refused,
        "lost": load.lost,
    }
