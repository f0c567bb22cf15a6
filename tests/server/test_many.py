"""Two servers on one PostgreSQL, with players of one table at both."""

import asyncio
import contextlib
import json
import os
import random
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest

import kibitz
from kibitz.client import Refusal, Seat
from kibitz.server.proof import faults
from kibitz.server.protocol import VERSION
from server.conftest import fresh_database
from server.guests import any_of, run, until
from server.machines import Redis
from server.process import ServerProcess

Pair = tuple[ServerProcess, ServerProcess]
NO_SERVERS = "no PostgreSQL and Redis: set KIBITZ_TEST_POSTGRES and KIBITZ_TEST_REDIS"
DEAD_BUS = "redis://127.0.0.1:9/0"


@pytest.fixture(scope="module")
def redis() -> str:
    """The URL of a Redis."""
    url = os.environ.get("KIBITZ_TEST_REDIS")
    if not url or not os.environ.get("KIBITZ_TEST_POSTGRES"):
        pytest.skip(NO_SERVERS)
    return url


@contextlib.contextmanager
def pair(store: str, bus: str, games: str = "kolpa", **settings: Any) -> Iterator[Pair]:
    """Two servers of one store."""
    with (
        ServerProcess(store, games=games, bus=bus, **settings) as one,
        ServerProcess(store, games=games, bus=bus, **settings) as two,
    ):
        yield one, two
        for server in (one, two):
            assert "Traceback" not in server.log()


@pytest.fixture(scope="module")
def servers(redis: str) -> Iterator[Pair]:
    """Two servers, for tests that each have a table of their own."""
    with fresh_database() as store, pair(store, redis) as servers:
        yield servers


@asynccontextmanager
async def at_both(
    servers: Pair, players: int = 4, game: str = "kolpa", **options: Any
) -> AsyncIterator[list[Seat]]:
    """A table whose players sit in turns at one server and at the other; it has begun."""
    one, two = servers
    async with contextlib.AsyncExitStack() as stack:
        wish = {"players": players, "options": options or {"target": 20}}
        made = Seat.make(one.base, game, name="P0", **wish)
        seats = [await stack.enter_async_context(made)]
        for n in range(1, players):
            link = seats[0].join_link.replace(one.base, (one, two)[n % 2].base)
            seats.append(await stack.enter_async_context(Seat.join(link, name=f"P{n}")))
        await seats[0].start()
        for seat in seats:
            await until(lambda seat=seat: seat.state["phase"] == "playing")
        yield seats


async def play_out(seat: Seat, rng: random.Random) -> None:
    async for turn in seat.turns():
        await seat.play(any_of(turn.legal, rng))


async def play_some(seats: list[Seat], choices: int, rng: random.Random) -> float:
    """Some choices, each seen by all before the next; the longest that it took."""
    slowest = 0.0
    for _ in range(choices):
        slowest = max(slowest, await all_know(seats))
        if seats[0].state["rest"] is not None:
            await asyncio.gather(*(seat.next_round() for seat in seats))
            slowest = max(slowest, await all_know(seats))
        due = next((seat for seat in seats if seat.state.get("legal")), None)
        if due is None:
            break
        await due.play(any_of(due.state["legal"], rng))
        slowest = max(slowest, await all_know(seats))
    return slowest


async def all_know(seats: list[Seat]) -> float:
    """Wait until all have heard of what any of them has heard of; how long it took."""
    seq = max(seat.state["seq"] for seat in seats)
    return await until(lambda: all(seat.state["seq"] >= seq for seat in seats))


async def fetched(url: str) -> Any:
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return json.loads(await answer.text())


def test_four_at_two_servers_play_a_whole_match(servers: Pair) -> None:
    async def play() -> None:
        async with at_both(servers) as seats:
            for seat in seats:
                await until(lambda seat=seat: all(s["here"] for s in seat.state["seats"]))
            rngs = [random.Random(n) for n in range(4)]
            await asyncio.gather(*(play_out(s, r) for s, r in zip(seats, rngs, strict=True)))
            assert len({json.dumps(s.view["scores"]) for s in seats}) == 1
            assert len({s.state["seq"] for s in seats}) == 1
            files = [await fetched(f"{s.base}/api/tables/{seats[0].table}/match") for s in servers]
            assert files[0] == files[1]
            match = kibitz.load(json.dumps(files[0]))
            for seat in seats:
                kept = {"commitment": seat.state["commitment"], "contribution": seat.contribution}
                assert faults(files[0], match, **kept) == []

    run(play())


def test_both_servers_write_at_once_and_no_number_is_taken_twice(servers: Pair) -> None:
    async def talk() -> None:
        async with at_both(servers) as seats:
            before = max(seat.state["seq"] for seat in seats)
            says = [seat.ask("say", text=f"{n}") for n in range(6) for seat in seats]
            answers = await asyncio.gather(*says, return_exceptions=True)
            given = [a["seq"] for a in answers if isinstance(a, dict)]
            for refusal in (a for a in answers if not isinstance(a, dict)):
                assert isinstance(refusal, Refusal)
                assert refusal.error == "busy"  # others were faster four times running
            assert len(given) >= 12
            assert sorted(given) == list(range(before + 1, before + 1 + len(given)))
            for seat in seats:
                await until(lambda seat=seat: seat.state["seq"] == before + len(given))

    run(talk())


def test_a_choice_sent_to_both_servers_counts_once(servers: Pair) -> None:
    async def play() -> None:
        async with at_both(servers) as seats:
            for n in range(10):
                due = next(seat for seat in seats if seat.state.get("legal"))
                assert due.token is not None
                command = {
                    "do": "play", "id": f"twice {n}", "table": due.table,
                    "actions": [due.state["legal"][0]],
                }  # fmt: skip
                before = due.state["seq"]
                answers = await asyncio.gather(*(
                    sent(server.base, due.table, due.token, command) for server in servers
                ))  # fmt: skip
                assert sorted(a["t"] for a in answers) == ["moved", "ok"], answers
                assert {a["seq"] for a in answers} == {before + 1}
                for seat in seats:
                    await until(lambda seat=seat, n=before + 1: seat.state["seq"] == n)

    run(play())


async def sent(base: str, table: str, token: str, command: dict[str, Any]) -> dict[str, Any]:
    """A command on a connection of its own, and its answer."""
    async with aiohttp.ClientSession() as session, session.ws_connect(base + "/ws") as ws:
        await ws.send_json(
            {"do": "enter", "id": "e", "table": table, "version": VERSION, "token": token}
        )
        await ws.receive_json(timeout=10)
        await ws.send_json(command)
        while True:
            frame: dict[str, Any] = await ws.receive_json(timeout=10)
            if frame.get("re") == command["id"]:
                return frame


async def end_a_round(seats: list[Seat]) -> None:
    """At a table of Lantern, everyone stops."""
    for seat in seats:
        await until(lambda seat=seat: seat.state.get("legal"))
        await seat.play("stop")


async def deals(servers: Pair, seats: list[Seat], rounds: int) -> list[list[int]]:
    """At each server, the numbers of the entries by which so many rounds were dealt."""
    for seat in seats:
        await until(lambda seat=seat: seat.view["round"] == rounds)
    found = []
    for server in servers:
        back = await fetched(f"{server.base}/api/tables/{seats[0].table}/history")
        lines = [line for part in (back, *back["moves"]) for line in part["lines"]]
        found.append([line["seq"] for line in lines if line.get("seat") is None])
    return found


def test_the_next_round_is_dealt_once_when_players_at_both_servers_want_it(
    postgres: str, redis: str
) -> None:
    async def go_on(servers: Pair) -> None:
        async with at_both(servers, game="lantern", rounds=3) as seats:
            for n in range(2):
                await end_a_round(seats)
                for seat in seats:
                    await until(lambda seat=seat: seat.state["rest"])
                await seats[1].next_round()
                for seat in seats:
                    await until(lambda seat=seat: seat.state["rest"]["ready"] == [1])
                # Another server can be faster each time: then it is asked again.
                answers = await asyncio.gather(
                    *(seats[k].next_round() for k in (0, 2, 3)), return_exceptions=True
                )
                for seat, answer in zip((seats[0], *seats[2:]), answers, strict=True):
                    if answer is not None:
                        assert isinstance(answer, Refusal)
                        assert answer.error == "busy"
                        await seat.next_round()
                one, two = await deals(servers, seats, n + 2)
                assert one == two
                assert len(one) == n + 2

    with pair(postgres, redis, games="lantern", round_pause=3600) as servers:
        run(go_on(servers))


@pytest.mark.parametrize("bus", ["redis", "none"])
def test_a_pause_that_ends_at_both_servers_ends_once(bus: str, postgres: str, redis: str) -> None:
    async def wait(servers: Pair) -> None:
        async with at_both(servers, players=2, game="lantern", rounds=3) as seats:
            for n in range(2):
                await end_a_round(seats)
                one, two = await deals(servers, seats, n + 2)
                assert one == two
                assert len(one) == n + 2

    url = redis if bus == "redis" else DEAD_BUS
    with pair(postgres, url, games="lantern", round_pause=1) as servers:
        run(wait(servers))


def test_a_seat_wanted_at_both_servers_goes_to_one(servers: Pair) -> None:
    async def rush() -> None:
        async with (
            aiohttp.ClientSession() as session,
            Seat.make(servers[0].base, "kolpa", players=4) as host,
        ):
            key = host.state["join"]

            async def want(base: str, seat: int) -> int:
                url = f"{base}/api/tables/{host.table}/seats"
                body = {"name": "Bo", "join": key, "seat": seat}
                async with session.post(url, json=body) as answer:
                    return answer.status

            for seat in (1, 2, 3):
                wants = [want(server.base, seat) for server in servers for _ in range(3)]
                found = sorted(await asyncio.gather(*wants))
                assert found == [201] + [409] * 5

    run(rush())


def test_without_a_bus_servers_look_into_the_store(postgres: str) -> None:
    async def play(servers: Pair) -> None:
        async with at_both(servers, players=2) as seats:
            slowest = await play_some(seats, 4, random.Random(1))
            assert slowest < 5
            assert (await fetched(f"{servers[0].base}/health"))["bus"] is False

    with pair(postgres, DEAD_BUS) as servers:
        run(play(servers))


# ---- a Redis that goes away


@pytest.mark.skipif(not shutil.which("redis-server"), reason="no redis-server")
def test_a_match_goes_on_while_the_bus_is_down_and_when_it_is_back(postgres: str) -> None:
    bus = Redis()
    bus.start()

    async def play(servers: Pair) -> None:
        rng = random.Random(1)
        async with at_both(servers, players=2) as seats:
            await play_some(seats, 3, rng)
            bus.stop()
            assert await play_some(seats, 3, rng) < 6
            for _ in range(3):  # down for a moment only: what was said then is not missed
                bus.start()
                await asyncio.sleep(1.6)
                bus.stop()
                speaking = asyncio.create_task(play_some(seats, 1, rng))
                await asyncio.sleep(0.3)
                bus.start()
                assert await speaking < 6
                bus.stop()
            bus.start()
            await asyncio.sleep(2.5)
            assert await play_some(seats, 4, rng) < 1

    try:
        with pair(postgres, bus.url) as servers:
            run(play(servers))
    finally:
        bus.stop()


def test_nobody_stands_in_while_servers_do_not_hear_each_other(postgres: str) -> None:
    """Whoever seems to be away may be connected to the other server."""

    async def ask(servers: Pair) -> None:
        async with at_both(servers, players=2) as (here, elsewhere):
            assert elsewhere.number is not None
            for how in ("turn", "rest"):
                with pytest.raises(Refusal, match="other servers") as refused:
                    await here.ask("stand_in", seat=elsewhere.number, how=how)
                assert refused.value.error == "busy"

    with pair(postgres, DEAD_BUS) as servers:
        run(ask(servers))
