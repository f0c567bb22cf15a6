"""Tables and entries to be written into a store."""

import json

from kibitz.server.entries import SAY, Entry
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
