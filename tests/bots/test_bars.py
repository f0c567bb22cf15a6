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


@pytest.mark.parametrize("laid", range(3))
def test_chances_are_given_in_the_midst_of_a_series(laid: int) -> None:
    """Whoever watches does not know that the hand has the rest of it."""
    match = kibitz.position("zocken", SERIES)
    for _ in range(laid):
        match.play(0, "series g1")
    assert sum(public_chances(match)) == pytest.approx(1, abs=0.01)
