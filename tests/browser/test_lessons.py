"""Each game's lesson, played by people who do what they are asked, and sometimes something else."""

import json
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import DESK, PHONE, TABLET, OpenPage
from browser.people import SPOT
from browser.test_screens import faults_of, sideways
from browser.test_small_screens import CUT
from effort import tried
from kibitz.engine.game import Game
from kibitz.engine.lesson import PUPIL
from kibitz.engine.tabletop import Tap
from kibitz.games import find

SIZES = {"phone": PHONE, "desk": DESK}
# Two languages for each game, one at each size: all five occur.
LANGUAGES = {
    "kiza": ("fr", "en"),
    "kolpa": ("de", "es"),
    "ramon": ("es", "nl"),
    "viva": ("nl", "de"),
    "zocken": ("fr", "es"),
    "lantern": ("en", "de"),
    "hearts": ("nl", "fr"),
}
# Cards on the table that the coach covers.
COVERED = """
() => {
  const coach = document.querySelector('.coach .strip').getBoundingClientRect();
  const boxes = [...document.querySelectorAll('.zones [data-card] img')].map(
    card => card.getBoundingClientRect());
  return boxes.filter(box => box.bottom > coach.top + 6 && box.top < coach.bottom).length;
}
"""
Do = Callable[[Page, str], None]


class Pupil:
    """Somebody who plays a game's lesson, step by step."""

    def __init__(self, base: str, page: Page, game: str, lang: str, do: Do) -> None:
        self.page, self.game, self.lang, self.do = page, find(game), lang, do
        with urllib.request.urlopen(f"{base}/api/games/{game}/lesson", timeout=60) as answer:
            self.scenes: list[dict[str, Any]] = json.load(answer)["scenes"]
        page.wait_for_selector("[data-screen=learn]")

    def steps(self) -> Iterator[dict[str, Any]]:
        """The steps, each as soon as its sentence is there; what is asked for is to be done."""
        for n, scene in enumerate(self.scenes):
            self.page.wait_for_selector(f"[data-step='{n}']:not([data-done])")
            sentence = self.page.locator(f"[data-lesson={scene['name']}]")
            expect(sentence).to_have_text(self.said(scene["name"]))
            yield scene
            self.pass_time(f"[data-step='{n + 1}'], [data-done]")

    def said(self, name: str) -> str:
        return self.game.texts.say(self.lang, f"lesson.{name}")

    def pass_time(self, until: str) -> None:
        """The others take their time; a test need not."""
        for _ in range(40):
            if self.page.locator(until).count():
                return
            self.page.clock.run_for(500)
        raise AssertionError(f"still no {until}: {self.page.inner_text('.coach')}")

    def take(self, scene: dict[str, Any]) -> None:
        """Do what the step asks for, or say that it has been read."""
        if not scene["do"]:
            self.do(self.page, "[data-action-button=lesson-next]")
        for action in scene["do"]:
            self.make(action)

    def make(self, action: str) -> None:
        """Make an action, tap by tap; the last ones may not be needed."""
        number = self.game.actions.read(action)
        assert number is not None
        for tap in self.game.tabletop.path(self.game.actions.all[number]):
            there = selector(self.game, tap)
            if tap.kind == "zone" and not self.page.locator(there).count():
                return  # it was the only place, so the card has gone there
            self.do(self.page, there)

    def something_else(self, scene: dict[str, Any]) -> None:
        """Do something that is allowed, but not asked for."""
        self.make(next(action for action in scene["legal"] if action not in scene["do"]))


def selector(game: Game, tap: Tap, pupil: int = PUPIL) -> str:
    """What can be tapped for a tap of an action."""
    if tap.kind == "button":
        return f"[data-tap][data-action-button='{tap.word}']"
    seat = game.layout.zones.families[tap.zone].per_seat if "." not in tap.zone else False
    zone = f"{tap.zone}.{pupil}" if seat else tap.zone
    if tap.kind == "zone":
        return f"[data-zone-tap='{zone}']"
    within = ".hand" if tap.zone == "hand" else f"[data-zone^='{zone}']"
    return f"{within} [data-tap][data-card='{tap.word}'][aria-pressed=false]"


def point(page: Page, what: str) -> None:
    """With a finger, or with a mouse."""
    page.wait_for_selector(what)
    where = page.evaluate(f"what => {{ {SPOT} return spot(document.querySelector(what)) }}", what)
    assert where, f"{what} is covered"
    if page.evaluate("() => navigator.maxTouchPoints > 0"):
        page.touchscreen.tap(*where)
    else:
        page.mouse.click(*where)


def press(page: Page, what: str) -> None:
    """With the keys: to the hand by an arrow, to all else by the tabulator, then Enter."""
    page.wait_for_selector(what)
    key = "ArrowRight" if what.startswith(".hand") else "Tab"
    if key == "ArrowRight":
        page.evaluate("() => document.activeElement?.blur()")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Home")
    for _ in range(60):
        if page.evaluate("what => document.activeElement?.matches(what)", what):
            page.keyboard.press("Enter")
            return
        page.keyboard.press(key)
    raise AssertionError(f"no key leads to {what}")


def pupil(
    base: str, open_page: OpenPage, game: str, size: str, lang: str = "en", do: Do = point
) -> Pupil:
    box = SIZES[size]
    if box == DESK and list(LANGUAGES).index(game) % 2:
        box = TABLET
    page = open_page(f"/learn/{game}", box, before=lambda page: page.clock.install(), locale=lang)
    return Pupil(base, page, game, lang, do)


def lessons() -> list[tuple[str, str]]:
    """Each game's, at every size; usually at one of them, in turn."""
    every = [(game, size) for game in LANGUAGES for size in SIZES]
    return tried([pair for n, pair in enumerate(every) if (n // 2 + n) % 2], every)


@pytest.mark.parametrize(("game", "size"), lessons())
def test_a_lesson_is_played_by_doing_what_it_asks_for(
    base: str, open_page: OpenPage, axe: str, game: str, size: str
) -> None:
    """What a sentence speaks of lights up; something else that is allowed is answered kindly."""
    lang = LANGUAGES[game][list(SIZES).index(size)]
    someone = pupil(base, open_page, game, size, lang)
    page, answered = someone.page, 0
    for scene in someone.steps():
        lit = page.locator(".lit").count()
        assert bool(lit) == bool(scene["light"]), f"{scene['name']}: {lit} things light up"
        assert not sideways(page)
        assert page.evaluate(COVERED) == 0, f"{scene['name']}: the coach covers cards"
        if size == "phone":  # and turned on its side
            page.set_viewport_size({"width": PHONE[1], "height": PHONE[0]})
            assert page.evaluate(COVERED) == 0, f"{scene['name']}: the coach covers cards in width"
            page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
        if someone.game.texts.has(lang, f"lesson.{scene['name']}_wrong"):
            someone.something_else(scene)
            answer = page.locator("[data-wrong]")
            expect(answer).to_contain_text(someone.said(f"{scene['name']}_wrong"))
            expect(answer.locator("strong")).to_have_count(0)  # it is not wrong
            assert answered or faults_of(page, axe) == []
            answered += 1
        someone.take(scene)
    assert answered
    expect(page.locator("[data-action-button=play-now]")).to_be_visible()
    assert faults_of(page, axe) == []


def test_tags_are_whole_on_a_narrow_phone(base: str, open_page: OpenPage) -> None:
    """Who bids most in an auction is told by a long word."""
    someone = pupil(base, open_page, "kiza", "phone", "de")
    told = set()
    for scene in someone.steps():
        told |= set(someone.page.locator(".plate [data-marker=leader]").all_inner_texts())
        assert someone.page.evaluate(CUT) == []
        someone.take(scene)
    assert told == {"Höchstgebot"}


def test_all_languages_occur() -> None:
    assert {lang for two in LANGUAGES.values() for lang in two} == {"en", "fr", "de", "es", "nl"}


def test_what_the_rules_forbid_is_answered_with_the_rule(base: str, open_page: OpenPage) -> None:
    someone = pupil(base, open_page, "kolpa", "desk")
    for scene in someone.steps():
        if scene["name"] == "duty":
            point(someone.page, ".hand [data-card=y1]")
            reason = someone.game.texts.say("en", "reasons.KOLPA-T5")
            expect(someone.page.locator("[data-wrong]")).to_contain_text(f"Not quite. {reason}")
            return
        someone.take(scene)


def test_the_sentence_stays_while_there_is_much_to_choose_from(
    base: str, open_page: OpenPage
) -> None:
    """Eleven words to announce with a joker, and still what it is about, and a way out."""
    someone = pupil(base, open_page, "kolpa", "phone", "de")
    for scene in someone.steps():
        if scene["name"] == "joker":
            point(someone.page, ".hand [data-card=joker]")
            someone.page.wait_for_selector(".coach .pad")
            assert someone.page.evaluate(COVERED) == 0
            for what in ("[data-lesson=joker]", ".coach .pad", "[data-action-button=show-me]"):
                expect(someone.page.locator(what)).to_be_in_viewport(ratio=1)
            point(someone.page, "[data-action-button=show-me]")
            return
        someone.take(scene)


def test_show_me_does_what_is_asked_for(base: str, open_page: OpenPage) -> None:
    someone = pupil(base, open_page, "zocken", "phone", "nl")
    for scene in someone.steps():
        name = "show-me" if scene["do"] else "lesson-next"
        point(someone.page, f"[data-action-button={name}]")
    expect(someone.page.locator("[data-done]")).to_be_visible()


def test_the_steps_of_a_choice_may_be_taken_in_any_order(base: str, open_page: OpenPage) -> None:
    someone = pupil(base, open_page, "zocken", "desk")
    for scene in someone.steps():
        if scene["name"] == "series":
            for action in ("series g7", "series high", "series g7", "done"):
                someone.make(action)
            continue
        if scene["name"] == "low":
            return
        someone.take(scene)


def test_the_keyboard_alone_suffices(base: str, open_page: OpenPage) -> None:
    someone = pupil(base, open_page, "ramon", "desk", do=press)
    for scene in someone.steps():
        someone.take(scene)
    expect(someone.page.locator("[data-done]")).to_be_visible()


def test_nothing_can_be_done_between_two_steps(base: str, open_page: OpenPage) -> None:
    """Not even what the rules would allow, such as to end one's turn after a drawn card."""
    someone = pupil(base, open_page, "viva", "desk")
    step = "() => Number(document.querySelector('[data-screen=learn]').dataset.step)"
    looked = 0
    for n, scene in enumerate(someone.steps()):
        someone.take(scene)
        taps = someone.page.evaluate("() => document.querySelectorAll('[data-tap]').length")
        if scene["moves"] and someone.page.evaluate(step) == n:
            assert taps == 0, scene["name"]
            looked += 1
    assert looked > 3
