"""Two versions of the package at one table."""

import shutil
from pathlib import Path

import pytest

import kibitz
from kibitz.engine.errors import KibitzError
from kibitz.lab import versions


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A version whose greedy bots like best in Kolpa! what they should like least."""
    folder = tmp_path_factory.mktemp("other") / "src"
    shutil.copytree(Path(kibitz.__file__).parent, folder / "kibitz")
    file = folder / "kibitz" / "games" / "kolpa" / "heuristics.py"
    text = file.read_text(encoding="utf-8")
    assert "LAID = 27" in text
    file.write_text(text.replace("LAID = 27", "LAID = -27"), encoding="utf-8")
    return folder


def test_a_version_that_knows_better_wins(other: Path) -> None:
    shares = versions.compare([versions.HERE, other], ["medium", "medium"], "kolpa", 20)
    assert len(shares) == 5
    assert sum(shares) / len(shares) > 0.8


def test_the_same_version_on_both_sides_wins_half_of_its_deals() -> None:
    """More or less: `medium` decides between equals by chance."""
    shares = versions.compare([versions.HERE] * 2, ["medium", "medium"], "kolpa", 24)
    assert 0.3 < sum(shares) / len(shares) < 0.7


def test_a_version_that_does_not_know_the_bot_ends_it(
    other: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(KibitzError, match="has stopped"):
        versions.compare([versions.HERE, other], ["medium", "grandmaster"], "kolpa", 4)
    said = capfd.readouterr().err
    assert "kibitz: there is no bot 'grandmaster'" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["chess", "."], "there is no game chess"),
        (["kolpa", "."], "there is no kibitz in ."),
        (["kolpa", str(versions.HERE), "--games", "0"], "--games must be at least 1"),
        (["kolpa", str(versions.HERE), "--bot", "grandmaster"], "there is no bot 'grandmaster'"),
    ],
)
def test_bad_input_is_refused_with_a_reason(
    words: list[str],
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["versions", *words])
    with pytest.raises(SystemExit) as ended:
        versions.main()
    assert ended.value.code == 2
    assert reason in capsys.readouterr().err
