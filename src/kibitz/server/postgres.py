"""The store in PostgreSQL, for any number of servers."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import msgspec

from kibitz.server.entries import Entry
from kibitz.server.schema import NEWEST, POSTGRES, check_age
from kibitz.server.sql import SqlStore
from kibitz.server.store import BadStore, StoreBusy, StoredTable
from kibitz.server.writer import STUCK_SECONDS, Writer, Writing

VERSION = """
CREATE TABLE IF NOT EXISTS kibitz_schema (one BOOLEAN PRIMARY KEY CHECK (one), version INT NOT NULL)
"""
STORE_VERSION = """
INSERT INTO kibitz_schema VALUES (true, $1) ON CONFLICT (one) DO UPDATE SET version = $1
"""
SCHEMA_LOCK = 20260607  # so that servers that start at once do not make the tables twice
ADD = "INSERT INTO kibitz_match VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
APPEND = """
INSERT INTO kibitz_entry SELECT * FROM
unnest($1::text[], $2::int[], $3::bigint[], $4::text[], $5::int[], $6::text[], $7::text[])
ON CONFLICT DO NOTHING RETURNING match, seq
"""
# By the clock of the database, which all servers share.
BEAT = """
WITH me AS (
    INSERT INTO kibitz_server VALUES ($1, now()) ON CONFLICT (name) DO UPDATE SET seen = now()),
gone AS (DELETE FROM kibitz_server WHERE seen < now() - interval '1 hour')
SELECT name FROM kibitz_server WHERE seen > now() - interval '20 seconds' AND name <> $1
"""
PROBE = "UPDATE kibitz_schema SET version = version"
READ_SECONDS = CONNECT_SECONDS = 2.0
MOST_READERS = 5


class Connections:
    """A few connections. One that had trouble is dropped, and made anew when it is needed."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._idle: list[Any] = []
        self._readers = asyncio.Semaphore(MOST_READERS)  # who writes does not wait for them

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[Any]:
        """A connection for something that may have to wait."""
        async with asyncio.timeout(READ_SECONDS), self._readers, self.one() as db:
            yield db

    @asynccontextmanager
    async def one(self) -> AsyncIterator[Any]:
        """A connection, for a command or a transaction that must not take long."""
        async with asyncio.timeout(STUCK_SECONDS):
            db = self._idle.pop() if self._idle else await self.connect()
            try:
                yield db
            except BaseException:
                db.terminate()
                self.drop()  # the others may be of the same kind
                raise
            self._idle.append(db)

    async def connect(self) -> Any:
        """A new connection."""
        return await asyncpg.connect(self._url, timeout=CONNECT_SECONDS)

    def drop(self) -> None:
        """Let go of those that nobody uses."""
        for db in self._idle:
            db.terminate()
        self._idle = []


class PostgresStore(SqlStore):
    """Tables in PostgreSQL. What comes in while it is busy shares a statement."""

    def __init__(self, url: str) -> None:
        self._place = url.rpartition("@")[2]
        self._connections = Connections(url)
        self._writer = Writer(self._write, self._explain)

    @property
    def trouble(self) -> str | None:
        """Why nothing can be written now."""
        return self._writer.trouble

    async def open(self) -> None:
        """Connect, and make what is missing."""
        try:
            db = await self._connections.connect()
            try:
                async with db.transaction():
                    await self._migrate(db)
                    self._key = await self._made_key(db)
            finally:
                db.terminate()
        except BadStore:
            raise
        except Exception as error:
            raise BadStore(f"cannot use {self._explain(error)}") from None
        self._writer.start()

    async def _migrate(self, db: Any) -> None:
        """Take the database through the versions that it lacks."""
        await db.execute("SELECT pg_advisory_xact_lock($1)", SCHEMA_LOCK)
        await db.execute(VERSION)
        version = await db.fetchval("SELECT version FROM kibitz_schema") or 0
        check_age(f"the database at {self._place}", version)
        for n in range(version, NEWEST):
            await db.execute(POSTGRES[n])
            await db.execute(STORE_VERSION, n + 1)
        await db.execute(PROBE)

    async def _made_key(self, db: Any) -> bytes:
        await db.execute(
            "INSERT INTO kibitz_key VALUES (true, $1) ON CONFLICT DO NOTHING",
            secrets.token_bytes(32),
        )
        value: bytes = await db.fetchval("SELECT value FROM kibitz_key")
        return value

    async def close(self) -> None:
        """Write what is left, and close."""
        await self._writer.close()
        self._connections.drop()

    async def key(self) -> bytes:
        """The key that all servers of this store sign with."""
        return self._key

    # ---- writing

    async def add(self, table: StoredTable, entries: Iterable[Entry]) -> None:
        """A new table with its first entries."""
        await self._writer.put(table, [(table.id, entry) for entry in entries])

    def append(self, table: str, entry: Entry) -> Awaitable[bool]:
        """One more entry, on disk when this returns; False if its number is taken."""
        return self._writer.put(None, [(table, entry)])

    async def _write(self, batch: list[Writing]) -> None:
        async with self._connections.one() as db:
            if not batch:
                await db.execute(PROBE)
                return
            new = [w.table for w in batch if w.table is not None]
            rows = [(table, *_row(entry)) for w in batch for table, entry in w.rows]
            if new:
                async with db.transaction():
                    await db.executemany(ADD, [_row(table) for table in new])
                    written = await _append(db, rows)
            else:
                written = await _append(db, rows)
        for writing in batch:
            for table, entry in writing.rows:
                writing.taken = writing.taken or (table, entry.seq) not in written
                written.discard((table, entry.seq))  # of two with this number the first one won

    async def _change(self, command: str, rows: list[tuple[Any, ...]]) -> None:
        try:
            async with self._connections.reading() as db:
                await db.executemany(command, rows)
        except Exception as error:
            raise StoreBusy(self._explain(error)) from None

    # ---- reading

    async def _ask(self, query: str, *values: object) -> list[Any]:
        try:
            async with self._connections.reading() as db:
                return list(await db.fetch(query, *values))
        except Exception as error:
            self._writer.doubt()
            raise StoreBusy(self._explain(error)) from None

    async def beat(self, server: str) -> list[str]:
        """A server gives a sign of life; which others have done so of late."""
        return [row[0] for row in await self._ask(BEAT, server)]

    def _explain(self, error: BaseException) -> str:
        """The trouble with the database, for the person who runs the server."""
        quiet = isinstance(error, TimeoutError)
        reason = "it does not answer" if quiet else " ".join(str(error).split())
        return f"the database at {self._place}: {reason or type(error).__name__}"


async def _append(db: Any, rows: list[tuple[Any, ...]]) -> set[tuple[str, int]]:
    """The table and number of each row that was written."""
    if not rows:
        return set()
    columns = [list(column) for column in zip(*rows, strict=True)]
    return {tuple(row) for row in await db.fetch(APPEND, *columns)}


def _row(struct: StoredTable | Entry) -> tuple[Any, ...]:
    return msgspec.structs.astuple(struct)
