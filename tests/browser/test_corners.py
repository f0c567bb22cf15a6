"""Where one seldom looks: who waits for a start, my matches, the settings, who has left."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import DESK, OpenPage
from browser.people import join, post, rewriting, sit
from browser.test_lessons import point
from browser.test_puzzles import Solver

NARROW, SMALL, LANDSCAPE = (360, 740), (360, 640), (740, 360)
LANGUAGES = ("en", "de", "es", "fr", "nl")
LONG = ("Maximiliane Wolkenstein", "Bartholomäus von Grünau", "Anna-Katharina Überall")
CUT = """names => [...document.querySelectorAll(names)].filter(
  name => name.scrollWidth > name.clientWidth + 1).map(name => name.innerText)"""
LINES = """what => [...document.querySelectorAll(what)].filter(
  line => new Set([...line.children].map(part => part.offsetTop)).size > 1
).map(line => line.innerText)"""


def test_a_guest_is_not_told_what_only_the_host_can_do(base: str, open_page: OpenPage) -> None:
    wish = {"game": "kolpa", "players": 3, "name": LONG[0], "bots": [None] * 3, "options": {}}
    made = post(f"{base}/api/tables", wish)
    page = open_page(f"/t/{made['table']}/{made['join']}")
    join(page)
    waiting = page.locator("[data-screen=gathering] [role=status]").first
    expect(waiting).not_to_contain_text("you start")


def of_people(base: str, players: int) -> tuple[str, str]:
    """A table of people with long names, of whom only the host comes, and the host's token."""
    wish = {"game": "kolpa", "players": players, "bots": [None] * players, "options": {}}
    made = post(f"{base}/api/tables", {**wish, "name": LONG[0], "open": True})
    for n in range(1, players):
        body = {"name": LONG[n % len(LONG)], "join": made["join"]}
        post(f"{base}/api/tables/{made['table']}/seats", body)
    return made["table"], made["token"]


@pytest.mark.parametrize("size", [NARROW, DESK])
def test_my_matches_name_everybody(base: str, open_page: OpenPage, size: tuple[int, int]) -> None:
    page = open_page("/", size, locale="de")
    sit(page, base, *of_people(base, 4))
    page.wait_for_selector("[data-screen=gathering]")
    page.goto(f"{base}/mine")
    match = page.locator("[data-screen=mine] li")
    expect(match.locator(".name")).to_contain_text(LONG[2])
    assert page.evaluate(CUT, "[data-screen=mine] .name") == []
    assert match.locator(".small").evaluate("date => date.getClientRects().length") == 1


@pytest.mark.parametrize("lang", LANGUAGES)
def test_settings_stand_on_one_line_each(open_page: OpenPage, lang: str) -> None:
    page = open_page("/", NARROW, locale=lang)
    page.locator("header button.icon").last.click()
    page.wait_for_selector("[data-dialog=settings]")
    assert page.evaluate(LINES, "[data-dialog=settings] .choices") == []


# What is said of who has left, and lies on a name or on what is said of others, or is cut.
HIDING = """() => {
  const box = element => element.getBoundingClientRect();
  const meet = (a, b) => a.left < b.right - 2 && b.left < a.right - 2
    && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  const notes = [...document.querySelectorAll('.absent')];
  const plates = [...document.querySelectorAll('.plate')];
  return notes.flatMap((note, n) => [
    ...[...plates, ...notes.slice(n + 1)].filter(other => meet(box(note), box(other))),
    ...(box(note).left < 0 || box(note).right > innerWidth ? [note] : []),
  ]).map(hidden => hidden.innerText);
}"""


def waited_for(seat: int) -> Callable[[Page], None]:
    """A table where all who have left could have come back by now, and it is their turn."""

    def wait(frame: Any) -> None:
        for who in frame.get("seats") or []:
            if isinstance(who, dict) and who.get("grace"):
                who["grace"] = 0
        if "due" in (frame.get("view") or {}):
            frame["view"]["due"] = [seat]

    return rewriting(wait)


@pytest.mark.parametrize("due", [1, 2, 3])
def test_who_has_left_can_be_stood_in_for(base: str, open_page: OpenPage, due: int) -> None:
    """By two buttons that hide nobody's name."""
    page = open_page("/", DESK, before=waited_for(due), locale="de")
    sit(page, base, *of_people(base, 6))
    page.locator("[data-action-button=start]").click()
    page.wait_for_selector("[data-screen=table] [data-card]")
    page.reload()
    buttons = page.locator("button:visible").filter(has_text="Bot ")
    for width, height in (DESK, NARROW, SMALL, LANDSCAPE):
        page.set_viewport_size({"width": width, "height": height})
        expect(buttons).to_have_count(6 if (width, height) == DESK else 2)
        assert page.evaluate(HIDING) == [], f"at {width} by {height}"
        for button in buttons.all():
            button.click(trial=True)


@pytest.mark.parametrize("players", [4, 6])
def test_a_note_about_who_has_left_hides_no_name(
    base: str, open_page: OpenPage, players: int
) -> None:
    page = open_page("/", DESK, locale="de")
    sit(page, base, *of_people(base, players))
    page.locator("[data-action-button=start]").click()
    page.wait_for_selector("[data-screen=table] [data-card]")
    expect(page.locator(".absent")).to_have_count(players - 1)
    for width, height in (DESK, NARROW, LANDSCAPE):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(HIDING) == [], f"at {width} by {height}"


@pytest.mark.parametrize("game", ["kiza", "viva"])
def test_after_a_puzzle_nothing_is_to_be_done(open_page: OpenPage, game: str) -> None:
    """Though in the match it would be my turn again."""
    page = open_page(f"/puzzle/{game}/1", DESK)
    Solver(page, game, 0, "en", point).solve()
    expect(page.locator("[data-screen=puzzle] [data-tap]")).to_have_count(0)
    expect(page.locator(".seat.turn")).to_have_count(0)
    page.locator(".hand [data-card]").first.click(force=True)
    expect(page.locator(".hand [aria-pressed=true]")).to_have_count(0)
