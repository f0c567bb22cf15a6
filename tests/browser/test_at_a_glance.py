"""What is seen at a glance is right: cards lie as they should, names and numbers are whole."""

from typing import Any

import pytest
from playwright.sync_api import Route, expect

from browser.conftest import PHONE, OpenPage
from browser.people import deal_and_leave, invite, join, play_to_the_end, rewriting
from browser.test_faults import CUT, at_table, tap_until

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


@pytest.mark.parametrize("size", [PHONE, (1280, 800)])
def test_cards_of_my_display_that_match_have_a_mark_that_hides_nothing(
    base: str, open_page: OpenPage, size: tuple[int, int]
) -> None:
    """The word, which is wider than such a card, is only heard."""
    page, _ = at_table(base, open_page, "kolpa", 3, {"target": 200}, size=size)
    tagged = page.locator(".own .zones [data-card]:has([data-tag])")
    tap_until(page, lambda: tagged.count() > 1)
    for card in tagged.all():
        assert str(card.get_attribute("aria-label")).endswith(", matches")
        mark, whole = card.locator("[data-tag]").bounding_box(), card.bounding_box()
        assert mark is not None
        assert whole is not None
        assert mark["x"] > whole["x"] + whole["width"] * 0.6
        assert mark["height"] < whole["height"] * 0.25


@pytest.mark.parametrize("width", [1280, 1366])
@pytest.mark.parametrize("lang", ["en-GB", "fr"])
def test_scores_stay_on_their_plates_beside_the_log(
    base: str, open_page: OpenPage, width: int, lang: str
) -> None:
    def with_scores(frame: Any) -> None:
        if view := frame.get("view"):
            view["scores"] = [24, 32, 28, 35]

    more = {"size": (width, 800), "locale": lang, "before": rewriting(with_scores)}
    page, _ = at_table(base, open_page, "zocken", 4, {}, **more)
    page.keyboard.press("l")
    page.wait_for_selector("[role=log]")
    outside = """() => [...document.querySelectorAll('.seat .plate')].filter(plate => {
      const score = plate.querySelector('.score').getBoundingClientRect();
      return score.right > plate.getBoundingClientRect().right - 4;
    }).map(plate => plate.innerText)"""
    assert page.evaluate(outside) == []


def test_a_long_name_is_whole_where_a_round_has_room_for_it(base: str, open_page: OpenPage) -> None:
    invitation = invite(base, "viva", players=4, options={"rounds": 5})
    page = open_page(invitation.path, size=(1280, 800))
    join(page, "Maximiliane-Josephine vo")
    deal_and_leave(base, invitation)
    dialog = page.locator("[data-dialog=round]")
    tap_until(page, lambda: bool(dialog.count()), onward=False)
    assert page.evaluate(CUT, "[data-dialog=round] [data-score] .name") == []
    lefts = dialog.locator(".how").evaluate_all("all => all.map(how => how.offsetLeft)")
    assert len(set(lefts)) == 1


def test_a_turning_point_stays_under_the_mouse_that_clicks_it(
    base: str, open_page: OpenPage
) -> None:
    page, _ = at_table(base, open_page, "kolpa", 2)
    play_to_the_end(page)

    def with_turning_points(route: Route) -> None:
        found = route.fetch().json()
        if "moves" in found:
            mine = [move["number"] for move in found["moves"] if move["seat"] is not None]
            found["decisive"] = mine[-6::2]
        route.fulfill(json=found)

    page.route("**/review", with_turning_points)
    page.set_viewport_size({"width": 1280, "height": 640})
    page.goto(f"{page.url.partition('?')[0]}?at=1")
    point = page.locator("[data-turning]").first
    point.scroll_into_view_if_needed()
    before = point.bounding_box()
    moment = int(point.get_attribute("data-turning") or 0) - 1
    point.click()
    current = page.locator(f"[data-move='{moment}'][aria-current]")
    expect(current).to_have_count(1)
    assert point.bounding_box() == before
    inside = "row => { const list = row.closest('ol'); return row.offsetTop >= list.scrollTop }"
    assert current.evaluate(inside)


def test_a_mouse_that_presses_a_number_still_reads_how_it_comes_about(
    base: str, open_page: OpenPage
) -> None:
    page, _ = at_table(base, open_page, "zocken", 3, size=(1280, 800))
    number, how = page.locator("button[data-figure=hand]"), page.locator("[data-how]")
    tap_until(page, lambda: bool(number.count()))
    number.hover()
    expect(how).to_contain_text("=")
    number.click()
    expect(how).to_contain_text("=")
    page.mouse.move(5, 5)
    expect(how).to_be_hidden()
