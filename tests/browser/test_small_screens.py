"""Full tables on the smallest phone, upright and on its side: nothing is cut, nothing covered."""

import random

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import OpenPage
from browser.people import ROUND, deal_and_leave, go_on, invite, join, tap_on
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
    for who in (name, name[::-1]):
        expect(page.locator(f".plate .name[title='{who}']")).to_have_count(1)
