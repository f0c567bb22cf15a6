"""A colour with its pattern, for the buttons on which one is chosen."""

from __future__ import annotations

from kibitz.art.frame import ground, picture
from kibitz.art.palette import COLOURS
from kibitz.art.patterns import paint


def swatch(name: str) -> str:
    """The field of a card of this colour, without anything on it."""
    colour = next(colour for colour in COLOURS if colour.name == name)
    return picture(name, ground(paint(colour)))
