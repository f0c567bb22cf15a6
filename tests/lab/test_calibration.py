"""Reliability on made-up samples, where the truth is known."""

import math
import random
from pathlib import Path

import pytest

from kibitz.bots.kibitzer import calibrated
from kibitz.cli import main
from kibitz.games import find
from kibitz.lab.calibration import (
    Sample,
    correction,
    opinions,
    plot,
    reliability,
    sitting,
    spread,
)

Samples = list[Sample]


def apart(samples: Samples) -> list[Samples]:
    """Each sample from a match of its own."""
    return [[sample] for sample in samples]


def test_honest_chances_lie_on_the_diagonal() -> None:
    rng = random.Random(1)
    samples = [Sample(c, float(rng.random() < c)) for c in (rng.random() for _ in range(20_000))]
    bins = reliability(apart(samples))
    assert len(bins) == 11
    assert sum(b.positions for b in bins) == len(samples)
    assert all(abs(b.given - b.won) < 2 * b.error for b in bins)


def test_boastful_chances_are_found_out() -> None:
    rng = random.Random(2)
    samples = [Sample(0.75, float(rng.random() < 0.5)) for _ in range(2_000)]
    (only,) = reliability(apart(samples))
    assert only.given == pytest.approx(0.75)
    assert only.won + only.error < 0.6


def test_a_certain_win_is_in_the_last_bin() -> None:
    (only,) = reliability([[Sample(1.0, 1.0)]])
    assert only.given == 1.0


def test_opinions_of_a_match_are_chances_and_outcomes() -> None:
    samples = opinions("lantern", seed=3)
    assert all(0 <= given <= 1 and 0 <= won <= 1 for given, won, _ in samples)


def test_the_kibitzer_thinks_as_much_as_is_asked_for() -> None:
    """About the same decisions of the same match."""
    short, long = (opinions("lantern", 3, simulations) for simulations in (20, 200))
    assert [sample.won for sample in short] == [sample.won for sample in long]
    assert [sample.given for sample in short] != [sample.given for sample in long]
    assert long == opinions("lantern", 3, 200)


def test_a_match_counts_once_however_often_it_is_asked() -> None:
    rng = random.Random(5)
    matches = [[Sample(0.7, float(rng.random() < 0.7))] * 20 for _ in range(100)]
    (bin_,) = reliability(matches)
    assert (bin_.positions, bin_.matches) == (2_000, 100)
    (single,) = reliability([match[:1] for match in matches])
    assert bin_.error == pytest.approx(single.error)
    assert 0.08 < bin_.error < 0.11  # 1.96 × √(0.7 × 0.3 / 100)


def test_decisions_are_asked_evenly_over_the_match() -> None:
    assert spread(range(100), 4) == [12, 37, 62, 87]
    assert spread("abc", 24) == ["a", "b", "c"]
    assert spread([], 24) == []


def test_the_plot_is_a_picture(tmp_path: Path) -> None:
    file = tmp_path / "plot.svg"
    plot({"lantern": reliability([[Sample(0.2, 0.0), Sample(0.8, 1.0)]])}, file)
    assert "<svg" in file.read_text("utf-8")


def test_bad_input_gets_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", "chess"]) == 2
    assert main(["calibrate", "lantern", "--matches", "0"]) == 2
    assert main(["calibrate", "lantern", "--simulations", "0"]) == 2
    assert capsys.readouterr().err.count("\n") == 3


def test_what_would_make_chances_come_true_is_found() -> None:
    rng = random.Random(4)
    given = [0.05 + 0.9 * rng.random() for _ in range(20_000)]
    honest = [Sample(c, float(rng.random() < c)) for c in given]
    assert correction(honest) == pytest.approx((0, 1), abs=0.06)
    boastful = []
    for chance in given:
        odds = 0.5 * math.log(chance / (1 - chance)) - 0.3
        boastful.append(Sample(chance, float(rng.random() < 1 / (1 + math.exp(-odds)))))
    assert correction(boastful) == pytest.approx((-0.3, 0.5), abs=0.06)


def test_a_bin_lies_round_its_chance() -> None:
    bins = reliability(
        [[Sample(0.64, 0.0), Sample(0.66, 1.0), Sample(0.74, 1.0), Sample(0.76, 0.0)]]
    )
    assert [b.positions for b in bins] == [1, 2, 1]
    assert bins[1].given == pytest.approx(0.7)


def test_several_plots_stay_small(tmp_path: Path) -> None:
    file = tmp_path / "plot.svg"
    plot({str(n): reliability([[Sample(0.2, 0.0), Sample(0.8, 1.0)]]) for n in range(6)}, file)
    assert file.stat().st_size < 100_000


def test_what_is_certain_needs_no_correction() -> None:
    assert correction([Sample(0.0, 0.0), Sample(1.0, 1.0)]) == (0, 1)


def test_what_is_missing_is_counted_from_a_fair_share() -> None:
    """Of six, who is given a fair share has it, however wrong more and less than that are."""
    rng, fair = random.Random(6), math.log(1 / 5)
    samples = []
    for chance in (0.02 + 0.9 * rng.random() for _ in range(20_000)):
        odds = fair + 0.5 * (math.log(chance / (1 - chance)) - fair)
        samples.append(Sample(chance, float(rng.random() < 1 / (1 + math.exp(-odds))), players=6))
    assert correction(samples) == pytest.approx((0, 0.5), abs=0.06)
    assert calibrated(1 / 6, 6, 0.0, 0.5)[0] == pytest.approx(1 / 6)


def test_all_numbers_of_players_and_levels_come_in_turn() -> None:
    game = find("zocken")
    tables = [sitting(game, n) for n in range(18)]
    assert [len(bots) for bots in tables[:4]] == [3, 4, 5, 3]
    assert {frozenset(bots) for bots in tables if len(bots) == 5} == {
        frozenset(["hard"]), frozenset(["medium"]), frozenset(["hard", "medium"]),
    }  # fmt: skip
    assert {bots[0] for bots in tables if len(set(bots)) == 2} == {"hard", "medium"}


def test_a_group_is_off_by_what_luck_does_not_explain() -> None:
    rng = random.Random(7)
    (honest,) = reliability(apart([Sample(0.7, float(rng.random() < 0.7)) for _ in range(500)]))
    assert honest.off == 0
    (boastful,) = reliability(apart([Sample(0.7, float(rng.random() < 0.5)) for _ in range(500)]))
    assert boastful.off == pytest.approx(0.7 - boastful.won - boastful.error)
    assert boastful.off > 0.1
