"""One address does its worst, and others play on: how much longer do their bots take?

    PYTHONPATH=tests python tests/server/siege.py --seconds 30

The attacker keeps within the limits: as many tables as one address may make, of six, with experts
at them; in half of them it asks for hints whenever it is due, the others it leaves to bots. It
watches all of them, turns the bars on and off, and asks for histories and reviews. Meanwhile people
at another address play against bots, and chat. All is measured before and during the siege, in one
run, on a server with its usual limits.
"""

import argparse
import asyncio
import contextlib
import itertools
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp

from server.guests import AtTable, Data, House, play_on
from server.process import ServerProcess

TABLES = 30  # that an address may make at once
VICTIMS = 3
RATE = 20  # messages a second and connection
LIMITS = {"bot_pace": 1, "connections_per_address": 200, "messages_per_second": RATE,
          "tables_per_hour": 4 * TABLES, "round_pause": 0}  # fmt: skip
GAMES = "kolpa ramon"


@dataclass
class Measured:
    """Seconds that things took others."""

    bots: list[float] = field(default_factory=list)
    moves: list[float] = field(default_factory=list)
    chat: list[float] = field(default_factory=list)

    def clear(self) -> None:
        """Begin anew."""
        for times in (self.bots, self.moves, self.chat):
            times.clear()


@dataclass(frozen=True)
class Figures:
    """How long things took, half of them and 99 in a hundred, in milliseconds."""

    bots: tuple[float, float]
    moves: tuple[float, float]
    chat: tuple[float, float]

    def __str__(self) -> str:
        parts = [("bots", self.bots), ("moves", self.moves), ("chat", self.chat)]
        return ", ".join(f"{name} p50 {a:.0f} p99 {b:.0f} ms" for name, (a, b) in parts)


def figures(measured: Measured) -> Figures:
    def of(times: list[float]) -> tuple[float, float]:
        ordered = sorted(times)
        return 1000 * ordered[len(ordered) // 2], 1000 * ordered[int(0.99 * len(ordered))]

    return Figures(of(measured.bots), of(measured.moves), of(measured.chat))


@asynccontextmanager
async def coming_from(address: str, base: str) -> AsyncIterator[House]:
    """The way to a server from another address of this machine."""
    connector = aiohttp.TCPConnector(local_addr=(address, 0), limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        server: Any = None
        yield House(server, base, session)


# ---- those who want to play


async def play(house: House, measured: Measured, rng: random.Random) -> None:
    """Match after match against two bots."""
    while True:
        wish = {"players": 3, "bots": [None, "medium", "hard"], "options": {"target": 200}}
        (me,) = await house.started("kolpa", people=1, **wish)
        while (now := me.now())["phase"] == "playing":
            began, seq = time.monotonic(), now["seq"]
            if now.get("legal"):
                await me.choose(rng)
                measured.moves.append(time.monotonic() - began)
                continue
            await me.guest.hears(moved_after(seq))
            measured.bots.append(time.monotonic() - began)
        await me.guest.leaves()


def moved_after(seq: int) -> Callable[[Data], bool]:
    """Whether a frame tells of a move after an entry."""
    return lambda frame: frame["t"] == "moved" and frame["seq"] > seq


async def chat(house: House, measured: Measured) -> None:
    """A line every two seconds."""
    (me,) = await house.started("kolpa", people=1, players=2, bots=[None, "easy"])
    for n in itertools.count():
        began = time.monotonic()
        await me.ask("say", text=f"line {n}")
        measured.chat.append(time.monotonic() - began)
        await asyncio.sleep(2.1)


# ---- the attacker


async def besiege(house: House, tables: int) -> None:
    """All that one address may do."""
    async with asyncio.TaskGroup() as tasks:
        finished = await finished_match(house)
        for path in ("review", "history?all=1", "match"):
            tasks.create_task(ask_for(house, f"/api/tables/{finished}/{path}"))
        for n in range(tables - 1):
            with contextlib.suppress(AssertionError):
                wish = {"players": 6, "bots": [None, *["expert"] * 5]}
                (me,) = await house.started("ramon", people=1, **wish)
                tasks.create_task(watch_bars(house, me.table))
                tasks.create_task(ask_for(house, f"/api/tables/{me.table}/history"))
                if n % 2:
                    await me.ask("leave")
                else:
                    tasks.create_task(ask_for_hints(me))


async def finished_match(house: House) -> str:
    """A match to go through."""
    players = await house.started("kolpa", people=2, options={"target": 20})
    while players[0].now()["phase"] == "playing":
        await play_on(players, random.Random(1), 10)
        await asyncio.sleep(0.5)
    return players[0].table


async def ask_for(house: House, path: str) -> None:
    while True:
        await house.get(path)
        await asyncio.sleep(0.2)


async def watch_bars(house: House, table: str) -> None:
    watcher = await house.at(table)
    for n in itertools.count():
        await watcher.ask("bars", on=n % 2 == 0)
        await asyncio.sleep(1 / RATE)


async def ask_for_hints(me: AtTable) -> None:
    for n in itertools.count():
        await me.guest.send({"do": "hint", "id": f"h{n}", "table": me.table, "on": True})
        await asyncio.sleep(0.5)


# ---- the siege


async def siege(
    server: ServerProcess, seconds: float, tables: int = TABLES
) -> tuple[Figures, Figures]:
    """How long things take others, before and during the siege."""
    measured, work = Measured(), list[asyncio.Task[None]]()
    async with (
        coming_from("127.0.0.3", server.base) as others,
        coming_from("127.0.0.2", server.base) as attacker,
    ):
        await all_ready(others)
        for n in range(VICTIMS):
            work.append(asyncio.create_task(play(others, measured, random.Random(n))))
        work.append(asyncio.create_task(chat(others, measured)))
        await _while_all_go_on(work, seconds / 4)
        measured.clear()
        await _while_all_go_on(work, seconds)
        before = figures(measured)
        work.append(asyncio.create_task(besiege(attacker, tables)))
        await _while_all_go_on(work, seconds * 3 / 4)
        measured.clear()
        await _while_all_go_on(work, seconds)
        during = figures(measured)
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
    return before, during


async def all_ready(house: House) -> None:
    """Until the bots of all games can think."""
    while True:
        _, found = await house.get("/api/ready")
        if all(stage == "bots" for stage in found["games"].values()):
            return
        await asyncio.sleep(0.5)


async def _while_all_go_on(work: list["asyncio.Task[None]"], seconds: float) -> None:
    over, _ = await asyncio.wait(work, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for task in over:
        task.result()


def main() -> int:
    """The command; 1 if others wait more than twice as long for their bots."""
    parser = argparse.ArgumentParser("siege", description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=30)
    words = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        ServerProcess(Path(folder) / "tables.db", games=GAMES, **LIMITS) as server,
    ):
        before, during = asyncio.run(siege(server, words.seconds))
    print(f"before: {before}\nduring: {during}")
    print(f"bots p99: {during.bots[1] / before.bots[1]:.2f} times")
    return 0 if during.bots[1] <= 2 * before.bots[1] else 1


if __name__ == "__main__":
    sys.exit(main())
