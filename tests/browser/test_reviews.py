"""Reviews, where all hands lie open: everything is to be seen, at every size."""

import random
from pathlib import Path

import pytest
from playwright.sync_api import Page

from browser.conftest import OpenPage
from browser.people import beside, sit
from effort import tried
from kibitz.client import Seat

LOOK = Path(__file__).with_name("look_review.js").read_text("utf-8")
SIZES = {
    "desk": (1280, 800),
    "phone": (390, 844),
    "small phone": (360, 640),
    "on its side": (844, 390),
    "a small one on its side": (740, 360),
    "a small window": (1024, 700),
}
TABLES = tried(
    [("kiza", 6), ("kolpa", 6), ("viva", 4), ("zocken", 5)],
    [
        ("kiza", 4),
        ("kiza", 6),
        ("kolpa", 4),
        ("kolpa", 6),
        ("ramon", 4),
        ("ramon", 6),
        ("viva", 4),
        ("viva", 6),
        ("zocken", 4),
        ("zocken", 5),
    ],
)
TURNS = 6


async def cut_short(base: str, game: str, players: int) -> tuple[str, str, int]:
    """A match against bots, ended after a few turns: its table, my token, how long it is."""
    rng, bots = random.Random(5), [None] + ["easy"] * (players - 1)
    async with Seat.make(base, game, name="Zoë", players=players, bots=bots, options={}) as seat:
        await seat.start()
        turns = 0
        async for turn in seat.turns():
            if turns == TURNS:
                break
            steps, now = [rng.choice(turn.legal)], turn
            while steps[-1] in now.continues:
                now = await seat.preview(*steps)
                steps.append(rng.choice(now.legal))
            await seat.play(*steps)
            turns += 1
        await seat.ask("offer_end", on=True)
        assert seat.token is not None
        return seat.table, seat.token, seat.state["seq"]


def look_at(page: Page, at: int) -> list[str]:
    """What is wrong at a moment, once it is shown."""
    page.wait_for_selector(f"[data-move='{at}'][aria-current]")
    found: list[str] = page.evaluate(LOOK)
    return found


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_review_shows_everything(base: str, open_page: OpenPage, game: str, players: int) -> None:
    table, token, last = beside(None, cut_short(base, game, players))
    page = open_page("/", locale="de")
    sit(page, base, table, token)
    wrong = set()
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        for at in (last // 3, last // 2):
            page.goto(f"{base}/t/{table}?at={at}")
            wrong |= {f"{name}, move {at}: {fault}" for fault in look_at(page, at)}
    assert wrong == set()
