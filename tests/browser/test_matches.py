"""Whole matches in a real browser, to the right winner and a verified deal."""

import random

import pytest
from playwright.sync_api import Page

from browser.conftest import DESK, PHONE, OpenPage
from browser.people import (
    IS_OVER,
    ROUND,
    SHORT,
    check_the_end,
    deal_and_leave,
    go_on,
    invite,
    join,
    play_to_the_end,
    tap_on,
)
from effort import tried
from kibitz.games import find
from kibitz.texts import LANGUAGES

SIZES = {"phone": PHONE, "desk": DESK}


def sit_down(base: str, open_page: OpenPage, game: str, **more: object) -> tuple[Page, str]:
    invitation = invite(base, game)
    page = open_page(invitation.path, **more)
    join(page)
    deal_and_leave(base, invitation)
    page.wait_for_selector("[data-screen=table] [data-card]")
    return page, invitation.table


@pytest.mark.parametrize("game", tried(["kolpa", "viva"], sorted(SHORT)))
def test_a_whole_match_against_bots(base: str, open_page: OpenPage, game: str) -> None:
    page, table = sit_down(base, open_page, game)
    play_to_the_end(page)
    match = check_the_end(page, base, table)
    assert match.game.name == game


def tables() -> list[tuple[str, int, str, str]]:
    """Every game with every number of players, at phone and desk size, in two languages each."""
    found = []
    for n, game in enumerate(sorted(SHORT)):
        for players in find(game).identity.seats:
            for size in SIZES:
                for step in (1, 3):
                    lang = LANGUAGES[(n + players + step) % len(LANGUAGES)]
                    found.append((game, players, size, lang))
    return found


def sample() -> list[tuple[str, int, str, str]]:
    """One of each game: a full table on a phone, where room is scarce."""
    full = {game: players for game, players, _, _ in tables()}
    by_game = {t[0]: t for t in tables() if t[1] == full[t[0]] and t[2] == "phone"}
    return list(by_game.values())


@pytest.mark.parametrize("table", tried(sample(), tables()))
def test_a_whole_match_at_every_table(
    base: str, open_page: OpenPage, table: tuple[str, int, str, str]
) -> None:
    game, players, size, lang = table
    invitation = invite(base, game, players=players)
    page = open_page(invitation.path, size=SIZES[size], locale=lang)
    join(page)
    deal_and_leave(base, invitation)
    page.wait_for_selector("[data-screen=table] [data-card]")
    play_to_the_end(page, touch=size == "phone")
    check_the_end(page, base, invitation.table)


def test_two_browsers_against_each_other(base: str, open_page: OpenPage) -> None:
    ada = open_page("/new/kolpa")
    ada.locator("[data-field=name]").fill("Ada")
    ada.get_by_label("Points to reach").fill("20")
    ada.locator("[name=players][value='2']").check()
    ada.locator("[data-action-button=make]").click()
    ada.wait_for_selector("[data-screen=gathering]")
    link = ada.locator("[data-link=join]").input_value()
    bo = open_page(link.removeprefix(base))
    join(bo, "Bo")
    ada.locator("[data-action-button=start]").click()
    table = link.removeprefix(base).split("/")[2]
    rng = random.Random(2)
    for _ in range(3000):
        if ada.evaluate(IS_OVER) and bo.evaluate(IS_OVER):
            break
        for page in (ada, bo):
            if not page.evaluate(IS_OVER) and not go_on(page) and not tap_on(page, rng):
                page.wait_for_timeout(5)
    check_the_end(ada, base, table)
    check_the_end(bo, base, table)


def test_a_whole_match_by_keyboard_alone(base: str, open_page: OpenPage) -> None:
    page, table = sit_down(base, open_page, "kolpa")
    rng = random.Random(3)
    for _ in range(3000):
        if page.evaluate(IS_OVER):
            break
        if page.locator(ROUND).count():
            page.keyboard.press("Enter")
        elif page.locator("[data-tap]").count():
            page.keyboard.press(str(rng.randint(1, 7)))
        else:
            page.wait_for_timeout(15)
    check_the_end(page, base, table)
