"""Lantern's cards: a number on paper."""

from kibitz.art.frame import card
from kibitz.art.glyphs import write
from kibitz.art.palette import INK
from kibitz.art.svg import place


def face(code: str) -> str:
    """The card with this number."""
    if code not in tuple("123456"):
        raise ValueError(f"Lantern has no card {code!r}")
    return card(code, place(write(code, 120, INK), 125, 175))


def back() -> str:
    """The back."""
    return card("lantern", "")
