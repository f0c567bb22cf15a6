"""Chances for those who watch."""

import pytest

import kibitz
from kibitz.bots.bars import public_chances

SERIES = """zocken 3 limit=55
hand.0: g1 g1 g1 g4 g6 g7
hand.1: g2 g3 g4 g5 g6 g7
hand.2: g2 g3 g4 g5 g6 g8
draw: *
phase: turn
pawn: blue
leader: 0
due: 0
"""


def chances(laid: int) -> list[float]:
    match = kibitz.position("zocken", SERIES)
    for _ in range(laid):
        match.play(0, "series g1")
    return public_chances(match)


@pytest.mark.parametrize("laid", range(3))
def test_chances_are_given_in_the_midst_of_a_series(laid: int) -> None:
    """Whoever watches does not know that the hand has the rest of it."""
    assert sum(chances(laid)) == pytest.approx(1, abs=0.01)


def test_hands_with_which_a_series_cannot_be_ended_tell_nothing() -> None:
    """Who has begun one has the rest of it too, and will be rid of all of it."""
    before, begun, nearly = chances(0)[0], chances(1)[0], chances(2)[0]
    assert begun > before
    assert nearly > before
