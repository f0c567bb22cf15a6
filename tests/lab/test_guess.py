"""Worlds weighed by what others did are nearer to the truth, where they go by the heuristics."""

import sys

import numpy as np
import pytest

from kibitz.games.kolpa.tests.kolpa_positions import at
from kibitz.lab import guess


def test_the_share_and_the_loss_of_a_guess() -> None:
    true = np.array([2, 0, 1])
    guessed = np.array([[2, 0, 1], [0, 2, 1]])
    share, loss = guess.compare(true, guessed, np.array([0.5, 0.5]))
    assert share == pytest.approx((1 + 1 / 3) / 2)
    assert loss == pytest.approx(-np.log([1 / 2, 1 / 2, 2.5 / 3]).sum())
    assert guess.compare(true, guessed, np.array([1.0, 0.0]))[0] == pytest.approx(1)


def test_the_cards_of_a_set_are_counted_by_kind() -> None:
    match = at("hand.0: r1 r1 b4\ndiscard: r3")
    codes = match.game.layout.deck.codes
    (hand,) = (z for z in match.game.layout.zones.at(2) if z.name == "hand.0")
    (row,) = guess.tallies(match.game, match.state, hand.index)
    assert {codes[k]: int(n) for k, n in enumerate(row) if n} == {"r1": 2, "b4": 1}


def test_weights_come_nearer_to_the_hands_of_those_who_go_by_the_heuristics() -> None:
    found, times = guess.play_match("kolpa", 4, 1, "medium", ("worlds=256:heat=60",))
    share, by_weight, _, _, worlds = found[0] / times
    assert times > 50
    assert by_weight > 1.05 * share
    assert 1 < worlds < 256


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["kolpa", "--matches", "0"], "--matches must be at least 1"),
        (["chess"], "there is no game chess; there are"),
        (["kolpa", "--styles", "depth=1"], "deals no worlds; say how many, as in worlds=256"),
        (["kolpa", "--styles", "speed=1"], "this search has no 'speed'"),
        (["kolpa", "--bot", "genius"], "there is no bot 'genius'"),
    ],
)
def test_wrong_words_are_refused(
    words: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["guess", *words])
    with pytest.raises(SystemExit) as refused:
        guess.main()
    assert refused.value.code == 2
    assert says in capsys.readouterr().err
