"""Reviews of finished matches: shared, shown as they grow, dropped when nobody waits."""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kibitz.bots.review import Review, going_through
from server.guests import House, run, serving


async def finished(house: House) -> str:
    """A table whose match is over."""
    wish = {"players": 2, "bots": [None, "easy"]}
    (me,) = await house.started("lantern", people=1, **wish)
    await me.ask("leave")
    await me.guest.hears(lambda f: f.get("phase") == "over")
    return me.table


async def reviewed(house: House, table: str) -> list[tuple[int, Any]]:
    """All answers until the review is there."""
    found = []
    while True:
        found.append(await house.get(f"/api/tables/{table}/review"))
        if found[-1][0] != 202:
            return found
        await asyncio.sleep(0.02)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How often a match is gone through, slowly."""
    count: list[int] = []

    def slowly(match: Any, **words: Any) -> Iterator[int | Review]:
        count.append(0)
        for found in going_through(match, **words):
            time.sleep(0.05)
            count[-1] += 1
            yield found

    monkeypatch.setattr("kibitz.server.reviews.going_through", slowly)
    return count


def test_progress_grows_and_all_who_ask_share_one_review(file: Path, started: list[int]) -> None:
    async def ask() -> None:
        async with serving(file) as house:
            table = await finished(house)
            answers = await asyncio.gather(*(reviewed(house, table) for _ in range(5)))
            assert len(started) == 1
            for found in answers:
                status, review = found[-1]
                assert status == 200
                assert review["moves"]
                shares = [answer["progress"] for _, answer in found[:-1]]
                assert shares == sorted(shares)
                assert len(set(shares)) > 2

    run(ask())


def test_a_review_that_nobody_asks_for_again_is_dropped(
    file: Path, started: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.server.reviews.PATIENCE", 0.05)

    async def ask() -> None:
        async with serving(file) as house:
            table = await finished(house)
            status, _ = await house.get(f"/api/tables/{table}/review")
            assert status == 202
            await asyncio.sleep(0.3)
            done = started[0]
            await asyncio.sleep(0.2)
            assert started == [done]
            monkeypatch.setattr("kibitz.server.reviews.PATIENCE", 30)
            assert (await reviewed(house, table))[-1][0] == 200
            assert len(started) == 2

    run(ask())


def test_a_review_that_failed_is_said_once_and_not_tried_at_every_poll(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried = []

    def failing(match: Any, **_: Any) -> Iterator[int | Review]:
        tried.append(match)
        yield 1
        raise ZeroDivisionError("a fault of the kibitzer")

    monkeypatch.setattr("kibitz.server.reviews.going_through", failing)

    async def ask() -> None:
        async with serving(file) as house:
            table = await finished(house)
            for _ in range(3):
                status, answer = (await reviewed(house, table))[-1]
                assert (status, answer["error"]) == (503, "busy")
            assert len(tried) == 1
            assert caplog.text.count("thinking failed: review") == 1

    run(ask())
