"""The documents tell the truth."""

import dataclasses
import doctest
import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import get_args

import pytest

from kibitz.bots import lacks
from kibitz.cli import build_parser
from kibitz.contract.folder import LONGEST_SENTENCE
from kibitz.contract.texts import KEYS, required_keys
from kibitz.engine import action_list, cards, events, gifts, record, rounds, seats, tricks
from kibitz.engine.deck import Deck
from kibitz.engine.events import Events, Weight, Witnesses
from kibitz.engine.lesson import Step
from kibitz.games import find, names
from kibitz.server import protocol
from kibitz.server.settings import Settings
from short import PUBLISHED

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_run(page: Path) -> None:
    """In a process of their own, which does not know the games of the tests."""
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


def test_every_setting_of_a_server_is_documented() -> None:
    text = (ROOT / "docs" / "operators.md").read_text("utf-8")
    for name in Settings.__struct_fields__:
        assert f"| `{name}` |" in text


def test_every_command_and_frame_of_the_protocol_is_documented() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    for command in get_args(protocol.AnyCommand):
        assert f"| `{command.__struct_config__.tag}` |" in text
    for frame in get_args(protocol.AnyFrame):
        assert f"**`{frame.__struct_config__.tag}`**" in text
        for field in frame.__struct_fields__:
            assert re.search(rf"[`\"]{field}[`\"]", text), f"{frame.__name__}.{field}"


def test_every_error_of_the_server_is_documented_and_said_in_every_language() -> None:
    text = (ROOT / "docs" / "protocol.md").read_text("utf-8")
    errors = {
        error
        for file in (ROOT / "src" / "kibitz" / "server").glob("*.py")
        for error in re.findall(r'Refused\(\s*"([a-z_]+)"', file.read_text("utf-8"))
    }
    assert len(errors) > 15
    for error in errors:
        assert f"| `{error}` |" in text
    for file in (ROOT / "web" / "src" / "texts").glob("*.json"):
        said = json.loads(file.read_text("utf-8"))
        assert {f"error_{error}" for error in errors} <= set(said), file.name


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


@pytest.mark.parametrize(
    "module", [cards, gifts, tricks, rounds, events, seats, action_list, lacks]
)
def test_every_function_for_rules_is_documented(module: ModuleType) -> None:
    text = (ROOT / "docs" / "games.md").read_text("utf-8")
    own = [
        name
        for name, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", "") == module.__name__
        if not isinstance(value, type) and not name.startswith("_")
    ]
    assert own
    for name in own:
        assert re.search(rf"`{name}[`(]", text), f"{module.__name__}.{name}"


def test_fields_decks_and_keys_of_texts_are_documented() -> None:
    text = (ROOT / "docs" / "games.md").read_text("utf-8")
    for field in (record.number, record.flag, record.seat, record.seats, record.word, record.kind):
        assert f"| `{field.__name__}(" in text
    for name in (
        "card",
        "cards",
        "index",
        "kind",
        "by_card",
        "kinds_with",
        "words",
        "all",
        "twins",
    ):
        assert hasattr(Deck, name)
        assert f"`DECK.{name}" in text
    for key, meaning in KEYS.items():
        assert f"| `{key}` | {meaning} |" in text.replace("`{", "{").replace("}`", "}")
    for kind in Events().kinds:
        assert f"`{kind.name.upper()}`" in text
    for word in (*Weight, *Witnesses):
        assert f"`{word.name}`" in text


def test_every_section_of_texts_and_all_that_a_step_of_a_lesson_has_is_documented() -> None:
    text = (ROOT / "docs" / "games.md").read_text("utf-8")
    for name in names():
        file = find(name).folder / "texts" / "en.toml"
        for section in tomllib.loads(file.read_text("utf-8")):
            assert re.search(rf"`{section}[.`]", text), f"{section} of {name}"
    for field in dataclasses.fields(Step):
        assert f"| `{field.name}` |" in text
    assert f"{LONGEST_SENTENCE} characters are the most" in text


def test_the_keys_of_texts_that_are_documented_are_those_that_are_required() -> None:
    """Every game's required keys have one of the documented forms, and none is made up."""
    forms = {re.sub("…", r"[^.]+", key.replace(".", r"\.")) for key in KEYS}
    used = set()
    for name in names():
        game = find(name)
        for key in required_keys(game) | {f"reasons.{r}" for r in game.texts.all("en")["reasons"]}:
            fits = {form for form in forms if re.fullmatch(form, key)}
            assert fits, key
            used |= fits
    assert used == forms
