"""The store in PostgreSQL, for any number of servers."""

import asyncio
import contextlib
import secrets
from collections.abc import Iterable
from typing import Any

import asyncpg
import msgspec

from kibitz.server.entries import START, Entry
from kibitz.server.store import BadStore, StoreBusy, StoredTable

SCHEMA = """
CREATE TABLE IF NOT EXISTS kibitz_key (one BOOLEAN PRIMARY KEY CHECK (one), value BYTEA NOT NULL);
CREATE TABLE IF NOT EXISTS kibitz_match (
    id TEXT PRIMARY KEY, at BIGINT NOT NULL, game TEXT NOT NULL, rules INTEGER NOT NULL,
    players INTEGER NOT NULL, options TEXT NOT NULL, clock INTEGER, hints BOOLEAN NOT NULL,
    open BOOLEAN NOT NULL, commitment TEXT NOT NULL, secret TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS kibitz_entry (
    match TEXT NOT NULL, seq INTEGER NOT NULL, at BIGINT NOT NULL, kind TEXT NOT NULL,
    seat INTEGER, body TEXT NOT NULL, cid TEXT, PRIMARY KEY (match, seq));
CREATE INDEX IF NOT EXISTS kibitz_turning ON kibitz_entry (kind, match)
    WHERE kind IN ('start', 'last');
"""
SCHEMA_LOCK = 20260607  # so that servers that start at once do not make the tables twice
ADD = "INSERT INTO kibitz_match VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
APPEND = """
INSERT INTO kibitz_entry SELECT * FROM
unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::int[], $6::text[], $7::text[])
ON CONFLICT DO NOTHING RETURNING match, seq
"""
GATHERING = """
SELECT id FROM kibitz_match WHERE open AND at >= $1
AND NOT EXISTS (SELECT 1 FROM kibitz_entry WHERE kind = $2 AND match = id)
ORDER BY at DESC LIMIT 100
"""
TROUBLE = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncio.TimeoutError)


class PostgresStore:
    """Tables in PostgreSQL. Entries of the same few milliseconds share a statement."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._waiting: list[tuple[str, Entry, asyncio.Future[bool]]] = []
        self._wake = asyncio.Event()

    async def open(self) -> None:
        """Connect, and make what is missing."""
        try:
            self._pool = await asyncpg.create_pool(
                self._url, min_size=2, max_size=6, timeout=5, command_timeout=5
            )
            async with self._pool.acquire() as db, db.transaction():
                await db.execute("SELECT pg_advisory_xact_lock($1)", SCHEMA_LOCK)
                await db.execute(SCHEMA)
        except (*TROUBLE, ValueError) as error:
            place = self._url.rpartition("@")[2]
            raise BadStore(f"cannot use the database at {place}: {error}") from None
        self._writer = asyncio.create_task(self._write_on())

    async def close(self) -> None:
        """Write what is left, and close."""
        while self._waiting:
            await asyncio.sleep(0.01)
        self._writer.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._writer
        await self._pool.close()

    async def key(self) -> bytes:
        """The key that all servers of this store sign with."""
        await self._pool.execute(
            "INSERT INTO kibitz_key VALUES (true, $1) ON CONFLICT DO NOTHING",
            secrets.token_bytes(32),
        )
        value: bytes = await self._pool.fetchval("SELECT value FROM kibitz_key")
        return value

    async def add(self, table: StoredTable, entries: Iterable[Entry]) -> None:
        """A new table with its first entries."""
        rows = [(table.id, *msgspec.structs.astuple(entry)) for entry in entries]
        try:
            async with self._pool.acquire() as db, db.transaction():
                await db.execute(ADD, *msgspec.structs.astuple(table))
                if rows:
                    await db.fetch(APPEND, *_columns(rows))
        except TROUBLE as error:
            raise StoreBusy(str(error)) from error

    async def append(self, table: str, entry: Entry) -> bool:
        """One more entry, on disk when this returns; False if its number is taken."""
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((table, entry, done))
        self._wake.set()
        return await done

    async def _write_on(self) -> None:
        """Batch after batch, for ever."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            batch, self._waiting = self._waiting, []
            rows = [(table, *msgspec.structs.astuple(entry)) for table, entry, _ in batch]
            try:
                written = {tuple(row) for row in await self._pool.fetch(APPEND, *_columns(rows))}
            except TROUBLE as error:
                for _, _, done in batch:
                    if not done.done():
                        done.set_exception(StoreBusy(str(error)))
                continue
            for table, entry, done in batch:
                if not done.done():
                    done.set_result((table, entry.seq) in written)
                written.discard((table, entry.seq))  # of two with this number the first one won

    async def _ask(self, query: str, *values: object) -> list[Any]:
        try:
            return list(await self._pool.fetch(query, *values))
        except TROUBLE as error:
            raise StoreBusy(str(error)) from error

    async def table(self, table: str) -> StoredTable | None:
        """A table, or None."""
        if "\0" in table:  # which PostgreSQL does not know
            return None
        rows = await self._ask("SELECT * FROM kibitz_match WHERE id = $1", table)
        return StoredTable(*rows[0]) if rows else None

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        """What happened at a table after an entry."""
        rows = await self._ask(
            "SELECT seq, at, kind, seat, body, cid FROM kibitz_entry WHERE match = $1 AND seq > $2"
            " ORDER BY seq", table, after,
        )  # fmt: skip
        return [Entry(*row) for row in rows]

    async def gathering(self, since: int) -> list[str]:
        """The open tables that have not begun."""
        return [row[0] for row in await self._ask(GATHERING, since, START)]

    async def heads(self, tables: list[str]) -> dict[str, int]:
        """The number of the last entry of each table."""
        rows = await self._ask(
            "SELECT match, max(seq) FROM kibitz_entry WHERE match = ANY($1) GROUP BY match", tables
        )
        return {row[0]: row[1] for row in rows}


def _columns(rows: list[tuple[Any, ...]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]
