"""The store in one SQLite file, for one server.

One thread writes, another reads. What has come in while the disk was busy goes into one
transaction, so many moves share the wait. After trouble both begin with a fresh connection.
"""

import asyncio
import contextlib
import logging
import os
import secrets
import sqlite3
from collections.abc import Awaitable, Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec

from kibitz.engine.machine import take
from kibitz.server.entries import Entry
from kibitz.server.protocol import encode
from kibitz.server.schema import NEWEST, SQLITE, check_age
from kibitz.server.sql import SqlStore
from kibitz.server.store import BadStore, StoreBusy, StoredTable
from kibitz.server.writer import CLOSE_SECONDS, STUCK_SECONDS, Writer, Writing

log = logging.getLogger(__name__)
ADD = "INSERT INTO match VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
APPEND = "INSERT OR IGNORE INTO entry VALUES "
ROW = "(?, ?, ?, ?, ?, ?, ?)"
MOST_AT_ONCE = 1000  # rows of one statement
# More than a batch usually has: where this can be written, there is room to go on.
PROBE = "INSERT OR REPLACE INTO probe VALUES (1, zeroblob(65536))"
GATHER_SECONDS = 0.008  # from one transaction to the next, when there is much to write
LOCKED_SECONDS = 2.0  # for which a lock of another program is waited for
PRIVATE = 0o600
T = TypeVar("T")


class SqliteStore(SqlStore):
    """Tables in one file. `alone` is the server that uses it; other commands come beside it."""

    def __init__(self, file: Path, *, alone: bool = True) -> None:
        self._file, self._alone = file, alone
        self._taken: IO[str] | None = None
        self._db: sqlite3.Connection | None = None  # the writing thread's
        self._reading: sqlite3.Connection | None = None
        self._reader = ThreadPoolExecutor(1, "reader")
        self._hand = ThreadPoolExecutor(1, "writer")
        self._writer = Writer(self._write, self._explain, GATHER_SECONDS)

    @property
    def trouble(self) -> str | None:
        """Why nothing can be written now."""
        return self._writer.trouble

    # ---- opening and closing

    async def open(self) -> None:
        """Open the file, and make what is missing."""
        try:
            if self._alone:
                self._take()
            self._db = self._connect()
            self._migrate(self._db)
            self._probe(self._db)
            self._key = self._made_key(self._db)
        except OSError as error:
            self._let_go()
            raise BadStore(f"cannot write to {self._file}: {error.strerror}") from None
        except sqlite3.Error as error:
            self._let_go()
            raise BadStore(self._explain(error)) from None
        except BadStore:
            self._let_go()
            raise
        self._writer.start()

    def _take(self) -> None:
        """One server alone uses a file: what one writes, another would not hear of."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        lock = _beside(self._file, ".lock")
        try:
            self._taken = take(lock, wait=False)
        except BlockingIOError:
            raise BadStore(
                f"{self._file} is in use by another server; several share a PostgreSQL"
            ) from None
        os.close(os.open(self._file, os.O_RDWR | os.O_CREAT, PRIVATE))
        for file in (self._file, lock, _beside(self._file, "-wal"), _beside(self._file, "-shm")):
            _keep_private(file)

    def _let_go(self) -> None:
        _close(self._db)
        self._db = None
        if self._taken is not None:
            self._taken.close()

    def _connect(self) -> sqlite3.Connection:
        """A fresh connection to the file, which must be there."""
        db = sqlite3.connect(
            f"{self._file.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None,
            check_same_thread=False, timeout=LOCKED_SECONDS,
        )  # fmt: skip
        try:
            db.execute("PRAGMA page_size = 1024")  # an entry is small, and goes to disk by pages
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA wal_autocheckpoint = 8000")
            db.execute("PRAGMA synchronous = FULL")
            db.execute("PRAGMA secure_delete = ON")  # what is forgotten leaves no trace in the file
        except sqlite3.Error:
            _close(db)
            raise
        return db

    def _migrate(self, db: sqlite3.Connection) -> None:
        """Take the file through the versions that it lacks."""
        version = db.execute("PRAGMA user_version").fetchone()[0]
        check_age(str(self._file), version)
        if version < NEWEST and not self._alone:
            raise BadStore(f"{self._file} is of an older Kibitz; start a server with it first")
        for n in range(version, NEWEST):
            db.executescript(f"BEGIN IMMEDIATE; {SQLITE[n]} PRAGMA user_version = {n + 1}; COMMIT;")

    def _probe(self, db: sqlite3.Connection) -> None:
        """See whether anything can be written."""
        db.execute(PROBE)
        db.execute("DELETE FROM probe")

    def _made_key(self, db: sqlite3.Connection) -> bytes:
        db.execute("INSERT INTO key SELECT ? WHERE NOT EXISTS (SELECT 1 FROM key)",
                   (secrets.token_bytes(32),))  # fmt: skip
        value: bytes = db.execute("SELECT value FROM key").fetchone()[0]
        return value

    async def close(self) -> None:
        """Write what is left, and close; a disk that does not answer is not waited for."""
        await self._writer.close()
        loop = asyncio.get_running_loop()
        closing = asyncio.gather(
            loop.run_in_executor(self._hand, self._let_go),
            loop.run_in_executor(self._reader, self._read_no_more),
        )
        try:
            await asyncio.wait_for(closing, CLOSE_SECONDS)
        except TimeoutError:
            log.error("%s was left open: its disk does not answer", self._file)
        self._hand.shutdown(wait=False)
        self._reader.shutdown(wait=False)

    def _read_no_more(self) -> None:
        _close(self._reading)
        self._reading = None

    async def beat(self, server: str) -> list[str]:
        """There is no other server."""
        return []

    async def key(self) -> bytes:
        """The key that the server signs with, made at the first start."""
        return self._key

    # ---- writing

    async def add(self, table: StoredTable, entries: Iterable[Entry]) -> None:
        """A new table with its first entries."""
        await self._writer.put(table, [(table.id, entry) for entry in entries])

    def append(self, table: str, entry: Entry) -> Awaitable[bool]:
        """One more entry, on disk when this returns; False if its number is taken."""
        return self._writer.put(None, [(table, entry)])

    async def _write(self, batch: list[Writing]) -> None:
        await self._by_hand(lambda db: self._write_batch(db, batch) if batch else self._probe(db))

    async def _by_hand(self, work: Callable[[sqlite3.Connection], None]) -> None:
        """Have the writing thread do something."""
        await asyncio.get_running_loop().run_in_executor(self._hand, self._do, work)

    def _do(self, work: Callable[[sqlite3.Connection], None]) -> None:
        self._db = self._db or self._connect()
        try:
            work(self._db)
        except BaseException:
            _close(self._db)  # which also takes back what was begun
            self._db = None
            raise

    def _write_batch(self, db: sqlite3.Connection, batch: list[Writing]) -> None:
        db.execute("BEGIN IMMEDIATE")
        for writing in batch:
            if writing.table is not None:
                db.execute(ADD, _row(writing.table))
        rows = [(table, *_row(entry)) for writing in batch for table, entry in writing.rows]
        parts = [rows[n : n + MOST_AT_ONCE] for n in range(0, len(rows), MOST_AT_ONCE)]
        if sum(_append(db, part) for part in parts) < len(rows):
            db.execute("ROLLBACK")
            self._write_singly(db, batch)
        else:
            db.execute("COMMIT")

    def _write_singly(self, db: sqlite3.Connection, batch: list[Writing]) -> None:
        """The same where the number of an entry is taken, to find out which."""
        db.execute("BEGIN IMMEDIATE")
        for writing in batch:
            if writing.table is not None:
                db.execute(ADD, _row(writing.table))
            for table, entry in writing.rows:
                written = _append(db, [(table, *_row(entry))])
                writing.taken = writing.taken or not written
        db.execute("COMMIT")

    async def _change(self, command: str, rows: list[tuple[Any, ...]]) -> None:
        def change(db: sqlite3.Connection) -> None:
            db.execute("BEGIN IMMEDIATE")
            db.executemany(_in_our_words(command), rows)
            db.execute("COMMIT")

        try:
            await self._by_hand(change)
        except sqlite3.Error as error:
            raise StoreBusy(self._explain(error)) from None

    # ---- reading

    async def _ask(self, query: str, *values: object) -> list[Any]:
        given = [encode(value).decode() if isinstance(value, list) else value for value in values]
        asking = asyncio.get_running_loop().run_in_executor(
            self._reader, self._read, _in_our_words(query), given
        )
        try:
            return await asyncio.wait_for(asking, STUCK_SECONDS)
        except (TimeoutError, sqlite3.Error) as error:
            self._writer.doubt()
            raise StoreBusy(self._explain(error)) from None

    def _read(self, query: str, values: list[object]) -> list[Any]:
        self._reading = self._reading or self._connect()
        try:
            return self._reading.execute(query, values).fetchall()
        except BaseException:
            _close(self._reading)
            self._reading = None
            raise

    def _explain(self, error: BaseException) -> str:
        """The trouble with the file, for the person who runs the server."""
        text = str(error)
        if isinstance(error, TimeoutError):
            return f"{self._file}: the disk does not answer"
        if "not a database" in text or "malformed" in text:
            return (
                f"{self._file} is no store of Kibitz, or it is damaged; keep it, and start with"
                " another"
            )
        if "locked" in text:
            return f"{self._file} is locked by another program; only one server can use it"
        if "full" in text:
            return f"the disk of {self._file} is full"
        if "readonly" in text or "unable to open" in text:
            return f"cannot write to {self._file}"
        return f"{self._file}: {text or type(error).__name__}"


def _append(db: sqlite3.Connection, rows: list[tuple[object, ...]]) -> int:
    """Write entries in one statement, which runs without Python's lock; how many were written."""
    values = ", ".join([ROW] * len(rows))
    return db.execute(APPEND + values, [value for row in rows for value in row]).rowcount


def _beside(file: Path, ending: str) -> Path:
    return file.with_name(file.name + ending)


def _keep_private(file: Path) -> None:
    """What is stored holds the secrets of matches, and the key to all seats."""
    if file.exists() and file.stat().st_mode & ~PRIVATE & 0o777:
        try:
            file.chmod(PRIVATE)
        except PermissionError:
            log.warning("others can read %s, which is not ours to change", file)


def _close(db: sqlite3.Connection | None) -> None:
    """Close a connection, whatever state it is in."""
    if db is not None:
        with contextlib.suppress(sqlite3.Error):
            db.close()


def _in_our_words(query: str) -> str:
    return (
        query.replace("= ANY($1)", "IN (SELECT value FROM json_each(?1))")
        .replace("kibitz_", "")
        .replace("$", "?")
    )


def _row(struct: StoredTable | Entry) -> tuple[object, ...]:
    return msgspec.structs.astuple(struct)
