"""All tests know of a sixth game, written only for them, found as any other is."""

import os
import shutil
from pathlib import Path
from typing import Any

os.environ["KIBITZ_GAMES"] = str(Path(__file__).parent / "tests" / "sixth_game")

NEEDS = {
    "PostgreSQL": (
        bool(os.environ.get("KIBITZ_TEST_POSTGRES")),
        "set KIBITZ_TEST_POSTGRES to a URL",
    ),
    "Redis": (bool(os.environ.get("KIBITZ_TEST_REDIS")), "set KIBITZ_TEST_REDIS to a URL"),
    "Chromium": (bool(shutil.which("chromium")), "install chromium"),
}


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say in a line which tests could not be run here, and how to get them."""
    for name, (is_there, remedy) in NEEDS.items():
        if not is_there:
            terminalreporter.write_line(f"The tests with {name} were not run: {remedy}.")
