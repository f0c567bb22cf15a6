"""OpenSpiel's search at a table with ours."""

import sys

import numpy as np
import pytest

pytest.importorskip("pyspiel")

from kibitz.lab import against_openspiel, openspiel
from kibitz.lab.against_openspiel import CompiledRollouts, Ismcts, is_openspiels, play_deal, told
from kibitz.lab.arena import seating

MOMENT = 0.004  # seconds


def test_two_of_four_are_openspiels_and_each_sits_on_every_seat() -> None:
    for number in range(6):
        seats = [[is_openspiels(seating(4, number, r), s) for s in range(4)] for r in range(4)]
        assert all(sum(row) == 2 for row in seats)
        assert all(sum(column) == 2 for column in zip(*seats, strict=True))


def test_a_deal_is_played_to_its_end_by_both() -> None:
    found = play_deal("kolpa", 1, MOMENT, target=20)
    assert len(found.shares) == 4
    assert all(0 <= share <= 1 for share in found.shares)
    assert found.searches > 4
    assert found.simulations >= 2 * found.searches
    line = told("kolpa", [found, found])
    assert "of 8 matches" in line
    assert f"{sum(found.shares) / 4:.0%}" in line


@pytest.mark.parametrize("rollouts", ["compiled", "openspiel"])
def test_it_takes_its_time_and_does_what_is_legal(rollouts: str) -> None:
    game = openspiel.load("lantern", players=2, rounds=1)
    state = game.new_initial_state()
    state.apply_action(2)
    Ismcts(game, rollouts, 0.0, seed=1).step(state)  # all is compiled
    bot = Ismcts(game, rollouts, 0.05, seed=1)
    assert int(bot.step(state)) in state.legal_actions()
    assert bot.searches == 1
    assert bot.simulations > 2


def test_rollouts_change_nothing_and_add_up_to_nothing() -> None:
    """Somebody wins, somebody loses, and not always the same."""
    state = openspiel.load("zocken", players=3, limit=20).new_initial_state()
    state.apply_action(5)
    before, rollouts = str(state), CompiledRollouts(np.random.RandomState(1))
    ends = {tuple(rollouts.evaluate(state)) for _ in range(30)}
    assert str(state) == before
    assert not state.is_terminal()
    assert len(ends) >= 3
    for end in ends:
        assert sum(end) == pytest.approx(0.0)
        assert max(end) > 0
    chances = dict(rollouts.prior(state))
    assert sorted(chances) == state.legal_actions()
    assert sum(chances.values()) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "words", [["chess"], ["kolpa", "--games", "0"], ["kolpa", "--seconds", "0"]]
)
def test_bad_input_is_refused(words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["against_openspiel", *words])
    with pytest.raises(SystemExit):
        against_openspiel.main()
