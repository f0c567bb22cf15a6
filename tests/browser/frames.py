"""How many frames come in time while cards fly, by the clock.

`PYTHONPATH=tests python -m browser.frames [ADDRESS…]` looks at a server of its own, or at those
that run at the addresses, in turn: two versions of the page, say.
"""

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

from browser.conftest import ARGS, CHROMIUM
from browser.people import deal_and_leave, go_on, invite, join, tap_on
from browser.pictures import server
from browser.test_smooth import FRAME, NEXT, STEP_MS, one_by_one

TABLES = [("zocken", 5), ("kolpa", 4)]
SIZES = {"phone": (390, 844), "desk": (1440, 900)}
ROUNDS, STEPS = 2, 20
INTERVALS = """() => {
  window.intervals = [];
  let last = null;
  const frame = now => {
    const flies = !!document.querySelector('.flying');
    if (flies && last !== null) intervals.push(now - last);
    last = flies ? now : null;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}"""


def intervals(browser: Browser, base: str, game: str, players: int, size: str) -> list[float]:
    """Milliseconds from frame to frame while something flies."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, reduced_motion="no-preference"
    )
    invitation = invite(base, game, players=players)
    page = context.new_page()
    page.goto(base + invitation.path)
    join(page)
    deal_and_leave(base, invitation)
    page.wait_for_selector("[data-screen=table] [data-card]")
    one_by_one(page)
    page.wait_for_timeout(2 * STEP_MS)
    page.evaluate(INTERVALS)
    rng = random.Random(3)
    for _ in range(STEPS):
        page.evaluate(NEXT)
        if not go_on(page):
            tap_on(page, rng)
        page.wait_for_timeout(STEP_MS)
    found: list[float] = page.evaluate("() => intervals")
    context.close()
    return found


@contextmanager
def servers(addresses: list[str]) -> Iterator[list[str]]:
    """Those at the addresses, or one of our own."""
    if addresses:
        yield addresses
    else:
        with server() as base:
            yield [base]


def main(addresses: list[str]) -> None:
    """A line for each game, size and server."""
    found: dict[tuple[str, str, str], list[float]] = {}
    with servers(addresses) as bases, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for _ in range(ROUNDS):
            for game, players in TABLES:
                for size in SIZES:
                    for base in bases:
                        times = intervals(browser, base, game, players, size)
                        found.setdefault((game, size, base), []).extend(times)
        browser.close()
    for (game, size, base), times in found.items():
        late = sum(ms > 1.1 * FRAME for ms in times) / len(times)
        worst = sorted(times)[len(times) * 99 // 100]
        print(f"{game:8}{size:7}{1 - late:6.1%} in time, 99 % within {worst:.0f} ms  {base}")


if __name__ == "__main__":
    main(sys.argv[1:])
