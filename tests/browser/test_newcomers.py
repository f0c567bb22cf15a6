"""What another newcomer met at the table, each fault with the test that showed it."""

from playwright.sync_api import Page, expect

from browser.conftest import OpenPage
from browser.test_faults import at_table, tap_until

# How the small pictures of cards lie, of those that are told of while the cards on the table lie
# turned.
TOLD_OF = """() => {
  window.lying = {};
  const look = () => {
    const table = document.querySelector('.ground[data-turned]');
    const lasting = '.banner, .bubble, [data-dialog=round] :is(.last, .rows)';
    for (const told of table ? document.querySelectorAll(lasting) : [])
      for (const card of told.querySelectorAll('img'))
        (window.lying[told.classList[0]] ??= []).push(getComputedStyle(card).rotate);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
}"""


def test_cards_that_are_told_of_lie_as_those_on_the_table(base: str, open_page: OpenPage) -> None:
    page, _ = at_table(base, open_page, "zocken", 3, {"limit": 200})
    page.evaluate(TOLD_OF)
    tap_until(page, lambda: len(page.evaluate("() => Object.keys(window.lying)")) == 4)
    assert {how for told in page.evaluate("() => window.lying").values() for how in told} == {
        "180deg"
    }
