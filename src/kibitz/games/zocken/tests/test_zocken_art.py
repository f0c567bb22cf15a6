"""The Zocken pawn."""

import pytest

from kibitz.games.zocken.art import token


def test_the_pawn_has_two_sides() -> None:
    assert token("pawn", "yellow") != token("pawn", "blue")
    with pytest.raises(ValueError, match="'green'"):
        token("pawn", "green")
