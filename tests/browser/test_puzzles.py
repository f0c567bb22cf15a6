"""Puzzles on the page: the one of the day from the start page, and practice by the keys alone."""

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import DESK, PHONE, OpenPage
from browser.test_lessons import Do, point, press, selector
from browser.test_screens import faults_of, sideways
from kibitz.bots.choices import steps_of
from kibitz.bots.puzzles import Puzzle, read_puzzles
from kibitz.games import find
from kibitz.server import puzzles as served
from kibitz.texts.phrasebook import Phrasebook, percent
from short import PUBLISHED
from steps import OF_STEPS

OTHERS = ("Ada", "Blaise", "Carl", "Dorothy", "Emmy")


class Solver:
    """Somebody at a puzzle."""

    def __init__(
        self, page: Page, game: str, number: int, lang: str, do: Do, known: Puzzle | None = None
    ) -> None:
        self.page, self.game, self.do = page, find(game), do
        self.puzzle = known or read_puzzles(self.game)[number]
        names = [*OTHERS[: self.puzzle.seat], "me", *OTHERS[self.puzzle.seat :]]
        self.words = Phrasebook(self.game, lang, names)
        expect(page.locator("[data-ask]")).to_contain_text(self.words.table("puzzle"))

    def make(self, action: str) -> None:
        """Make an action, tap by tap; the last ones may not be needed."""
        number = self.game.actions.read(action)
        assert number is not None
        for tap in self.game.tabletop.path(self.game.actions.all[number]):
            there = selector(self.game, tap, self.puzzle.seat)
            if tap.kind == "zone" and not self.page.locator(there).count():
                return
            self.do(self.page, there)

    def solve(self) -> None:
        """Do what is best, and read why."""
        for step in steps_of(self.puzzle.best):
            self.make(step)
        why = self.words.why(self.puzzle.claims, self.puzzle.seat)
        assert why
        expect(self.page.locator("[data-why]")).to_contain_text(why)


def test_the_puzzle_of_the_day(open_page: OpenPage, axe: str) -> None:
    """A wrong try is answered with what it costs; the result is kept on the start page."""
    page = open_page("/", PHONE)
    with page.expect_response("**/puzzles/*") as answer:
        point(page, "[data-game=kolpa] [data-action-button=puzzle]")
    someone = Solver(page, "kolpa", int(answer.value.url.rpartition("/")[2]), "en", point)
    puzzle = someone.puzzle
    someone.make(puzzle.medium)
    lost = puzzle.chances[puzzle.best] - puzzle.chances[puzzle.medium]
    expect(page.locator("[data-wrong]")).to_contain_text(f"costs about {percent(lost)} of")
    assert not sideways(page)
    assert faults_of(page, axe) == []
    someone.solve()
    assert faults_of(page, axe) == []
    page.goto(page.url.partition("/puzzle")[0])
    solved = page.locator("[data-game=kolpa] [data-action-button=puzzle]")
    expect(solved).to_have_attribute("data-solved", "2")
    expect(page.locator("[data-action-button=puzzle]")).to_have_count(len(PUBLISHED))


def test_practice_by_the_keys_alone(open_page: OpenPage) -> None:
    page = open_page("/puzzle/kolpa/1", DESK, locale="de")
    Solver(page, "kolpa", 0, "de", press).solve()
    press(page, "[data-action-button=next-puzzle]")
    page.wait_for_url("**/puzzle/kolpa/2")
    Solver(page, "kolpa", 1, "de", press).solve()


@pytest.mark.parametrize("game", PUBLISHED)
def test_every_game_shows_its_last_puzzle_and_its_answer(open_page: OpenPage, game: str) -> None:
    number = len(read_puzzles(find(game)))
    page = open_page(f"/puzzle/{game}/{number}", PHONE)
    Solver(page, game, number - 1, "en", point).solve()


def test_a_choice_of_several_steps(
    open_page: OpenPage, monkeypatch: pytest.MonkeyPatch, axe: str
) -> None:
    """Any beginning may be tried; a whole choice is right or wrong, in whichever order."""
    monkeypatch.setattr(served, "read_puzzles", lambda game: [OF_STEPS])
    body = served.puzzle.__wrapped__("kiza", 0)
    page = open_page("/", PHONE)
    page.route("**/api/games/kiza/puzzles/0", lambda route: route.fulfill(body=body))
    page.goto(f"{page.url}puzzle/kiza/1")
    someone = Solver(page, "kiza", 0, "en", point, OF_STEPS)
    for step in ("bid r●7", "bid r●3"):
        someone.make(step)
        expect(page.locator("[data-wrong]")).to_have_count(0)
    someone.make("done")
    label = someone.words.choice(("bid r●3", "bid r●7", "done"), 0)
    expect(page.locator("[data-wrong]")).to_contain_text(label)
    expect(page.locator("[data-wrong]")).to_contain_text("costs about 16%")
    assert not sideways(page)
    assert faults_of(page, axe) == []
    for step in ("bid r●3", "bid r●2", "done"):  # the cards are back in the hand
        someone.make(step)
    expect(page.locator("[data-why]")).to_contain_text(someone.words.why(OF_STEPS.claims, 0))
    page.reload()
    page.wait_for_selector("[data-ask]")
    point(page, "[data-action-button=show-me]")
    expect(page.locator("[data-why]")).to_be_visible()


def test_show_me_shows_it_and_counts_for_nothing(open_page: OpenPage) -> None:
    page = open_page("/puzzle/kolpa", DESK, locale="fr")
    page.wait_for_selector("[data-ask]")
    point(page, "[data-action-button=show-me]")
    expect(page.locator("[data-why]")).to_be_visible()
    page.goto(page.url.partition("/puzzle")[0])
    button = page.locator("[data-game=kolpa] [data-action-button=puzzle]")
    expect(button).to_be_visible()
    assert button.get_attribute("data-solved") is None
