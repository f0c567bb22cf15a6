"""`kibitz arena`, as one types it."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Timer
from typing import Any

import pytest

from kibitz.cli import main

FIGURES = [
    "bot", "win_share", "win_share_low", "win_share_high", "mean_score", "mean_place", "rating",
]  # fmt: skip


def played(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["arena", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_json_has_the_shape_that_is_promised(capsys: pytest.CaptureFixture[str]) -> None:
    told = played(capsys, "kolpa", "medium", "random", "random", "random", "--games", "38")
    assert list(told) == ["game", "games", "seconds", "results"]
    assert (told["game"], told["games"]) == ("kolpa", 40)
    assert told["seconds"] > 0
    assert [result["bot"] for result in told["results"]] == ["medium", *["random"] * 3]
    for result in told["results"]:
        assert list(result) == FIGURES
        assert 0 <= result["win_share_low"] <= result["win_share"] <= result["win_share_high"] <= 1
    assert sum(result["win_share"] for result in told["results"]) == pytest.approx(1, abs=0.001)
    assert sum(result["mean_place"] for result in told["results"]) == pytest.approx(10, abs=0.001)
    best = told["results"][0]
    assert best["win_share_low"] > 0.5, "medium beats random"
    assert best["rating"] > max(result["rating"] for result in told["results"][1:])


def test_the_same_words_give_the_same_figures(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["kolpa", "hard", "easy", "--games", "4", "--simulations", "4", "--seed", "9"]
    one, other = (played(capsys, *words) for _ in range(2))
    assert one.pop("seconds")
    assert other.pop("seconds")
    assert one == other


def test_the_table_names_every_bot(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert main(["arena", "kolpa", "easy", "random", "--games", "1"]) == 0
    text = capsys.readouterr().out
    for expected in ("Kolpa!: 2 matches", "easy", "random", "win share", "95 % interval", "rating"):
        assert expected in text


@pytest.mark.parametrize("as_json", [True, False])
def test_all_runs_the_ladder(
    as_json: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.cli.arena.names", lambda: ["lantern"])
    monkeypatch.setenv("COLUMNS", "120")
    words = ["arena", "--all", "--games", "1", "--simulations", "2"]
    assert main([*words, "--json"] if as_json else words) == 0
    text = capsys.readouterr().out
    if as_json:
        bots = [[result["bot"] for result in one["results"]] for one in json.loads(text)]
        assert [names[:2] for names in bots] == [
            ["medium", "random"], ["hard", "medium"], ["expert", "medium"],
        ]  # fmt: skip
    else:
        assert "3 × medium" in text


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "name a game and its bots, or say --all"),
        (["chess", "random", "random"], "no game 'chess'"),
        (["kolpa"], "Kolpa! is for 2 to 6 players, so name 2 to 6 bots, not 0"),
        (["zocken", "random", "random"], "Zocken is for 3 to 5 players, so name 3 to 5 bots, not"),
        (["kolpa", "random", "deep-blue"], "no bot 'deep-blue'"),
        (["kolpa", "deep-blue"], "no bot 'deep-blue'"),  # not: too few of them
        (["kolpa", "random", "random", "--games", "0"], "at least 1, not 0"),
        (["kolpa", "random", "random", "--seconds", "-1"], "more than 0, not -1"),
        (["kolpa", "random", "random", "--simulations", "0"], "at least 1, not 0"),
        (["--all", "--games", "-3"], "at least 1, not -3"),
        (["kolpa", "--all"], "name no game and no bots"),
    ],
)
def test_a_mistake_gets_one_line_and_an_exit_code(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", *words]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_seconds_and_simulations_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["arena", "kolpa", "hard", "hard", "--seconds", "1", "--simulations", "5"])
    assert end.value.code == 2
    assert "not allowed with" in capsys.readouterr().err


def test_help_says_that_games_are_rounded_up(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["arena", "--help"])
    assert "rounded up" in capsys.readouterr().out


def press_ctrl_c(group: int) -> None:
    """As a terminal does: to the command and all that it has started."""
    os.killpg(group, signal.SIGINT)


def stop(
    words: list[str], when: str, by: Callable[[int], None] = press_ctrl_c, *, deaf: bool = False
) -> tuple[int, str, str]:
    """Stop the command when the terminal shows this; exit code, standard output, what was shown.

    The exit code is the one that a shell would tell: Python ends by the signal itself if it was
    running text when Ctrl-C came, as dataclasses do while they are imported.
    `deaf`: a script has started it in the background, which has it ignore Ctrl-C.
    """
    terminal, stderr = pty.openpty()
    command = [sys.executable, "-m", "kibitz", "arena", *words]
    if deaf:
        command = ["sh", "-c", "trap '' INT; exec \"$@\"", "sh", *command]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=stderr, text=True, start_new_session=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120"},
    )  # fmt: skip
    os.close(stderr)
    alarm = Timer(60, os.killpg, (process.pid, signal.SIGKILL))
    alarm.start()
    shown, stopped = "", False
    with suppress(OSError):  # so a terminal tells that the command has ended
        while text := os.read(terminal, 4096).decode("utf-8", "replace"):
            shown += text
            if not stopped and re.search(when, shown):
                by(process.pid)
                stopped = True
    os.close(terminal)
    alarm.cancel()
    out, _ = process.communicate(timeout=30)
    code = process.returncode
    return 128 - code if code < 0 else code, out, shown


def test_ctrl_c_prints_what_is_there() -> None:
    words = ["kolpa", "random", "random", "--games", "1000000", "--json"]
    code, out, shown = stop(words, when=r"\b[1-9]\d+/1000000")
    assert code == 130
    assert "kibitz: stopped; this is what was played so far" in shown
    assert "Traceback" not in shown
    told = json.loads(out)
    assert 0 < told["games"] < 1_000_000
    assert told["games"] % 2 == 0


def test_ctrl_c_does_not_wait_for_a_move() -> None:
    code, out, shown = stop(["kolpa", "expert", "expert", "--seconds", "1000"], when="0:00:02")
    assert (code, out) == (130, "")
    assert "kibitz: stopped; no match had ended" in shown
    assert "Traceback" not in shown


def test_ctrl_c_is_heard_by_a_command_that_a_script_has_started_in_the_background() -> None:
    words = ["kolpa", "expert", "expert", "--seconds", "1000"]
    code, _, shown = stop(words, when="0:00:02", deaf=True)
    assert code == 130
    assert "kibitz: stopped; no match had ended" in shown


def test_workers_end_by_themselves_when_the_command_is_killed() -> None:
    """Nothing is left that could hold the terminal: it is closed by all, soon."""
    killed: list[float] = []

    def kill(command: int) -> None:
        os.kill(command, signal.SIGKILL)
        killed.append(time.monotonic())

    code, _, _ = stop(["kolpa", "expert", "expert", "--seconds", "1000"], "0:00:02", by=kill)
    assert code == 128 + signal.SIGKILL
    assert time.monotonic() - killed[0] < 10
