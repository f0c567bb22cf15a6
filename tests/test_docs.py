"""The documents tell the truth."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import kibitz
from kibitz.cli import build_parser
from kibitz.games import find

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
PUBLISHED = [name for name in kibitz.games() if name != "lantern"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_run(page: Path) -> None:
    """In a process of their own, which does not know the tests' sixth game."""
    script = (
        "import doctest, sys\n"
        "flags = doctest.ELLIPSIS\n"
        f"failed, _ = doctest.testfile({str(page)!r}, module_relative=False, optionflags=flags)\n"
        "sys.exit(failed)\n"
    )
    env = {key: value for key, value in os.environ.items() if key != "KIBITZ_GAMES"}
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, env=env
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_readme_has_examples() -> None:
    parser = doctest.DocTestParser()
    assert len(parser.get_examples((ROOT / "README.md").read_text("utf-8"))) >= 8


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        assert target.startswith("http") or (page.parent / target).exists(), target


def test_every_command_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    (commands,) = build_parser()._subparsers._group_actions  # type: ignore[union-attr]
    assert commands.choices
    for command in commands.choices:
        assert f"`kibitz {command}" in text


def test_every_make_target_that_is_told_of_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    told = {
        target
        for page in PAGES
        for target in re.findall(r"(?:`|^    )make ([a-z]+)", page.read_text("utf-8"), re.M)
    }
    assert {"play", "test", "check", "bench"} <= told <= targets


def test_every_form_of_action_is_documented() -> None:
    text = (ROOT / "docs" / "positions.md").read_text("utf-8")
    for name in PUBLISHED:
        for verb in find(name).actions.verbs:
            assert f"`{verb.template}`" in text, f"{name}: {verb.template}"


def test_no_game_is_named_in_the_layers_below_the_games() -> None:
    for layer in ("engine", "art", "texts", "bots"):
        for file in (ROOT / "src" / "kibitz" / layer).rglob("*.py"):
            code = re.sub(r'""".*?"""', "", file.read_text("utf-8"), flags=re.S)
            for name in PUBLISHED:
                assert not re.search(rf"\b{name}\b", code, re.I), f"{file.name} names {name}"
