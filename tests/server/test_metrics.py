"""Figures for the person who runs a server: true, complete, and not for everyone."""

import random
import re
from pathlib import Path

import pytest

from kibitz.engine.errors import KibitzError
from server.guests import House, play_on, run, serving
from server.machines import free_port

QUICK = {"games_offered": ["lantern"]}
ALERTS = Path(__file__).parents[2] / "deploy" / "alerts.yml"


def test_the_figures_count_moves_connections_writes_and_refusals(file: Path) -> None:
    async def ask() -> None:
        async with serving(file, **QUICK) as house:
            players = await house.started("lantern", people=2)
            before = await count(house, "kibitz_write_seconds_count")
            await play_on(players, random.Random(1), 3)
            await house.get("/api/tables/nosuch")
            await players[0].ask("play", actions=["nonsense"])
            assert await count(house, "kibitz_moves_total") == 3
            assert await count(house, "kibitz_write_seconds_count") == before + 3
            assert await count(house, "kibitz_connections") == 2
            assert await count(house, "kibitz_rooms") == 1
            assert await count(house, "kibitz_store_up") == 1
            assert await count(house, "kibitz_thinking_waiting") == 0
            assert await count(house, 'kibitz_refused_total{error="no_table"}') == 1
            refused = await house.figures()
            assert re.search(r'kibitz_refused_total{error="(illegal|not_due)"} 1.0', refused)
            assert "kibitz_loop_lag_seconds_bucket" in refused

    run(ask())


async def count(house: House, name: str) -> float:
    """A figure by its name."""
    for line in (await house.figures()).splitlines():
        if line.startswith(f"{name} "):
            return float(line.rpartition(" ")[2])
    return 0.0


@pytest.mark.parametrize("token", [None, "", "wrong", "figure"])
def test_nobody_sees_the_figures_without_the_token(token: str | None, file: Path) -> None:
    async def ask() -> None:
        async with serving(file, **QUICK) as house:
            status, refused = await house.get("/metrics", token)
            assert (status, refused["error"]) == (404, "not_found")
        async with serving(file, **QUICK, metrics_token="") as house:
            status, _ = await house.get("/metrics", token)
            assert status == 404

    run(ask())


def test_the_figures_have_an_address_of_their_own(file: Path) -> None:
    async def ask() -> None:
        port = free_port()
        async with (
            serving(file, **QUICK, metrics=f"127.0.0.1:{port}") as house,
            house.session.get(f"http://127.0.0.1:{port}/metrics") as answer,
        ):
            assert "kibitz_moves_total" in await answer.text()

    run(ask())


@pytest.mark.parametrize("place", ["nowhere", "127.0.0.1:", "127.0.0.1:99999", "192.0.2.1:9"])
def test_an_address_that_cannot_be_used_is_told(place: str, file: Path) -> None:
    async def ask() -> None:
        async with serving(file, **QUICK, metrics=place):
            pass

    with pytest.raises(KibitzError, match="cannot show figures at"):
        run(ask())


def test_every_alert_asks_for_figures_that_are_there(file: Path) -> None:
    asked = set(re.findall(r"\b((?:kibitz|process)_\w+)", ALERTS.read_text()))

    async def ask() -> str:
        async with serving(file, **QUICK) as house:
            await house.get("/api/tables/nosuch")
            return await house.figures()

    shown = run(ask())
    assert {name for name in asked if name not in shown} == set()
    assert len(asked) > 6
