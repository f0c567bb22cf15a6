"""Lessons in the terminal, as one types them."""

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from kibitz.cli import main
from kibitz.engine.errors import BrokenGame
from kibitz.engine.game import Game
from kibitz.engine.lesson import read_lesson, scenes
from kibitz.games import find, names
from typing_in import typed


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")  # so that no sentence is broken
    monkeypatch.delenv("LANG", raising=False)


def learn(monkeypatch: pytest.MonkeyPatch, game: str, *lines: str, lang: str = "en") -> int:
    """Type these lines, one for each question; whoever types no more closes the input."""
    typed(monkeypatch, *lines)
    return main(["learn", game, "--lang", lang])


def asked_for(game: str) -> Iterator[str]:
    """What a lesson asks for, line by line; an empty line where there is only something to read."""
    lesson = read_lesson(find(game))
    assert lesson is not None
    for step in lesson.steps:
        yield from step.do or ("",)


@pytest.mark.parametrize("game", names())
def test_whoever_types_what_is_asked_for_gets_to_the_end(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert learn(monkeypatch, game, *asked_for(game)) == 0
    text = capsys.readouterr().out
    lesson = read_lesson(find(game))
    assert lesson is not None
    for step in lesson.steps:
        assert find(game).texts.say("en", f"lesson.{step.name}") in text
    assert text.rstrip().endswith(f"That was the lesson. Now play: kibitz play {game}")


def test_an_action_may_be_chosen_by_its_number_or_typed_on_a_plain_keyboard(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    learn(monkeypatch, "kiza", "", "present ro10", "ready", "", "1")
    assert find("kiza").texts.say("en", "lesson.bid") in capsys.readouterr().out


def test_something_else_is_answered_kindly_and_may_be_tried_again(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    learn(monkeypatch, "kolpa", "", "kol r5", "kolpa y1", "kolpa g4", "")
    text = capsys.readouterr().out
    kind, duty = (find("kolpa").texts.say("en", f"lesson.{key}") for key in ("kolpa_wrong", "duty"))
    assert text.index(kind) < text.index(duty)


@pytest.mark.parametrize("line", ["kol g4", "nonsense", "99", ""])
def test_what_cannot_be_done_is_refused_and_may_be_tried_again(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    learn(monkeypatch, "kolpa", "", line, "kol r5")
    assert find("kolpa").texts.say("en", "lesson.kolpa") in capsys.readouterr().out


def test_the_steps_of_a_choice_may_be_taken_in_any_order_but_for_the_last(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["", "colour yellow", "play g1", ""]
    series = ["series g7", "series high", "series g7", "done"]
    learn(monkeypatch, "zocken", *lines, *series)
    assert find("zocken").texts.say("en", "lesson.low") in capsys.readouterr().out


def test_a_question_mark_says_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    learn(monkeypatch, "viva", "", "?")
    assert capsys.readouterr().out.splitlines().count("Play yellow-green into house 1") == 1


def test_what_is_asked_for_is_said_again_after_something_else(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    learn(monkeypatch, "kolpa", "", "nonsense")
    first_task = find("kolpa").texts.say("en", "lesson.kol")
    assert capsys.readouterr().out.replace("\n", " ").count(first_task) == 2


def test_whoever_closes_the_input_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    assert learn(monkeypatch, "viva", "") == 0


@pytest.mark.parametrize("lines", [("quit",), ("", "quit"), ("", "Q"), ("", "exit")])
def test_whoever_says_so_leaves(
    lines: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert learn(monkeypatch, "viva", *lines, "nobody is asked for this") == 0
    text = capsys.readouterr().out
    assert "Not allowed" not in text
    assert text.rstrip().endswith("Goodbye.")


def test_a_game_without_a_lesson_says_what_there_is_instead(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("kibitz.cli.learn.read_lesson", lambda game: None)
    assert main(["learn", "kolpa"]) == 2
    assert "read its rules with `kibitz rules kolpa`" in capsys.readouterr().err


def play_through(game: Game) -> None:
    lesson = read_lesson(game)
    assert lesson is not None
    assert list(scenes(game, lesson))


FIRST = '''
[[step]]
name = "aim"
position = """
kolpa 2 target=50
due: 0
hand.0: r5 b2
hand.1: b5 b3
discard: r3
draw: *
"""
'''


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("[[step]]\nname = 'aim'", "the first [[step]] needs a position"),
     ("[[step]\n", "is no TOML"),
     (FIRST + "says = 'x'", "not ['says']"),
     (FIRST + "then = ['kol b5']", "write what others do as `SEAT ACTION`, not 'kol b5'"),
     (FIRST + "do = ['kol b2']", "step 'aim': "),
     (FIRST + "do = ['kol r5']\nthen = ['1 kol b5, kol b3']", "step 'aim': ")],
)  # fmt: skip
def test_a_lesson_that_cannot_be_played_says_where(
    text: str, complaint: str, tmp_path: Path
) -> None:
    (tmp_path / "lesson.toml").write_text(text, "utf-8")
    game = dataclasses.replace(find("kolpa"), folder=tmp_path)
    with pytest.raises(BrokenGame) as refused:
        play_through(game)
    assert complaint in str(refused.value)
    assert "lesson.toml" in str(refused.value)
