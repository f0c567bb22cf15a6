"""Viva's cards: painted houses on a feast day. A card is all colour, its letters on rosettes.

VIVA-C2: each colour has a letter and a pattern beside its hue.
"""

from __future__ import annotations

from math import cos, radians, sin

from kibitz.art import palette
from kibitz.art.frame import both_ends, card, ground, panel, within_panel
from kibitz.art.glyphs import write
from kibitz.art.palette import PAPER, Colour, letter_of
from kibitz.art.patterns import paint
from kibitz.art.pips import chip, disc, fitting, rosette, star
from kibitz.art.svg import circle, line, num, path, place

COLOURS = palette.by_letters("roygbp")
EVENING = "#1f2a44"


def face(code: str) -> str:
    """The card with this code: `r`, or two letters in the order of the colours, as `rb`."""
    match [COLOURS.get(letter) for letter in code]:
        case [Colour() as only]:
            return card(code, _plain(only))
        case [Colour() as first, Colour() as second] if _in_order(first, second):
            return card(code, _split(first, second))
    raise ValueError(f"Viva has no card {code!r}")


def back() -> str:
    """The back: a town of painted houses, and another one overhead."""
    town = "".join(_street(row) for row in range(3))
    return card("viva", panel(EVENING) + within_panel(both_ends(town)))


def winner() -> str:
    """The winner's card: a rosette with two ribbons."""
    rays = "".join(f"M125 160L{_ray(n - 0.25)}L{_ray(n + 0.25)}Z" for n in range(20))
    burst = within_panel(path(rays, fill=PAPER, fill_opacity=0.08))
    ribbons = path("M96 190 70 312 100 296 122 318 134 200Z", fill=paint(palette.RED))
    ribbons += path("M154 190 180 312 150 296 128 318 116 200Z", fill=paint(palette.BLUE))
    medal = path(rosette(82, 16), fill=paint(palette.YELLOW)) + circle(0, 0, 64, fill=PAPER)
    medal += circle(0, 0, 55, fill="none", stroke=palette.YELLOW.ink, stroke_width=2.5)
    medal += path(star(42, 18, corner=4), fill=palette.YELLOW.ink)
    return card("winner", panel(EVENING) + burst + ribbons + place(medal, 125, 142))


def _in_order(first: Colour, second: Colour) -> bool:
    order = list(COLOURS.values())
    return order.index(first) < order.index(second)


def _plain(colour: Colour) -> str:
    return panel(paint(colour)) + _medal(colour, 125, 175, 74) + both_ends(_tab(colour))


def _split(first: Colour, second: Colour) -> str:
    """Two fields, one above the other: so the left edge, all that a fan shows, has both."""
    fields = within_panel(
        ground(paint(first)),
        path("M0 350V214L250 136V350Z", fill=paint(second)),
        line("M0 214 250 136", PAPER, 8),
    )
    medals = _medal(first, 165, 86, 52) + _medal(second, 85, 264, 52)
    return fields + medals + both_ends(_tab(first, second))


def _medal(colour: Colour, x: float, y: float, radius: float) -> str:
    """A paper rosette with the colour's letter."""
    drawing = path(rosette(radius, 14), fill=PAPER)
    drawing += circle(0, 0, radius * 0.86, fill="none", stroke=colour.ink, stroke_width=2.5)
    return place(
        drawing + write(letter_of(colour), 0, 0, fitting(colour, radius * 1.05), colour.ink), x, y
    )


def _tab(*colours: Colour) -> str:
    """A corner of paper with the letters of all colours of the card."""
    depth = 64 * len(colours)
    tab = path(f"M8 8H64Q77 8 77 21V{depth}Q77 {depth + 13} 64 {depth + 13}H8Z", fill=PAPER)
    return tab + "".join(
        chip(disc(25), colour, 42, 44 + 60 * number, 31) for number, colour in enumerate(colours)
    )


def _ray(number: float) -> str:
    angle = radians(18 * number)
    return f"{num(125 + 260 * cos(angle))} {num(160 + 260 * sin(angle))}"


def _street(row: int) -> str:
    """A row of the back's houses, each in another colour."""
    colours = tuple(COLOURS.values())
    houses = 5 - row % 2
    return "".join(
        place(_house(colours[(n + 2 * row) % 6]), 125 + 44 * (n - (houses - 1) / 2), 42 + 52 * row)
        for n in range(houses)
    )


def _house(colour: Colour) -> str:
    walls = path("M-15 18V-6L0-20 15-6V18Z", fill=colour.fill)
    return walls + path("M-5 18V8A5 5 0 0 1 5 8V18Z", fill=EVENING)
