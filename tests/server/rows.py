"""Tables and entries to be written into a store."""

import json
import sqlite3

from kibitz.server.entries import SAY, Entry
from kibitz.server.sqlite import SqliteStore
from kibitz.server.store import Store, StoredTable, new_table

LONG_AGO = 0


def table(*, is_open: bool = False) -> StoredTable:
    return new_table("kolpa", 1, 4, '{"target": 50}', None, True, is_open=is_open)


def entry(seq: int, kind: str = SAY, text: str = "hello") -> Entry:
    return Entry(seq, 1_700_000_000_000 + seq, kind, 1, json.dumps({"text": text}), f"1:c{seq}")


async def add(store: Store, *entries: Entry, is_open: bool = False) -> str:
    made = table(is_open=is_open)
    await store.add(made, entries)
    return made.id


def limit_pages(store: SqliteStore) -> None:
    """Let a store find its disk full: its file cannot grow."""
    assert store._db is not None
    most = store._db.execute("PRAGMA page_count").fetchone()[0]

    def connect() -> sqlite3.Connection:
        db = SqliteStore._connect(store)
        db.execute(f"PRAGMA max_page_count = {most}")
        return db

    store._db.close()
    store._db, store._connect = None, connect  # type: ignore[method-assign]


def give_room(store: SqliteStore) -> None:
    """Let the file grow again."""
    del store._connect
    if store._db is not None:
        store._db.close()
        store._db = None
