"""Puzzles in the terminal, as one types them."""

import pytest

from kibitz.bots.puzzles import read_puzzles
from kibitz.cli import main
from kibitz.games import find
from kibitz.texts.names import BOT_NAMES
from kibitz.texts.phrasebook import Phrasebook
from steps import OF_STEPS
from typing_in import typed

FIRST = read_puzzles(find("kolpa"))[0]


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")  # so that no sentence is broken


def solve(monkeypatch: pytest.MonkeyPatch, *lines: str, lang: str = "en") -> int:
    """Type these lines, then close the input."""
    typed(monkeypatch, *lines)
    return main(["puzzles", "kolpa", "--play", "--lang", lang])


def test_a_wrong_try_is_told_what_it_costs_and_the_right_one_why(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert solve(monkeypatch, FIRST.medium, FIRST.best, "", lang="fr") == 0
    text = capsys.readouterr().out
    names = list(BOT_NAMES)
    names.insert(FIRST.seat, "Invité")
    words = Phrasebook(find("kolpa"), "fr", names)
    lost = FIRST.chances[FIRST.best] - FIRST.chances[FIRST.medium]
    label = words.label(FIRST.medium, FIRST.seat)
    wrong = words.table("puzzle_wrong", action=label, cost=f"{lost:.0%}")
    why = words.why(FIRST.claims, FIRST.seat)
    assert why
    assert text.index(wrong) < text.index(why)
    assert text.count(words.table("puzzle")) == 2  # the next one is asked at once


@pytest.mark.parametrize("line", ["nonsense", "99", "", "joker 3"])
def test_what_cannot_be_done_is_refused_and_may_be_tried_again(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "joker 3" not in FIRST.chances
    assert solve(monkeypatch, line, FIRST.best) == 0
    assert "Well seen!" in capsys.readouterr().out


def test_a_choice_of_several_steps_is_judged_as_a_whole(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In whichever order its steps are taken; what cannot be done on the way is refused."""
    monkeypatch.setattr("kibitz.cli.puzzles.read_puzzles", lambda game: [OF_STEPS])
    wrong, right = ("bid r●2", "done"), ("bid r●3", "nonsense", "bid r●2", "done")
    typed(monkeypatch, *wrong, *right)
    assert main(["puzzles", "kiza", "--play"]) == 0
    text = capsys.readouterr().out
    words = Phrasebook(find("kiza"), "en", ("Guest", *BOT_NAMES))
    label = words.choice(("bid r●2", "done"), 0)
    assert label == f"{words.label('bid r●2', 0)}, {words.label('done', 0)}"
    cost = words.table("puzzle_wrong", action=label, cost="20%")
    no = words.table("refused", reason="")
    assert text.index(cost) < text.index(no.strip()) < text.index(words.why(OF_STEPS.claims, 0))
    assert text.count("costs about") == 1


def test_a_game_without_puzzles_says_how_to_find_some(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["puzzles", "lantern", "--play"]) == 2
    error = capsys.readouterr().err
    assert "`kibitz puzzles lantern`" in error
    assert error.count("\n") == 1


def test_whoever_wants_to_leave_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert solve(monkeypatch, "?", "quit", "nobody is asked for this") == 0
    text = capsys.readouterr().out
    assert text.count(find("kolpa").texts.say("en", "table.puzzle")) == 2
    assert text.rstrip().endswith("Goodbye.")
