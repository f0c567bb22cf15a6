"""The pictures of the README, taken of a table in play: `make pictures`.

`PYTHONPATH=tests python -m browser.pictures docs/pictures`
"""

import io
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from browser.conftest import ARGS, CHROMIUM
from browser.people import PICK, ROUND, go_on, post, sit

DESK, PHONE = (1280, 800), (390, 844)
FRAMES, PER_SECOND, SMALL = 56, 4, (560, 350)  # of the moving picture


@contextmanager
def server() -> Iterator[str]:
    """A server whose bots take their time, as at a real table."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "kibitz.cli", "serve", "--port", "0"]
        more = {"KIBITZ_BOT_PACE": "0.5", "KIBITZ_TABLES_PER_HOUR": "10000"}
        running = subprocess.Popen(
            [*command, "--store", f"{folder}/tables.db"],
            env={**os.environ, **more}, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert running.stdout is not None
        base = next(line for line in running.stdout if "http://" in line).split()[4].rstrip("/")
        try:
            while True:
                with urllib.request.urlopen(f"{base}/api/ready") as answer:
                    if set(json.load(answer)["games"].values()) == {"bots"}:
                        break
                time.sleep(0.5)
            yield base
        finally:
            running.terminate()
            running.wait(20)


def open_table(browser: Browser, base: str, wish: dict[str, object], look: str) -> Page:
    """A table at which I sit, with bots at the other seats; `look` is size and theme."""
    size, theme = look.split("-")
    width, height = PHONE if size == "phone" else DESK
    scheme: Literal["dark", "light"] = "dark" if theme == "dark" else "light"
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale="en", color_scheme=scheme,
        reduced_motion="no-preference", has_touch=size == "phone",
    )  # fmt: skip
    bots = [None, *["medium"] * (int(str(wish["players"])) - 1)]
    made = post(f"{base}/api/tables", {"name": "Zoë", "hints": True, "bots": bots, **wish})
    page = context.new_page()
    page.goto(base)
    page.wait_for_function("() => localStorage.getItem('kibitz.settings')")  # its own are kept
    page.evaluate(
        "game => localStorage.setItem('kibitz.settings', JSON.stringify({known: [game]}))",
        wish["game"],
    )
    sit(page, base, made["table"], made["token"])
    page.locator("[data-action-button=start]").click()
    page.wait_for_selector("[data-screen=table] [data-card]")
    return page


def tap(page: Page, rng: random.Random) -> bool:
    """Tap something, if it is my turn."""
    spot = page.evaluate(PICK, [rng.random() < 0.8, rng.random()])
    if spot:
        page.mouse.click(*spot)
    return spot is not None


def play(page: Page, taps: int, *, until: str | None = None) -> None:
    """So many taps, or until something is there; then it is my turn."""
    rng, done = random.Random(5), 0
    for _ in range(4000):
        if page.locator(until).count() if until else done >= taps:
            break
        if not until and page.locator(ROUND).count():
            page.locator(ROUND).first.click()
        done += tap(page, rng)
        page.wait_for_timeout(25)
    if not until:
        page.wait_for_selector("[data-tap]", timeout=20_000)
    page.wait_for_timeout(2800)


def keep(page: Page, file: Path) -> None:
    """The page as it is shown."""
    Image.open(io.BytesIO(page.screenshot())).convert("RGB").save(file, quality=85, method=6)
    print(file, file.stat().st_size // 1024, "KB")


def review(page: Page, base: str) -> None:
    """Play a match to its end, and open its review at the first turning point."""
    rng = random.Random(5)
    while not page.locator("[data-dialog=over]").count():
        if not go_on(page) and not tap(page, rng):
            page.wait_for_timeout(25)
    page.goto(f"{base}/t/{page.url.rsplit('/', 1)[1]}?at=1")
    page.locator("[data-screen=review] aside em").first.wait_for(timeout=120_000)
    page.locator("[data-screen=review] aside em").first.click()
    page.wait_for_timeout(1500)


def film(page: Page, file: Path) -> None:
    """A round as a moving picture."""
    rng, frames = random.Random(3), []
    for n in range(FRAMES):
        if n % 3 == 0:
            tap(page, rng)
        shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        frames.append(
            shot.resize((DESK[0] // 2, DESK[1] // 2)).quantize(96, dither=Image.Dither.NONE)
        )
        page.wait_for_timeout(140)
    frames[0].save(
        file, save_all=True, append_images=frames[1:], duration=1000 // PER_SECOND, loop=0,
        quality=40, method=4,
    )  # fmt: skip
    print(file, file.stat().st_size // 1024, "KB")


def main(folder: Path) -> None:
    """All pictures."""
    with server() as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)

        def table(game: str, players: int, look: str, taps: int, name: str, **more: object) -> Page:
            wish = {"game": game, "players": players, "options": {}, **more}
            page = open_table(browser, base, wish, look)
            play(page, taps)
            keep(page, folder / name)
            return page

        kolpa = table("kolpa", 4, "desk-light", 9, "table.webp")
        play(kolpa, 0, until="[data-dialog=round], [data-dialog=over]")
        keep(kolpa, folder / "round.webp")
        kiza = open_table(browser, base, {"game": "kiza", "players": 5, "options": {}}, "desk-dark")
        play(kiza, 0, until="[data-figure=needs]")
        keep(kiza, folder / "kiza.webp")
        wish = {"game": "kolpa", "players": 4, "options": {"target": 20}}
        over = open_table(browser, base, wish, "desk-light")
        review(over, base)
        keep(over, folder / "review.webp")
        table("viva", 4, "phone-light", 4, "phone-viva.webp")
        table("zocken", 5, "phone-light", 6, "phone-zocken.webp")
        table("ramon", 4, "phone-dark", 14, "phone-ramon.webp")
        page = browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]}).new_page()
        page.goto(f"{base}/learn/viva")
        page.wait_for_selector("[data-screen=learn] [data-card]")
        page.wait_for_timeout(800)
        keep(page, folder / "phone-lesson.webp")
        film(open_table(browser, base, {"game": "viva", "players": 4, "options": {}}, "desk-light"),
             folder / "viva.webp")  # fmt: skip
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
