"""What authors of games are given: a folder that runs at once, and a check that says what is up."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE

import pytest

from effort import tried
from kibitz.cli import main
from kibitz.cli.new_game import new_game


def kibitz(folder: Path | str, *words: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, which looks for games in a folder."""
    env = {**os.environ, "KIBITZ_GAMES": str(folder), "COLUMNS": "100"}
    return subprocess.run(
        [sys.executable, "-m", "kibitz", *words], capture_output=True, text=True, check=False,
        env=env,
    )  # fmt: skip


@pytest.fixture
def sample(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A new game."""
    assert new_game("sample", str(tmp_path)) == 0
    assert f"KIBITZ_GAMES={tmp_path} kibitz check sample" in capsys.readouterr().out
    return tmp_path / "sample"


def test_a_new_game_is_complete_can_be_checked_and_is_played_by_bots(sample: Path) -> None:
    checked = kibitz(sample.parent, "check", "sample")
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "sample keeps all" in checked.stdout
    words = ["arena", "sample", "medium", "random", "--games", "2"]
    assert kibitz(sample.parent, *words).returncode == 0
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(sample)],
        capture_output=True, text=True, check=False,
        env={**os.environ, "KIBITZ_GAMES": str(sample.parent)},
    )  # fmt: skip
    assert tested.returncode == 0, tested.stdout


def test_nothing_of_the_examples_name_is_left(sample: Path) -> None:
    for file in sample.rglob("*"):
        assert "lantern" not in file.name
        assert file.is_dir() or "lantern" not in file.read_text("utf-8").lower()


def edited(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


def a_mistyped_field(game: Path) -> None:
    edited(game / "rules.py", "s.stopped = 0", "s.stoped = 0")


def a_number_too_large(game: Path) -> None:
    edited(game / "rules.py", "s.stopped = 0", "s.stopped = 1000")


def a_missing_text(game: Path) -> None:
    edited(game / "texts" / "en.toml", 'stop = "{who} stops."', "")
    edited(game / "texts" / "nl.toml", 'tagline = "', 'slogan = "')


def bad_toml(game: Path) -> None:
    edited(game / "texts" / "fr.toml", "[zones]", "[zones")


def a_missing_rulebook(game: Path) -> None:
    (game / "rulebook" / "es.md").unlink()


def a_rule_without_a_test(game: Path) -> None:
    edited(game / "tests" / "test_sample_rules.py", '"SAMPLE-E1", ', "")


def a_zone_without_a_place(game: Path) -> None:
    edited(game / "tabletop.py", '        "draw": Place(Look.COUNTER),\n', "")


def a_quiet_word_without_a_button(game: Path) -> None:
    edited(game / "tabletop.py", '("stop",)},\n)', '("stop",)},\n    quiet=("halt",),\n)')


def a_syntax_error(game: Path) -> None:
    edited(game / "rules.py", "    s.due = only(0)", "    s.due = = only(0)")


def a_name_unlike_its_folder(game: Path) -> None:
    edited(game / "__init__.py", 'name="sample"', 'name="solitaire"')


def nobody_due(game: Path) -> None:
    edited(game / "rules.py", "    s.due = only(0)", "    s.due = 0")


def all_over_the_folder(game: Path) -> None:
    """And in the rules, so that they are not compiled."""
    a_missing_text(game)
    a_missing_rulebook(game)
    a_rule_without_a_test(game)
    a_zone_without_a_place(game)
    a_quiet_word_without_a_button(game)
    nobody_due(game)


def words_that_mislead(game: Path) -> None:
    edited(game / "tabletop.py", '("lay", "stop"), "turn_stop"', '("lay",), "turn_stop"')
    edited(game / "texts" / "fr.toml", "\u00a0: la manche", " : la manche")
    edited(game / "texts" / "en.toml", "higher than {number}", "higher than {value}")
    edited(game / "rulebook" / "de.md", "5. ", "")
    edited(game / "rulebook" / "es.md", "**Rondas** (`rounds`)", "`rounds`")
    edited(game / "lesson.toml", 'light = ["hand/2"]', 'light = ["hand/6"]')
    nobody_due(game)


def in_toml_and_in_the_rules(game: Path) -> None:
    bad_toml(game)
    nobody_due(game)


@pytest.mark.parametrize(
    ("mistake", "says"),
    [
        (a_mistyped_field, ["rules.py, line 45", "no field 'stoped'", "did you mean 'stopped'"]),
        (a_number_too_large, ["rules.py, line 45", "stopped = 1000 is outside", "larger type"]),
        (
            all_over_the_folder,
            [
                "texts/en.toml lacks log.stop", "texts/nl.toml lacks tagline",
                "lacks rulebook/es.md", "rules without a test that proves them: SAMPLE-E1",
                "places and zones differ in draw", "'halt' is quiet, but no button",
                "nobody is due, and the round is not over",
            ],
        ),
        (
            words_that_mislead,
            [
                "prompts.turn says stop", "explain.number has the gaps value",
                "a plain space stands before", "['events.all_stopped']",
                "rulebook/de.md: its first chapter must say how to play in 5 lines",
                "rulebook/es.md: beside `rounds` must stand what the table calls it, 'Rondas'",
                "lesson.toml: lay: there is no ['hand/6'] to light up",
            ],
        ),
        (in_toml_and_in_the_rules, ["texts/fr.toml is no TOML", "line "]),
        (a_syntax_error, ["rules.py, line 46: SyntaxError"]),
        (a_name_unlike_its_folder, ["'solitaire' by its identity card; both must be the same"]),
    ],
)  # fmt: skip
def test_a_mistake_is_found_and_told_in_a_few_lines(
    sample: Path, mistake: Callable[[Path], None], says: list[str]
) -> None:
    mistake(sample)
    checked = kibitz(sample.parent, "check", "sample")
    for text in says:
        assert text in checked.stdout
    assert checked.returncode == 1
    assert "Traceback" not in checked.stdout + checked.stderr
    assert len(checked.stdout.splitlines()) < 30


def test_a_rule_that_cannot_be_compiled_is_told_in_a_few_lines(sample: Path) -> None:
    """It runs in plain Python, but is not marked as a rule."""
    edited(sample / "rules.py", "@rule\ndef climbing", "def climbing")
    checked = kibitz(sample.parent, "check", "sample")
    assert checked.returncode == 1
    assert "rules.py, line" in checked.stdout
    assert "climbing" in checked.stdout
    assert "marked @rule" in checked.stdout
    assert len(checked.stdout.splitlines()) < 12


@pytest.mark.parametrize(
    "mistake", tried([bad_toml], [a_syntax_error, bad_toml, a_name_unlike_its_folder])
)
def test_one_broken_game_does_not_hide_the_others(
    sample: Path, mistake: Callable[[Path], None]
) -> None:
    mistake(sample)
    listed = kibitz(sample.parent, "games", "--lang", "fr")
    assert listed.returncode == 0
    assert "kolpa" in listed.stdout
    assert "kibitz check sample" in listed.stderr
    assert listed.stderr.count("\n") == 1
    env = {**os.environ, "KIBITZ_GAMES": str(sample.parent)}
    words = [sys.executable, "-m", "kibitz", "serve", "--port", "0", "--store", f"{sample}.db"]
    with subprocess.Popen(words, env=env, stdout=PIPE, stderr=PIPE, text=True) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        base = next(line for line in server.stdout if "http://" in line).split()[4]
        with urllib.request.urlopen(f"{base}api/games") as answer:
            offered = [game["name"] for game in json.loads(answer.read())["games"]]
        server.terminate()
        assert "kibitz check sample" in server.stderr.read()
    assert "kolpa" in offered
    assert "sample" not in offered
    played = kibitz(sample.parent, "rules", "sample", "--lang", "fr")
    assert (played.returncode == 2) == (mistake is not bad_toml)
    assert "Traceback" not in played.stderr


@pytest.mark.parametrize(
    ("folder", "says"),
    [("nowhere", "which is no folder"), ("sample", "name the folder it is in"),
     ("sample/texts", "no folder has an __init__.py")],
)  # fmt: skip
def test_a_wrong_folder_of_games_is_told(sample: Path, folder: str, says: str) -> None:
    listed = kibitz(sample.parent / folder, "games")
    assert listed.returncode == 0
    assert says in listed.stderr
    unknown = kibitz(sample.parent / folder, "check", "sample")
    assert unknown.returncode == 2
    assert says in unknown.stderr
    assert unknown.stderr.count("\n") == 1


def test_a_game_that_another_hides_is_told(tmp_path: Path) -> None:
    (tmp_path / "kolpa").mkdir()
    (tmp_path / "kolpa" / "__init__.py").touch()
    assert "kolpa is not used: there is another kolpa" in kibitz(tmp_path, "games").stderr


@pytest.mark.parametrize(
    ("name", "says"),
    [("Sample", "small letters"), ("my game", "small letters"), ("x", "small letters"),
     ("été", "small letters"), ("a" * 21, "small letters"), ("class", "a word of Python"),
     ("kolpa", "already"), ("../up", "small letters")],
)  # fmt: skip
def test_a_name_that_cannot_be_is_refused_in_one_line(
    name: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-game", name, "--in", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_left_alone(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (sample / "rules.py").read_text("utf-8")
    (sample / "rules.py").write_text("mine", "utf-8")
    assert main(["new-game", "sample", "--in", str(sample.parent)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert (sample / "rules.py").read_text("utf-8") == "mine" != before
    assert main(["new-game", "sample", "--in", "/dev/null"]) == 2
    assert "cannot write" in capsys.readouterr().err
