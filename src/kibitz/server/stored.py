"""How long the lobby and somebody's matches take when many tables are stored.

The tables are spread over a year: most are over, every tenth is open and was never begun.
"""

import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp.test_utils import TestServer
from msgspec.structs import astuple, replace

from kibitz.engine.errors import KibitzError
from kibitz.games import find
from kibitz.server import entries, protocol
from kibitz.server.app import Server, make_store
from kibitz.server.entries import Draft, Entry
from kibitz.server.settings import Settings
from kibitz.server.store import StoredTable, new_table, now_ms
from kibitz.server.tokens import SeatToken, Signer, new_table_id

GAME, SEATS = "kolpa", 4
TOGETHER = 20_000  # tables that are written at a time
YEAR = 365 * 86_400_000  # milliseconds
TOKENS = 100  # of somebody who has played much
WAITING = 20  # open tables at which somebody waits
ASKS = 200
EVERY_TENTH = 10
NEW = WAITING * EVERY_TENTH  # tables that were made just now
FEWEST = 1000
Rows = list[tuple[Any, ...]]


def _template(*, is_open: bool) -> tuple[StoredTable, list[Entry]]:
    """A table that was never begun, or one that is over, of which all others are copies."""
    game = find(GAME)
    options = protocol.encode(game.written(game.settings(SEATS, {}))).decode()
    made = new_table(GAME, game.identity.version, SEATS, options, None, True, is_open=is_open)
    drafts = [Draft(entries.SIT, seat, entries.Sat(f"Player {seat}")) for seat in range(2)]
    if not is_open:
        drafts += [Draft(entries.BOT, seat, entries.BotSeated("easy")) for seat in (2, 3)]
        drafts.append(Draft(entries.START, 0, entries.Started(contribution="chance")))
        drafts += [Draft(entries.PLAY, seat, entries.Played(["kolpa g0"])) for seat in range(4)]
        drafts.append(Draft(entries.LAST, 0, entries.Played(["kolpa g1"])))
    return made, [draft.entry(n, 0, None) for n, draft in enumerate(drafts, 1)]


def _tables(tables: int) -> Iterator[tuple[StoredTable, list[Entry]]]:
    """So many tables, the oldest first."""
    over, waiting = _template(is_open=False), _template(is_open=True)
    now = now_ms()
    for n in range(tables):
        at = now - (YEAR * (tables - n) // tables if tables - n > NEW else 0)
        table, happened = over if n % EVERY_TENTH else waiting
        yield (
            replace(table, id=new_table_id(), at=at),
            [replace(entry, at=at) for entry in happened],
        )


async def _fill(
    settings: Settings, tables: int, told: Callable[[str], None]
) -> tuple[list[str], list[str]]:
    """Fill a store; some tables that are over, and the newest that are open."""
    told(f"storing {tables} tables")
    over: list[str] = []
    waiting: list[str] = []
    coming = _tables(tables)
    async with _pouring(settings) as pour:
        while made := list(islice(coming, TOGETHER)):
            rows = [(table.id, *astuple(entry)) for table, happened in made for entry in happened]
            await pour([astuple(table) for table, _ in made], rows)
            ended = [table.id for table, _ in made if not table.open]
            over += ended[:: max(1, tables // (2 * TOKENS))]
            waiting = [*waiting, *(table.id for table, _ in made if table.open)][-WAITING:]
    return over, waiting


@asynccontextmanager
async def _pouring(settings: Settings) -> AsyncIterator[Callable[[Rows, Rows], Awaitable[None]]]:
    """Writes many tables and entries at a time, by a way of its own that is quicker."""
    if settings.store.startswith("postgres"):
        import asyncpg  # noqa: PLC0415  only where there is a PostgreSQL

        server = await asyncpg.connect(settings.store)

        async def copy(tables: Rows, rows: Rows) -> None:
            await server.copy_records_to_table("kibitz_match", records=tables)
            await server.copy_records_to_table("kibitz_entry", records=rows)

        yield copy
        await server.close()
        return
    db = sqlite3.connect(settings.store_file)
    db.execute("PRAGMA synchronous = OFF")
    db.execute("PRAGMA cache_size = -400000")  # KiB

    async def insert(tables: Rows, rows: Rows) -> None:
        db.executemany(f"INSERT INTO match VALUES ({', '.join('?' * 11)})", tables)
        db.executemany(f"INSERT INTO entry VALUES ({', '.join('?' * 7)})", rows)
        db.commit()

    yield insert
    db.close()


async def measure(settings: Settings, tables: int, told: Callable[[str], None]) -> dict[str, Any]:
    """Fill a store, and ask a server for the lobby and for somebody's matches."""
    store = make_store(settings)
    await store.open()
    if await store.gathering(0):
        await store.close()
        raise KibitzError("give a store that is empty: it will be filled with tables")
    signer = Signer(await store.key())
    await store.close()
    over, waiting = await _fill(settings, tables, told)
    told("asking")
    server = Server(settings)
    async with TestServer(server.app) as at, aiohttp.ClientSession() as session:
        base = str(at.make_url("")).rstrip("/")
        hosts = [await session.ws_connect(f"{base}/ws") for _ in waiting]
        for socket, name in zip(hosts, waiting, strict=True):
            token = signer.token(SeatToken(name, 0, 1))
            await socket.send_json(
                {
                    "do": "enter",
                    "id": "e",
                    "table": name,
                    "token": token,
                    "version": protocol.VERSION,
                }
            )
            await socket.receive()
        step = max(1, len(over) // TOKENS)
        tokens = [signer.token(SeatToken(name, 0, 1)) for name in over[::step][:TOKENS]]
        visitor = await session.ws_connect(f"{base}/ws")

        async def lobby() -> int:
            await visitor.send_json({"do": "lobby", "id": "l", "on": True})
            return len((await visitor.receive_json())["tables"])

        async def mine() -> int:
            async with session.post(f"{base}/api/mine", json={"tokens": tokens}) as answer:
                return len(await answer.json())

        found: dict[str, Any] = {"stored_tables": tables}
        for name, ask in (("lobby", lobby), ("mine", mine)):
            found |= await _timed(name, ask)
        return found


async def _timed(name: str, ask: Callable[[], Awaitable[int]]) -> dict[str, Any]:
    times, listed = [], 0
    for _ in range(ASKS):
        began = time.perf_counter()
        listed = await ask()
        times.append(1000 * (time.perf_counter() - began))
    times.sort()
    return {
        f"{name}_listed": listed,
        f"{name}_p50_ms": round(times[len(times) // 2], 1),
        f"{name}_p99_ms": round(times[len(times) * 99 // 100], 1),
    }


def settings_for(store: str | None, folder: str) -> Settings:
    """A store that was named, or one of our own."""
    file = str(Path(folder) / "stored.db")
    return Settings(store=store or file, messages_per_second=1e6)
