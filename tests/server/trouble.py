"""Whatever happens to the store while people play, nothing is lost, and it goes on by itself.

    PYTHONPATH=tests python tests/server/trouble.py --pause 20 --tables 25

Two servers share a PostgreSQL and a Redis, all of our own; players of each table are connected to
both. PostgreSQL is restarted, killed, paused and cut off, Redis paused. Each time `/health` says
what is wrong, and within five seconds of the end every table goes on; no server is touched.
"""

import argparse
import asyncio
import contextlib
import json
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from kibitz.server.postgres import PostgresStore
from server.crowd import Crowd, Figures
from server.machines import Postgres, Proxy, Redis, pause, resume
from server.process import ServerProcess

BACK_SECONDS = 5.0  # within which every table must go on
Trouble = Callable[[], Awaitable[None]]


async def health(server: ServerProcess) -> tuple[int, Any]:
    """What a server says of itself."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{server.base}/health", timeout=aiohttp.ClientTimeout(10)) as answer,
    ):
        return answer.status, json.loads(await answer.text())


async def says(server: ServerProcess, status: int, seconds: float) -> str | None:
    """Wait until a server's health has this status; what it says of it."""
    deadline = time.monotonic() + seconds
    found: tuple[int, Any] = 0, None
    while time.monotonic() < deadline:
        found = await health(server)
        if found[0] == status:
            trouble: str | None = found[1].get("trouble")
            return trouble
        await asyncio.sleep(0.05)
    raise AssertionError(f"health is {found}, not {status}")


class Place:
    """Two servers, what they share, and everything that can happen to it."""

    def __init__(self, database: Postgres, bus: Redis, proxy: Proxy, pause_seconds: float) -> None:
        self.database, self.bus, self._proxy = database, bus, proxy
        self._pause = pause_seconds
        self.servers: list[ServerProcess] = []

    def troubles(self) -> dict[str, Trouble]:
        """What can happen, by name; each ends when all is well again."""
        return {
            "restarted": lambda: self._restarted("fast"),
            "restarted at once": lambda: self._restarted("immediate"),
            "killed": self._killed,
            "paused": self._paused,
            "cut off": self._cut_off,
            "bus paused": self._bus_paused,
        }

    async def _restarted(self, mode: str) -> None:
        await asyncio.to_thread(self.database.stop, mode)
        await self._all_say(503)
        await asyncio.to_thread(self.database.start)

    async def _killed(self) -> None:
        await asyncio.to_thread(self.database.kill)
        await self._all_say(503)
        await asyncio.to_thread(self.database.start)

    async def _paused(self) -> None:
        began, pids = time.monotonic(), self.database.pids
        pause(pids)
        try:
            await self._all_say(503)
            await asyncio.sleep(began + self._pause - time.monotonic())
        finally:
            resume(pids)

    async def _cut_off(self) -> None:
        self._proxy.cut()
        await self._all_say(503)
        self._proxy.mend()

    async def _bus_paused(self) -> None:
        pause(self.bus.pids)
        await asyncio.sleep(self._pause)
        resume(self.bus.pids)

    async def _all_say(self, status: int) -> None:
        said = await asyncio.gather(*(says(server, status, 10) for server in self.servers))
        for trouble in said:
            assert trouble, "no reason was given"
            assert len(trouble.splitlines()) == 1
            assert "hunter2" not in trouble


@asynccontextmanager
async def place(pause_seconds: float) -> AsyncIterator[tuple[Place, Postgres]]:
    """All of it, running."""
    bus = Redis()
    with contextlib.ExitStack() as stack:
        database = await asyncio.to_thread(stack.enter_context, Postgres.running())
        stack.callback(bus.stop)
        bus.start()
        proxy = Proxy(database.port)
        stack.callback(proxy.close)
        store = database.url(proxy.port).replace("postgres@", "postgres:hunter2@")
        made = Place(database, bus, proxy, pause_seconds)
        for _ in range(2):
            server = ServerProcess(store, games="kolpa", bus=bus.url)
            await asyncio.to_thread(stack.enter_context, server)
            made.servers.append(server)
        yield made, database


async def go_through(
    tables: int, pause_seconds: float, told: Callable[[str], None]
) -> tuple[Figures, list[str]]:
    """Let everything happen, one after the other; what was found, and the servers' logs."""
    async with place(pause_seconds) as (made, database):
        crowd = Crowd(made.servers, lambda: PostgresStore(database.url()), tables, 1)
        async with crowd.playing():
            await crowd.goes_on()
            for name, trouble in made.troubles().items():
                await trouble()
                began = time.monotonic()
                await crowd.goes_on(BACK_SECONDS)
                took = time.monotonic() - began
                for server in made.servers:
                    await says(server, 200, BACK_SECONDS)
                told(f"{name}: on after {took:.1f} s; {crowd.figures}")
                if not crowd.figures.all_well:
                    break
        logs = [server.log() for server in made.servers]
        for server in made.servers:
            began = time.monotonic()
            server.stop()
            assert time.monotonic() - began < 10
    return crowd.figures, logs


def main() -> int:
    """The long run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pause", type=float, default=20.0, help="seconds of each pause")
    parser.add_argument("--tables", type=int, default=25, help="tables for four")
    args = parser.parse_args()
    told = lambda text: print(text, flush=True)  # noqa: E731
    figures, logs = asyncio.run(go_through(args.tables, args.pause, told))
    for log in logs:
        if "Traceback" in log:
            print(log, file=sys.stderr)
    return 0 if figures.all_well and not any("Traceback" in log for log in logs) else 1


if __name__ == "__main__":
    sys.exit(main())
