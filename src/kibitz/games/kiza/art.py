"""Kiza's cards: lots in an auction catalogue. The dearer the lot, the richer its setting.

KIZA-C2: the shape carries the letter of its colour, so that nobody needs to tell hues apart.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from kibitz.art import palette
from kibitz.art.frame import both_ends, card, panel, within_panel
from kibitz.art.glyphs import write
from kibitz.art.palette import BRASS, Colour
from kibitz.art.patterns import paint
from kibitz.art.pips import chip, diamond, disc, initial, square, triangle
from kibitz.art.svg import group, line, path, place, rect

SALEROOM = "#22303f"
MOUNT = "#f4ead3"

INDEX = 47
"""Middle of the corner index, a little inwards of the hairlines."""

MIDDLE = (138, 200)
"""Middle of the lot: off the card's own middle, since only the upper corner holds a chip."""

CORE = 56
STEP = 2.5
"""The lot's size, and the distance between the lines of its setting."""


class Shape(NamedTuple):
    """How a shape is drawn as large to the eye as a circle of radius 1."""

    outline: Callable[[float], str]
    inner: float
    """The share of a setting's growth that goes to its sides rather than its points."""
    drop: float
    """How far its letter stands below its middle."""
    letter: float
    """How tall its letter is."""


COLOURS = palette.by_letters("rbgy")
VALUES = ("1", "2", "3", "5", "7", "10", "15")
SHAPES = {
    "●": Shape(disc, 1, 0, 1.12),
    "■": Shape(lambda r: square(0.88 * r, 0.06 * r), 0.88, 0, 1.12),
    "▲": Shape(lambda r: triangle(1.34 * r, 0.08 * r), 0.86, 0.12, 0.92),
    "♦": Shape(lambda r: diamond(1.1 * r, 1.34 * r, 0.08 * r), 0.86, 0, 1.05),
}


def face(code: str) -> str:
    """The card with this code, such as `r♦7`."""
    colour, shape, value = COLOURS.get(code[:1]), SHAPES.get(code[1:2]), code[2:]
    if colour is None or shape is None or value not in VALUES:
        raise ValueError(f"Kiza has no card {code!r}")
    index = write(value, INDEX, 43, 49, colour.ink)
    y = 106 + 36 * shape.drop
    small = chip(shape.outline(25), colour, INDEX, y, 25 * shape.letter, drop=25 * shape.drop)
    lot = _setting(shape, VALUES.index(value)) + _gem(colour, shape)
    return card(code, _hairlines() + place(lot, *_middle(shape)) + both_ends(index) + small)


def back() -> str:
    """The back: the four shapes in brass on the dark wall of a saleroom."""
    rows = "".join(_frieze(row) for row in range(7))
    lattice = group(rows, fill="none", stroke=BRASS, stroke_width=1.8)
    return card("kiza", panel(SALEROOM) + within_panel(lattice) + _inner_line())


def gain() -> str:
    """The Gain card, on which a player's captured cards are laid: a gavel."""
    corners = zip(SHAPES.values(), ((45, 45), (205, 45), (45, 305), (205, 305)), strict=True)
    marks = "".join(place(path(shape.outline(11)), x, y) for shape, (x, y) in corners)
    ornament = group(marks, fill="none", stroke=BRASS, stroke_width=1.8)
    return card("gain", panel(SALEROOM) + _inner_line() + ornament + place(_gavel(), 125, 160))


def _middle(shape: Shape) -> tuple[float, float]:
    x, y = MIDDLE
    return x, y + CORE * shape.drop * 1.2


def _setting(shape: Shape, lines: int) -> str:
    """Lines round the lot, as many as the value's rank."""
    radii = [CORE + (5.5 + STEP * k) / shape.inner for k in range(lines, -1, -1)]
    rings = path(shape.outline(radii[0]), fill=MOUNT) + "".join(
        path(shape.outline(radius)) for radius in radii[1:]
    )
    return group(rings, fill="none", stroke=BRASS, stroke_width=1.2)


def _gem(colour: Colour, shape: Shape) -> str:
    body = path(shape.outline(CORE), fill=paint(colour), stroke=colour.ink, stroke_width=3)
    return body + initial(colour, 0, CORE * shape.drop, CORE * shape.letter)


def _hairlines() -> str:
    lines = rect(7, 7, 236, 336, 13, stroke_width=1.6) + rect(11, 11, 228, 328, 9, stroke_width=0.8)
    return group(lines, fill="none", stroke=BRASS)


def _inner_line() -> str:
    return rect(18, 18, 214, 314, 6, fill="none", stroke=BRASS, stroke_width=1.6)


def _frieze(row: int) -> str:
    shapes = tuple(SHAPES.values())
    return "".join(
        place(path(shapes[(n + row) % 4].outline(13)), 125 + (n - 2) * 44, 175 + (row - 3) * 46)
        for n in range(5)
    )


def _gavel() -> str:
    head = rect(-34, -22, 68, 44, 5, fill=BRASS)
    bands = "".join(rect(x, -27, 13, 54, 4, fill=MOUNT) for x in (-43, 30))
    handle = line("M0 24V112", MOUNT, 12)
    block = rect(-62, 84, 124, 14, 5, fill=MOUNT) + rect(-50, 70, 100, 14, 5, fill=BRASS)
    return place(handle + head + bands, -16, -10, turn=-56) + block
