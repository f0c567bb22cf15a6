"""The store in one SQLite file, for one server.

One thread writes. What has come in while it waited for the disk goes into one transaction, so many
moves share the wait.
"""

import asyncio
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from kibitz.engine.machine import take
from kibitz.server.entries import START, Entry
from kibitz.server.protocol import encode
from kibitz.server.store import BadStore, StoreBusy, StoredTable

SCHEMA = """
CREATE TABLE IF NOT EXISTS key (value BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS match (
    id TEXT PRIMARY KEY, at INTEGER NOT NULL, game TEXT NOT NULL, rules INTEGER NOT NULL,
    players INTEGER NOT NULL, options TEXT NOT NULL, clock INTEGER, hints INTEGER NOT NULL,
    open INTEGER NOT NULL, commitment TEXT NOT NULL, secret TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entry (
    match TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
    seat INTEGER, body TEXT NOT NULL, cid TEXT, PRIMARY KEY (match, seq));
CREATE INDEX IF NOT EXISTS turning ON entry (kind, match) WHERE kind IN ('start', 'last');
"""
ADD = "INSERT INTO match VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
APPEND = "INSERT OR IGNORE INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)"
# A whole batch in one statement, which runs without Python's lock.
APPEND_ALL = """
INSERT OR IGNORE INTO entry
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]'),
json_extract(value, '$[6]') FROM json_each(?)
"""
GATHERING = """
SELECT id FROM match WHERE open AND at >= ?
AND NOT EXISTS (SELECT 1 FROM entry WHERE kind = ? AND match = id) ORDER BY at DESC LIMIT 100
"""
GATHER_SECONDS = 0.004  # from one transaction to the next, when there is much to write
T = TypeVar("T")


@dataclass
class Writing:
    """Rows that belong together, and who waits for them."""

    table: StoredTable | None
    rows: list[tuple[str, Entry]]
    done: "asyncio.Future[bool]"
    taken: bool = False


class SqliteStore:
    """Tables in one file."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._waiting: list[Writing] = []
        self._wake = threading.Condition()
        self._closing = False
        self._readers = ThreadPoolExecutor(1, "reader")
        self._writer = threading.Thread(target=self._write_on, name="writer", daemon=True)

    async def open(self) -> None:
        """Open the file, and make what is missing."""
        self._loop = asyncio.get_running_loop()
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._take()
            self._db = self._connect()
            self._db.executescript(SCHEMA)
            self._reading = self._connect()
        except OSError as error:
            raise BadStore(f"cannot write to {self._file}: {error.strerror}") from None
        except sqlite3.Error as error:
            self._taken.close()
            raise BadStore(_what_is_wrong(self._file, error)) from None
        self._writer.start()

    def _take(self) -> None:
        """One server alone uses a file: what one writes, another would not hear of."""
        lock = self._file.with_name(f"{self._file.name}.lock")
        try:
            self._taken = take(lock, wait=False)
        except BlockingIOError:
            raise BadStore(
                f"{self._file} is in use by another server; several share a PostgreSQL"
            ) from None

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._file, isolation_level=None, check_same_thread=False, timeout=2.0)
        db.execute("PRAGMA page_size = 1024")  # an entry is small, and goes to the disk by pages
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA wal_autocheckpoint = 8000")
        db.execute("PRAGMA synchronous = FULL")
        return db

    async def close(self) -> None:
        """Write what is left, and close."""
        with self._wake:
            self._closing = True
            self._wake.notify()
        await asyncio.to_thread(self._writer.join)
        self._readers.shutdown()
        self._reading.close()
        self._db.close()
        self._taken.close()

    async def key(self) -> bytes:
        """The key that the server signs with, made at the first start."""
        self._db.execute("INSERT INTO key SELECT ? WHERE NOT EXISTS (SELECT 1 FROM key)",
                         (secrets.token_bytes(32),))  # fmt: skip
        value: bytes = self._db.execute("SELECT value FROM key").fetchone()[0]
        return value

    async def add(self, table: StoredTable, entries: Iterable[Entry]) -> None:
        """A new table with its first entries."""
        await self._write(table, [(table.id, entry) for entry in entries])

    async def append(self, table: str, entry: Entry) -> bool:
        """One more entry, on disk when this returns; False if its number is taken."""
        return await self._write(None, [(table, entry)])

    def _write(
        self, table: StoredTable | None, rows: list[tuple[str, Entry]]
    ) -> "asyncio.Future[bool]":
        writing = Writing(table, rows, self._loop.create_future())
        with self._wake:
            self._waiting.append(writing)
            self._wake.notify()
        return writing.done

    def _write_on(self) -> None:
        """The writing thread: batch after batch, with a moment between them to gather more."""
        began = 0.0
        while True:
            time.sleep(max(0.0, began + GATHER_SECONDS - time.monotonic()))
            with self._wake:
                while not self._waiting and not self._closing:
                    self._wake.wait()
                batch, self._waiting = self._waiting, []
            if not batch:
                return
            began = time.monotonic()
            failed: Exception | None = None
            try:
                self._write_batch(batch)
            except sqlite3.Error as error:
                failed = StoreBusy(_what_is_wrong(self._file, error))
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
            self._loop.call_soon_threadsafe(_resolve, batch, failed)

    def _write_batch(self, batch: list[Writing]) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        for writing in batch:
            if writing.table is not None:
                self._db.execute(ADD, _row(writing.table))
        rows = [(table, *_row(entry)) for writing in batch for table, entry in writing.rows]
        if self._db.execute(APPEND_ALL, (encode(rows).decode(),)).rowcount < len(rows):
            self._db.execute("ROLLBACK")
            self._write_singly(batch)
        else:
            self._db.execute("COMMIT")

    def _write_singly(self, batch: list[Writing]) -> None:
        """The same where the number of an entry is taken, to find out which."""
        self._db.execute("BEGIN IMMEDIATE")
        for writing in batch:
            if writing.table is not None:
                self._db.execute(ADD, _row(writing.table))
            for table, entry in writing.rows:
                written = self._db.execute(APPEND, (table, *_row(entry)))
                writing.taken = writing.taken or written.rowcount == 0
        self._db.execute("COMMIT")

    async def _read(self, ask: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return await self._loop.run_in_executor(self._readers, ask, self._reading)
        except sqlite3.Error as error:
            raise StoreBusy(_what_is_wrong(self._file, error)) from None

    async def table(self, table: str) -> StoredTable | None:
        """A table, or None."""
        rows = await self._all("SELECT * FROM match WHERE id = ?", table)
        return _table(rows[0]) if rows else None

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        """What happened at a table after an entry."""
        rows = await self._all(
            "SELECT seq, at, kind, seat, body, cid FROM entry WHERE match = ? AND seq > ?"
            " ORDER BY seq", table, after,
        )  # fmt: skip
        return [Entry(*row) for row in rows]

    async def gathering(self, since: int) -> list[str]:
        """The open tables that have not begun."""
        return [row[0] for row in await self._all(GATHERING, since, START)]

    async def heads(self, tables: list[str]) -> dict[str, int]:
        """The number of the last entry of each table."""
        marks = ",".join("?" * len(tables))
        rows = await self._all(
            f"SELECT match, max(seq) FROM entry WHERE match IN ({marks}) GROUP BY match", *tables
        )
        return dict(rows)

    async def _all(self, query: str, *values: object) -> list[Any]:
        return await self._read(lambda db: db.execute(query, values).fetchall())


def _resolve(batch: list[Writing], failed: Exception | None) -> None:
    for writing in batch:
        if writing.done.cancelled():
            continue
        if failed is not None:
            writing.done.set_exception(failed)
        else:
            writing.done.set_result(not writing.taken)


def _row(struct: StoredTable | Entry) -> tuple[object, ...]:
    return msgspec.structs.astuple(struct)


def _table(row: Any) -> StoredTable:
    named = dict(zip(StoredTable.__struct_fields__, row, strict=True))
    return msgspec.convert(named, StoredTable, strict=False)


def _what_is_wrong(file: Path, error: sqlite3.Error) -> str:
    """The trouble with a database, for the person who runs the server."""
    text = str(error)
    if "not a database" in text or "malformed" in text:
        return f"{file} is no store of Kibitz, or it is damaged; keep it, and start with another"
    if "locked" in text:
        return f"{file} is locked by another program; only one server can use it"
    if "full" in text:
        return f"the disk of {file} is full"
    if "readonly" in text or "unable to open" in text:
        return f"cannot write to {file}"
    return f"{file}: {text}"
