"""SQLite when something is wrong with the file or the disk: it is told, and nothing is lost."""

import asyncio
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kibitz.server.entries import Entry
from kibitz.server.sqlite import SqliteStore
from kibitz.server.store import BadStore, StoreBusy
from kibitz.server.warmup import warm_game
from server.guests import run, serving
from server.rows import add, entry, give_room, limit_pages


def bytes_of(file: Path) -> bytes:
    return file.read_bytes()


async def opening(file: Path) -> str:
    """What opening a store complains of."""
    store = SqliteStore(file)
    with pytest.raises(BadStore) as bad:
        await store.open()
    return str(bad.value)


def test_a_file_that_is_no_database_is_told_and_left_alone(file: Path) -> None:
    file.write_text("my diary\n" * 200)
    before = bytes_of(file)
    assert "is no store of Kibitz, or it is damaged" in run(opening(file))
    assert bytes_of(file) == before


def test_a_damaged_file_is_told_and_left_alone(file: Path) -> None:
    async def fill() -> str:
        store = SqliteStore(file)
        await store.open()
        name = await add(store, *(entry(n, text="x" * 500) for n in range(1, 200)))
        await store.close()
        return name

    name = run(fill())
    whole = bytearray(bytes_of(file))
    for at in range(4096, len(whole), 4096):  # every page but the first
        whole[at : at + 200] = b"\xff" * 200
    file.write_bytes(whole)

    async def read() -> None:
        store = SqliteStore(file)
        try:
            await store.open()
        except BadStore as bad:
            assert "damaged" in str(bad)  # noqa: PT017  either it will not open,
            return
        with pytest.raises(StoreBusy, match="damaged"):  # or it cannot be read
            await store.entries(name)
        await store.close()

    run(read())
    assert bytes_of(file)[4096:] == whole[4096:]


@pytest.mark.parametrize("place", ["/proc/nowhere/tables.db", "/dev/null/tables.db"])
def test_a_place_that_cannot_be_written_is_told(place: str) -> None:
    assert "cannot write to" in run(opening(Path(place)))


def test_a_locked_file_is_told_and_writing_goes_on_when_it_is_free(file: Path) -> None:
    async def blocked() -> None:
        store = SqliteStore(file)
        await store.open()
        name = await add(store, entry(1))
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreBusy, match="locked by another program"):
            await store.append(name, entry(2))
        other.execute("COMMIT")
        other.close()
        assert await store.append(name, entry(2))
        assert await store.entries(name) == [entry(1), entry(2)]
        await store.close()

    run(blocked())


async def fill(store: SqliteStore, name: str) -> list[Entry]:
    """Write until the disk is full; what was written."""
    written: list[Entry] = []

    async def write_on() -> None:
        for seq in range(2, 300):
            await store.append(name, entry(seq, text="x" * 1000))
            written.append(entry(seq, text="x" * 1000))

    with pytest.raises(StoreBusy, match="is full"):
        await write_on()
    return written


def test_a_full_disk_is_told_and_writing_goes_on_when_there_is_room(file: Path) -> None:
    async def full() -> None:
        store = SqliteStore(file)
        await store.open()
        name = await add(store, entry(1))
        limit_pages(store)
        written = [entry(1), *await fill(store, name)]
        assert await store.entries(name) == written
        give_room(store)
        assert await store.append(name, entry(len(written) + 1))
        await store.close()

    run(full())


FILLER = """
import asyncio, resource, signal, sys
from pathlib import Path
from kibitz.server.entries import SAY, Entry
from kibitz.server.entries import Entry
from kibitz.server.sqlite import SqliteStore
from kibitz.server.store import StoreBusy, new_table

async def fill(file):
    store = SqliteStore(file)
    await store.open()
    made = new_table("kolpa", 1, 4, "{}", None, True, is_open=False)
    await store.add(made, [])
    print(made.id)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, resource.RLIM_INFINITY))
    seq = 0
    try:
        while seq < 500:
            entry = Entry(seq + 1, 1, SAY, 0, "x" * 2000, None)
            assert await store.append(made.id, entry)
            seq += 1
    except StoreBusy as busy:
        print(busy)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
    entry = Entry(seq + 1, 1, SAY, 0, "room again", None)
    print(seq, await store.append(made.id, entry))
    await store.close()

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
asyncio.run(fill(Path(sys.argv[1])))
"""


def test_when_the_system_itself_writes_no_more_nothing_is_lost(file: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FILLER, str(file)], capture_output=True, text=True, check=True
    )
    name, trouble, end = done.stdout.splitlines()
    assert str(file) in trouble
    kept, goes_on = end.split()
    assert goes_on == "True"
    rows = sqlite3.connect(file).execute("SELECT seq FROM entry WHERE match = ?", (name,))
    assert [seq for (seq,) in rows] == list(range(1, int(kept) + 2))


def test_appends_of_the_same_moment_share_a_transaction(file: Path) -> None:
    async def at_once() -> tuple[int, int]:
        store = SqliteStore(file)
        await store.open()
        commits: list[str] = []
        assert store._db is not None
        store._db.set_trace_callback(lambda sql: commits.append(sql) if sql == "COMMIT" else None)
        name = await add(store)
        alone = len(commits)
        await asyncio.gather(*(store.append(name, entry(n)) for n in range(1, 501)))
        assert len(await store.entries(name)) == 500
        together = len(commits) - alone
        await store.close()
        return alone, together

    alone, together = run(at_once())
    assert alone == 1
    assert together <= 10


def test_yes_is_said_after_the_disk_has_it(file: Path) -> None:
    """Another connection, which sees only what is committed, sees each entry at once."""

    async def look_beside() -> None:
        store = SqliteStore(file)
        await store.open()
        assert store._db is not None
        assert store._db.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
        beside = sqlite3.connect(file)
        name = await add(store)
        for n in range(1, 30):
            assert await store.append(name, entry(n))
            count = beside.execute("SELECT count(*) FROM entry WHERE match = ?", (name,))
            assert count.fetchone() == (n,)
        beside.close()
        await store.close()

    run(look_beside())


def test_a_table_goes_on_after_its_store_was_locked(file: Path) -> None:
    """A choice is refused with `busy`, has not happened, and can be made again."""
    warm_game("lantern")  # compiling takes its time, which is not the disk's

    async def play() -> None:
        async with serving(file, games_offered=["lantern"]) as house:
            players = await house.started("lantern", people=2)
            due = next(player for player in players if player.now().get("legal"))
            action, seq = due.now()["legal"][0], due.now()["seq"]
            other = sqlite3.connect(file, isolation_level=None)
            other.execute("BEGIN EXCLUSIVE")
            began = time.monotonic()
            answer = await due.ask("play", actions=[action], id="again")
            assert (answer["t"], answer["error"]) == ("no", "busy")
            assert time.monotonic() - began < 5
            assert due.now()["seq"] == seq
            other.execute("COMMIT")
            other.close()
            answer = await due.ask("play", actions=[action], id="again")
            assert (answer["t"], answer["seq"]) == ("moved", seq + 1)

    run(play())


def test_a_second_server_is_told_that_the_file_is_in_use(file: Path) -> None:
    async def two() -> None:
        store = SqliteStore(file)
        await store.open()
        assert "in use by another server" in await opening(file)
        await store.close()
        again = SqliteStore(file)
        await again.open()
        await again.close()

    run(two())


def test_a_postgresql_that_is_not_there_is_told_without_its_password() -> None:
    from kibitz.server.postgres import PostgresStore

    async def connect() -> str:
        with pytest.raises(BadStore) as bad:
            await PostgresStore("postgresql://me:hunter2@127.0.0.1:9/kibitz").open()
        return str(bad.value)

    said = run(connect())
    assert "127.0.0.1:9" in said
    assert "hunter2" not in said


def test_a_server_on_a_full_disk_says_so_and_goes_on_later(file: Path) -> None:
    async def play() -> None:
        async with serving(file, games_offered=["lantern"]) as house:
            made = await house.make("lantern", players=2)
            me = await house.at(made["table"], made["token"])
            store = house.server.store
            assert isinstance(store, SqliteStore)
            limit_pages(store)
            await fill(store, await add(store, entry(1)))
            talkers = [await house.at(made["table"]) for _ in range(4)]
            lines = [await at.ask("say", text="x" * 500) for at in talkers for _ in range(6)]
            answer = next(line for line in lines if line["t"] == "no")
            assert (answer["error"], "disk" in answer["text"]) == ("busy", True)
            wish = {
                "game": "lantern",
                "name": "Bo" * 12,
                "players": 4,
                "bots": [None] + ["easy"] * 3,
            }
            answers = [await house.post("/api/tables", wish) for _ in range(30)]
            status, refusal = answers[-1]
            assert (status, refusal["error"]) == (503, "busy")
            give_room(store)
            assert (await me.ask("start"))["t"] == "ok"
            await house.make("lantern")

    run(play())


@pytest.mark.parametrize("trouble", ["no database", "damaged", "in use", "locked", "a folder"])
def test_a_server_that_cannot_open_its_store_says_why_in_one_line(
    trouble: str, file: Path, tmp_path: Path
) -> None:
    held: sqlite3.Connection | None = None
    if trouble == "no database":
        file.write_text("my diary\n" * 200)
    elif trouble == "damaged":
        sqlite3.connect(file).executescript("CREATE TABLE key (value)")
        file.write_bytes(file.read_bytes()[:100] + b"\xff" * 4000)
    elif trouble == "locked":
        held = sqlite3.connect(file, isolation_level=None)
        held.execute("BEGIN EXCLUSIVE")
    elif trouble == "a folder":
        file.mkdir()
    words = [sys.executable, "-m", "kibitz.cli", "serve", "--port", "0", "--store", str(file)]
    env = {**os.environ, "KIBITZ_GAMES_OFFERED": "lantern"}

    async def start() -> "subprocess.CompletedProcess[str]":
        store = SqliteStore(file)
        if trouble == "in use":
            await store.open()
        done = await asyncio.to_thread(
            subprocess.run, words, capture_output=True, text=True, env=env, timeout=60, check=False
        )
        if trouble == "in use":
            await store.close()
        return done

    done = run(start())
    if held is not None:
        held.close()
    assert done.returncode == 2
    said = [line for line in done.stderr.splitlines() if "the page has not been built" not in line]
    assert len(said) == 1, said
    assert str(file) in said[0]
