"""People at the page: they make tables, join, and tap what can be tapped."""

import asyncio
import json
import random
import urllib.request
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from playwright.sync_api import Page, WebSocketRoute

import kibitz
from browser.looks import Onlooker
from kibitz.client import Seat
from kibitz.server.proof import faults

T = TypeVar("T")
# Short matches: the fewest players, and little to reach.
SHORT: dict[str, dict[str, Any]] = {
    "kiza": {"players": 2, "options": {"target": 10}},
    "kolpa": {"players": 2, "options": {"target": 20}},
    "lantern": {"players": 2, "options": {}},
    "ramon": {"players": 3, "options": {"target": 30}},
    "viva": {"players": 2, "options": {"rounds": 1}},
    "zocken": {"players": 3, "options": {"limit": 20}},
}
# Where something can be tapped: a card in a fan is covered by the next, but its left edge shows.
SPOT = """
const spot = tap => {
  tap.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const box = tap.getBoundingClientRect();
  for (const part of [0.5, 0.12, 0.3, 0.9]) {
    const x = box.left + box.width * part, y = box.top + box.height * 0.35;
    if (tap.contains(document.elementFromPoint(x, y))) return [x, y];
  }
  return null;
};
"""
PICK = f"""
([first, choice]) => {{
  {SPOT}
  const taps = [...document.querySelectorAll('[data-tap]')].filter(
    tap => tap.checkVisibility() && !tap.closest('[inert]'));
  const hand = taps.filter(tap => tap.closest('[data-look=hand], .hand'));
  const among = first && hand.length ? hand : taps;
  if (!among.length) return null;
  return spot(among[Math.floor(choice * among.length)]);
}}
"""
# Until something has changed, and for a while at most: to look again and again is to disturb.
NEWS = """
() => new Promise(seen => {
  if (document.querySelector('[data-tap]')) return seen();
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  const watch = new MutationObserver(() => setTimeout(end, 30));
  const end = () => { watch.disconnect(); seen(); };
  watch.observe(document.body, all);
  setTimeout(end, 100);
})
"""
IS_OVER = "() => !!document.querySelector('[data-dialog=over]')"
ROUND = "[data-dialog=round] [data-action-button=next_round]:not([disabled])"


@dataclass
class Invitation:
    """A table that waits for one person, with bots at the other seats."""

    table: str
    join: str
    token: str

    @property
    def path(self) -> str:
        return f"/t/{self.table}/{self.join}"


def post(address: str, body: object) -> Any:
    request = urllib.request.Request(address, json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.loads(answer.read())


def invite(base: str, game: str, **more: Any) -> Invitation:
    """A short match: the host at seat 0, bots between, and a free seat at the end."""
    wish = {"game": game, "name": "Host", "hints": True, **SHORT[game], **more}
    wish["bots"] = [None] + ["easy"] * (wish["players"] - 2) + [None]
    made = post(f"{base}/api/tables", wish)
    return Invitation(made["table"], made["join"], made["token"])


def sit(page: Page, base: str, table: str, token: str) -> None:
    """At the first seat of a table, which this page then has taken."""
    page.evaluate(
        "([table, token]) => localStorage.setItem('kibitz.seats', JSON.stringify("
        "{ [table]: { token, seat: 0 } }))",
        [table, token],
    )
    page.goto(f"{base}/t/{table}")


def rewriting(change: Callable[[Any], None]) -> Callable[[Page], None]:
    """A line on which all that the server says is changed before the page hears it."""

    def connect(route: WebSocketRoute) -> None:
        def heard(message: str | bytes) -> None:
            frame = json.loads(message)
            change(frame)
            route.send(json.dumps(frame))

        route.connect_to_server().on_message(heard)

    return lambda page: page.route_web_socket("**/ws", connect)


def join(page: Page, name: str = "Zoë 🦊") -> None:
    """Two actions: a name, and "join"."""
    page.locator("[data-screen=join] [data-field=name]").fill(name)
    page.locator("[data-action-button=join]").click()
    page.wait_for_selector("[data-screen=gathering], [data-screen=table]")


def beside(page: Page | None, work: Coroutine[Any, Any, T]) -> T:
    """Do something asynchronous while a page goes on, also where its line is tapped by the test."""
    # The browser's driver has a loop running in this thread.
    with ThreadPoolExecutor(1) as pool:
        done = pool.submit(lambda: asyncio.run(work))
        while page is not None and not done.done():
            page.wait_for_timeout(20)
        return done.result()


def deal_and_leave(base: str, invitation: Invitation, page: Page | None = None) -> None:
    """The host deals, and has a bot play on for them."""

    async def host() -> None:
        async with Seat.again(base, invitation.table, invitation.token) as seat:
            await seat.start()
            await seat.ask("leave")

    beside(page, host())


def tap_on(page: Page, rng: random.Random, *, touch: bool = False) -> bool:
    """Tap something that can be tapped, a card of the hand if there is one; False if nothing."""
    spot = page.evaluate(PICK, [rng.random() < 0.8, rng.random()])
    if spot is None:
        return False
    if touch:
        page.touchscreen.tap(*spot)
    else:
        page.mouse.click(*spot)
    return True


def go_on(page: Page) -> bool:
    """Go on to the next round, if one is over; whether it was."""
    clicked: bool = page.evaluate(
        "round => { const b = document.querySelector(round); b?.click(); return !!b }",
        ROUND,
    )
    return clicked


def play_to_the_end(page: Page, *, seed: int = 1, touch: bool = False, most: int = 3000) -> None:
    """Tap until the match is over; the table is looked at all the while."""
    rng, onlooker = random.Random(seed), Onlooker(page)
    for _ in range(most):
        if page.evaluate(IS_OVER):
            assert not onlooker.wrong, "\n".join(sorted(onlooker.wrong)[:12])
            assert onlooker.looks
            return
        onlooker.look()
        if not go_on(page) and not tap_on(page, rng, touch=touch):
            page.evaluate(NEWS)
    raise AssertionError(
        f"the match is not over after {most} taps: {page.inner_text('body')[:500]}"
    )


def check_the_end(page: Page, base: str, table: str) -> kibitz.Match:
    """The page names the right winners, and the deal holds."""
    with urllib.request.urlopen(f"{base}/api/tables/{table}/match", timeout=20) as answer:
        text = answer.read().decode()
    saved, match = json.loads(text), kibitz.load(text)
    assert faults(saved, match) == []
    dialog = page.locator("[data-dialog=over]")
    dialog.wait_for()
    title = dialog.locator("h2").inner_text()
    for winner in match.winners:
        assert saved["seats"][winner] in title
    dialog.locator("[data-deal=verified]").wait_for()
    return match
