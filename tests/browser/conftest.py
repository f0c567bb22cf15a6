"""A real server and a real Chromium."""

import json
import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from kibitz.server.static import PAGE

# The one without windows, where it is installed, takes half the time to compute.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
ARGS = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
PHONE, TABLET, DESK = (360, 740), (820, 1180), (1440, 900)
OpenPage = Callable[..., Page]
expect.set_options(timeout=15_000)


def _until_ready(base: str) -> None:
    """On a new machine games are compiled first, which would slow down what is tested."""
    until = time.monotonic() + 300
    while time.monotonic() < until:
        with urllib.request.urlopen(f"{base}/api/ready") as answer:
            if set(json.load(answer)["games"].values()) == {"bots"}:
                return
        time.sleep(0.5)
    pytest.fail("the games did not get ready")


@pytest.fixture(scope="session")
def store_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the server keeps its tables."""
    return tmp_path_factory.mktemp("server") / "tables.db"


@pytest.fixture(scope="session")
def base(store_file: Path) -> Iterator[str]:
    """The address of a server of our own, whose bots do not dawdle."""
    if not CHROMIUM:
        pytest.skip("no Chromium: install chromium")
    if not (PAGE / "index.html").is_file():
        pytest.fail("the page has not been built; run `make web`")
    folder = store_file.parent
    more = {"KIBITZ_BOT_PACE": "0.05", "KIBITZ_TABLES_PER_HOUR": "100000"}
    command = [
        sys.executable, "-m", "kibitz.cli", "serve", "--port", "0",
        "--store", str(store_file),
    ]  # fmt: skip
    log = (folder / "log").open("w")
    server = subprocess.Popen(
        command, env={**os.environ, **more}, stdout=subprocess.PIPE, stderr=log, text=True
    )
    assert server.stdout is not None
    address = next(line for line in server.stdout if "http://" in line)
    found = address.split()[4].rstrip("/")
    try:
        _until_ready(found)
        yield found
    finally:
        server.terminate()
        stopped = server.wait(20)
        server.stdout.close()
        log.close()
    assert stopped == 0
    assert "Traceback" not in (folder / "log").read_text()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A browser, no longer than a file of tests: its driver keeps an event loop running."""
    if not CHROMIUM:
        pytest.skip("no Chromium: install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(base: str, chromium: Browser) -> Iterator[OpenPage]:
    """Opens pages, each of a person of their own; complains of errors and of requests elsewhere."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_(
        path: str = "/",
        size: tuple[int, int] = DESK,
        before: Callable[[Page], None] = lambda page: None,
        **more: object,
    ) -> Page:
        context = chromium.new_context(
            viewport={"width": size[0], "height": size[1]},
            has_touch=size == PHONE,
            **{"locale": "en-GB", "reduced_motion": "reduce", **more},  # type: ignore[arg-type]
        )
        context.set_default_timeout(15_000)
        contexts.append(context)
        page = context.new_page()
        page.on(
            "console",
            lambda message: faults.append(message.text) if message.type == "error" else None,
        )
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((base, "data:", "blob:"))
                else faults.append(f"a request to {request.url}")
            ),
        )
        before(page)
        page.goto(base + path)
        return page

    yield open_
    for context in contexts:
        context.close()
    expected = ("status of 4", "status of 5", "ERR_CONNECTION_REFUSED", "WebSocket connection")
    assert not [fault for fault in faults if not any(known in fault for known in expected)]


@pytest.fixture(scope="session")
def axe() -> str:
    """The accessibility checker, as text to be run in a page."""
    root = Path(__file__).parent.parent.parent
    return (root / "web" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")
