"""`kibitz report`, as one types it."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from kibitz.cli import main
from kibitz.lab.report.gather import Job, do


def test_a_report_is_a_page_and_a_summary(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "lantern.html"
    words = ["lantern", "--players", "2-3", "--option", "rounds=1,2", "--matches", "4"]
    assert main(["report", *words, "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    html = out.read_text("utf-8")
    for name in ("2 players, rounds=1", "2 players, rounds=2", "3 players, rounds=2"):
        assert f"{name}:\n  Whoever begins wins" in printed
        assert f"<summary>{name}</summary>" in html
    assert printed.endswith(f"The page is in {out}.\n")


def test_the_same_words_give_the_same_page(tmp_path: Path) -> None:
    pages = []
    for name in ("one.html", "other.html"):
        out = tmp_path / name
        words = ["lantern", "--compare", "rounds=1", "players=3,rounds=2", "--matches", "4"]
        assert main(["report", *words, "--out", str(out)]) == 0
        pages.append(out.read_text("utf-8"))
    assert pages[0] == pages[1]
    assert "What is different" in pages[0]


def test_ctrl_c_leaves_a_page_of_what_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(jobs: Sequence[Job], _: object) -> Iterator[tuple[int, Any]]:
        yield 0, do(jobs[0])
        raise KeyboardInterrupt

    monkeypatch.setattr("kibitz.cli.report.gather", stopped)
    out = tmp_path / "x.html"
    assert main(["report", "lantern", "--matches", "600", "--out", str(out)]) == 130
    assert "stopped; this is what was played so far" in capsys.readouterr().err
    assert "250 matches of Lantern" in out.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["chess"], "no game 'chess'"),
        (["kolpa", "--players", "7"], "is for 2 to 6 players, not 7"),
        (["kolpa", "--players", "5-3"], "a range such as 2-6, not '5-3'"),
        (["kolpa", "--players", "many"], "a range such as 2-6, not 'many'"),
        (["kolpa", "--bots", "deep-blue"], "no bot 'deep-blue'"),
        (["kolpa", "--bots", "easy,medium"], "or 4 bots for 4 players"),
        (["kolpa", "--matches", "1"], "at least 2, not 1"),
        (["kolpa", "--option", "target"], "NAME=VALUE"),
        (["kolpa", "--option", "goal=3"], "has no option 'goal'"),
        (["kolpa", "--option", "target=5"], "from 20 to 200, not 5"),
        (["kolpa", "--compare", "target=30", "chess"], "'chess' is neither a game nor an option"),
        (["kolpa", "--compare", "a=1", "b=2", "--option", "target=30,40"], "has one value"),
        (["kolpa", "--out", "no/such/folder/x.html"], "there is no folder"),
        (["kolpa", "--out", "."], "cannot write '.': name a file, not a folder"),
        (["kolpa", "--out", ""], "cannot write '': name a file, not a folder"),
        (["kolpa", "--out", "/proc/x.html"], "cannot write /proc/x.html"),
        (["kolpa", "--players", "2-999999999999"], "is for 2 to 6 players, not 999999999999"),
        (["kolpa", "--option", "target=30", "--option", "target=40"], "target is given twice"),
        (["kolpa", "--compare", "target=30,target=40", "target=50"], "target is given twice"),
        (
            ["kolpa", "--players", "2-3", "--compare", "target=30", "target=40"],
            "one number of players, not '2-3'",
        ),
        (["kolpa", "--compare", "target=30", "target=30"], "are the same; compare two that"),
        (["kolpa", "--compare", "kolpa", "players=4"], "kolpa and players=4 are the same"),
        (["kolpa", "--on", "moon"], "by its address"),
        (["kolpa", "--seed", "-1"], "from 0 to 1073741823, not -1"),
    ],
)
def test_a_mistake_gets_one_line_and_an_exit_code(
    words: list[str],
    says: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kibitz.cli.report.gather", None)  # refused before anything is played
    assert main(["report", "--out", str(tmp_path / "x.html"), *words]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
