"""Whole matches in a real browser, to the right winner and a verified deal."""

import random

import pytest
from playwright.sync_api import Page

from browser.conftest import PHONE, OpenPage
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


def sit_down(base: str, open_page: OpenPage, game: str, **more: object) -> tuple[Page, str]:
    invitation = invite(base, game)
    page = open_page(invitation.path, **more)
    join(page)
    deal_and_leave(base, invitation)
    page.wait_for_selector("[data-screen=table] [data-card]")
    return page, invitation.table


@pytest.mark.parametrize("game", sorted(SHORT))
def test_a_whole_match_against_bots(base: str, open_page: OpenPage, game: str) -> None:
    page, table = sit_down(base, open_page, game)
    play_to_the_end(page)
    match = check_the_end(page, base, table)
    assert match.game.name == game


@pytest.mark.parametrize("game", ["kiza", "zocken"])
def test_a_whole_match_on_a_phone(base: str, open_page: OpenPage, game: str) -> None:
    page, table = sit_down(base, open_page, game, size=PHONE)
    play_to_the_end(page, touch=True)
    check_the_end(page, base, table)


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
