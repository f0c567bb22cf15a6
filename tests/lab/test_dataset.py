"""Decisions as a table: what a seat knew, could do and did, and what came of it."""

import errno
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.cli import main
from kibitz.engine.errors import KibitzError
from kibitz.lab.dataset import Dataset, Writer, decisions, jobs, read
from kibitz.lab.self_play import Setup, play_deals

EXAMPLE = Path(__file__).parent.parent.parent / "examples" / "learn_offline.py"
SETUP = Setup("kolpa", ("medium", "random", "random"), (("target", "20"),), seed=3)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    file = tmp_path_factory.mktemp("data") / "kolpa.parquet"
    with Writer(file, SETUP) as writer:
        for number, job in enumerate(jobs(SETUP, 6)):
            writer.add(number, decisions(*job))
    return read(file)


def test_every_decision_among_several_actions_is_there(data: Dataset) -> None:
    records = play_deals(SETUP, 0, 2)
    assert len(data.actions) == records.choices[2:].sum()
    assert (data.masks.sum(axis=1) > 1).all()
    assert (data.masks[np.arange(len(data.actions)), data.actions] == 1).all()
    assert sorted(set(data.matches.tolist())) == list(range(6))
    for match in range(6):
        numbers = data.numbers[data.matches == match]
        assert (np.diff(numbers) > 0).all()
        assert numbers[-1] < records.matches["actions"][match]


def test_what_came_of_it_is_how_the_match_ended(data: Dataset) -> None:
    records = play_deals(SETUP, 0, 2).matches
    for row, match in enumerate(data.matches.tolist()):
        seat, winners = int(data.seats[row]), int(records["winners"][match])
        assert data.scores[row] == records["total"][match][seat]
        if winners.bit_count() == 1:
            assert data.rewards[row] == (1 if winners >> seat & 1 else -0.5)


def test_observations_are_what_the_seat_sees(data: Dataset) -> None:
    """KOLPA-S1: five cards are in the own hand and in those of the others when a match begins."""
    sections = data.about["sections"]
    for match in range(6):
        first = int(np.flatnonzero(data.matches == match)[0])
        if data.numbers[first] == 0:
            for steps in range(3):
                assert data.observations[first][sections[f"hand.+{steps}"][0]] == 5
            offset, length = sections["hand.+0"]
            own = data.observations[first][offset + 1 : offset + 1 + (length - 1) // 2]
            assert own.sum() == 5


def test_a_file_says_what_it_is_of(data: Dataset) -> None:
    about = data.about
    assert (about["game"], about["players"], about["seed"]) == ("kolpa", 3, 3)
    assert about["options"] == {"target": 20}
    assert about["bots"] == ["medium", "random", "random"]


def test_a_file_is_the_same_in_whatever_order_its_parts_come(tmp_path: Path) -> None:
    setup = Setup("lantern", ("medium",) * 3)
    tables = [(n, decisions(setup, n, 1)) for n in range(4)]
    files = []
    for name, order in (("one", [0, 1, 2, 3]), ("other", [2, 0, 3, 1])):
        files.append(tmp_path / name)
        with Writer(files[-1], setup) as writer:
            for n in order:
                writer.add(*tables[n])
    assert files[0].read_bytes() == files[1].read_bytes()


def test_what_came_in_order_is_kept_when_the_work_is_stopped(tmp_path: Path) -> None:
    setup, file = Setup("lantern", ("medium",) * 3), tmp_path / "x.parquet"

    def stop(*numbers: int) -> None:
        with Writer(file, setup) as writer:
            for n in numbers:
                writer.add(n, decisions(setup, n, 1))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stop(1)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(KeyboardInterrupt):
        stop(0, 2)
    assert set(read(file).matches.tolist()) == {0}


def test_the_command_and_the_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "kolpa.parquet"
    words = ["kolpa", "--players", "2", "--option", "target=20", "--matches", "30"]
    assert main(["dataset", *words, "--out", str(file)]) == 0
    assert re.search(r"^[\d,]+ decisions are in ", capsys.readouterr().out)
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), str(file)], capture_output=True, text=True, check=True
    )
    alike, by_chance = map(int, re.findall(r"(\d+)%", done.stdout))
    assert alike > by_chance + 10


def test_a_full_disk_is_told_in_one_line_and_leaves_nothing_half_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(writer: Any, *_: object) -> None:
        writer.is_open = False  # or it would be closed again when it is collected
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("pyarrow.parquet.ParquetWriter.write_table", full)
    monkeypatch.setattr("pyarrow.parquet.ParquetWriter.close", full)
    file = tmp_path / "x.parquet"
    assert main(["dataset", "kolpa", "--matches", "2", "--out", str(file)]) == 2
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said.endswith(f"cannot write {file}: No space left on device")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["kolpa", "--matches", "0"], "at least 1, not 0"),
        (["kolpa", "--option", "target=20,30"], "an option has one value here"),
        (["kolpa", "--players", "9"], "is for 2 to 6 players, not 9"),
        (["kolpa", "--players", "0"], "is for 2 to 6 players, not 0"),
        (["kolpa", "--players", "-3"], "is for 2 to 6 players, not -3"),
        (["kolpa", "--players", "99999999999"], "is for 2 to 6 players, not 99999999999"),
        (["kolpa", "--option", "target=20", "--option", "target=30"], "target is given twice"),
        (["kolpa", "--out", "."], "name a file, not a folder"),
        (["kolpa", "--out", "/"], "name a file, not a folder"),
        (["kolpa", "--bots", "deep-blue"], "no bot 'deep-blue'"),
        (["kolpa", "--out", "no/such/folder/x.parquet"], "cannot write no/such/folder"),
    ],
)
def test_a_mistake_gets_one_line(
    words: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["dataset", "--out", str(tmp_path / "x.parquet"), *words]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_what_is_no_such_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x"
    with pytest.raises(KibitzError, match=r"cannot read .*: No such file"):
        read(file)
    file.write_text("not a table")
    with pytest.raises(KibitzError, match="it is not a whole Parquet file"):
        read(file)
