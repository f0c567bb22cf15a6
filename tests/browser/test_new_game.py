"""A game of one's own: from `kibitz new-game` to a card played, in the terminal and on the page."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from server.process import ServerProcess

PATIENCE = 120.0  # seconds; where nothing else goes on it takes some fifteen


@pytest.fixture
def began() -> float:
    """When the author gives the first command."""
    return time.monotonic()


@pytest.fixture
def games(began: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a new game, known to all commands, of which nothing has been compiled yet."""
    folder = tmp_path / "games"
    kibitz("new-game", "patience", "--in", str(folder))
    monkeypatch.setenv("KIBITZ_GAMES", str(folder))
    monkeypatch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return folder


def kibitz(*words: str, typed: str = "") -> str:
    command = [sys.executable, "-m", "kibitz", *words]
    done = subprocess.run(command, input=typed, capture_output=True, text=True, check=True)
    return done.stdout


def took(began: float) -> float:
    seconds = time.monotonic() - began
    print(f"{seconds:.1f} s from `kibitz new-game` to the first card")
    return seconds


@pytest.mark.usefixtures("games")
def test_a_new_game_is_played_in_the_terminal_and_on_the_page_within_a_minute(
    began: float, chromium: Browser, tmp_path: Path
) -> None:
    shown = kibitz("play", "patience", "--lang", "en", "--name", "Ada", typed="1\nquit\n")
    assert "Ada lays" in shown
    with ServerProcess(tmp_path / "tables.db", games="patience") as server:
        page = chromium.new_page(reduced_motion="reduce")
        page.goto(server.base)
        page.locator("[data-game=patience] [data-action-button=play-now]").click()
        page.locator(".hand [data-tap]").first.click(timeout=1000 * PATIENCE)
        expect(page.locator(".hand [data-card]")).to_have_count(2)
        assert took(began) < PATIENCE
        page.close()
