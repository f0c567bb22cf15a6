"""What a newcomer met at the table, each fault with the test that showed it."""

import random
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import DESK, PHONE, OpenPage
from browser.looks import Onlooker
from browser.people import ROUND, deal_and_leave, go_on, invite, join, play_to_the_end, tap_on
from browser.test_details import seated, until_my_turn

LANDSCAPE = (740, 360)
LARGER_PHONE = (390, 844)


def at_table(
    base: str,
    open_page: OpenPage,
    game: str,
    players: int,
    options: dict[str, int] | None = None,
    **more: object,
) -> tuple[Page, str]:
    """A table with bots at all other seats; a short match, unless options say something else."""
    wish = {} if options is None else {"options": options}
    invitation = invite(base, game, players=players, **wish)
    page = open_page(invitation.path, **more)
    join(page)
    deal_and_leave(base, invitation)
    page.wait_for_selector("[data-screen=table] [data-card]")
    return page, invitation.table


def tap_until(page: Page, there: Callable[[], bool], *, onward: bool = True) -> None:
    """Play on until something is to be seen, and into the next round if need be."""
    rng = random.Random(8)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if there():
            return
        if not (onward and go_on(page)) and not tap_on(page, rng):
            page.wait_for_timeout(20)
    pytest.fail("it was never to be seen")


# How flying faces are turned, as long as the cards on the table are.
WATCH_FLIGHTS = """() => {
  window.flown = [];
  new MutationObserver(changes => {
    const come = changes.flatMap(change => [...change.addedNodes]);
    for (const card of come.filter(node => node.className === 'flying')) {
      const face = card.querySelector('img') ?? card;
      const isOpen = document.querySelector('[data-turned]') && !face.src.includes('back');
      if (isOpen) window.flown.push(getComputedStyle(face).rotate);
    }
  }).observe(document.body, { childList: true });
}"""


def test_cards_are_turned_with_the_pawn(base: str, open_page: OpenPage) -> None:
    """Also those that fly."""
    page, _ = at_table(base, open_page, "zocken", 3, {})  # a short one may be over too soon
    # While it is my turn the pawn stays as it is.
    tap_until(page, lambda: bool(page.locator("[data-turned] .hand [data-tap]").count()))
    src = page.locator("[data-fact=pawn] img").get_attribute("src")
    assert src is not None
    assert "pawn.blue" in src
    turned = "card => getComputedStyle(card.querySelector('img')).rotate"
    for card in page.locator(".hand [data-card]").all():
        assert card.evaluate(turned) == "180deg"
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(WATCH_FLIGHTS)
    tap_until(page, lambda: page.evaluate("() => flown.length > 3"))
    assert set(page.evaluate("() => flown")) == {"180deg"}


@pytest.mark.parametrize("size", [PHONE, LARGER_PHONE, LANDSCAPE])
def test_five_at_zocken_are_all_to_be_seen(
    base: str, open_page: OpenPage, size: tuple[int, int]
) -> None:
    page, _ = at_table(base, open_page, "zocken", 5, size=size)
    onlooker, rng = Onlooker(page), random.Random(1)
    for _ in range(25):
        onlooker.look()
        if not go_on(page) and not tap_on(page, rng):
            page.wait_for_timeout(30)
    assert not onlooker.wrong, "\n".join(sorted(onlooker.wrong))
    for thing in ("[data-look=trick]", "[data-fact=pawn]", "[data-look=pile]"):
        box = page.locator(thing).first.bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size[1]


def test_the_table_stands_still_at_the_end_of_a_round(base: str, open_page: OpenPage) -> None:
    page, _ = at_table(base, open_page, "ramon", 3)
    ended = page.locator(f"{ROUND}, [data-dialog=over]")
    tap_until(page, lambda: bool(ended.count()), onward=False)
    scores = page.locator("[data-score], [data-standing]")
    expect(scores.first).to_be_visible()
    before = page.locator(".ground").inner_text()
    page.wait_for_timeout(1500)
    assert page.locator(".ground").inner_text() == before, "nobody moves while it is looked at"


def test_a_link_can_be_pasted_on_a_phone_and_a_wrong_one_is_answered(
    base: str, open_page: OpenPage
) -> None:
    page = open_page("/", size=LARGER_PHONE)
    learn = page.locator("[data-game=kiza] [data-action-button=learn]")
    assert learn.inner_text() == "Learn"  # a newcomer finds it by its word
    link = page.locator("#link")
    link.scroll_into_view_if_needed()
    for thing in (link, page.locator("form .button")):
        box = thing.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= LARGER_PHONE[0]
    link.fill("no such link")
    page.locator("form .button").click()
    expect(page.locator("#link-wrong")).to_be_in_viewport()


# Hands that lie over others or over the middle, and the side where the table covers it.
OVERLAPPING = """() => {
  const box = element => element.getBoundingClientRect();
  const places = [...document.querySelectorAll('.ground [data-seat], .ground .centre')].map(
    place => [...place.querySelectorAll('[data-card] img, .plate')].map(
      thing => [box(thing), `${place.ariaLabel} ${thing.closest('[data-card]')?.dataset.card}`]));
  const meet = (a, b) => a.left < b.right - 2 && b.left < a.right - 2
    && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  const found = places.flatMap((some, n) => places.slice(n + 1).flatMap(others => some.flatMap(
    ([a, one]) => others.filter(([b]) => meet(a, b)).map(([, other]) => `${one} / ${other}`))));
  const side = document.querySelector('aside'), { left, right, top } = box(side);
  if (!side.contains(document.elementFromPoint((left + right) / 2, top + 4))) found.push('side');
  return found;
}"""


def test_a_review_on_a_phone_shows_the_table_while_one_steps(
    base: str, open_page: OpenPage
) -> None:
    page, table = at_table(base, open_page, "viva", 4)
    play_to_the_end(page)
    page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    page.goto(f"{base}/t/{table}?at=9")
    page.wait_for_selector("[data-move='9'][aria-current]")
    for move in (10, 11, 12, 13):
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(f"[data-move='{move}'][aria-current]")
        assert page.evaluate("() => scrollY") == 0
        expect(page.locator(".ground .centre")).to_be_in_viewport(ratio=0.9)
        assert page.evaluate(OVERLAPPING) == []


def test_a_review_of_six_has_room_for_hands_that_lie_open(base: str, open_page: OpenPage) -> None:
    """For who has played, and for who looks on and has no hand of their own."""
    page, table = at_table(base, open_page, "kolpa", 6)
    play_to_the_end(page)
    for someone, size in [(page, DESK), (open_page(), DESK), (open_page(), LARGER_PHONE)]:
        someone.set_viewport_size({"width": size[0], "height": size[1]})
        someone.goto(f"{base}/t/{table}?at=8")
        someone.wait_for_selector("[data-move='8'][aria-current]")
        for move in (9, 10, 11):
            someone.keyboard.press("ArrowRight")
            someone.wait_for_selector(f"[data-move='{move}'][aria-current]")
            assert someone.evaluate(OVERLAPPING) == []


# Words of plates and prompt that are cut off.
CUT = """words => [...document.querySelectorAll(words)].filter(
  word => word.checkVisibility() && word.scrollWidth > word.clientWidth + 1
).map(word => word.textContent)"""


def test_words_of_six_at_kiza_are_whole_and_equals_share_a_place(
    base: str, open_page: OpenPage
) -> None:
    page, _ = at_table(base, open_page, "kiza", 6, size=LANDSCAPE)
    assert page.evaluate(CUT, ".plate .tag") == []
    page.set_viewport_size({"width": LARGER_PHONE[0], "height": LARGER_PHONE[1]})
    tap_until(page, lambda: page.locator(".chosen [data-choice], p.chosen").count() > 0)
    assert page.evaluate(CUT, "p.chosen .name") == []
    play_to_the_end(page)
    standing = page.locator("[data-dialog=over] [data-standing]")
    totals = [int(t.replace("−", "-")) for t in standing.locator(".total").all_inner_texts()]
    places = [int(place) for place in standing.locator(".place").all_inner_texts()]
    assert places == [1 + sum(other > total for other in totals) for total in totals]


# Where the cards that somebody has just played lie on their own name.
OVER_NAMES = """() => [
  ...document.querySelectorAll('.seat:not(.own) [data-bubble]:not(.words)')
].map(bubble => {
  const name = bubble.closest('.head').querySelector('.name').getBoundingClientRect();
  const { left, right, top, bottom } = bubble.getBoundingClientRect();
  const across = left < name.left + 20 && name.left < right;
  return [bubble.dataset.bubble, across && top < name.bottom && name.top < bottom];
})"""


@pytest.mark.parametrize(
    ("game", "players", "size"), [("kolpa", 4, LARGER_PHONE), ("viva", 6, LANDSCAPE)]
)
def test_names_are_to_be_read_while_cards_are_shown(
    base: str, open_page: OpenPage, game: str, players: int, size: tuple[int, int]
) -> None:
    """Also where a tag has taken the place of the face."""
    page, _ = at_table(base, open_page, game, players, size=size)
    found: list[tuple[str, bool]] = []

    def shown() -> bool:
        found.extend(page.evaluate(OVER_NAMES))
        return any(seat == "0" for seat, _ in found)

    tap_until(page, shown)
    assert not any(covers for _, covers in found)


def test_a_sentence_without_buttons_stands_in_the_middle_of_its_strip(
    base: str, open_page: OpenPage
) -> None:
    page, _ = at_table(base, open_page, "viva", 2)
    strip = page.locator(".prompt .strip")
    tap_until(page, lambda: bool(page.locator(".strip:not(:has(.buttons > *)) .words p").count()))
    left, right = strip.evaluate(
        """strip => {
          const outside = strip.getBoundingClientRect();
          const words = strip.querySelector('.words').getBoundingClientRect();
          return [words.left - outside.left, outside.right - words.right];
        }"""
    )
    assert abs(left - right) < 2


def test_the_dots_of_a_lesson_stand_in_one_line(open_page: OpenPage) -> None:
    page = open_page("/learn/kiza")
    page.wait_for_selector("[data-screen=learn] .dots i")
    tops = page.locator(".dots i").evaluate_all("dots => dots.map(dot => dot.offsetTop)")
    assert len(tops) > 8
    assert len(set(tops)) == 1


def test_a_hint_is_gone_once_something_has_been_chosen(base: str, open_page: OpenPage) -> None:
    page, _ = seated(base, open_page, "kiza")
    until_my_turn(page)
    page.locator("[data-action-button=hint]").click()
    expect(page.locator("[data-hints] .ring")).to_be_visible(timeout=20_000)
    assert page.locator(".hand .lit").count() > 0, "the card lights up"
    lit = page.locator(".card.lit").evaluate_all(
        "cards => cards.map(card => 'tap' in card.dataset)"
    )
    assert all(lit), "and only what can be chosen"
    page.locator(".hand [data-tap]").first.click()
    expect(page.locator("[data-hints]")).to_have_count(0)


def test_before_a_rematch_it_is_said_who_is_missing_and_watchers_are_led_along(
    base: str, open_page: OpenPage
) -> None:
    page, table = at_table(base, open_page, "lantern", 2)
    watcher = open_page(f"/t/{table}")
    play_to_the_end(page)
    page.locator("[data-action-button=rematch]").click()
    page.wait_for_selector("[data-screen=gathering]")
    expect(page.get_by_text("Waiting for Host.")).to_be_visible()
    follow = watcher.locator("[data-action-button=follow]")
    follow.click()
    watcher.wait_for_selector("[data-screen=gathering]")
    assert watcher.url.split("/")[-1] == page.url.split("/")[-1]


@pytest.mark.parametrize("size", [PHONE, LARGER_PHONE])
def test_a_hand_on_a_phone_loses_no_edge(
    base: str, open_page: OpenPage, size: tuple[int, int]
) -> None:
    page, _ = at_table(base, open_page, "viva", 3, size=size)
    until_my_turn(page)
    page.locator(".hand [data-tap]").first.click()
    page.wait_for_timeout(300)
    cut = page.evaluate("""() => {
      const clips = element => getComputedStyle(element).overflow !== 'visible';
      return [...document.querySelectorAll('.hand [data-card]')].filter(card => {
        const box = card.getBoundingClientRect();
        if (box.left < 0 || box.right > innerWidth) return true;
        for (let over = card.parentElement; over !== document.body; over = over.parentElement) {
          const frame = over.getBoundingClientRect();
          if (clips(over) && box.top - 4 < frame.top) return true;
        }
        return false;
      }).length;
    }""")
    assert cut == 0


def test_the_keyboard_works_from_the_first_moment(base: str, open_page: OpenPage) -> None:
    page, _ = at_table(base, open_page, "kiza", 2)
    until_my_turn(page)
    cards = page.locator(".hand [data-tap]")
    assert cards.count() == 18
    twelfth = cards.nth(11).get_attribute("data-card")
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(page.locator("[data-zone^=chosen] [data-card]")).to_have_attribute(
        "data-card", str(twelfth)
    )
    page.keyboard.press("ArrowDown")
    assert page.evaluate("() => !!document.activeElement.closest('.hand')")


def test_who_watches_on_a_phone_can_read_the_title(base: str, open_page: OpenPage) -> None:
    _, table = at_table(base, open_page, "kolpa", 2)
    page = open_page(f"/t/{table}", size=PHONE)
    page.wait_for_selector("[data-screen=table] .ground")
    title = page.locator("header h1")
    assert title.evaluate("title => title.scrollWidth <= title.clientWidth")
    boxes = page.evaluate("""() => [...document.querySelectorAll('header .title, header nav')]
      .map(part => part.getBoundingClientRect()).map(box => [box.left, box.right])""")
    assert boxes[0][1] <= boxes[1][0] + 1


def test_a_tap_beside_the_stacks_of_a_kitty_counts(base: str, open_page: OpenPage) -> None:
    page, _ = at_table(base, open_page, "ramon", 3)
    until_my_turn(page)
    page.locator(".hand [data-tap]").first.click()
    tray = page.locator("[data-seat='1'] [data-zone-tap]").first
    box = tray.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 6, box["y"] + box["height"] - 6)
    expect(page.locator("[data-zone='kitty.1'] [data-card]").first).to_be_visible()


def test_a_choice_in_progress_outlives_a_reload(base: str, open_page: OpenPage) -> None:
    page, _ = at_table(base, open_page, "ramon", 3)
    until_my_turn(page)
    page.locator(".hand [data-tap]").nth(1).click()
    pressed = page.locator(".hand [aria-pressed=true]")
    code = pressed.get_attribute("data-card")
    page.reload()
    expect(pressed).to_have_attribute("data-card", str(code))


def test_that_the_clock_ran_out_is_said_after_a_reload_too(base: str, open_page: OpenPage) -> None:
    page, _ = seated(base, open_page, clock=10)
    page.wait_for_selector("[data-instead=clock]", timeout=25_000)
    page.reload()
    expect(page.locator("[data-instead=clock]").first).to_be_visible()
