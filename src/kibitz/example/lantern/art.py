"""Lantern's cards: a number on paper."""

from kibitz.art.frame import card
from kibitz.art.glyphs import write
from kibitz.art.palette import INK


def face(code: str) -> str:
    """The card with this number."""
    if code not in tuple("123456"):
        raise ValueError(f"Lantern has no card {code!r}")
    return card(code, write(code, 125, 175, 120, INK))


def back() -> str:
    """The back."""
    return card("lantern", "")
