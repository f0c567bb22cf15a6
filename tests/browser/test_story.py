"""The table tells what happens, explains itself, and waits for who wants to follow."""

import random

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import PHONE, OpenPage
from browser.people import PICK, go_on, tap_on
from browser.test_details import until_my_turn
from browser.test_faults import at_table, tap_until

WATCH = """(selector) => {
  window.seen = [];
  new MutationObserver(() => {
    for (const shown of document.querySelectorAll(selector)) {
      const text = shown.innerText || shown.querySelector('img')?.src || '';
      if (!window.seen.includes(text)) window.seen.push(text);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""

# The others' bids, whether one has passed, and the bids that a bubble showed a second time.
BIDS = """() => {
  [window.bids, window.passed, window.twice] = [[], false, []];
  new MutationObserver(() => {
    for (const seat of document.querySelectorAll('[data-seat]:not(.own)')) {
      const bids = [...seat.querySelectorAll("[data-zone^='bid.'] img")].map(card => card.src);
      window.bids.push(...bids.filter(bid => !window.bids.includes(bid)));
      window.passed ||= seat.querySelector('[data-bubble]')?.innerText === 'Pass';
      const shown = [...seat.querySelectorAll('[data-bubble] img')].map(card => card.src);
      window.twice.push(...shown.filter(card => bids.includes(card)));
    }
  }).observe(document.body, { subtree: true, childList: true });
}"""


def seen(page: Page) -> list[str]:
    found: list[str] = page.evaluate("() => window.seen")
    return found


def test_a_trick_taken_is_told_by_a_banner_and_to_the_screen_reader(
    base: str, open_page: OpenPage
) -> None:
    page, _ = at_table(base, open_page, "zocken", 3)
    page.evaluate(WATCH, "[data-banner], [data-live]")
    tap_until(page, lambda: any("takes the trick" in text for text in seen(page)))
    page.locator("nav [aria-expanded]").last.click()
    page.wait_for_selector("[role=log]")
    expect(page.locator("[role=log] .chapter").first).to_have_text("Trick 1")
    expect(page.locator("[role=log] .matters", has_text="trick").first).to_be_visible()


# What a banner has lain over, of what it could be about; and that there was one.
COVERED_BY_A_BANNER = """(things) => {
  [window.covered, window.banners] = [[], 0];
  const look = () => {
    const banner = document.querySelector('[data-banner]');
    if (!banner) return;
    window.banners++;
    const b = banner.getBoundingClientRect();
    if (b.left < 0 || b.right > innerWidth || b.top < 0) window.covered.push('it leaves the page');
    for (const thing of document.querySelectorAll(things)) {
      const t = thing.getBoundingClientRect();
      const meets = t.width && t.left < b.right - 2 && b.left < t.right - 2
        && t.top < b.bottom - 8 && b.top < t.bottom - 2;
      if (meets) window.covered.push(thing.dataset.card ?? thing.className);
    }
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
}"""
MINE_AND_CENTRE = ":is(.centre, .at-own) :is([data-card], .plate), .prompt, .hand [data-card]"


@pytest.mark.parametrize(
    ("size", "things"),
    [
        ((360, 640), f"{MINE_AND_CENTRE}, .plate, .zones [data-card]"),
        ((390, 844), f"{MINE_AND_CENTRE}, .plate, .zones [data-card]"),
        ((740, 360), MINE_AND_CENTRE),
    ],
)
def test_on_a_phone_a_banner_hides_nothing_that_it_could_be_about(
    base: str, open_page: OpenPage, size: tuple[int, int], things: str
) -> None:
    page, _ = at_table(base, open_page, "zocken", 4, size=size, locale="de-DE")
    page.evaluate(COVERED_BY_A_BANNER, things)
    tap_until(page, lambda: page.evaluate("() => window.banners > 3"))
    assert page.evaluate("() => [...new Set(window.covered)]") == []


def test_what_all_do_at_once_needs_no_banner(base: str, open_page: OpenPage) -> None:
    """Three have presented cards, which lie before them: two of their names would mislead."""
    page, _ = at_table(base, open_page, "kiza", 3)
    page.evaluate(WATCH, "[data-banner]")
    until_my_turn(page)
    page.locator(".hand [data-tap]").first.click()
    page.locator("[data-action-button=ready]").click()
    page.wait_for_function(
        "() => document.querySelectorAll(\"[data-zone^='kiza.']:has([data-card])\").length === 3"
    )
    assert not [text for text in seen(page) if "presents" in text]


def test_a_bubble_at_the_seat_shows_each_move(base: str, open_page: OpenPage) -> None:
    page, _ = at_table(base, open_page, "kolpa", 3)
    page.evaluate(WATCH, "[data-bubble]")
    tap_until(page, lambda: len(seen(page)) > 2)


def test_no_bubble_covers_the_card_that_it_would_show(base: str, open_page: OpenPage) -> None:
    """A bid lies before the seat with a ring round it; only who passes says so in a bubble."""
    page, _ = at_table(base, open_page, "kiza", 3)
    page.evaluate(BIDS)
    tap_until(page, lambda: page.evaluate("() => window.bids.length > 2 && window.passed"))
    assert page.evaluate("() => window.twice") == []


def play_turns(page: Page, n: int) -> None:
    """Make some moves, until it is my turn again."""
    rng = random.Random(4)
    for _ in range(n):
        until_my_turn(page)
        tap_on(page, rng)
        page.wait_for_timeout(150)
        go_on(page)
    until_my_turn(page)


def test_a_line_of_the_log_shows_the_table_as_it_was(base: str, open_page: OpenPage) -> None:
    page, _ = at_table(base, open_page, "kolpa", 2)
    play_turns(page, 6)
    page.keyboard.press("l")
    page.locator("[role=log] .line").nth(1).click()
    expect(page.get_by_text("You are looking back")).to_be_visible()
    expect(page.locator("[role=log] .now")).to_have_count(1)
    page.keyboard.press("End")
    expect(page.get_by_text("You are looking back")).to_have_count(0)


def test_on_a_phone_a_line_of_the_log_gives_way_to_the_table(
    base: str, open_page: OpenPage
) -> None:
    page, _ = at_table(base, open_page, "kolpa", 2, size=PHONE)
    play_turns(page, 4)
    page.get_by_label("Log").click()
    line = page.locator("[role=log] .line:has(.face)").first
    face, told = (line.locator(part).bounding_box() for part in (".face", ".told"))
    assert face is not None
    assert told is not None
    assert face["x"] + face["width"] <= told["x"], "a face lies on words"
    line.click()
    expect(page.locator("[role=log]")).to_have_count(0)
    expect(page.get_by_text("You are looking back")).to_be_visible()
    page.get_by_text("Back to now").click()
    expect(page.get_by_text("You are looking back")).to_have_count(0)


def test_others_moves_can_be_shown_one_by_one(base: str, open_page: OpenPage) -> None:
    page, _ = at_table(base, open_page, "kolpa", 4)
    page.evaluate("() => localStorage.setItem('kibitz.settings', JSON.stringify({ pace: 'step' }))")
    page.reload()
    until_my_turn(page)
    steps = page.locator("[data-action-button=next-move]")
    tap_until(page, lambda: bool(steps.count()))
    expect(steps).to_be_visible()
    assert page.locator("[data-tap]").count() == 0, "it is not my turn before I have seen them all"
    for _ in range(8):
        if not steps.count():
            break
        before = page.locator(".ground").inner_text()
        steps.click()
        page.wait_for_function(
            "before => document.querySelector('.ground').innerText !== before", arg=before
        )


def test_a_card_explains_itself_to_mouse_and_key(base: str, open_page: OpenPage) -> None:
    page, _ = at_table(base, open_page, "zocken", 3)
    page.evaluate(WATCH, "[data-explained]")
    for _ in range(
        3
    ):  # a mouse that stays where it clicked reads nothing, whatever comes to lie there
        until_my_turn(page)
        x, y = page.evaluate(PICK, [True, 0.5])
        page.mouse.click(x, y)
        page.mouse.move(x + 2, y)
        page.wait_for_timeout(800)
    assert seen(page) == []
    until_my_turn(page)  # until then hands may change under the mouse
    card = page.locator(".hand [data-card]").first
    code = str(card.get_attribute("data-card"))
    explained = page.locator(f"[data-explained='{code}']")
    card.hover()
    expect(explained).to_be_visible()
    assert len(explained.locator("p").inner_text()) > 10
    page.mouse.move(5, 5)
    expect(explained).to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("i")
    expect(page.locator("[data-explained]")).to_be_visible()


def test_a_card_that_is_held_explains_itself_and_is_not_played(
    base: str, open_page: OpenPage
) -> None:
    page, _ = at_table(base, open_page, "viva", 2, size=PHONE)
    until_my_turn(page)
    hold = """card => new Promise(done => {
      const at = { bubbles: true, pointerType: 'touch' };
      card.dispatchEvent(new PointerEvent('pointerdown', at));
      setTimeout(() => {
        const shown = !!document.querySelector('[data-explained]');
        card.dispatchEvent(new PointerEvent('pointerup', at));
        card.dispatchEvent(new PointerEvent('click', at));
        done(shown);
      }, 700);
    })"""
    playable = page.locator(".hand [data-tap]")
    tap_until(page, lambda: bool(playable.count()))
    page.locator("[data-note=lesson] button").click()
    told = page.locator("[data-note=hold]")
    expect(told).to_be_visible()
    assert playable.first.evaluate(hold)
    expect(page.locator(".hand [aria-pressed=true]")).to_have_count(0)
    expect(told).to_have_count(0)  # who has done it need not be told again
    page.goto(f"{base}/learn/viva")
    page.wait_for_selector("[data-screen=learn] [data-card]")
    expect(told).to_have_count(0)


def test_a_hand_can_be_sorted(base: str, open_page: OpenPage) -> None:
    page, _ = at_table(base, open_page, "ramon", 3)
    until_my_turn(page)
    page.locator("[data-action-button=menu]").click()
    page.locator("[data-field=sort]").select_option("number")
    page.keyboard.press("Escape")
    page.wait_for_timeout(200)
    numbers = page.evaluate(
        "() => [...document.querySelectorAll('.hand [data-card]')]"
        ".map(card => Number(card.dataset.card.slice(1)))"
    )
    assert numbers == sorted(numbers)
    # A sorted card is still the card that is played.
    card = page.locator(".hand [data-tap]").last
    code = card.get_attribute("data-card")
    card.click()
    expect(page.locator(".hand [aria-pressed=true]")).to_have_attribute("data-card", str(code))


def test_the_start_page_says_that_it_is_my_turn(base: str, open_page: OpenPage) -> None:
    page, table = at_table(base, open_page, "viva", 2)
    until_my_turn(page)
    page.goto(base)
    waiting = page.locator(f"[data-waiting='{table}']")
    expect(waiting).to_contain_text("Your turn in Viva")
    expect(page).to_have_title("● Your turn in Viva")
    waiting.click()
    page.wait_for_selector("[data-screen=table]")


def test_a_link_can_be_shown_as_a_code(base: str, open_page: OpenPage) -> None:
    page, _ = at_table(base, open_page, "kolpa", 2)
    page.locator("[data-action-button=menu]").click()
    page.locator("[data-action-button=qr-watch]").click()
    code = page.locator("[data-qr=watch]")
    expect(code).to_be_visible()
    assert code.evaluate("image => image.complete && image.naturalWidth > 0")


def test_the_lesson_is_offered_once_and_never_in_the_way(base: str, open_page: OpenPage) -> None:
    page, _ = at_table(base, open_page, "kolpa", 2)
    offer = page.locator("[data-note=lesson]")
    expect(offer).to_be_visible()
    offer.locator("button").click()
    expect(offer).to_have_count(0)
    page.reload()
    page.wait_for_selector("[data-screen=table] [data-card]")
    page.wait_for_timeout(500)
    expect(offer).to_have_count(0)


def test_the_lesson_is_no_longer_offered_after_a_few_choices(
    base: str, open_page: OpenPage
) -> None:
    page, _ = at_table(base, open_page, "kolpa", 3, options={"target": 200})
    offer = page.locator("[data-note=lesson]")
    expect(offer).to_be_visible()
    tap_until(page, lambda: not offer.count(), onward=False)
    expect(page.locator("[data-dialog]")).to_have_count(0)  # it was not the end of the round
    page.reload()
    page.wait_for_selector("[data-screen=table] [data-card]")
    expect(offer).to_have_count(0)


@pytest.mark.parametrize("players", [2, 4])
def test_the_end_of_a_round_says_what_each_score_is_made_of(
    base: str, open_page: OpenPage, players: int
) -> None:
    page, _ = at_table(base, open_page, "kolpa", players)
    there = page.locator("[data-dialog=round], [data-dialog=over]")
    tap_until(page, lambda: bool(there.count()), onward=False)
    if page.locator("[data-dialog=over]").count():
        expect(page.locator("[data-standing]")).to_have_count(players)
        return
    rows = page.locator("[data-dialog=round] [data-score]")
    expect(rows).to_have_count(players)
    for row in rows.all():
        parts = [int(n.replace("−", "-")) for n in row.locator(".part b").all_inner_texts()]
        gained = int(row.locator(".gained").inner_text().replace("−", "-"))
        assert sum(parts) == gained
    assert page.locator("[data-dialog=round] .cards img").count() > 0


@pytest.mark.parametrize("players", [2, 4])
def test_the_end_of_a_round_says_first_who_has_won_it(
    base: str, open_page: OpenPage, players: int
) -> None:
    """In Viva the table has been cleared by then: the last card is shown, and who has lost."""
    page, _ = at_table(base, open_page, "viva", players, options={"rounds": 5})
    dialog = page.locator("[data-dialog=round]")
    tap_until(page, lambda: bool(dialog.count()), onward=False)
    won = dialog.locator("h2").inner_text()
    lost = dialog.locator(".also").inner_text()
    assert won.endswith("is the first one out and wins the round.")
    assert lost.endswith("is left with cards and loses the round.")
    expect(dialog.locator(".last")).to_contain_text("End of round 1 · ")
    expect(dialog.locator(".last")).to_contain_text("lays the last card")
    expect(dialog.locator(".last img")).to_have_count(1)
    dialog.locator("[data-action-button=look]").click()
    for told in ("End of round 1", won, lost):
        expect(page.locator(".prompt")).to_contain_text(told)


def test_who_wins_a_round_that_others_play_on_is_told_by_a_banner(
    base: str, open_page: OpenPage
) -> None:
    page, _ = at_table(base, open_page, "viva", 4, options={"rounds": 5})
    page.evaluate(WATCH, "[data-banner]")
    tap_until(page, lambda: any("wins the round" in text for text in seen(page)))


@pytest.mark.parametrize("size", [PHONE, (1280, 800)])
def test_a_number_beside_the_prompt_tells_how_it_comes_about(
    base: str, open_page: OpenPage, size: tuple[int, int]
) -> None:
    page, _ = at_table(base, open_page, "zocken", 3, size=size)
    number, how = page.locator("button[data-figure=hand]"), page.locator("[data-how]")
    tap_until(page, lambda: bool(number.count()))
    expect(how).to_be_hidden()
    number.tap() if size == PHONE else number.hover()
    expect(how).to_contain_text(f"= {number.locator('.number').inner_text()}")
    expect(how).to_contain_text("a goblin costs 1 point")
    told, hand = how.bounding_box(), page.locator(".hand").bounding_box()
    assert told is not None
    assert hand is not None
    assert told["x"] >= 0
    assert told["y"] + told["height"] <= hand["y"]


# My cards that can be tapped: whether they are said to match, and whether they share a colour or
# a number with the pile.
MATCHES = """() => {
  const top = document.querySelector('[data-zone=discard] [data-card]').dataset.card;
  const mine = [...document.querySelectorAll(':is(.hand, .own .zones) [data-tap][data-card]')];
  const shares = code => code !== 'joker' && [...code].some((letter, n) => letter === top[n]);
  const look = ({ dataset: { card } }, said) => [card, said, shares(card), top];
  return mine.map(card => look(card, !!card.querySelector('[data-tag]')));
}"""


@pytest.mark.parametrize("size", [PHONE, (1280, 800)])
def test_cards_that_match_say_so(base: str, open_page: OpenPage, size: tuple[int, int]) -> None:
    """In the hand and on top of the own display; a joker, or what would be laid there, does not."""
    page, _ = at_table(base, open_page, "kolpa", 3, size=size, options={"target": 200})
    said: list[list[object]] = []

    def enough() -> bool:
        if page.locator("[data-tap]").count():
            found = page.evaluate(MATCHES)
            if found and found[0][3] != "joker":
                said.extend(found)
        return {tagged for _, tagged, _, _ in said} == {True, False} and len(said) > 25

    tap_until(page, enough)
    assert [card for card in said if card[1] != card[2]] == []


# What of the hand, of what can be chosen and of what is asked lies under the explanation.
UNDER = """things => {
  const e = document.querySelector('[data-explained]').getBoundingClientRect();
  const meet = (a, b) => a.left < b.right - 12 && b.left < a.right - 12
    && a.top < b.bottom - 12 && b.top < a.bottom - 12;
  const outside = e.left < 0 || e.top < 0 || e.right > innerWidth || e.bottom > innerHeight;
  return [...document.querySelectorAll(things)]
    .filter(thing => thing.checkVisibility() && meet(thing.getBoundingClientRect(), e))
    .map(thing => thing.dataset.card ?? thing.className).concat(outside ? ['the edge'] : []);
}"""
COMPARED = ".hand [data-card], [data-tap], .prompt .strip, .at-own .zones [data-card]"


@pytest.mark.parametrize("game", ["kolpa", "viva"])
@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_an_explanation_does_not_lie_on_what_one_compares(
    base: str, open_page: OpenPage, game: str, size: tuple[int, int]
) -> None:
    page, _ = at_table(base, open_page, game, 3, size=size, options={})
    mine = page.locator(".own .zones [data-card]")
    tap_until(page, lambda: game == "viva" or mine.count() > 1)
    until_my_turn(page)
    page.locator(".hand [data-card]").first.focus()
    page.keyboard.press("i")
    page.wait_for_selector("[data-explained]")
    assert page.evaluate(UNDER, COMPARED) == []
