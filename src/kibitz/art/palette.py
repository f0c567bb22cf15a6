"""The colours of the table: each has a letter and a pattern, so that hue is never needed.

The fills form a ladder of lightness from yellow down to purple, so they differ in greyscale too.
The three light ones carry dark marks, the three dark ones carry light marks.

Codes of cards have the letters of the English names. What is drawn is the letter of the player's
language: `with lettered({"yellow": "J"}):` before the cards are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

PAPER = "#fbf7ee"
INK = "#26221d"
BRASS = "#a8894a"


@dataclass(frozen=True, slots=True)
class Colour:
    """A named colour and everything that stands for it on a card."""

    name: str
    letter: str
    pattern: str
    fill: str
    ink: str
    """A dark variant for type and lines on paper."""
    on: str
    """What is written on the fill."""


_letters: ContextVar[Mapping[str, str]] = ContextVar("letters")


@contextmanager
def lettered(letters: Mapping[str, str]) -> Iterator[None]:
    """Draw the colours of these names with these letters: one, or two where one is not enough."""
    token = _letters.set(letters)
    try:
        yield
    finally:
        _letters.reset(token)


def letter_of(colour: Colour) -> str:
    """What is drawn for a colour."""
    return _letters.get({}).get(colour.name, colour.letter)


RED = Colour("red", "R", "hatch", "#cb3a37", "#a32522", PAPER)
ORANGE = Colour("orange", "O", "rings", "#f59e49", "#964607", INK)
YELLOW = Colour("yellow", "Y", "chevrons", "#f4c640", "#765505", INK)
GREEN = Colour("green", "G", "checks", "#52b073", "#1e6b3b", INK)
BLUE = Colour("blue", "B", "waves", "#2a63ad", "#1d4b8a", PAPER)
PURPLE = Colour("purple", "P", "dots", "#643a8e", "#53297f", PAPER)

COLOURS = (RED, ORANGE, YELLOW, GREEN, BLUE, PURPLE)


def by_letters(letters: str) -> dict[str, Colour]:
    """The colours with these letters (small, as in card codes), in that order."""
    known = {colour.letter.lower(): colour for colour in COLOURS}
    return {letter: known[letter] for letter in letters}


def mix(first: str, second: str, share: float) -> str:
    """The colour that lies the given share of the way from the first to the second."""
    pairs = zip(_channels(first), _channels(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)


def contrast(first: str, second: str) -> float:
    """The WCAG 2 contrast ratio of two colours, from 1 to 21."""
    darker, lighter = sorted((_luminance(first), _luminance(second)))
    return (lighter + 0.05) / (darker + 0.05)


def _channels(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(channel / 255) for channel in _channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
