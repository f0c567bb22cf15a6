"""A store in trouble: it says so, loses nothing else, and comes back by itself."""

import asyncio
import logging
import sqlite3
import stat
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kibitz.server.event_loop import every
from kibitz.server.sqlite import SqliteStore
from kibitz.server.store import Store, StoreBusy
from kibitz.server.writer import Writer, Writing
from server.conftest import Open
from server.guests import run, serving, until
from server.memory import Gathering
from server.rows import add, entry

SOON = 5.0  # seconds within which a store must be back


class Disk:
    """Something to write to, which can fail or hang."""

    def __init__(self) -> None:
        self.error: BaseException | None = None
        self.free = asyncio.Event()
        self.free.set()
        self.batches: list[int] = []

    async def write(self, batch: list[Writing]) -> None:
        await self.free.wait()
        if self.error is not None:
            raise self.error
        self.batches.append(len(batch))


async def writing(disk: Disk) -> Writer:
    writer = Writer(disk.write, str)
    writer.start()
    return writer


# ---- the writer


@pytest.mark.parametrize(
    "error", [OSError("gone"), RuntimeError("gone"), KeyError("gone"), asyncio.CancelledError()]
)
def test_whatever_goes_wrong_fails_one_batch_and_nothing_else(error: BaseException) -> None:
    async def fail() -> None:
        disk = Disk()
        writer = await writing(disk)
        assert await writer.put(None, [])
        disk.error = error
        with pytest.raises(StoreBusy):
            await writer.put(None, [])
        disk.error = None
        assert await writer.put(None, [])
        assert writer.trouble is None
        await writer.close()

    run(fail())


def test_the_end_of_trouble_is_noticed_though_nobody_writes_and_each_is_said_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "kibitz")

    async def fail() -> None:
        disk = Disk()
        writer = await writing(disk)
        disk.error = OSError("the disk is full")
        for _ in range(5):
            with pytest.raises(StoreBusy, match="the disk is full"):
                await writer.put(None, [])
        assert writer.trouble == "the disk is full"
        disk.error = None
        await until(lambda: writer.trouble is None, 2)
        await writer.close()

    run(fail())
    assert [record.getMessage() for record in caplog.records] == [
        "nothing can be stored: the disk is full",
        "what happens is stored again",
    ]


def test_who_could_not_read_makes_it_see_whether_it_can_write() -> None:
    async def doubt() -> None:
        disk = Disk()
        writer = await writing(disk)
        disk.error = OSError("gone")
        await asyncio.sleep(0.05)
        assert writer.trouble is None
        writer.doubt()
        await until(lambda: writer.trouble == "gone", 1)
        disk.error = None
        await until(lambda: writer.trouble is None, 2)
        await writer.close()

    run(doubt())


def test_nobody_waits_long_for_a_disk_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.server.writer.STUCK_SECONDS", 0.2)

    async def hang() -> None:
        disk = Disk()
        writer = await writing(disk)
        disk.free.clear()
        both = [writer.put(None, []), writer.put(None, [])]
        later = asyncio.create_task(asyncio.wait_for(writer.put(None, []), 2))
        found = await asyncio.wait_for(asyncio.gather(*both, later, return_exceptions=True), 2)
        assert [type(error) for error in found] == [StoreBusy] * 3
        assert writer.trouble is not None
        disk.free.set()
        await until(lambda: writer.trouble is None, 2)
        assert await writer.put(None, [])
        await writer.close()

    run(hang())


def test_closing_writes_what_is_left_and_does_not_wait_for_a_disk_that_hangs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kibitz.server.writer.CLOSE_SECONDS", 0.3)

    async def close() -> None:
        disk = Disk()
        writer = await writing(disk)
        left = [writer.put(None, []) for _ in range(3)]
        await writer.close()
        assert await asyncio.gather(*left) == [True] * 3
        writer = await writing(disk)
        disk.free.clear()
        writer.put(None, [])
        await asyncio.sleep(0.01)
        await asyncio.wait_for(writer.close(), 2)

    run(close())


# ---- stores


def breaks(store: Store, error: Exception) -> Callable[[], None]:
    """Let a store fail with this; what mends it."""
    name = "_write_batch" if isinstance(store, SqliteStore) else "_write"

    def fail(*_: Any) -> None:
        raise error

    setattr(store, name, fail)
    if not isinstance(store, SqliteStore):

        async def fail_later(*_: Any) -> None:
            raise error

        store._writer._write = fail_later  # type: ignore[attr-defined]

    def mend() -> None:
        delattr(store, name)
        if not isinstance(store, SqliteStore):
            store._writer._write = store._write  # type: ignore[attr-defined]

    return mend


def test_a_store_goes_on_after_an_error_that_nobody_foresaw(opened: Open) -> None:
    async def fail() -> None:
        async with opened() as store:
            name = await add(store, entry(1))
            mend = breaks(store, RuntimeError("cannot perform operation: another is in progress"))
            with pytest.raises(StoreBusy):
                await store.append(name, entry(2))
            assert store.trouble is not None
            mend()
            assert await store.append(name, entry(2))
            assert store.trouble is None
            assert await store.entries(name) == [entry(1), entry(2)]

    run(fail())


def test_connections_that_break_are_made_anew(opened: Open) -> None:
    """The writing one and all that read, each in the middle of its life."""

    async def fail() -> None:
        async with opened() as store:
            name = await add(store, entry(1))
            await asyncio.gather(*(store.entries(name) for _ in range(8)))
            break_connections(store)
            found = await asyncio.gather(
                *(store.entries(name) for _ in range(3)), return_exceptions=True
            )
            assert all(isinstance(f, StoreBusy) or f == [entry(1)] for f in found)
            await asyncio.gather(store.append(name, entry(2)), return_exceptions=True)
            await until(lambda: store.trouble is None, SOON)
            assert await store.entries(name) in ([entry(1)], [entry(1), entry(2)])
            await store.append(name, entry(2))
            assert await store.entries(name) == [entry(1), entry(2)]

    run(fail())


def break_connections(store: Any) -> None:
    if isinstance(store, SqliteStore):
        for db in (store._db, store._reading):
            assert db is not None
            db.close()
    else:
        for db in store._connections._idle:
            db._transport.abort()


def test_a_read_only_file_is_told_and_left_when_it_can_be_written_again(file: Path) -> None:
    async def write() -> None:
        store = SqliteStore(file)
        await store.open()
        name = await add(store, entry(1))

        def connect() -> sqlite3.Connection:
            db = SqliteStore._connect(store)
            db.execute("PRAGMA query_only = 1")
            return db

        assert store._db is not None
        store._db.close()
        store._db, store._connect = None, connect  # type: ignore[method-assign]
        with pytest.raises(StoreBusy, match="cannot write to"):
            await store.append(name, entry(2))
        await asyncio.sleep(1.5)
        assert store.trouble == f"cannot write to {file}"
        del store._connect
        await until(lambda: store.trouble is None, SOON)
        assert await store.append(name, entry(2))
        await store.close()

    run(write())


def test_a_file_damaged_while_in_use_is_told_and_used_again_when_it_is_mended(file: Path) -> None:
    async def write() -> None:
        store = SqliteStore(file)
        await store.open()
        name = await add(store, entry(1))
        parts = [file, file.with_name(f"{file.name}-wal")]
        whole = [part.read_bytes() for part in parts]
        for part, kept in zip(parts, whole, strict=True):
            part.write_bytes(b"\xff" * len(kept))
        mend = breaks(store, sqlite3.DatabaseError("database disk image is malformed"))
        with pytest.raises(StoreBusy, match="is damaged"):
            await store.append(name, entry(2))
        mend()
        await asyncio.sleep(1.5)
        assert store.trouble is not None
        assert "is damaged" in store.trouble
        for part, kept in zip(parts, whole, strict=True):
            part.write_bytes(kept)
        await until(lambda: store.trouble is None, SOON)
        assert await store.append(name, entry(2))
        assert await store.entries(name) == [entry(1), entry(2)]
        await store.close()

    run(write())


def test_closing_does_not_wait_for_a_reader_that_hangs(file: Path) -> None:
    async def close() -> None:
        store = SqliteStore(file)
        await store.open()
        free = threading.Event()
        store._reader.submit(free.wait)
        with pytest.raises(StoreBusy, match="does not answer"):
            await store.entries("any")
        await asyncio.wait_for(store.close(), 5)
        free.set()

    run(close())


def test_only_the_user_of_a_server_can_read_its_files(file: Path) -> None:
    def modes() -> dict[str, int]:
        return {f.name: stat.S_IMODE(f.stat().st_mode) for f in file.parent.glob("tables.db*")}

    async def write() -> None:
        store = SqliteStore(file)
        await store.open()
        await add(store, entry(1))
        assert len(modes()) == 4
        assert set(modes().values()) == {0o600}
        await store.close()
        for left in file.parent.glob("tables.db*"):
            left.chmod(0o644)
        store = SqliteStore(file)
        await store.open()
        await add(store, entry(1))
        assert set(modes().values()) == {0o600}
        await store.close()

    run(write())


# ---- the server


def test_health_says_what_is_wrong_while_nothing_can_be_stored(file: Path) -> None:
    async def ask() -> None:
        async with serving(file, games_offered=["lantern"]) as house:
            assert (await house.get("/health"))[0] == 200
            mend = breaks(house.server.store, sqlite3.OperationalError("database or disk is full"))
            wish = {"game": "lantern", "name": "Ada"}
            assert (await house.post("/api/tables", wish))[0] == 503
            status, health = await house.get("/health")
            assert (status, health["ok"]) == (503, False)
            assert health["trouble"] == f"the disk of {file} is full"
            mend()
            assert (await house.post("/api/tables", wish))[0] == 201
            status, health = await house.get("/health")
            assert (status, health["ok"], health["trouble"]) == (200, True, None)

    run(ask())


def test_what_fails_beside_a_table_is_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise ValueError("a bot that fell off its chair")

    async def spawn() -> None:
        table = Gathering("lantern", 2)
        await asyncio.gather(table.room.spawn(fail()), return_exceptions=True)
        table.end()

    run(spawn())
    assert "a bot that fell off its chair" in caplog.text


def test_what_is_done_every_so_often_goes_on_after_it_failed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    times: list[float] = []

    async def fail() -> None:
        times.append(time.monotonic())
        raise ValueError("not this time")

    async def go_on() -> None:
        work = asyncio.create_task(every(0.01, fail))
        await until(lambda: len(times) >= 3, SOON)
        work.cancel()

    run(go_on())
    assert "not this time" in caplog.text
