"""The details that make a table feel right, one by one."""

import asyncio
import random
import re
from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import Page, Route, expect

from browser.conftest import PHONE, OpenPage
from browser.people import (
    ROUND,
    Invitation,
    deal_and_leave,
    go_on,
    invite,
    join,
    play_to_the_end,
    tap_on,
)
from kibitz.client import Seat


def seated(
    base: str,
    open_page: OpenPage,
    game: str = "kolpa",
    clock: int | None = None,
    **more: object,
) -> tuple[Page, Invitation]:
    invitation = invite(base, game, clock=clock)
    page = open_page(invitation.path, **more)
    join(page)
    deal_and_leave(base, invitation)
    page.wait_for_selector("[data-screen=table] [data-card]")
    return page, invitation


def until_my_turn(page: Page) -> None:
    page.wait_for_selector(f"[data-tap], {ROUND}", timeout=20_000)
    while go_on(page):
        page.wait_for_selector(f"[data-tap], {ROUND}", timeout=20_000)


def my_hand(page: Page) -> list[str]:
    cards: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('[data-look=hand] [data-card], .hand [data-card]')]"
        ".map(card => card.dataset.card)"
    )
    return cards


def the_table(page: Page) -> str:
    """All that can be read on the table."""
    text: str = page.evaluate("() => document.querySelector('.ground').innerText")
    return text


def test_the_tab_says_that_it_is_my_turn(base: str, open_page: OpenPage) -> None:
    page, _ = seated(base, open_page)
    until_my_turn(page)
    mine = page.title()
    assert re.search(r"turn", mine, re.I)


def test_cards_that_can_be_played_are_not_told_by_colour_alone(
    base: str, open_page: OpenPage
) -> None:
    """The others cannot be tapped, and a reader hears so."""
    page, _ = seated(base, open_page, "viva")
    until_my_turn(page)
    cards = page.locator("[data-look=hand] [data-card], .hand [data-card]")
    for n in range(cards.count()):
        card = cards.nth(n)
        can = card.get_attribute("data-tap") is not None
        assert (card.get_attribute("aria-disabled") == "true") != can


def test_question_mark_shows_the_keys(base: str, open_page: OpenPage) -> None:
    page, _ = seated(base, open_page)
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_a_live_region_says_each_move(base: str, open_page: OpenPage) -> None:
    page, _ = seated(base, open_page)
    rng = random.Random(1)
    for _ in range(4):
        until_my_turn(page)
        tap_on(page, rng)
        page.wait_for_timeout(100)
    spoken = page.locator("[data-live]")
    expect(spoken).to_contain_text(re.compile("turn", re.I))
    for name in ("Host", "Zoë 🦊"):
        expect(spoken).to_contain_text(re.compile(f"{name} plays .+ (on top|into the display)"))


def test_targets_are_large_enough_on_a_phone(base: str, open_page: OpenPage) -> None:
    page, _ = seated(base, open_page, "kiza", size=PHONE)
    until_my_turn(page)
    boxes = page.evaluate(
        "() => [...document.querySelectorAll('[data-look=hand] [data-card], .hand [data-card]')]"
        ".map(card => card.getBoundingClientRect())"
        ".map(box => [box.left, box.top, box.right, box.bottom])"
    )
    assert len(boxes) > 10
    for left, top, right, bottom in boxes:
        shown = [
            other for other in boxes if other != [left, top, right, bottom] and other[1] == top
            and left < other[0] < right
        ]  # fmt: skip
        free = min([right, *(other[0] for other in shown)]) - left
        assert free >= 44
        assert bottom - top >= 44


def test_a_choice_can_be_taken_back_until_it_is_sent(base: str, open_page: OpenPage) -> None:
    """Kiza's presenting, card by card."""
    page, _ = seated(base, open_page, "kiza")
    until_my_turn(page)
    hand = my_hand(page)
    page.locator("[data-look=hand] [data-tap], .hand [data-tap]").first.click()
    page.wait_for_selector("[data-action-button=undo]")
    page.wait_for_function(
        "n => document.querySelectorAll('.hand [data-card]').length < n", arg=len(hand)
    )
    page.locator("[data-action-button=undo]").click()
    page.wait_for_function(
        "n => document.querySelectorAll('.hand [data-card]').length === n", arg=len(hand)
    )
    assert my_hand(page) == hand


def test_a_refusal_links_to_its_rule(base: str, open_page: OpenPage) -> None:
    """Tapping a card that cannot be played says which rule forbids it."""
    page, _ = seated(base, open_page, "viva")
    rng = random.Random(4)
    # With a card chosen the others are dimmed as well, but tapping one changes the choice.
    forbidden = page.locator(".hand:not(:has([aria-pressed=true])) [data-card][aria-disabled=true]")
    for _ in range(60):
        until_my_turn(page)
        if forbidden.count():
            break
        tap_on(page, rng)
    hand = my_hand(page)
    forbidden.first.click(force=True)  # it is dimmed, yet it can be tapped
    refusal = page.locator("[data-refusal]").first
    expect(refusal).to_be_visible()
    assert my_hand(page) == hand
    refusal.locator("a, button").first.click()
    expect(page.locator("[data-rule^=VIVA-]").first).to_be_visible()


def test_one_can_look_back_and_return_by_one_key(base: str, open_page: OpenPage) -> None:
    """Whatever has been clicked before: only who came to the hand by keyboard moves within it."""
    page, _ = seated(base, open_page)
    for n in range(3):
        until_my_turn(page)
        tap_on(page, random.Random(n))
        assert page.evaluate("() => document.activeElement === document.body")
        page.wait_for_timeout(400)
    until_my_turn(page)
    now = the_table(page)
    past = page.get_by_text("You are looking back")
    expect(past).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    expect(past).to_be_visible()
    page.keyboard.press("Home")
    page.wait_for_function(
        "table => document.querySelector('.ground').innerText !== table", arg=now
    )
    assert page.locator("[data-tap]").count() == 0, "the past cannot be tapped"
    page.keyboard.press("End")
    expect(past).to_have_count(0)
    until_my_turn(page)
    assert the_table(page) == now


def test_a_finished_match_has_a_link_to_each_move(base: str, open_page: OpenPage) -> None:
    """For anyone, and the arrow keys go through it."""
    page, invitation = seated(base, open_page)
    play_to_the_end(page)
    stranger = open_page(f"/t/{invitation.table}?at=4")
    stranger.wait_for_selector("[data-screen=review]")
    # A face-down pile has no card on top, though all are known now.
    top = stranger.locator("[data-zone=draw] img")
    assert "back" in str(top.get_attribute("src"))
    stranger.keyboard.press("ArrowRight")
    stranger.wait_for_url("**at=5")
    stranger.wait_for_selector("[data-screen=review] svg", timeout=60_000)


def test_a_turning_point_leads_to_the_table_before_it(base: str, open_page: OpenPage) -> None:
    """There one can look for what is better, and play on."""
    page, invitation = seated(base, open_page)
    play_to_the_end(page)

    def with_a_turning_point(route: Route) -> None:
        answer = route.fetch()
        found = answer.json()
        if "moves" in found:
            found["decisive"] = [found["moves"][6]["number"]]
        route.fulfill(response=answer, json=found)

    stranger = open_page(f"/t/{invitation.table}")
    stranger.route("**/review", with_a_turning_point)
    stranger.goto(f"{base}/t/{invitation.table}?at=1")
    point = stranger.locator("[data-turning]")
    point.wait_for(timeout=60_000)
    moment = int(point.get_attribute("data-turning") or 0)
    assert moment > 3
    point.click()
    stranger.wait_for_url(f"**at={moment - 1}")
    expect(stranger.locator("[data-action-button=play-on]")).to_be_visible()


def test_the_score_sheet_is_one_click_away(base: str, open_page: OpenPage) -> None:
    page, _ = seated(base, open_page)
    page.locator("[data-action-button=sheet]").click()
    expect(page.get_by_role("table").first).to_be_visible()


def test_the_log_speaks_the_players_language(base: str, open_page: OpenPage) -> None:
    page, _ = seated(base, open_page, locale="de-DE")
    until_my_turn(page)
    tap_on(page, random.Random(1))
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_text(re.compile(r"legt|spielt|Auslage|Ablage")).first).to_be_visible()


def test_names_in_any_script_do_not_break_the_table(base: str, open_page: OpenPage) -> None:
    name = "𝕫𝕠ë 🧑‍🚀 שלום"
    invitation = invite(base, "kolpa")
    page = open_page(invitation.path, size=PHONE)
    join(page, name)
    deal_and_leave(base, invitation)
    page.wait_for_selector("[data-screen=table] [data-card]")
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    expect(page.get_by_label("zoë 🧑‍🚀 שלום").first).to_be_attached()


def test_a_hint_can_be_asked_for(base: str, open_page: OpenPage) -> None:
    page, _ = seated(base, open_page)
    until_my_turn(page)
    page.locator("[data-action-button=hint]").first.click()
    expect(page.get_by_text(re.compile(r"\d+\s?%")).first).to_be_visible()


def test_a_full_table_and_one_that_has_begun_are_told_plainly(
    base: str, open_page: OpenPage
) -> None:
    _, invitation = seated(base, open_page)
    late = open_page(invitation.path)
    late.wait_for_selector("[data-action-button=watch], [data-screen=message], [data-screen=table]")
    assert late.locator("[data-action-button=join]").count() == 0


def test_people_can_chat(base: str, open_page: OpenPage) -> None:
    invitation = invite(base, "kolpa")
    page = open_page(invitation.path)
    join(page)
    deal_and_leave(base, invitation)
    watcher = open_page(f"/t/{invitation.table}")
    watcher.wait_for_selector("[data-screen=table]")
    page.keyboard.press("c")
    box = page.locator("input[maxlength='500'], textarea[maxlength='500']").first
    box.fill("good luck <b>all</b>")
    box.press("Enter")
    expect(page.get_by_text("good luck <b>all</b>").first).to_be_visible()
    watcher.keyboard.press("c")
    expect(watcher.get_by_text("good luck <b>all</b>").first).to_be_visible()


WHOLE_TRICKS = """
() => {
  window.whole = 0;
  let before = 0;
  new MutationObserver(() => {
    const now = document.querySelectorAll('[data-zone^="trick"] [data-card]').length;
    if (now === 3 && before < 3) window.whole++;
    before = now;
  }).observe(document.body, { subtree: true, childList: true });
}
"""


def test_a_trick_is_seen_whole_before_it_is_taken(base: str, open_page: OpenPage) -> None:
    """Also the card that ends it, which the rules sweep off in the same move."""
    invitation = invite(base, "zocken", players=3)
    page = open_page(f"/t/{invitation.table}")  # who watches foresees nothing
    page.wait_for_selector("[data-screen=gathering]")
    page.evaluate(WHOLE_TRICKS)
    deal_and_leave(base, invitation)
    page.wait_for_selector("[data-dialog=round], [data-dialog=over]")
    assert page.evaluate("() => window.whole") >= 3  # a page that lags behind skips some
    # Each card lies before who played it: mine nearest to me, between those of the others.
    mine, left, right = page.locator("[data-zone^='trick.']").evaluate_all(
        "zones => zones.map(zone => zone.getBoundingClientRect())"
        ".map(box => [box.x, box.y]).toSorted((a, b) => b[1] - a[1] || a[0] - b[0])"
    )
    assert left[0] < mine[0] < right[0]
    assert left[1] == right[1] < mine[1] - 20


def test_the_clock_of_a_turn_runs(base: str, open_page: OpenPage) -> None:
    page, _ = seated(base, open_page, clock=60)
    until_my_turn(page)
    clock = page.locator("[data-seat] .clock").first
    before = clock.inner_text()
    expect(clock).not_to_have_text(before, timeout=4000)
    page.wait_for_timeout(1200)
    assert clock.inner_text() < before


def test_who_has_gone_may_come_back_before_a_bot_can_stand_in(
    base: str, open_page: OpenPage
) -> None:
    invitation = invite(base, "kolpa")
    page = open_page(invitation.path)
    join(page)

    async def deal_and_go() -> None:
        async with Seat.again(base, invitation.table, invitation.token) as seat:
            await seat.start()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(deal_and_go())).result()
    expect(page.get_by_text(re.compile(r"May come back: (30|2\d) s"))).to_be_visible()
    expect(page.get_by_text("Bot until they are back")).to_have_count(0)
