"""The store: what it has said yes to is there, in order, once."""

import asyncio
from pathlib import Path
from typing import Any

from kibitz.server.entries import LAST, START, Entry
from kibitz.server.sqlite import SqliteStore, _in_our_words
from kibitz.server.store import StoredTable
from server.conftest import Open
from server.guests import run
from server.rows import LONG_AGO, add, entry

# ---- whichever store it is


def test_what_is_written_comes_back_as_it_was(opened: Open) -> None:
    texts = ["", "plain", "Zoë 🃏 שלום", "two\nlines", 'a "quote" \\', "x" * 20_000]
    made = StoredTable("odd-1", 5, "viva", 3, 6, '{"deck": "pocket"}', 60, False, True, "c", "s")
    entries = [entry(n, text=text) for n, text in enumerate(texts, 1)]
    entries.append(Entry(len(entries) + 1, 7, START, None, "{}", None))

    async def write_and_read() -> None:
        async with opened() as store:
            await store.add(made, entries[:2])
            for one in entries[2:]:
                assert await store.append(made.id, one)
            assert await store.table(made.id) == made
            assert await store.entries(made.id) == entries
            assert await store.entries(made.id, after=4) == entries[4:]
            assert await store.table("no-such") is None
            assert await store.entries("no-such") == []

    run(write_and_read())


def test_after_opening_anew_all_is_there_and_the_key_is_the_same(opened: Open) -> None:
    async def twice() -> None:
        async with opened() as store:
            key = await store.key()
            name = await add(store, entry(1))
            assert await store.append(name, entry(2))
            assert await store.key() == key
        async with opened() as store:
            assert await store.key() == key
            assert len(key) >= 32
            assert await store.entries(name) == [entry(1), entry(2)]

    run(twice())


def test_of_two_with_the_same_number_one_wins(opened: Open) -> None:
    async def race() -> None:
        async with opened() as store:
            name = await add(store, entry(1))
            both = [entry(2, text="first"), entry(2, text="second")]
            won = await asyncio.gather(*(store.append(name, one) for one in both))
            assert sorted(won) == [False, True]
            assert await store.entries(name, 1) == [both[won.index(True)]]
            assert await store.append(name, entry(2, text="third")) is False
            assert await store.entries(name, 1) == [both[won.index(True)]]

    run(race())


def test_many_appends_at_once_lose_nothing(opened: Open) -> None:
    async def crowd() -> None:
        async with opened() as store:
            names = [await add(store) for _ in range(20)]
            rivals = [(name, entry(seq, text=who)) for name in names for seq in range(1, 21)
                      for who in ("a", "b")]  # fmt: skip
            won = await asyncio.gather(*(store.append(*rival) for rival in rivals))
            assert sum(won) == 400
            for name in names:
                kept = await store.entries(name)
                assert [e.seq for e in kept] == list(range(1, 21))
                assert [(name, e) for e in kept] == [
                    rival
                    for rival, yes in zip(rivals, won, strict=True)
                    if yes and rival[0] == name
                ]

    run(crowd())


def test_it_knows_which_tables_gather_and_how_far_they_are(opened: Open) -> None:
    async def look() -> None:
        async with opened() as store:
            start, last = entry(2, START), entry(3, LAST)
            closed = await add(store, entry(1))
            waiting = await add(store, entry(1), is_open=True)
            begun = await add(store, entry(1), start, is_open=True)
            over = await add(store, entry(1), start, last, is_open=True)
            assert await store.gathering(LONG_AGO) == [waiting]
            assert await store.gathering(2**50) == []
            heads = await store.heads([closed, waiting, begun, over, "no-such"])
            assert heads == {closed: 1, waiting: 1, begun: 2, over: 3}

    run(look())


# ---- SQLite


def test_nothing_that_is_asked_looks_through_all_tables_or_entries(file: Path) -> None:
    """However many there are: every query finds its rows by an index."""

    async def plans() -> list[str]:
        store = SqliteStore(file)
        await store.open()
        assert store._db is not None
        db, found = store._db, list[str]()

        async def explain(query: str, *values: object) -> list[Any]:
            given = ["[]" if isinstance(value, list) else value for value in values]
            steps = db.execute(f"EXPLAIN QUERY PLAN {_in_our_words(query)}", given)
            found.extend(step[3] for step in steps)
            return []

        store._ask = explain  # type: ignore[method-assign]
        await store.tables_of(["a"])
        await store.entries("a")
        await store.seating(["a"])
        await store.gathering(LONG_AGO)
        await store.heads(["a"])
        await store.ended(1, 1)
        await store.never_begun(1, 1)
        await store.drop_chat(1, 1)
        await store.close()
        return found

    steps = run(plans())
    searches = [step for step in steps if step.startswith("SEARCH")]
    assert len(searches) == 8, steps
    for step in steps:
        assert not step.startswith(("SCAN entry", "SCAN match", "SCAN gathering", "USE TEMP"))
