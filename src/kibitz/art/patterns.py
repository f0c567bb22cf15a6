"""The patterns that stand for colours, as SVG definitions.

A definition's id follows from pattern, colour and grain alone. Cards inlined in one page may
therefore repeat an id harmlessly: what it names is the same everywhere.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from kibitz.art.palette import COLOURS, INK, PAPER, Colour, mix
from kibitz.art.svg import circle, element, line, path, rect

MARK_STRENGTH = {PAPER: 0.28, INK: 0.42}
"""How far light and dark marks stand out from the fill: enough to read, too little to shout."""

GRAINS = {"coarse": 1.0, "fine": 0.56}
"""Fields are woven coarsely, small pips finely."""


class Tile(NamedTuple):
    """One repeat of a pattern."""

    width: float
    height: float
    marks: str


def tile(pattern: str, mark: str) -> Tile:
    """One repeat of the named pattern, marked in the given colour."""
    match pattern:
        case "hatch":
            return Tile(20, 20, line("M-5 5 5-5M-5 25 25-5M15 25 25 15", mark, 5))
        case "rings":
            return Tile(28, 28, circle(14, 14, 7.5, fill="none", stroke=mark, stroke_width=4.5))
        case "chevrons":
            return Tile(28, 18, line("M-4-3 14 13 32-3M-4 15 14 31 32 15", mark, 4.5))
        case "checks":
            return Tile(28, 28, path("M0 0H14V28H28V14H0Z", fill=mark))
        case "waves":
            return Tile(36, 18, line("M-9 9Q0 0 9 9T27 9T45 9", mark, 4.5))
        case "dots":
            return Tile(24, 24, circle(6, 6, 4.2, fill=mark) + circle(18, 18, 4.2, fill=mark))
    raise ValueError(f"unknown pattern {pattern!r}")


def paint(colour: Colour, grain: str = "coarse") -> str:
    """The fill attribute that lays a colour with its pattern."""
    return f"url(#{_identity(colour, grain)})"


def definitions(drawing: str) -> str:
    """The definitions of all patterns that a drawing paints with."""
    used = set(re.findall(r"url\(#(kibitz-[a-z-]+)\)", drawing))
    return "".join(
        _definition(colour, grain)
        for colour in COLOURS
        for grain in GRAINS
        if _identity(colour, grain) in used
    )


def _identity(colour: Colour, grain: str) -> str:
    return f"kibitz-{colour.pattern}-{colour.name}-{grain}"


def _definition(colour: Colour, grain: str) -> str:
    towards = colour.ink if colour.on == INK else PAPER
    mark = mix(colour.fill, towards, MARK_STRENGTH[colour.on])
    width, height, marks = tile(colour.pattern, mark)
    scale = {} if grain == "coarse" else {"patternTransform": f"scale({GRAINS[grain]})"}
    return element(
        "pattern",
        rect(0, 0, width, height, 0, fill=colour.fill),
        marks,
        id=_identity(colour, grain),
        width=width,
        height=height,
        patternUnits="userSpaceOnUse",
        **scale,
    )
