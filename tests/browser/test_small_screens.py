"""Full tables on the smallest phone, upright and on its side: nothing is cut, nothing covered."""

import random

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import OpenPage
from browser.people import ROUND, SHORT, deal_and_leave, go_on, invite, join, post, sit, tap_on
from browser.test_faults import at_table, tap_until
from effort import tried

UPRIGHT, ON_ITS_SIDE = (360, 640), (740, 360)
# What lies over something else, or leaves its plate.
CROWDED = """() => {
  const box = element => element.getBoundingClientRect();
  const meet = (a, b) => a.width && b.width && a.left < b.right - 3 && b.left < a.right - 3
    && a.top < b.bottom - 4 && b.top < a.bottom - 4;
  const all = what => [...document.querySelectorAll(what)];
  const words = all('.plate .line > *, .token figcaption, .centre [data-fact], [data-note]');
  const cards = all('.ground .zones [data-card] img');
  const wrong = [];
  for (const word of words.filter(word => word.checkVisibility())) {
    const [said, { right }] = [word.innerText, box(word)];
    if (cards.some(card => meet(box(card), box(word)))) wrong.push(`a card covers ${said}`);
    const end = Math.min(innerWidth, box(word.closest('.plate') ?? word).right + 1);
    if (right > end) wrong.push(`${said} is cut`);
  }
  return wrong;
}"""
FULL = {"kiza": 6, "kolpa": 6, "ramon": 6, "viva": 6, "zocken": 5}


def crowded(page: Page) -> list[str]:
    found: list[str] = page.evaluate(CROWDED)
    if found:  # a card may be on its way
        page.wait_for_timeout(400)
        found = page.evaluate(CROWDED)
    return found


@pytest.mark.parametrize("game", tried(["ramon", "zocken"], list(FULL)))
def test_a_full_table_fits_a_small_phone(base: str, open_page: OpenPage, game: str) -> None:
    name = "Maximiliane Wolkenstein"
    invitation = invite(base, game, players=FULL[game], name=name[::-1], options={})
    page = open_page(invitation.path, size=UPRIGHT)
    join(page, name)
    deal_and_leave(base, invitation)
    page.wait_for_selector("[data-screen=table] [data-card]")
    rng = random.Random(8)
    for width, height in (UPRIGHT, ON_ITS_SIDE):
        page.set_viewport_size({"width": width, "height": height})
        for _ in range(8):
            page.wait_for_selector(f"[data-tap], {ROUND}, [data-dialog=over]")
            assert page.locator("[data-dialog]").count() or crowded(page) == []
            if not go_on(page):
                tap_on(page, rng)
    title = page.locator(".bar h1")
    page.set_viewport_size({"width": UPRIGHT[0], "height": UPRIGHT[1]})
    assert title.evaluate("h1 => h1.scrollWidth <= h1.clientWidth"), "the game's name is cut"
    for who in (name, name[::-1]):
        expect(page.locator(f".plate .name[title='{who}']")).to_have_count(1)


@pytest.mark.parametrize("game", ["kolpa", "viva"])
def test_cards_and_points_are_not_read_as_one_number(
    base: str, open_page: OpenPage, game: str
) -> None:
    page, _ = at_table(base, open_page, game, 2, size=UPRIGHT)
    score = page.locator(".seat:not(.own) .plate .score").first
    line = score.evaluate("score => parseFloat(getComputedStyle(score).borderLeftWidth)")
    assert line >= 1
    assert score.evaluate("score => score.scrollWidth <= score.clientWidth")


# Tags that are cut short, and captions that lie on the cards of others.
CUT = """() => {
  const box = element => element.getBoundingClientRect();
  const shown = element => element.checkVisibility({ visibilityProperty: true });
  const wrong = [];
  for (const tag of document.querySelectorAll('.plate .tag')) {
    if (shown(tag) && tag.scrollWidth > tag.clientWidth + 1) wrong.push(`${tag.innerText} is cut`);
  }
  for (const words of document.querySelectorAll('.centre .caption .inner')) {
    const [zone, w] = [words.closest('.zone'), box(words)];
    for (const card of document.querySelectorAll('.centre .zone [data-card] img')) {
      const c = box(card);
      const meets = c.left < w.right - 2 && w.left < c.right - 2 && c.top < w.bottom - 2
        && w.top < c.bottom - 2;
      if (shown(words) && !zone.contains(card) && meets) wrong.push(`${words.innerText} on a card`);
    }
  }
  return wrong;
}"""


@pytest.mark.parametrize("players", tried([4], [3, 4]))
def test_german_words_are_whole(base: str, open_page: OpenPage, players: int) -> None:
    """Long ones: how many cards were taken, the name of a pile beside a trick."""
    wish = {**SHORT["zocken"], "game": "zocken", "name": "Ida", "players": players}
    made = post(f"{base}/api/tables", {**wish, "bots": [None] + ["easy"] * (players - 1)})
    page = open_page("/", size=UPRIGHT, locale="de-DE")
    sit(page, base, made["table"], made["token"])
    page.locator("[data-action-button=start]").click()
    page.wait_for_selector("[data-screen=table] [data-card]")
    rng, wrong = random.Random(2), set()
    for n in range(24):
        width, height = (UPRIGHT, ON_ITS_SIDE)[n % 2]
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_selector(f"[data-tap], {ROUND}, [data-dialog=over]")
        if page.evaluate(CUT):
            page.wait_for_timeout(400)  # a card may be on its way
            wrong |= set(page.evaluate(CUT))
        if not go_on(page):
            tap_on(page, rng)
    assert wrong == set()


def test_many_words_do_not_grow_over_the_table_on_its_side(base: str, open_page: OpenPage) -> None:
    page, _ = at_table(base, open_page, "kiza", 2, size=ON_ITS_SIDE, locale="de-DE")
    page.locator(".hand [data-tap]").first.click()
    page.locator("[data-action-button=ready]").click()
    finish = page.locator("[data-action-button=done]")  # beside it: what is bid, and a way back
    tap_until(page, lambda: bool(finish.count()))
    box = page.locator(".prompt .strip").bounding_box()
    assert box is not None
    assert box["height"] <= 50


# What others have drawn, and lies before them: whether it has lain on a card in the middle.
DRAWN = """() => {
  [window.drawn, window.hidden] = [0, 0];
  const box = element => element.getBoundingClientRect();
  new MutationObserver(() => {
    const middle = [...document.querySelectorAll('.centre [data-card] img')].map(box);
    for (const card of document.querySelectorAll('.seat:not(.own) > .zones .card img')) {
      const c = box(card);
      window.drawn++;
      if (middle.some(m => c.left < m.right - 1 && m.left < c.right - 1
        && c.top < m.bottom - 1 && m.top < c.bottom - 1)) window.hidden++;
    }
  }).observe(document.body, { subtree: true, childList: true });
}"""


@pytest.mark.parametrize("size", [UPRIGHT, ON_ITS_SIDE])
def test_what_others_draw_does_not_lie_on_the_middle(
    base: str, open_page: OpenPage, size: tuple[int, int]
) -> None:
    invitation = invite(base, "viva", players=4, options={"rounds": 5})  # one may be over too soon
    page = open_page(invitation.path, size=size)
    join(page)
    deal_and_leave(base, invitation)
    page.wait_for_selector("[data-screen=table] [data-card]")
    page.evaluate(DRAWN)
    tap_until(page, lambda: page.evaluate("() => window.drawn > 2"))
    assert page.evaluate("() => window.hidden") == 0


@pytest.mark.parametrize("lang", ["en-GB", "de-DE"])
def test_two_piles_that_lie_face_down_are_told_apart(
    base: str, open_page: OpenPage, lang: str
) -> None:
    page, _ = at_table(base, open_page, "viva", 4, size=(390, 844), locale=lang)
    piles = [page.locator(f".zone:has([data-zone={name}])") for name in ("cleared", "stack")]
    names = [pile.locator(".caption") for pile in piles]
    english = lang == "en-GB"
    said = ("Cleared cards", "Draw pile") if english else ("Abgeräumte Karten", "Nachziehstapel")
    for name, text in zip(names, said, strict=True):
        expect(name).to_be_visible()
        expect(name).to_have_text(text)
    cleared, stack = (name.locator(".inner").bounding_box() for name in names)
    assert cleared is not None
    assert stack is not None
    assert cleared["x"] + cleared["width"] <= stack["x"]
    assert page.evaluate(CUT) == []
