"""What bots do more often than values tell can be found from what they do."""

import sys

import numpy as np
import pytest

from kibitz.lab import habits


def test_the_numbers_that_choices_were_made_by_are_found() -> None:
    rng, true, choices = np.random.default_rng(1), np.array([1.0, 0.8, -0.8]), []
    for _ in range(3_000):
        rows = np.zeros((4, 3))
        rows[:, 0] = -2 * rng.random(4)
        rows[np.arange(4), 1 + rng.integers(0, 2, 4)] = 1
        choices.append((rows, int(rng.choice(4, p=habits.shares(rows, true)))))
    found = habits.fit(choices)
    assert found == pytest.approx(true, abs=0.15)
    assert habits.loss(choices, found) < habits.loss(choices, 0 * found)


def test_the_choices_of_a_match_are_gathered() -> None:
    choices = habits.play_match("kolpa", 1, "medium")
    assert len(choices) > 50
    for rows, chosen in choices:
        assert (rows[:, 1:].sum(1) == 1).all()
        assert rows[:, 0].max() == rows[chosen, 0] == 0  # medium takes what looks best


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["kolpa", "--matches", "1"], "--matches must be at least 2"),
        (["chess"], "there is no game chess; there are"),
        (["kolpa", "--bot", "genius"], "there is no bot 'genius'"),
    ],
)
def test_wrong_words_are_refused(
    words: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["habits", *words])
    with pytest.raises(SystemExit) as refused:
        habits.main()
    assert refused.value.code == 2
    assert says in capsys.readouterr().err
