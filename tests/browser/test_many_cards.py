"""However many cards lie before somebody, they lie in their place."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import DESK, PHONE, OpenPage
from browser.looks import LOOK
from browser.people import post, rewriting, sit

ON_ITS_SIDE = (844, 390)
# How many there are of what has been laid out, bid and gained.
HEAPS = [(17, 3, 2), (13, 2, 3), (10, 4, 4), (7, 3, 7), (4, 2, 12), (18, 0, 6), (12, 12, 12)]


def laid(heaps: dict[str, int], card: str) -> Callable[[Page], None]:
    """A table where so many cards lie in these places, all alike."""

    def lay(frame: Any) -> None:
        if zones := (frame.get("view") or {}).get("zones"):
            for name, size in heaps.items():
                zones[name] = {"size": size, "cards": [card] * size}

    return rewriting(lay)


def at_seat(page: Page, base: str, game: str, players: int) -> None:
    """A match that I have begun, with bots at the other seats."""
    wish = {"game": game, "name": "Zoë", "players": players, "options": {}}
    made = post(f"{base}/api/tables", {**wish, "bots": [None] + ["easy"] * (players - 1)})
    sit(page, base, made["table"], made["token"])
    page.locator("[data-action-button=start]").click()


@pytest.mark.parametrize("size", [PHONE, DESK])
@pytest.mark.parametrize("players", [2, 4])
def test_many_cards_do_not_lie_under_the_prompt(
    base: str, open_page: OpenPage, players: int, size: tuple[int, int]
) -> None:
    heaps: dict[str, int] = {}
    page = open_page("/", size=size, before=laid(heaps, "b♦5"))
    at_seat(page, base, "kiza", players)
    wrong = set()
    for heap in HEAPS:
        for seat in range(players):
            heaps |= dict(zip((f"kiza.{seat}", f"bid.{seat}", f"gain.{seat}"), heap, strict=True))
        page.reload()
        page.wait_for_selector("[data-zone='kiza.0'] [data-card]")
        found = page.evaluate(LOOK)
        wrong |= {f"{heap}: {fault}" for fault in found["wrong"]}
    assert wrong == set()


@pytest.mark.parametrize("size", [PHONE, DESK, ON_ITS_SIDE])
def test_what_is_mine_keeps_its_size_when_hands_are_laid_open(
    base: str, open_page: OpenPage, size: tuple[int, int]
) -> None:
    heaps = {f"kitty.{seat}.{part}": 2 for seat in range(4) for part in "abcdef"}
    page = open_page("/", size=size, before=laid(heaps, "b7"))
    at_seat(page, base, "ramon", 4)
    mine, theirs = page.locator(".own .zones [data-card]"), page.locator(".at-l [data-card]")
    page.reload()
    expect(mine).to_have_count(6)
    expect(theirs).to_have_count(6)
    before = mine.first.bounding_box()
    heaps |= {f"hand.{seat}": 3 for seat in range(1, 4)}
    page.reload()
    expect(theirs).to_have_count(9)
    assert mine.first.bounding_box() == before


@pytest.mark.parametrize("lang", ["en-GB", "nl"])
def test_many_words_to_choose_from_do_not_cover_what_is_mine(
    base: str, open_page: OpenPage, lang: str
) -> None:
    """A joker may stand for eleven things, in long words, and the score sheet may lie beside it."""
    colours = ("red", "blue", "green", "yellow", "purple")

    def hold_a_joker(frame: Any) -> None:
        if view := frame.get("view"):
            view["due"] = [0]
            view["zones"]["hand.0"] = {"size": 2, "cards": ["joker", "g1"]}
            for colour in colours:
                view["zones"][f"display.0.{colour}"] = {"size": 4, "cards": ["r5"] * 4}
            frame["legal"] = [f"joker {word}" for word in (*colours, *range(6))]

    page = open_page("/", size=(1280, 800), locale=lang, before=rewriting(hold_a_joker))
    at_seat(page, base, "kolpa", 4)
    page.locator(".hand [data-card=joker]").click()
    expect(page.locator(".prompt [data-tap]")).to_have_count(11)
    assert page.evaluate(LOOK)["wrong"] == []
    page.locator("[data-action-button=sheet]").click()
    page.wait_for_selector(".side")
    assert page.evaluate(LOOK)["wrong"] == []
