"""`kibitz think`, `kibitz review`, and bots and hints at the terminal table."""

import json
import random
from pathlib import Path

import pytest

import kibitz
from kibitz.cli import main


@pytest.fixture
def open_match(tmp_path: Path) -> Path:
    file = tmp_path / "open.json"
    file.write_text(kibitz.new("kolpa", players=3, seed=5).save(), "utf-8")
    return file


@pytest.fixture
def finished(tmp_path: Path) -> Path:
    match = kibitz.new("ramon", players=3, seed=4, target=30)
    rng = random.Random(4)
    while not match.over:
        (seat,) = match.to_act
        match.play(seat, rng.choice(match.legal(seat)))
    file = tmp_path / "finished.json"
    file.write_text(match.save(), "utf-8")
    return file


def test_think_lists_every_action(open_match: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["think", str(open_match), "--simulations", "200", "--lang", "en"]) == 0
    text = capsys.readouterr().out
    match = kibitz.load(open_match.read_text("utf-8"))
    (seat,) = match.to_act
    assert all(action in text for action in match.legal(seat))
    assert "%" in text


def test_think_by_time(open_match: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["think", str(open_match), "--seconds", "0.05"]) == 0
    assert "%" in capsys.readouterr().out


def test_review_prints_curves_and_decisions(
    finished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["review", str(finished), "--simulations", "60", "--lang", "de"]) == 0
    assert "gewinnt" in capsys.readouterr().out


def test_review_as_json(finished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(finished), "--simulations", "30", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert set(data) == {"game", "players", "winners", "scores", "start", "moves", "decisive"}
    assert set(data["moves"][0]) == {
        "number", "round", "seat", "action", "chances", "swing", "best", "loss", "error", "claims",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["think", "FINISHED"], "`kibitz review` goes through a finished match"),
        (["review", "OPEN"], "not over yet"),
        (["think", "OPEN", "--seat", "7"], "no seat 7"),
        (["think", "OPEN", "--seconds", "0"], "give the kibitzer some time"),
        (["think", "OPEN", "--simulations", "0"], "at least one simulation"),
        (["review", "FINISHED", "--simulations", "0"], "at least one simulation"),
        (["play", "kolpa", "--bots", "genius"], "no bot 'genius'"),
    ],
)
def test_bad_input_gets_one_line(
    words: list[str],
    says: str,
    open_match: Path,
    finished: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = {"OPEN": str(open_match), "FINISHED": str(finished)}
    assert main([files.get(word, word) for word in words]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_a_hint_at_the_terminal_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("kibitz.cli.play.HINT_SECONDS", 0.05)
    lines = iter(["hint", "1", "quit"])
    monkeypatch.setattr("rich.console.Console.input", lambda *_, **__: next(lines))
    assert main(["play", "kolpa", "--seed", "3", "--bots", "easy,hard,medium"]) == 0
    assert "±" in capsys.readouterr().out
