"""How long the lobby and somebody's matches take when many tables are stored.

The tables are spread over a year: most are over, every tenth is open and was never begun.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp.test_utils import TestServer
from msgspec.structs import replace

from kibitz.engine.errors import KibitzError
from kibitz.games import find
from kibitz.server import entries, protocol
from kibitz.server.app import Server, make_store
from kibitz.server.entries import Draft, Entry
from kibitz.server.settings import Settings
from kibitz.server.store import Store, StoredTable, new_table, now_ms
from kibitz.server.tokens import SeatToken, Signer

GAME, SEATS = "kolpa", 4
TOGETHER = 500  # tables that are written at a time
YEAR = 365 * 86_400_000  # milliseconds
TOKENS = 100  # of somebody who has played much
WAITING = 20  # open tables at which somebody waits
ASKS = 200
EVERY_TENTH = 10
NEW = WAITING * EVERY_TENTH  # tables that were made just now
FEWEST = 1000


def _table(n: int, of: int, now: int) -> tuple[StoredTable, list[Entry]]:
    """Table number `n` of so many."""
    game = find(GAME)
    options = protocol.encode(game.written(game.settings(SEATS, {}))).decode()
    is_open = n % EVERY_TENTH == 0
    made = new_table(GAME, game.identity.version, SEATS, options, None, True, is_open=is_open)
    age = YEAR * (of - n) // of if of - n > NEW else 0
    at = now - age
    drafts = [Draft(entries.SIT, seat, entries.Sat(f"Player {n + seat}")) for seat in range(2)]
    if not is_open:
        drafts += [Draft(entries.BOT, seat, entries.BotSeated("easy")) for seat in (2, 3)]
        drafts.append(Draft(entries.START, 0, entries.Started({}, "chance")))
        drafts += [Draft(entries.PLAY, k % 2, entries.Played(["kolpa g0"])) for k in range(20)]
        drafts.append(Draft(entries.LAST, 0, entries.Played(["kolpa g1"])))
    return replace(made, at=at), [draft.entry(k, at, None) for k, draft in enumerate(drafts, 1)]


async def _fill(
    store: Store, tables: int, told: Callable[[str], None]
) -> tuple[list[str], list[str]]:
    """Fill a store; some tables that are over, and the newest that are open."""
    over: list[str] = []
    waiting: list[str] = []
    now = now_ms()
    for first in range(0, tables, TOGETHER):
        made = [_table(n, tables, now) for n in range(first, min(first + TOGETHER, tables))]
        await asyncio.gather(*(store.add(*one) for one in made))
        over += [table.id for table, _ in made[1:3]]
        waiting = [*waiting, *(table.id for table, _ in made if table.open)][-WAITING:]
        if first % (100 * TOGETHER) == 0 and first:
            told(f"{first} tables are stored")
    return over, waiting


async def measure(settings: Settings, tables: int, told: Callable[[str], None]) -> dict[str, Any]:
    """Fill a store, and ask a server for the lobby and for somebody's matches."""
    store = make_store(settings)
    await store.open()
    if await store.gathering(0):
        await store.close()
        raise KibitzError("give a store that is empty: it will be filled with tables")
    over, waiting = await _fill(store, tables, told)
    signer = Signer(await store.key())
    await store.close()
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
        await asyncio.sleep(0.05)  # one connection asks no more often than it may
    times.sort()
    return {
        f"{name}_listed": listed,
        f"{name}_p50_ms": round(times[len(times) // 2], 1),
        f"{name}_p99_ms": round(times[len(times) * 99 // 100], 1),
    }


def settings_for(store: str | None, folder: str) -> Settings:
    """A store that was named, or one of our own."""
    return Settings(store=store or str(Path(folder) / "stored.db"))
