"""Fitting `win_chance`: numbers that made the chances are found again."""

from functools import partial

import numpy as np
import pytest

from kibitz.games import find
from kibitz.lab.win_chance import fit, loss, rounds
from short import PUBLISHED


@pytest.mark.parametrize("name", PUBLISHED)
def test_what_is_left_to_go_shrinks_from_one_end_of_a_round_to_the_next(name: str) -> None:
    game = find(name)
    _, to_go, _ = rounds(game, game.identity.seats[-1], 1)
    assert to_go[0] == to_go.max()
    assert (to_go >= 0).all()
    assert len(to_go) == 1 or to_go[-1] < to_go[0]


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_round_but_the_last_of_each_match_is_noted_with_who_won_in_the_end(name: str) -> None:
    game = find(name)
    players = game.identity.seats[0]
    totals, to_go, won = rounds(game, players, 2)
    assert len(totals) == len(to_go) == len(won) > len(rounds(game, players, 1)[0]) > 0
    assert totals.shape == won.shape == (len(to_go), players)
    assert won.sum(axis=1) == pytest.approx(1)


def test_a_match_of_one_round_has_nothing_to_note(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find("viva")
    settings = game.settings(2, {"rounds": 1})
    monkeypatch.setattr(type(game), "settings", lambda *_: settings)
    assert [len(rows) for rows in rounds(game, 2, 3)] == [0, 0, 0]


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
