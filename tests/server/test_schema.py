"""Stores of other versions: older ones are brought up to date, newer ones are refused."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kibitz.server.entries import LAST, START
from kibitz.server.schema import NEWEST
from kibitz.server.sqlite import SqliteStore
from kibitz.server.store import BadStore, Store, StoredTable
from server.guests import run
from server.rows import LONG_AGO, entry

# The first schema, as it was released; these lines never change.
SQLITE_1 = """
CREATE TABLE key (value BLOB NOT NULL);
CREATE TABLE match (
    id TEXT PRIMARY KEY, at INTEGER NOT NULL, game TEXT NOT NULL, rules INTEGER NOT NULL,
    players INTEGER NOT NULL, options TEXT NOT NULL, clock INTEGER, hints INTEGER NOT NULL,
    open INTEGER NOT NULL, commitment TEXT NOT NULL, secret TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE entry (
    match TEXT NOT NULL, seq INTEGER NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL,
    seat INTEGER, body TEXT NOT NULL, cid TEXT, PRIMARY KEY (match, seq));
CREATE INDEX turning ON entry (kind, match) WHERE kind IN ('start', 'last');
"""
POSTGRES_1 = """
CREATE TABLE kibitz_key (one BOOLEAN PRIMARY KEY CHECK (one), value BYTEA NOT NULL);
CREATE TABLE kibitz_match (
    id TEXT PRIMARY KEY, at BIGINT NOT NULL, game TEXT NOT NULL, rules INTEGER NOT NULL,
    players INTEGER NOT NULL, options TEXT NOT NULL, clock INTEGER, hints BOOLEAN NOT NULL,
    open BOOLEAN NOT NULL, commitment TEXT NOT NULL, secret TEXT NOT NULL);
CREATE TABLE kibitz_entry (
    match TEXT NOT NULL, seq INTEGER NOT NULL, at BIGINT NOT NULL, kind TEXT NOT NULL,
    seat INTEGER, body TEXT NOT NULL, cid TEXT, PRIMARY KEY (match, seq));
CREATE INDEX kibitz_turning ON kibitz_entry (kind, match) WHERE kind IN ('start', 'last');
"""
KEY = b"the key of old seats" * 2
# What the old store holds: name, whether it is open, and the kinds of its entries.
TABLES = [
    ("waiting", True, ["sit"]),
    ("private", False, ["sit"]),
    ("begun", True, ["sit", "bot", START, "play"]),
    ("over", False, ["sit", START, "play", "say", LAST]),
]


def rows() -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    matches = [
        (name, 5, "kolpa", 2, 4, "{}", None, True, is_open, "c", "s") for name, is_open, _ in TABLES
    ]
    entries = [
        (name, seq, 1000 + seq, kind, 0, '{"name": "Zoë"}', f"0:c{seq}")
        for name, _, kinds in TABLES
        for seq, kind in enumerate(kinds, 1)
    ]
    return matches, entries


def old_file(file: Path, marked: bool) -> None:
    """A file of the first version, which did not say so until there was a second one."""
    matches, entries = rows()
    with contextlib.closing(sqlite3.connect(file)) as db:
        db.executescript(SQLITE_1)
        if marked:
            db.execute("PRAGMA user_version = 1")
        db.execute("INSERT INTO key VALUES (?)", (KEY,))
        db.executemany(f"INSERT INTO match VALUES ({','.join('?' * 11)})", matches)
        db.executemany("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", entries)
        db.commit()


async def old_database(url: str) -> None:
    import asyncpg

    matches, entries = rows()
    db = await asyncpg.connect(url)
    await db.execute(POSTGRES_1)
    await db.execute("INSERT INTO kibitz_key VALUES (true, $1)", KEY)
    await db.copy_records_to_table("kibitz_match", records=matches)
    await db.copy_records_to_table("kibitz_entry", records=entries)
    await db.close()


async def is_up_to_date(fresh: Callable[[], Store]) -> None:
    """All is there, and what is new works on what was there before."""
    for _ in range(2):  # and again, with nothing left to do
        store = fresh()
        await store.open()
        assert await store.key() == KEY
        for name, is_open, kinds in TABLES:
            kept = await store.table(name)
            assert kept == StoredTable(name, 5, "kolpa", 2, 4, "{}", None, True, is_open, "c", "s")
            assert [e.kind for e in await store.entries(name)] == kinds
        assert await store.gathering(LONG_AGO) == ["waiting"]
        assert sorted(await store.never_begun(6, 9)) == ["private", "waiting"]
        assert await store.ended(10_000, 9) == ["over"]
        seating = await store.seating(["begun", "over"])
        assert [e.kind for e in seating["over"]] == ["sit", START, LAST]
        await store.close()
    store = fresh()
    await store.open()
    assert await store.append("waiting", entry(2, START))
    assert await store.gathering(LONG_AGO) == []
    await store.delete(["over"])
    assert (await store.table("over"), await store.entries("over")) == (None, [])
    await store.close()


@pytest.mark.parametrize("marked", [False, True])
def test_a_file_of_the_first_version_is_brought_up_to_date(file: Path, marked: bool) -> None:
    old_file(file, marked)
    run(is_up_to_date(lambda: SqliteStore(file)))
    with contextlib.closing(sqlite3.connect(file)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (NEWEST,)


def test_a_database_of_the_first_version_is_brought_up_to_date(postgres: str) -> None:
    from kibitz.server.postgres import PostgresStore

    run(old_database(postgres))
    run(is_up_to_date(lambda: PostgresStore(postgres)))


def test_an_old_and_a_new_file_have_the_same_schema(file: Path, tmp_path: Path) -> None:
    def schema(of: Path) -> set[str]:
        with contextlib.closing(sqlite3.connect(of)) as db:
            found = db.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
            return {" ".join(sql.split()) for (sql,) in found}

    async def open_both() -> None:
        for store in (SqliteStore(file), SqliteStore(tmp_path / "new.db")):
            await store.open()
            await store.close()

    old_file(file, marked=False)
    run(open_both())
    assert schema(file) == schema(tmp_path / "new.db")


def test_a_newer_file_is_refused_in_one_line_and_left_alone(file: Path) -> None:
    old_file(file, marked=False)
    with contextlib.closing(sqlite3.connect(file)) as db:
        db.execute("PRAGMA user_version = 77")
    with pytest.raises(BadStore, match="written by a newer Kibitz") as bad:
        run(SqliteStore(file).open())
    assert len(str(bad.value).splitlines()) == 1
    with contextlib.closing(sqlite3.connect(file)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (77,)
        assert db.execute("SELECT count(*) FROM match").fetchone() == (len(TABLES),)


def test_a_newer_database_is_refused_in_one_line(postgres: str) -> None:
    from kibitz.server.postgres import PostgresStore

    async def meet() -> None:
        import asyncpg

        store = PostgresStore(postgres)
        await store.open()
        await store.close()
        db = await asyncpg.connect(postgres)
        await db.execute("UPDATE kibitz_schema SET version = 77")
        await db.close()
        with pytest.raises(BadStore, match="written by a newer Kibitz"):
            await PostgresStore(postgres).open()

    run(meet())


def test_servers_that_start_at_once_bring_a_database_up_to_date_once(postgres: str) -> None:
    from kibitz.server.postgres import PostgresStore

    async def together() -> None:
        await old_database(postgres)
        stores = [PostgresStore(postgres) for _ in range(4)]
        await asyncio.gather(*(store.open() for store in stores))
        assert await stores[3].gathering(LONG_AGO) == ["waiting"]
        for store in stores:
            await store.close()

    run(together())
