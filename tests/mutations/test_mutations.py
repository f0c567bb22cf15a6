"""Mistakes are planted as they should be, and the games' tests notice a sample of them."""

import ast
import json
import time
from pathlib import Path

import pytest

from mutations.__main__ import chosen, main, report, survivors_in, tried
from mutations.plant import Mutant, mutants
from mutations.trial import HUNG, NOTICED, SURVIVED, Probe, Trial, baseline, modules

RULE = '''
"""A module of rules, 7 lines long."""
from kibitz.engine.seats import next_seat
RED, BLUE = range(2)
MOST = 5

def draw(s: State, me: int) -> int:
    """Draw 3 cards."""
    n: int = 0
    while n < MOST and not s.over:
        take(s, me)
        n += 1
    if n == 1:
        return next_seat(s, me)
    return -n if s.low else n & 6
'''
WANTED = {
    "`6` for `5`",
    "`n <= MOST` for `n < MOST`",
    "`not s.over` for `n < MOST and (not s.over)`",
    "`n < MOST` for `n < MOST and (not s.over)`",
    "`s.over` for `not s.over`",
    "`False` for `n < MOST and (not s.over)`",
    "leave out `take(s, me)`",
    "`take(s, (me + 1) % s.players)` for `take(s, me)`",
    "leave out `n += 1`",
    "`n -= 1` for `n += 1`",
    "`2` for `1`",
    "`n != 1` for `n == 1`",
    "`True` for `n == 1`",
    "`False` for `n == 1`",
    "`(me + -1) % s.players` for `next_seat(s, me)`",
    "`n` for `-n`",
    "`True` for `s.low`",
    "`False` for `s.low`",
    "`n | 6` for `n & 6`",
    "`7` for `6`",
    "`1` for `0`",
}


def in_a_file(folder: Path) -> list[Mutant]:
    file = folder / "rules.py"
    file.write_text(RULE)
    return mutants(file)


def test_every_kind_of_mistake_is_planted_and_no_other(tmp_path: Path) -> None:
    found = in_a_file(tmp_path)
    assert sorted({mutant.what for mutant in found}) == sorted(WANTED)


def test_a_mutant_differs_by_its_mistake_alone(tmp_path: Path) -> None:
    right = ast.unparse(ast.parse(RULE)).splitlines()
    for mutant in in_a_file(tmp_path):
        wrong = ast.unparse(mutant.tree()).splitlines()
        changed = [a for a, b in zip(right, wrong, strict=True) if a != b]
        assert len(changed) == 1, mutant


def outcome(trial: Trial) -> str:
    while (found := trial.outcome()) is None:
        time.sleep(0.01)
    return found


class Unchanged(Mutant):
    """A mutant without a mistake."""

    def tree(self) -> ast.Module:
        return ast.parse(self.file.read_text("utf-8"))


class Endless(Mutant):
    """A mutant that never comes to an end."""

    def tree(self) -> ast.Module:
        tree = Unchanged(self.file, 0, "", "", 0).tree()
        rule = next(x for x in tree.body if isinstance(x, ast.FunctionDef) and x.name == "legal")
        rule.body = ast.parse("while True:\n    pass").body
        return ast.fix_missing_locations(tree)


@pytest.fixture(scope="module")
def kolpa() -> list[Probe]:
    """Kolpa!'s tests of events: quick ones."""
    return baseline("kolpa", "-k", "events")


def test_a_right_game_survives_its_own_tests(kolpa: list[Probe]) -> None:
    unchanged = Unchanged(modules("kolpa")[0], 0, "legal", "", 0)
    assert outcome(Trial("kolpa", unchanged, kolpa)) == SURVIVED


def test_a_game_that_does_not_come_to_an_end_is_stopped(
    kolpa: list[Probe], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mutations.trial.PATIENCE", 1.0)
    endless = Endless(modules("kolpa")[0], 0, "legal", "", 0)
    assert outcome(Trial("kolpa", endless, kolpa[:2])) == HUNG


def test_events_that_are_not_reported_are_noticed(kolpa: list[Probe]) -> None:
    """A small sample; `make mutations` plants all mistakes in all games."""
    silent = [m for m in mutants(modules("kolpa")[0]) if m.what.startswith("leave out `report")]
    found = tried("kolpa", silent, kolpa, 1, lambda: None)
    assert len(found) > 3
    assert {outcome for _, outcome in found} == {NOTICED}


def test_the_modules_of_a_game_are_those_with_rules() -> None:
    assert [file.name for file in modules("kolpa")] == ["rules.py"]
    assert {file.name for file in modules("viva")} >= {"rules.py", "plays.py"}


def test_again_tries_the_survivors_of_a_report_though_their_lines_have_moved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    every = chosen("kolpa", None, 1)
    some = every[3::20]
    report({"kolpa": [(m, SURVIVED if m in some else NOTICED) for m in every]}, as_json=True)
    data = json.loads(capsys.readouterr().out)
    for survivor in data["kolpa"]["survivors"]:
        survivor["line"] += 7
    file = tmp_path / "report.json"
    file.write_text(json.dumps(data))
    found = chosen("kolpa", None, 1, survivors_in(str(file)))
    assert set(some) <= set(found)
    lines = {(m.what, m.file.read_text("utf-8").splitlines()[m.line - 1]) for m in some}
    assert {(m.what, m.file.read_text("utf-8").splitlines()[m.line - 1]) for m in found} == lines
    assert chosen("ramon", None, 1, survivors_in(str(file))) == []


@pytest.mark.parametrize("text", [None, "no JSON", "[1]", '{"kolpa": {"survivors": [{}]}}'])
def test_what_is_no_report_is_refused_in_one_line(
    text: str | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "report.json"
    if text is not None:
        file.write_text(text)
    monkeypatch.setattr("sys.argv", ["mutations", "--again", str(file)])
    with pytest.raises(SystemExit) as refused:
        main()
    assert refused.value.code == 2
    assert f"{file} is no report" in capsys.readouterr().err.splitlines()[-1]
