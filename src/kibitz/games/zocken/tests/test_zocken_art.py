"""The Zocken pawn."""

import pytest

from kibitz.games.zocken.art import pawn


def test_the_pawn_has_two_sides() -> None:
    assert pawn("yellow") != pawn("blue")
    with pytest.raises(ValueError, match="'green'"):
        pawn("green")
