"""Ramon's cards: a tomcat at the bistro looks over his plate, and the plate shows the number.

Each colour is one of the three toms, known by his headgear: beret, bowler, chef's toque.
"""

from __future__ import annotations

from kibitz.art import palette
from kibitz.art.frame import both_ends, card, ground, panel, turned, within_panel
from kibitz.art.glyphs import write
from kibitz.art.palette import INK, PAPER, Colour, mix
from kibitz.art.patterns import paint
from kibitz.art.pips import CAT, cat, chip, emboss
from kibitz.art.svg import circle, ellipse, line, path, place

COLOURS = palette.by_letters("bgo")
NUMBERS = [str(number) for number in range(1, 16)]
SLATE = "#2f3a3d"
INDEX = 46
MIDDLE = 140


def face(code: str) -> str:
    """The card with this code, such as `g14`."""
    colour, number = COLOURS.get(code[:1]), code[1:]
    if colour is None or number not in NUMBERS:
        raise ValueError(f"Ramon Jack Alphonse has no card {code!r}")
    index = write(number, INDEX, 44, 48, colour.ink) + chip(cat(21), colour, INDEX, 118, 26, drop=1)
    other_end = turned(emboss(number, INDEX, 44, 48, colour))
    return card(code, _bistro(colour) + _tom(colour) + _plate(colour, number) + index + other_end)


def back() -> str:
    """The back: all three toms, row by row, on a slate."""
    heads = "".join(_row(row) for row in range(3))
    return card("ramon", panel(SLATE) + within_panel(both_ends(heads)))


def _bistro(colour: Colour) -> str:
    """A pale wall, and a table laid with the colour's pattern."""
    wall = ground(mix(PAPER, colour.fill, 0.13))
    table = path("M0 244H250V350H0Z", fill=paint(colour)) + line("M0 244H250", colour.ink, 3)
    return within_panel(wall, table)


def _tom(colour: Colour) -> str:
    """A tomcat, of whom the plate will leave the upper half."""
    head = path(cat(56), fill=paint(colour), stroke=colour.ink, stroke_width=3)
    whiskers = line("M-50 8-74 2M-50 18-76 20M50 8 74 2M50 18 76 20", colour.ink, 2.5)
    eyes = "".join(
        ellipse(x, -16, 10, 12, fill=PAPER) + ellipse(x, -13, 4.5, 8, fill=INK) for x in (-24, 24)
    )
    return place(head + whiskers + eyes + HEADGEAR[colour.letter](), MIDDLE, 134)


def _beret() -> str:
    cloth = path("M-40-46C-44-66-10-80 22-72 44-66 46-50 36-44 10-52-16-52-40-46Z", fill=INK)
    return cloth + line("M4-74 8-84", INK, 5)


def _bowler() -> str:
    crown = path("M-26-46C-26-92 26-92 26-46Z", fill=INK) + line("M-42-46Q0-38 42-46", INK, 8)
    return crown + line("M-25-54Q0-48 25-54", palette.GREEN.fill, 5)


def _toque() -> str:
    return path(
        "M-22-44V-60C-44-64-36-94-16-88-8-102 12-102 18-88 38-92 44-64 22-60V-44Q0-50-22-44Z",
        fill=PAPER,
        stroke=palette.ORANGE.ink,
        stroke_width=3,
    )


HEADGEAR = {"B": _beret, "G": _bowler, "O": _toque}


def _plate(colour: Colour, number: str) -> str:
    """The number on its plate, held by two paws."""
    plate = circle(0, 0, 75, fill=PAPER, stroke=colour.ink, stroke_width=3)
    plate += circle(0, 0, 64.5, fill="none", stroke=colour.fill, stroke_width=4)
    paws = "".join(
        ellipse(x, -62, 15, 12, fill=colour.fill, stroke=colour.ink, stroke_width=3)
        for x in (-42, 42)
    )
    rise = 6 if number in ("6", "9") else 0
    return place(plate + paws + write(number, 0, -rise, 80, colour.ink), MIDDLE, 212)


def _row(row: int) -> str:
    """A row of the back: heads of the three toms in turn."""
    heads = 3 - row % 2
    toms = tuple(COLOURS.values())
    return "".join(
        place(_small_tom(toms[(n + row) % 3]), 125 + 70 * (n - (heads - 1) / 2), 42 + 53 * row)
        for n in range(heads)
    )


def _small_tom(colour: Colour) -> str:
    return path(CAT, fill=colour.fill, transform="scale(.2)") + line("M-6-2v2M6-2v2", PAPER, 4)
