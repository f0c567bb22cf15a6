"""Too much of anything is refused with a wait, and others do not feel it; and the figures."""

import asyncio
import json
import random
from pathlib import Path

import aiohttp
import pytest

from kibitz.server.connection import MOST_FAULTS
from kibitz.server.protocol import VERSION
from kibitz.server.store import StoreBusy
from server.guests import GENEROUS, Data, Guest, House, play_on, run, serving

QUICK: Data = {"games_offered": ["lantern"]}


async def flood(guest: Guest, message: str, most: int = 2000) -> int | None:
    """Send without end; the code by which the server closes."""
    for _ in range(most):
        if guest.socket.closed:
            break
        try:
            await guest.socket.send_str(message)
        except ConnectionError:
            break
        await asyncio.sleep(0)
    return await guest.is_closed()


def test_flooding_is_told_to_wait_and_then_shown_the_door(file: Path) -> None:
    async def send() -> None:
        async with serving(file, messages_per_second=20, **QUICK) as house:
            quiet = await house.guest()
            guest = await house.guest()
            await flood(guest, '{"do": "ping", "id": "1"}')
            refusals = guest.all("no")
            assert len(guest.all("ok")) >= 60
            assert MOST_FAULTS <= len(refusals) <= MOST_FAULTS + 1
            assert {f["error"] for f in refusals} == {"too_fast"}
            assert all(0 < f["wait"] < 1 and f["re"] == "1" for f in refusals)
            assert (await quiet.ask("ping"))["t"] == "ok"

    run(send())


def test_nonsense_without_end_is_shown_the_door(file: Path) -> None:
    async def send() -> None:
        async with serving(file, **QUICK) as house:
            guest = await house.guest()
            await flood(guest, "nonsense")
            assert len(guest.all("no")) == MOST_FAULTS + 1

    run(send())


def test_one_address_has_so_many_connections_and_tables(file: Path) -> None:
    async def ask() -> None:
        limits = {"connections_per_address": 3, "tables_per_hour": 8}
        async with serving(file, **{**GENEROUS, **QUICK, **limits}) as house:
            guests = [await house.guest() for _ in range(3)]
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await house.guest()
            assert refused.value.status == 429
            await guests[0].leaves()
            await house_has(house, 2)
            await house.guest()
            wish = {"game": "lantern", "name": "Ada"}
            answers = [await house.post("/api/tables", wish) for _ in range(3)]
            assert [status for status, _ in answers] == [201, 201, 429]
            assert answers[-1][1]["error"] == "too_fast"
            assert 0 < answers[-1][1]["wait"] <= 450

    run(ask())


async def house_has(house: House, connections: int) -> None:
    async with asyncio.timeout(5):
        while f"kibitz_connections {connections:.1f}" not in (await house.get("/metrics"))[1]:
            await asyncio.sleep(0.01)


@pytest.mark.parametrize("proxy", [False, True])
def test_addresses_behind_a_proxy_are_told_apart_only_where_it_is_trusted(
    proxy: bool, file: Path
) -> None:
    async def ask() -> list[int]:
        async with serving(file, tables_per_hour=4, behind_proxy=proxy, **QUICK) as house:
            found = []
            for n in range(4):
                body = json.dumps({"game": "lantern", "name": "Ada"})
                headers = {"X-Forwarded-For": f"9.9.9.9, 10.0.0.{n}"}
                url = house.base + "/api/tables"
                async with house.session.post(url, data=body, headers=headers) as answer:
                    found.append(answer.status)
            return found

    assert run(ask()) == ([201] * 4 if proxy else [201, 429, 429, 429])


def test_one_connection_is_at_so_many_tables(file: Path) -> None:
    async def enter() -> None:
        async with serving(file, **QUICK) as house:
            guest = await house.guest()
            for n in range(65):
                made = await house.make("lantern")
                answer = await guest.ask("enter", table=made["table"], version=VERSION)
                assert answer["t"] == ("table" if n < 64 else "no")
            assert answer["error"] == "too_fast"
            assert (await guest.ask("enter", table=made["table"], version=VERSION))["t"] == "no"

    run(enter())


# ---- for the person who runs it


def test_health_is_well_or_says_that_the_store_is_not(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> None:
        async with serving(file, **QUICK) as house:
            status, health = await house.get("/health")
            assert (status, health["ok"]) == (200, True)

            async def fail(*_: object) -> None:
                raise StoreBusy("the disk is full")

            monkeypatch.setattr(house.server.store, "heads", fail)
            status, health = await house.get("/health")
            assert (status, health["ok"], health["trouble"]) == (503, False, "the disk is full")

    run(ask())


def test_the_figures_count_moves_connections_and_refusals(file: Path) -> None:
    async def ask() -> None:
        async with serving(file, **QUICK) as house:
            players = await house.started("lantern", people=2)
            await play_on(players, random.Random(1), 3)
            await house.get("/api/tables/nosuch")
            waiting = next(player for player in players if not player.now().get("legal"))
            assert (await waiting.ask("play", actions=["stop"]))["error"] == "not_due"
            _, text = await house.get("/metrics")
            assert 'kibitz_refused_total{error="not_due"} 1.0' in text
            assert "kibitz_store_trouble 0.0" in text
            assert "kibitz_moves_total 3.0" in text
            assert "kibitz_connections 2.0" in text
            assert 'kibitz_refused_total{error="no_table"} 1.0' in text
            assert "kibitz_loop_lag_seconds_bucket" in text

    run(ask())
