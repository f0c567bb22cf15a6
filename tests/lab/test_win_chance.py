"""Fitting outlooks: numbers that made the chances are found again."""

from functools import partial

import numpy as np
import pytest

from kibitz.games import find, names
from kibitz.lab.win_chance import fit, loss, rounds


@pytest.mark.parametrize("name", [name for name in names() if name != "lantern"])
def test_what_is_left_to_go_shrinks(name: str) -> None:
    game = find(name)
    totals, to_go, won = rounds(game, game.identity.seats[-1], 2)
    assert len(totals) == len(to_go) == len(won) > 0
    assert (to_go >= 0).all()
    assert to_go[0] == to_go.max()
    assert won.sum(axis=1) == pytest.approx(1)


def test_the_numbers_behind_the_chances_are_found() -> None:
    rng = np.random.default_rng(1)
    totals = rng.integers(0, 60, (4_000, 3)).astype(float)
    to_go = rng.integers(0, 60, 4_000).astype(float)
    lead = totals / (5 + 0.2 * to_go)[:, None]
    weight = np.exp(lead - lead.max(axis=1, keepdims=True))
    chance = weight / weight.sum(axis=1, keepdims=True)
    near, far = fit(partial(loss, totals, to_go, chance, 1), 8.0)
    assert near == pytest.approx(5, rel=0.1)
    assert far == pytest.approx(0.2, rel=0.1)
