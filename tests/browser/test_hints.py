"""What the kibitzer says at the table: what to do, why, and never about a position that is gone."""

import json
from typing import Any

from playwright.sync_api import Page, WebSocket, expect

from browser.conftest import PHONE, OpenPage
from browser.people import go_on
from browser.test_details import until_my_turn
from browser.test_faults import at_table
from kibitz.bots.claims import Claim
from kibitz.games import find
from kibitz.texts.phrasebook import Phrasebook

HINT = "[data-action-button=hint]"
SHOWN = "[data-hints]"


class Ear:
    """Hears what a page hears."""

    def __init__(self) -> None:
        self.frames: list[dict[str, Any]] = []

    def at(self, page: Page) -> None:
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: self.frames.append(json.loads(frame)))

    def last(self, kind: str) -> dict[str, Any]:
        return next(frame for frame in reversed(self.frames) if frame["t"] == kind)


def asked(page: Page, ear: Ear) -> dict[str, Any]:
    """Ask for a hint, and wait until the kibitzer has thought it over."""
    heard = len(ear.frames)
    page.locator(HINT).click()
    for _ in range(400):
        for frame in ear.frames[heard:]:
            if frame["t"] == "hint" and frame["done"] and frame["opinions"]:
                return frame
        page.wait_for_timeout(50)
    raise AssertionError("no hint has come")


def follow(page: Page, hint: dict[str, Any]) -> None:
    """Do what it says: a card that shines, then where there is a choice of places the first one."""
    page.locator(".lit[data-tap], .lit [data-tap], [data-hints] [data-tap]").first.click()
    place = page.locator("[data-zone-tap]")
    page.wait_for_timeout(300)
    if place.count():
        place.first.click()


def test_a_hint_says_why(base: str, open_page: OpenPage) -> None:
    """As soon as one action is surely better than the next: in the words of the terminal."""
    ear = Ear()
    page, _ = at_table(base, open_page, "kolpa", 2, before=ear.at)
    for _ in range(12):
        until_my_turn(page)
        hint = asked(page, ear)
        seats, you = [seat["name"] for seat in ear.last("table")["seats"]], ear.last("table")["you"]
        words = Phrasebook(find("kolpa"), "en", seats)
        best = hint["opinions"][0]
        expect(page.locator(SHOWN)).to_contain_text(words.label(best["action"], you))
        expect(page.locator(SHOWN)).to_contain_text(f"{round(100 * best['chance'])}%")
        if hint["claims"]:
            reason = words.why([Claim(**claim) for claim in hint["claims"]], you)
            assert len(reason) > 20
            expect(page.locator("[data-why]")).to_contain_text(reason)
            return
        follow(page, hint)
        page.wait_for_timeout(300)
        go_on(page)
    raise AssertionError("nothing was ever surely better")


def test_a_hint_goes_with_its_position(base: str, open_page: OpenPage) -> None:
    """When I move, and when a move is taken back."""
    ear = Ear()
    page, _ = at_table(base, open_page, "kolpa", 2, before=ear.at)
    until_my_turn(page)
    follow(page, asked(page, ear))
    expect(page.locator(SHOWN)).to_have_count(0)
    until_my_turn(page)
    asked(page, ear)
    page.locator("[data-action-button=menu]").click()
    page.locator("[data-action-button=ask-undo]").click()
    expect(page.locator("[data-live]")).to_contain_text("took back")
    expect(page.locator(SHOWN)).to_have_count(0)
    page.wait_for_selector("[data-tap]")
    # And one can be had for the position that is there again.
    hint = asked(page, ear)
    assert hint["opinions"][0]["action"] in ear.last("table")["legal"]
    expect(page.locator(SHOWN)).to_be_visible()


def test_a_hint_amid_a_choice_is_about_the_next_step(base: str, open_page: OpenPage) -> None:
    """Not about the step that has been chosen; and a button that it speaks of is there."""
    ear = Ear()
    page, _ = at_table(base, open_page, "kiza", 2, before=ear.at, size=PHONE)
    until_my_turn(page)
    page.locator(".hand [data-tap]").first.click()
    page.wait_for_selector("[data-action-button=ready]")
    hint = asked(page, ear)
    legal = ear.last("preview")["legal"]
    assert {opinion["action"] for opinion in hint["opinions"]} <= set(legal)
    # Until "ready" is the best there is, do what is said.
    for _ in range(12):
        if hint["opinions"][0]["action"] == "ready":
            page.locator("[data-hints] [data-action-button=ready]").click()
            expect(page.locator(SHOWN)).to_have_count(0)
            return
        chosen = len(page.locator(".hand [data-card]").all())
        follow(page, hint)
        page.wait_for_function(
            "n => document.querySelectorAll('.hand [data-card]').length < n", arg=chosen
        )
        page.wait_for_selector("[data-action-button=ready]")
        hint = asked(page, ear)
    raise AssertionError("the kibitzer never said that it was enough")
