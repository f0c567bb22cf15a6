"""Servers in processes of their own, whose stores get into trouble while people play."""

import asyncio
import contextlib
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kibitz.server.sqlite import SqliteStore
from server.crowd import Crowd
from server.machines import Proxy, Redis, pause, postgres_tools, resume
from server.process import ServerProcess
from server.trouble import BACK_SECONDS, go_through, place, says


def troubles(log: str) -> int:
    """How many there were, each of them told once, not once for each move, and its end as well.

    A busy machine may have a trouble of its own: a disk that takes seconds to answer.
    """
    told = re.findall("nothing can be stored|what happens is stored again", log)
    assert told == ["nothing can be stored", "what happens is stored again"] * (len(told) // 2)
    return len(told) // 2


@pytest.mark.skipif(
    not (postgres_tools() and shutil.which("redis-server")), reason="no PostgreSQL, no Redis"
)
def test_two_servers_go_on_whatever_happens_to_postgresql_and_redis() -> None:
    said: list[str] = []
    figures, logs = asyncio.run(go_through(tables=8, pause_seconds=4, told=said.append))
    assert figures.all_well, said[-1]
    assert figures.acknowledged > 200
    for log in logs:
        assert "Traceback" not in log
        assert "hunter2" not in log
        assert 1 <= troubles(log) <= 12
        assert log.count("the bus is down") == log.count("the bus is back") == 1


@pytest.mark.skipif(
    not (postgres_tools() and shutil.which("redis-server")), reason="no PostgreSQL, no Redis"
)
def test_servers_are_replaced_one_after_the_other_and_no_move_is_lost() -> None:
    """As for an upgrade; players wait for theirs to come back, those of the other play on."""
    from kibitz.server.postgres import PostgresStore

    async def upgrade() -> None:
        async with place(pause_seconds=0) as (made, database):
            crowd = Crowd(made.servers, lambda: PostgresStore(database.url()), 6, 1)
            async with crowd.playing():
                await crowd.goes_on()
                for server in made.servers:
                    assert await asyncio.to_thread(server.stop) == 0
                    await asyncio.to_thread(server.start)
                    await says(server, 200, 20)
                    await crowd.goes_on(20)
                await crowd.check()
            assert crowd.figures.all_well, crowd.figures
            assert crowd.figures.acknowledged > 50
            for server in made.servers:
                assert "Traceback" not in server.log()

    asyncio.run(upgrade())


# ---- SQLite


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A disk that is soon full, where we may mount one."""
    with tempfile.TemporaryDirectory(prefix="kibitz-disk-") as folder:
        mount = ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", folder]
        if os.geteuid() or subprocess.run(mount, check=False).returncode:
            pytest.skip("no disk can be mounted here")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)


def test_players_go_on_when_a_full_disk_has_room_again(small_disk: Path) -> None:
    file, filler = small_disk / "tables.db", small_disk / "filler"

    async def play() -> None:
        with ServerProcess(file) as server:
            crowd = Crowd([server], lambda: SqliteStore(file, alone=False), 8, 1)
            async with crowd.playing():
                await crowd.goes_on()
                with contextlib.suppress(OSError), filler.open("wb", buffering=0) as filling:
                    while True:
                        filling.write(bytes(1 << 16))
                said = await says(server, 503, 20)
                assert said == f"the disk of {file} is full"
                filler.unlink()
                await crowd.goes_on(BACK_SECONDS)
                await says(server, 200, BACK_SECONDS)
            assert crowd.figures.all_well, crowd.figures
            assert troubles(server.log()) >= 1
            assert server.stop() == 0

    asyncio.run(play())


def test_players_go_on_when_another_program_lets_go_of_the_file_and_none_hinders_a_stop(
    file: Path,
) -> None:
    async def play() -> None:
        with ServerProcess(file) as server:
            crowd = Crowd([server], lambda: SqliteStore(file, alone=False), 8, 1)
            async with crowd.playing():
                await crowd.goes_on()
                with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
                    other.execute("BEGIN EXCLUSIVE")
                    said = await says(server, 503, 10)
                    assert said is not None
                    assert "locked by another program" in said
                    await asyncio.sleep(2)
                await crowd.goes_on(BACK_SECONDS)
                await says(server, 200, BACK_SECONDS)
                assert crowd.figures.all_well, crowd.figures
                assert troubles(server.log()) >= 1
                with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
                    other.execute("BEGIN EXCLUSIVE")
                    await says(server, 503, 10)
                    began = time.monotonic()
                    await asyncio.to_thread(server.stop)
                    assert time.monotonic() - began < 10
            assert "Traceback" not in server.log()

    asyncio.run(play())


def overwrite(file: Path, text: bytes) -> bytes:
    """Write over the beginning of a file; what stood there."""
    with file.open("r+b") as opened:
        before = opened.read(len(text))
        opened.seek(0)
        opened.write(text)
    return before


async def tells(server: ServerProcess, reason: str) -> None:
    """Wait until a server gives this reason for being in trouble."""
    async with asyncio.timeout(20):
        while reason not in (await says(server, 503, 10) or ""):
            await asyncio.sleep(0.1)


def take(file: Path, other: sqlite3.Connection) -> None:
    """Lock a file when all that was written is in it, and nothing in the log beside it."""
    for _ in range(500):
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        other.execute("BEGIN EXCLUSIVE")
        if not file.with_name(f"{file.name}-wal").stat().st_size:
            return
        other.execute("COMMIT")
    raise AssertionError("the server was always faster")


def test_players_go_on_when_a_damaged_file_is_mended(file: Path) -> None:
    """Another program holds the file, damages it and lets go; a person mends it while all wait."""

    async def play() -> None:
        with ServerProcess(file) as server:
            crowd = Crowd([server], lambda: SqliteStore(file, alone=False), 8, 1)
            async with crowd.playing():
                await crowd.goes_on()
                with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
                    take(file, other)
                    await says(server, 503, 10)
                    before = overwrite(file, b"my diary, page 1")
                    # Still held: a connection that has seen the file whole could go on with it.
                    await tells(server, "is no store of Kibitz, or it is damaged")
                overwrite(file, before)
                await crowd.goes_on(BACK_SECONDS)
                await says(server, 200, BACK_SECONDS)
            assert crowd.figures.all_well, crowd.figures
            assert crowd.figures.acknowledged > 50
            assert troubles(server.log()) >= 1
            assert server.stop() == 0
            assert "Traceback" not in server.log()

    asyncio.run(play())


def test_players_go_on_when_a_file_that_was_taken_away_is_put_back(file: Path) -> None:
    """A fresh connection finds no file; nobody makes an empty one in its place."""
    away = file.with_name("elsewhere.db")

    async def play() -> None:
        with ServerProcess(file) as server:
            crowd = Crowd([server], lambda: SqliteStore(file, alone=False), 8, 1)
            async with crowd.playing():
                await crowd.goes_on()
                with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as other:
                    other.execute("BEGIN EXCLUSIVE")
                    await says(server, 503, 10)
                    file.rename(away)
                    await tells(server, f"cannot write to {file}")  # still held, as above
                assert not file.exists()
                away.rename(file)
                await crowd.goes_on(BACK_SECONDS)
                await says(server, 200, BACK_SECONDS)
            assert crowd.figures.all_well, crowd.figures
            assert troubles(server.log()) >= 1
            assert server.stop() == 0

    asyncio.run(play())


@pytest.fixture
def failing_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk that the system makes read-only at its first fault, where we may mount one."""
    image, folder = tmp_path / "image", tmp_path / "disk"
    folder.mkdir()
    image.write_bytes(bytes(24 << 20))
    make = ["mke2fs", "-q", "-F", "-t", "ext4", "-O", "^has_journal", str(image)]
    mount = ["mount", "-o", "loop,errors=remount-ro", str(image), str(folder)]
    if os.geteuid() or not shutil.which("mke2fs"):
        pytest.skip("no disk can be made here")
    if any(subprocess.run(words, check=False).returncode for words in (make, mount)):
        pytest.skip("no disk can be mounted here")
    try:
        yield folder
    finally:
        words = ["umount", "-l", "--quiet", str(folder)]
        while not subprocess.run(words, check=False).returncode:
            pass  # the one that replaced it, and the disk itself


def fail(disk: Path) -> None:
    """Let the system find a fault of a disk."""
    device = subprocess.check_output(["findmnt", "-no", "SOURCE", str(disk)], text=True).strip()
    trigger = Path("/sys/fs/ext4") / Path(device).name / "trigger_fs_error"
    if not trigger.exists():
        pytest.skip("this system cannot be told that a disk is faulty")
    trigger.write_text("1")


def replace(disk: Path, spare: Path) -> None:
    """Put another disk in the place of one, with what can still be read from it."""
    shutil.copytree(disk, spare, dirs_exist_ok=True, ignore=shutil.ignore_patterns("lost+found"))
    subprocess.run(["umount", "-l", str(disk)], check=True)
    subprocess.run(["mount", "--bind", str(spare), str(disk)], check=True)


def test_players_go_on_when_a_disk_that_turned_read_only_is_replaced(
    failing_disk: Path, tmp_path: Path
) -> None:
    file = failing_disk / "tables.db"

    async def play() -> None:
        with ServerProcess(file) as server:
            crowd = Crowd([server], lambda: SqliteStore(file, alone=False), 8, 1)
            async with crowd.playing():
                await crowd.goes_on()
                fail(failing_disk)
                await tells(server, f"cannot write to {file}")
                replace(failing_disk, tmp_path / "spare")
                await crowd.goes_on(BACK_SECONDS)
                await says(server, 200, BACK_SECONDS)
            assert crowd.figures.all_well, crowd.figures
            assert crowd.figures.acknowledged > 50
            assert troubles(server.log()) >= 1
            assert server.stop() == 0
            assert "Traceback" not in server.log()

    asyncio.run(play())


def test_a_server_with_a_read_only_file_says_so_in_one_line(small_disk: Path) -> None:
    file = small_disk / "tables.db"

    async def make() -> None:
        store = SqliteStore(file)
        await store.open()
        await store.close()

    asyncio.run(make())
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    words = [sys.executable, "-m", "kibitz.cli", "serve", "--port", "0", "--store", str(file)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    said = [line for line in done.stderr.splitlines() if "the page has not been built" not in line]
    assert (done.returncode, len(said)) == (2, 1), done.stderr
    assert said[0].startswith(f"kibitz: cannot write to {file}")


# ---- stopping


@pytest.mark.skipif(not shutil.which("redis-server"), reason="no redis-server")
def test_a_server_stops_in_time_though_postgresql_and_redis_hang(postgres: str) -> None:
    bus = Redis()
    bus.start()

    async def stop() -> None:
        from kibitz.server.postgres import PostgresStore

        port = int(postgres.rpartition(":")[2].partition("/")[0])
        proxy = Proxy(port)
        cuttable = postgres.replace(f":{port}/", f":{proxy.port}/")
        with contextlib.closing(proxy), ServerProcess(cuttable, bus=bus.url) as server:
            crowd = Crowd([server], lambda: PostgresStore(postgres), 4, 1)
            async with crowd.playing():
                await crowd.goes_on()
                proxy.cut()
                pause(bus.pids)
                await says(server, 503, 10)
                began = time.monotonic()
                await asyncio.to_thread(server.stop)
                assert time.monotonic() - began < 10

    try:
        asyncio.run(stop())
    finally:
        resume(bus.pids)
        bus.stop()
