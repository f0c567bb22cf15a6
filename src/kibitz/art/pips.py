"""Plain shapes as path data round the origin, and chips: small shapes that hold a letter."""

from __future__ import annotations

import re
from math import cos, pi, sin

from kibitz.art.glyphs import write
from kibitz.art.palette import Colour, letter_of
from kibitz.art.patterns import paint
from kibitz.art.svg import num, path, place

TWO = 0.7
"""How tall two letters are where there is room for one."""

CAT = (
    "M-114 20C-114-6-100-20-96-46L-92-100Q-90-114-78-106L-38-76Q0-86 38-76L78-106"
    "Q90-114 92-100L96-46C100-20 114-6 114 20 114 64 62 92 0 92-62 92-114 64-114 20Z"
)
"""A cat's head from the front, of radius 100."""

SUIT_SHAPES = {
    "clubs": "M-12 30C-30 62-76 56-88 26-100-6-68-34-40-26-66-56-40-100 0-100 40-100 66-56 40-26"
    " 68-34 100-6 88 26 76 56 30 62 12 30 14 60 24 80 46 92L-46 92C-24 80-14 60-12 30Z",
    "diamonds": "M0-100C22-60 46-28 74 0 46 28 22 60 0 100-22 60-46 28-74 0-46-28-22-60 0-100Z",
    "spades": "M0-100C28-60 88-32 88 18 88 58 34 68 12 34 14 62 24 80 46 92L-46 92"
    "C-24 80-14 62-12 34-34 68-88 58-88 18-88-32-28-60 0-100Z",
    "hearts": "M0 96C-34 48-94 18-94-36-94-88-24-104 0-50 24-104 94-88 94-36 94 18 34 48 0 96Z",
}
"""The four suits of a common deck, of radius 100."""


def disc(radius: float) -> str:
    """A circle as path data."""
    r = num(radius)
    return f"M-{r} 0A{r} {r} 0 1 1 {r} 0 {r} {r} 0 1 1-{r} 0Z"


def rounded(corner: float, *points: tuple[float, float]) -> str:
    """A closed outline whose corners are cut by curves that start `corner` before them."""
    pieces = []
    for number, point in enumerate(points):
        before = _towards(point, points[number - 1], corner)
        after = _towards(point, points[(number + 1) % len(points)], corner)
        lead = "L" if number else "M"
        pieces.append(f"{lead}{_pair(before)}Q{_pair(point)} {_pair(after)}")
    return "".join(pieces) + "Z"


def square(half: float, corner: float = 0) -> str:
    """An upright square."""
    return rounded(corner, (-half, -half), (half, -half), (half, half), (-half, half))


def diamond(half_width: float, half_height: float, corner: float = 0) -> str:
    """A square on its tip."""
    return rounded(corner, (0, -half_height), (half_width, 0), (0, half_height), (-half_width, 0))


def triangle(radius: float, corner: float = 0) -> str:
    """An equal-sided triangle on its base; its middle is the origin."""
    return rounded(corner, *(_polar(radius, turn) for turn in (-90, 30, 150)))


def star(radius: float, inner: float, points: int = 5, corner: float = 0) -> str:
    """A star with its first point upwards."""
    step = 180 / points
    spokes = (
        _polar(inner if number % 2 else radius, -90 + number * step) for number in range(2 * points)
    )
    return rounded(corner, *spokes)


def rosette(radius: float, petals: int = 12) -> str:
    """A round with a scalloped edge."""
    step = 360 / petals
    bulge = num(radius * sin(pi / petals) * 1.08)
    start = _pair(_polar(radius, -90 - step / 2))
    arcs = (
        f"A{bulge} {bulge} 0 0 1 {_pair(_polar(radius, -90 + (number + 0.5) * step))}"
        for number in range(petals)
    )
    return f"M{start}" + "".join(arcs) + "Z"


def cat(radius: float) -> str:
    """A cat's head from the front."""
    return scaled(CAT, radius / 100)


def scaled(d: str, factor: float) -> str:
    """Path data without arcs, made larger or smaller."""
    return re.sub(r"-?\d+", lambda found: " " + num(int(found[0]) * factor), d)


def chip(
    outline: str, colour: Colour, x: float, y: float, letter: float, *, drop: float = 0
) -> str:
    """A small shape in a colour, with the colour's letter of the given height inside.

    `drop` lowers the letter for shapes whose room lies below their middle.
    """
    body = path(outline, fill=paint(colour, "fine"), stroke=colour.ink, stroke_width=2.5)
    return place(body + initial(colour, 0, drop, letter), x, y)


def initial(colour: Colour, x: float, y: float, height: float) -> str:
    """A colour's letter on its patterned fill."""
    return emboss(letter_of(colour), x, y, fitting(colour, height), colour)


def fitting(colour: Colour, height: float) -> float:
    """The height at which a colour's letters take no more room than one of this height."""
    return height if len(letter_of(colour)) == 1 else TWO * height


def emboss(text: str, x: float, y: float, height: float, colour: Colour) -> str:
    """A text on a colour's patterned fill; a rim of the bare fill keeps the pattern off."""
    return write(text, x, y, height, colour.on, rim=colour.fill)


def _polar(radius: float, degrees: float) -> tuple[float, float]:
    return radius * cos(degrees * pi / 180), radius * sin(degrees * pi / 180)


def _pair(point: tuple[float, float]) -> str:
    return f"{num(point[0])} {num(point[1])}"


def _towards(
    start: tuple[float, float], goal: tuple[float, float], distance: float
) -> tuple[float, float]:
    across, down = goal[0] - start[0], goal[1] - start[1]
    length = (across**2 + down**2) ** 0.5
    return start[0] + across * distance / length, start[1] + down * distance / length
