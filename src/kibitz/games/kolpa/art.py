"""Kolpa's cards: a juggler's evening. The number is also the number of balls in the air."""

from __future__ import annotations

from math import cos, radians, sin

from kibitz.art import palette
from kibitz.art.frame import INDEX_X, both_ends, card, panel, within_panel
from kibitz.art.glyphs import write
from kibitz.art.palette import PAPER, YELLOW, Colour
from kibitz.art.patterns import paint
from kibitz.art.pips import chip, disc, emboss
from kibitz.art.svg import circle, line, path, place

COLOURS = palette.by_letters("rbgyp")
NUMBERS = "012345"
NIGHT = "#2b2440"
BELL = YELLOW.fill


def face(code: str) -> str:
    """The card with this code, such as `r5` or `joker`."""
    if code == "joker":
        return card(code, _joker())
    if len(code) == 2 and code[0] in COLOURS and code[1] in NUMBERS:
        return card(code, _number_card(COLOURS[code[0]], code[1]))
    raise ValueError(f"Kolpa has no card {code!r}")


def back() -> str:
    """The back: balls of all five colours, thrown in the dark."""
    rows = "".join(_thrown(row) for row in range(7))
    return card("kolpa", panel(NIGHT) + within_panel(rows))


def _number_card(colour: Colour, number: str) -> str:
    index = write(number, INDEX_X, 50, 58, colour.ink)
    index += chip(disc(25), colour, INDEX_X, 113, 30)
    balls = "".join(
        circle(x, y, 11, fill=colour.on, stroke=colour.fill, stroke_width=5)
        for x, y in _flight(int(number))
    )
    numeral = emboss(number, 125, 175, 122, colour)
    return _sweep(152, paint(colour)) + numeral + both_ends(balls + index)


def _sweep(depth: float, fill: str) -> str:
    """The field: the panel with two corners curved away, where an index stands on paper."""
    rest = 350 - depth
    return path(
        f"M104 10H229A11 11 0 0 1 240 21V{rest - 14}C240 {rest - 3} 233 {rest} 223 {rest + 1}"
        f"C172 {rest + 5} 164 {rest + 48} 160 326 159 336 154 340 146 340"
        f"H21A11 11 0 0 1 10 329V{depth + 14}C10 {depth + 3} 17 {depth} 27 {depth - 1}"
        f"C78 {depth - 5} 86 {depth - 48} 90 24 91 14 96 10 104 10Z",
        fill=fill,
    )


def _flight(balls: int) -> list[tuple[float, float]]:
    """Where the balls are, on a round throw above the numeral and to its right."""
    angles = [radians(-46 + 14 * (ball - (balls - 1) / 2)) for ball in range(balls)]
    return [(125 + 98 * cos(angle), 170 + 128 * sin(angle)) for angle in angles]


def _joker() -> str:
    colours = tuple(COLOURS.values())
    index = place(_cap(NIGHT), INDEX_X, 66, scale=0.5)
    flown = "".join(
        circle(x, y, 11, fill=colour.fill, stroke=PAPER, stroke_width=1.5)
        for colour, (x, y) in zip(colours, _flight(5), strict=True)
    )
    ring = "".join(
        chip(disc(28), colour, *_corner(number, 54), 31) for number, colour in enumerate(colours)
    )
    middle = place(_cap(PAPER), 125, 178, scale=0.42)
    return _sweep(118, NIGHT) + both_ends(index + flown) + ring + middle


def _corner(number: int, radius: float) -> tuple[float, float]:
    """A corner of the pentagon in which the joker's balls fly."""
    angle = radians(-90 + 72 * number)
    return 125 + radius * cos(angle), 175 + radius * sin(angle)


def _cap(cloth: str) -> str:
    """A jester's cap with three tails and a bell on each."""
    tails = path(
        "M-32 26C-34 4-44-8-60 0-60-28-36-40-16-24-12-38-6-48 0-56 6-48 12-38 16-24 "
        "36-40 60-28 60 0 44-8 34 4 32 26Z",
        fill=cloth,
    )
    bells = "".join(circle(x, y, 8, fill=BELL) for x, y in ((-60, 4), (0, -58), (60, 4)))
    return tails + bells + line("M-29 34H29", BELL, 10)


def _thrown(row: int) -> str:
    """One row of the back: balls, and the arcs on which they fly."""
    balls = tuple(COLOURS.values())
    y = 36 + row * 48
    x = -1 if row % 2 else 20
    arcs = f"M{x} {y}" + "q21-34 42 0" * 6
    return line(arcs, PAPER, 2, stroke_opacity=0.25) + "".join(
        circle(x + 42 * n, y, 10, fill=balls[(n + 2 * row) % 5].fill) for n in range(7)
    )
