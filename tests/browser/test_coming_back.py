"""Coming back: a move, an end that all agree to, a match that is over."""

import random
import re

from playwright.sync_api import Page, expect

from browser.conftest import PHONE, OpenPage
from browser.people import join, play_to_the_end, tap_on


def make(open_page: OpenPage, bots: bool = False, **more: object) -> Page:
    """A table of two for Lantern."""
    page = open_page("/new/lantern", **more)
    page.locator("[data-field=name]").fill("Ada")
    page.locator("[name=players][value='2']").check()
    page.locator("[data-action-button=make]").click()
    page.wait_for_selector("[data-screen=gathering]")
    if bots:
        page.locator("[data-action-button=start]").click()
        page.wait_for_selector("[data-screen=table] [data-card]")
    return page


def together(base: str, open_page: OpenPage) -> tuple[Page, Page]:
    ada = make(open_page)
    link = ada.locator("[data-link=join]").input_value()
    bo = open_page(link.removeprefix(base), size=PHONE)
    join(bo, "Bo")
    ada.locator("[data-action-button=start]").click()
    for page in (ada, bo):
        page.wait_for_selector("[data-screen=table] [data-card]")
    return ada, bo


def from_the_menu(page: Page, action: str) -> None:
    page.locator("[data-action-button=menu]").click()
    page.locator(f"[data-action-button={action}]").click()


def test_a_move_is_taken_back_when_the_other_agrees(base: str, open_page: OpenPage) -> None:
    ada, bo = together(base, open_page)
    ada.wait_for_selector("[data-tap]")
    assert tap_on(ada, random.Random(1))
    bo.wait_for_selector("[data-tap]")
    from_the_menu(ada, "ask-undo")
    bo.wait_for_selector("[data-request=undo]")
    assert "Ada" in bo.locator("[data-request=undo]").inner_text()
    expect(bo.locator("[data-live]")).to_contain_text("Ada asks to take back a move.")
    bo.locator("[data-action-button=disagree]").click()
    ada.locator("[data-request]").wait_for(state="detached")
    expect(ada.locator("[data-live]")).to_contain_text("That request is off.")
    from_the_menu(ada, "ask-undo")
    ada.wait_for_selector("[data-action-button=withdraw]")
    bo.locator("[data-action-button=agree]").click()
    ada.wait_for_selector("[data-tap]")
    bo.locator("[data-tap]").wait_for(state="detached")
    for page in (ada, bo):
        expect(page.locator("[data-live]")).to_contain_text("Ada took back a move.")
    if not ada.get_by_role("log").count():
        ada.keyboard.press("l")
    ada.get_by_role("log").get_by_text("Ada took back a move.").wait_for()


def test_a_match_is_ended_when_both_agree(base: str, open_page: OpenPage) -> None:
    ada, bo = together(base, open_page)
    from_the_menu(bo, "offer-end")
    ada.locator("[data-action-button=agree]").click()
    for page in (ada, bo):
        page.wait_for_selector("[data-dialog=over]")
        assert "Ended by agreement" in page.locator("[data-dialog=over] h2").inner_text()
        page.wait_for_selector("[data-deal=verified]")


def test_against_bots_one_is_asked_before_the_match_ends(base: str, open_page: OpenPage) -> None:
    """It has no review; its moves can be looked at."""
    page = make(open_page, bots=True)
    page.wait_for_selector("[data-tap]")
    assert tap_on(page, random.Random(1))
    page.wait_for_selector("[data-tap]")
    from_the_menu(page, "offer-end")
    end = page.locator("[data-action-button=offer-end]")
    expect(end).to_contain_text("End the match for good?")
    page.keyboard.press("Escape")
    from_the_menu(page, "offer-end")
    expect(page.locator("[data-dialog=over]")).to_have_count(0)
    end.click()
    over = page.locator("[data-dialog=over]")
    expect(over.locator("h2")).to_have_text("Ended by agreement")
    expect(over.get_by_role("link", name="Review")).to_have_count(0)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    over.get_by_role("link", name="Look back").click()
    page.wait_for_selector("[data-screen=review] [data-move]")
    expect(page.locator("[data-screen=review] h1")).to_contain_text("Look back")
    assert not [url for url in asked if url.endswith("/review")]


def test_the_same_deal_and_a_position_are_played_again(base: str, open_page: OpenPage) -> None:
    page = make(open_page, bots=True)
    hand = page.locator(".hand [data-card]").evaluate_all("c => c.map(x => x.dataset.card).sort()")
    page.wait_for_selector("[data-tap]")
    assert tap_on(page, random.Random(1))
    page.wait_for_selector("[data-tap]")
    from_the_menu(page, "ask-undo")
    alone = re.compile(r"Ada took back a move(, after more had been seen)?\.$")
    expect(page.locator("[data-live] p").last).to_have_text(alone)
    play_to_the_end(page)
    finished = page.url
    page.locator("[data-action-button=same-deal]").click()
    page.wait_for_url(lambda url: url != finished)
    page.wait_for_selector("[data-screen=table] [data-card]")
    again = page.locator(".hand [data-card]").evaluate_all("c => c.map(x => x.dataset.card).sort()")
    assert again == hand
    play_to_the_end(page)
    page.wait_for_selector("[data-dialog=over] [data-deal=chosen]")

    page.goto(f"{finished}?at=1")
    page.locator("[data-action-button=play-on]").click()
    page.wait_for_selector("[data-screen=table] [data-card]")
    play_to_the_end(page)
    assert "began with a position" in page.locator("[data-deal=chosen]").inner_text()

    page.goto(finished)
    page.locator("[data-action-button=challenge]").click()
    page.wait_for_selector("[data-screen=gathering] [data-link=join]")
    assert finished.rsplit("/", 1)[1] in page.locator("[data-deal=chosen]").inner_text()
    # Whoever takes it up plays the cards that I had.
    other = open_page(page.locator("[data-link=join]").input_value().removeprefix(base))
    join(other, "Bo")
    page.locator("[data-action-button=start]").click()
    other.wait_for_selector("[data-screen=table] [data-card]")
    theirs = other.locator(".hand [data-card]").evaluate_all(
        "c => c.map(x => x.dataset.card).sort()"
    )
    assert theirs == hand
