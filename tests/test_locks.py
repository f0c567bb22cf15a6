"""What is pinned: `requirements.lock` for playing, `requirements-dev.lock` for all the rest too."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PLAY, ALL = "requirements.lock", "requirements-dev.lock"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def pins(lock: str) -> dict[str, set[str]]:
    """Each package with its versions: there can be one for older Pythons and one for newer."""
    found: dict[str, set[str]] = {}
    text = (ROOT / lock).read_text("utf-8")
    for name, version in re.findall(r"^([\w.-]+)==(\S+) ", text, re.M):
        found.setdefault(name, set()).add(version)
    return found


def named(requirements: list[str | dict[str, str]]) -> set[str]:
    return {re.split(r"[<>=;\[ ]", wanted)[0] for wanted in requirements if isinstance(wanted, str)}


def test_playing_needs_what_the_server_needs_and_no_tools() -> None:
    project, groups = PROJECT["project"], PROJECT["dependency-groups"]
    extras = project["optional-dependencies"]
    needed = named(project["dependencies"]) | named(extras["server"]) | named(groups["build"])
    assert needed <= set(pins(PLAY))
    tools = named(groups["dev"]) | named(extras["lab"]) | named(extras["many"])
    assert not tools & set(pins(PLAY))
    assert needed | tools <= set(pins(ALL))


def test_both_locks_name_the_same_versions() -> None:
    everything = pins(ALL)
    assert {name: everything.get(name) for name in pins(PLAY)} == pins(PLAY)


@pytest.mark.parametrize("lock", [PLAY, ALL])
def test_every_package_is_pinned_by_hashes(lock: str) -> None:
    packages = re.split(r"\n(?=[\w.-]+==)", (ROOT / lock).read_text("utf-8"))
    assert len(packages) > 20
    assert all(re.search(r"--hash=sha256:[0-9a-f]{64}", package) for package in packages)
