"""How long the lobby takes when much is stored, from the shell."""

import json
from pathlib import Path

import pytest

from kibitz.cli import main


def test_a_store_is_filled_and_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "stored.db"
    words = ["loadtest", "--stored", "1000", "--store", str(file), "--json"]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["stored_tables"] == 1000
    assert (found["lobby_listed"], found["mine_listed"]) == (20, 100)
    assert 0 < found["lobby_p50_ms"] <= found["lobby_p99_ms"]
    assert main(words) == 2  # it is not empty any more
    assert "give a store that is empty" in capsys.readouterr().err


@pytest.mark.parametrize("words", [["--stored", "5"], ["--store", "x.db"]])
def test_what_makes_no_sense_is_told(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["loadtest", *words]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
