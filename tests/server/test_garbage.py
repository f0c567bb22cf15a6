"""Nothing is left to the garbage collector, which would hold up the event loop.

Whoever comes, plays, asks and is refused, and goes again: when the table is closed, all of it is
gone at once, since nothing that is dropped refers to itself.
"""

import asyncio
import gc
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from kibitz.cli.serve import COLLECT
from kibitz.server.protocol import VERSION
from kibitz.server.warmup import warm_game
from server.guests import House, play_on, run, serving, until

OURS = "kibitz.", "aiohttp.web", "aiohttp._websocket.reader"  # what a server is made of


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Whatever is not gone by itself stays where it can be looked at."""
    gc.collect()
    gc.freeze()
    gc.disable()
    yield
    gc.set_debug(0)
    gc.garbage.clear()
    gc.enable()
    gc.unfreeze()


def left_over() -> Counter[str]:
    """What only the collector would find, of those things that a server is made of."""
    gc.set_debug(gc.DEBUG_SAVEALL)
    gc.collect()
    found = Counter(f"{type(o).__module__}.{type(o).__qualname__}" for o in gc.garbage)
    gc.garbage.clear()
    gc.set_debug(0)
    return Counter({name: n for name, n in found.items() if name.startswith(OURS)})


async def an_evening(house: House, seed: int) -> None:
    """People and a bot play; somebody watches, asks, and is refused all kinds of things."""
    bots = [None, None, "hard"]
    players = await house.started(people=2, players=3, bots=bots, options={"target": 20})
    table = players[0].table
    watcher = await house.at(table)
    await watcher.ask("bars", on=True)
    await watcher.ask("say", text="hello")
    assert (await watcher.ask("play", actions=["kol r5"]))["error"] == "not_seated"
    assert (await players[0].ask("play", actions=["nonsense"]))["t"] == "no"
    assert (await watcher.guest.ask("enter", table="nowhere", version=VERSION))["t"] == "no"
    assert (await house.get("/api/tables/nowhere/history"))[0] == 404
    assert (await house.post("/api/tables", {"game": "none", "name": "Ada"}))[0] == 404
    await play_on(players, random.Random(seed), choices=2)
    for player in players:  # one of whom is due, or none
        await player.ask("hint", on=True)
        await player.ask("hint", on=False)
    await play_on(players, random.Random(seed))
    while (await house.get(f"/api/tables/{table}/review"))[0] == 202:
        await asyncio.sleep(0.1)
    assert (await players[0].ask("rematch"))["t"] == "ok"
    for guest in (*players, watcher):
        await guest.guest.leaves()


async def everyone_goes(house: House) -> None:
    """All rooms are closed, as they are when nobody has been there for a while."""
    tables = house.server.tables
    await until(lambda: not any(room.is_attended for room in tables.rooms.values()))
    for name in list(tables.rooms):
        assert tables.let_go(name)
    await until(lambda: house.server.thinking.waiting() == 0)
    await asyncio.sleep(0.2)


@pytest.mark.usefixtures("uncollected")
def test_a_table_that_is_closed_leaves_nothing_behind(file: Path) -> None:
    async def evenings() -> Counter[str]:
        async with serving(file) as house:
            await an_evening(house, 1)  # what is made once, and stays
            await everyone_goes(house)
            left_over()
            await an_evening(house, 2)
            await everyone_goes(house)
            return left_over()

    warm_game("kolpa")
    assert not run(evenings())


@pytest.mark.usefixtures("uncollected")
def test_what_refers_to_itself_would_be_found(file: Path) -> None:
    """A room that keeps what refers back to it is such a thing."""

    async def evening() -> Counter[str]:
        async with serving(file) as house:
            made = await house.make()
            await (await house.at(made["table"])).guest.leaves()
            tables = house.server.tables
            await until(lambda: not tables.rooms[made["table"]].is_attended)
            del tables.rooms[made["table"]]
            await asyncio.sleep(0.1)
            return left_over()

    warm_game("kolpa")
    assert run(evening())["kibitz.server.room.Room"] == 1


def test_a_server_hardly_ever_collects() -> None:
    """The collector is there for what nobody has thought of: see COLLECT."""
    assert COLLECT[0] >= 1_000_000
