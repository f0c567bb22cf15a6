"""Small pictures of things, each in a square of 100 round the origin, in flat colours."""

from __future__ import annotations

from kibitz.art.palette import INK, PAPER, PURPLE, RED, YELLOW
from kibitz.art.pips import star
from kibitz.art.svg import circle, line, path

BARK = "#7d5a38"
NUT = "#c08a4c"
CREAM = "#e8d9b8"


def mushroom() -> str:
    """A toadstool."""
    stem = path("M-15 0H15L20 36Q20 46 9 46H-9Q-20 46-20 36Z", fill=CREAM)
    cap = path("M-46 6C-46-28-22-46 0-46S46-28 46 6Q46 10 40 10H-40Q-46 10-46 6Z", fill=RED.fill)
    spots = circle(-20, -10, 8, fill=PAPER) + circle(4, -27, 8, fill=PAPER)
    return stem + cap + spots + circle(24, -6, 7, fill=PAPER)


def acorn() -> str:
    """An acorn in its cup."""
    nut = path("M-28-6H28C30 22 12 34 0 46-12 34-30 22-28-6Z", fill=NUT)
    cup = path("M-38-4C-40-26-20-36 0-36S40-26 38-4Q38 0 33 0H-33Q-38 0-38-4Z", fill=BARK)
    return nut + cup + line("M0-36Q0-44 8-46", BARK, 7)


def leaf() -> str:
    """A broad leaf with its veins."""
    blade = path("M0-48C36-26 40 10 0 34-40 10-36-26 0-48Z", fill="#3f8f55")
    return blade + line("M0-22V48M0 4 16-10M0 18 16 6M0 4-16-10M0 18-16 6", "#1e5a33", 5)


def feather() -> str:
    """A feather, leaning, with two notches."""
    vane = path(
        "M44-46C50-12 38 10 22 20L14 12 16 26C6 32-8 34-22 30-30-4 0-44 44-46Z", fill=PURPLE.fill
    )
    return vane + line("M-42 46C-28 22-6-4 24-26", "#cbb6dd", 5)


def moon() -> str:
    """A waning moon."""
    return path("M22-44A46 46 0 1 0 44 16 38 38 0 1 1 22-44Z", fill="#3d5f94")


def five_star() -> str:
    """A star with five points."""
    return path(star(50, 23, corner=6), fill="#d99a12", transform="translate(0 4)")


def drop() -> str:
    """A drop of water."""
    body = path("M0-48C18-20 33-4 33 15A33 33 0 0 1-33 15C-33-4-18-20 0-48Z", fill="#3f8fc9")
    return body + line("M-17 17A17 17 0 0 0-2 33", PAPER, 7)


def flame() -> str:
    """A flame within a flame."""
    outer = path(
        "M6-50C10-26 36-14 36 14A36 34 0 0 1-36 14C-36-2-28-12-22-26"
        "-14-20-10-14-8-8 2-18 8-34 6-50Z",
        fill="#d9541e",
    )
    return outer + path("M2-6C6 6 18 12 18 26A18 18 0 0 1-18 26C-18 14-4 10 2-6Z", fill=YELLOW.fill)


def bell() -> str:
    """A bell and its clapper."""
    body = path(
        "M0-42C22-42 27-22 28-2 29 14 34 20 40 26 42 30 40 32 36 32H-36C-40 32-42 30-40 26"
        "-34 20-29 14-28-2-27-22-22-42 0-42Z",
        fill="#8a6a1f",
    )
    return circle(0, 36, 11, fill=INK) + body + circle(0, -43, 7, fill="#8a6a1f")
