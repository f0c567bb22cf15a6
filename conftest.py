"""All tests know of two more games, written only for them, found as any other is."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent
FOLDERS = [str(ROOT / "src" / "kibitz" / "example"), str(ROOT / "tests" / "games")]
FOLDERS += os.environ.get("KIBITZ_GAMES", "").split(os.pathsep)
os.environ["KIBITZ_GAMES"] = os.pathsep.join(dict.fromkeys(filter(None, FOLDERS)))
pytest.register_assert_rewrite("kibitz.contract")

NEEDS = {
    "PostgreSQL": (
        bool(os.environ.get("KIBITZ_TEST_POSTGRES")),
        "set KIBITZ_TEST_POSTGRES to a URL",
    ),
    "Redis": (bool(os.environ.get("KIBITZ_TEST_REDIS")), "set KIBITZ_TEST_REDIS to a URL"),
    "Chromium": (bool(shutil.which("chromium")), "install chromium"),
}


# Real browsers and processes, on whatever machine.
AGAIN = ("tests/browser", "tests/cli", "tests/lab", "tests/server")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What waits for other processes is tried up to three times; the summary names it."""
    for item in items:
        if item.nodeid.startswith(AGAIN):
            item.add_marker(pytest.mark.flaky(reruns=2))


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few matches are not worth more processes; a command started from a shell has them."""
    monkeypatch.setattr("kibitz.lab.crew.cores", lambda: 1)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say in a line which tests could not be run here, and how to get them."""
    for name, (is_there, remedy) in NEEDS.items():
        if not is_there:
            terminalreporter.write_line(f"The tests with {name} were not run: {remedy}.")
