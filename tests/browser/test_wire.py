"""What a player notices of the network, and of time."""

import asyncio
import json
import random
from concurrent.futures import ThreadPoolExecutor

from playwright.sync_api import Page, WebSocketRoute, expect

from browser.conftest import OpenPage
from browser.people import ROUND, Invitation, deal_and_leave, go_on, invite, join, tap_on
from kibitz.client import Seat

WATCH_THE_HAND = """
() => {
  const hand = document.querySelector('.hand');
  window.felt = null;
  const began = { at: 0 };
  document.addEventListener('click', () => { began.at ||= performance.now(); }, { capture: true });
  new MutationObserver(() => { window.felt ??= began.at && performance.now() - began.at; })
    .observe(document.querySelector('[data-screen=table]'),
             { subtree: true, childList: true, attributes: true });
}
"""
LONGEST_ANIMATION = """() => Math.max(
  0, ...document.getAnimations().map(a => a.effect?.getComputedTiming().activeDuration ?? 0)
)"""


class Line:
    """The connection of a page, which can be cut, or lose what is said."""

    def __init__(self) -> None:
        self.is_cut = False
        self.lose: list[str] = []  # kinds of commands of which the next one is lost
        self.plays: list[str] = []
        self._routes: list[WebSocketRoute] = []

    def lay(self, page: Page) -> None:
        page.route_web_socket("**/ws", self._connect)

    def _connect(self, route: WebSocketRoute) -> None:
        if self.is_cut:
            route.close()
            return
        self._routes.append(route)
        server = route.connect_to_server()

        def said(message: str | bytes) -> None:
            command = json.loads(message)
            if command["do"] == "play":
                self.plays.append(command["id"])
            if command["do"] in self.lose:
                self.lose.remove(command["do"])
            else:
                server.send(message)

        route.on_message(said)

    def cut(self) -> None:
        self.is_cut = True
        for route in self._routes:
            route.close()
        self._routes.clear()

    def mend(self) -> None:
        self.is_cut = False


def seated(base: str, open_page: OpenPage, line: Line) -> tuple[Page, Invitation]:
    invitation = invite(base, "kolpa")
    page = open_page(invitation.path, before=line.lay)
    join(page)
    deal_and_leave(base, invitation, page)
    page.wait_for_selector("[data-tap]", timeout=20_000)
    return page, invitation


def lines_of(page: Page, name: str) -> int:
    if not page.get_by_role("log").count():
        page.keyboard.press("l")
    return page.get_by_role("log").get_by_text(name).count()


def play_one(page: Page, rng: random.Random) -> None:
    """Tap until my choice is on its way."""
    for _ in range(30):
        if not tap_on(page, rng) or not page.locator("[data-tap]").count():
            return
        page.wait_for_timeout(30)


def test_a_lost_move_is_sent_again_and_counts_once(base: str, open_page: OpenPage) -> None:
    line = Line()
    page, _ = seated(base, open_page, line)
    before = lines_of(page, "Zoë")
    line.lose = ["play"]
    play_one(page, random.Random(1))
    expect(page.get_by_role("log").get_by_text("Zoë")).to_have_count(before + 1, timeout=6000)
    assert len(line.plays) == 2
    assert len(set(line.plays)) == 1


def test_a_cut_line_is_shown_and_taken_up_again(base: str, open_page: OpenPage) -> None:
    """Within three seconds, with a dot for the others, and without a reload."""
    line = Line()
    page, invitation = seated(base, open_page, line)
    other = open_page(f"/t/{invitation.table}")
    other.wait_for_selector("[data-screen=table]")
    page.evaluate("() => { window.same = true; }")
    hand = page.locator(".hand [data-card]").count()
    line.cut()
    expect(page.locator("[data-reconnecting]")).to_be_visible(timeout=3000)
    expect(other.locator("[data-seat='1'] .dot.away")).to_have_count(1, timeout=3000)
    line.mend()
    expect(page.locator("[data-reconnecting]")).to_have_count(0, timeout=5000)
    page.wait_for_selector("[data-tap]")
    assert page.locator(".hand [data-card]").count() == hand
    assert page.evaluate("() => window.same")
    expect(other.locator("[data-seat='1'] .dot.away")).to_have_count(0)


def test_a_tap_is_felt_at_once(base: str, open_page: OpenPage) -> None:
    """Within 50 ms, whatever the server says."""
    page, _ = seated(base, open_page, Line())
    page.evaluate(WATCH_THE_HAND)
    tap_on(page, random.Random(1))
    page.wait_for_function("() => window.felt !== null && window.felt !== 0")
    assert page.evaluate("() => window.felt") < 50


def test_cards_fly_for_less_than_a_quarter_of_a_second(base: str, open_page: OpenPage) -> None:
    invitation = invite(base, "kolpa")
    page = open_page(invitation.path, reduced_motion="no-preference")
    join(page)
    deal_and_leave(base, invitation)
    longest = []
    rng = random.Random(1)
    for _ in range(8):
        page.wait_for_selector(f"[data-tap], {ROUND}")
        if not go_on(page):
            tap_on(page, rng)
        for _ in range(30):
            longest.append(page.evaluate(LONGEST_ANIMATION))
            page.wait_for_timeout(20)
            if sum(map(bool, longest[-30:])) > 3:
                break
    assert 0 < max(longest) <= 250


def test_a_choice_made_before_the_turn_is_played_or_visibly_dropped(
    base: str, open_page: OpenPage
) -> None:
    invitation = invite(base, "kolpa")
    page = open_page(invitation.path)
    join(page)

    async def host(until_mine: bool) -> None:
        async with Seat.again(base, invitation.table, invitation.token) as seat:
            if seat.state["phase"] == "gathering":
                await seat.start()
            if until_mine:
                async for turn in seat.turns():
                    await seat.play(turn.legal[0])
                    return

    def ask(until_mine: bool) -> None:
        with ThreadPoolExecutor(1) as pool:
            pool.submit(lambda: asyncio.run(host(until_mine))).result()

    ask(False)
    page.wait_for_selector("[data-screen=table] [data-card]")
    rng = random.Random(5)
    if page.locator("[data-tap]").count():
        play_one(page, rng)
        assert lines_of(page, "Zoë") or page.wait_for_selector("[role=log] :text('Zoë')")
    expect(page.locator("[data-tap]")).to_have_count(0)
    mine = lines_of(page, "Zoë")
    page.locator(".hand [data-card]").first.click()
    expect(page.locator(".hand [data-card][aria-pressed=true]")).to_have_count(1)
    ask(True)
    page.wait_for_timeout(1000)
    dropped = page.locator("[data-refusal=premove]").count()
    going = page.locator(".hand [data-card][aria-pressed=true]").count()
    assert lines_of(page, "Zoë") > mine or dropped or going
