"""Patterns stand for colours, and can be defined many times in one page."""

from __future__ import annotations

from itertools import combinations

import pytest

from kibitz.art.palette import BLUE, COLOURS, INK, RED, Colour
from kibitz.art.patterns import GRAINS, definitions, paint, tile
from kibitz.art.svg import circle


@pytest.mark.parametrize(("one", "other"), list(combinations(COLOURS, 2)))
def test_no_two_colours_have_the_same_marks(one: Colour, other: Colour) -> None:
    assert tile(one.pattern, INK) != tile(other.pattern, INK)


def test_an_unknown_pattern_is_refused() -> None:
    with pytest.raises(ValueError, match="'tartan'"):
        tile("tartan", INK)


def test_every_colour_and_grain_has_a_paint_of_its_own() -> None:
    paints = {paint(colour, grain) for colour in COLOURS for grain in GRAINS}
    assert len(paints) == len(COLOURS) * len(GRAINS)


def test_a_drawing_gets_the_definitions_it_uses_and_no_others() -> None:
    defined = definitions(circle(0, 0, 9, fill=paint(RED)) + circle(0, 0, 9, fill=paint(RED)))
    assert defined.count("<pattern") == 1
    assert RED.fill in defined
    assert BLUE.fill not in defined


def test_definitions_are_the_same_every_time() -> None:
    drawing = circle(0, 0, 9, fill=paint(BLUE, "fine"))
    assert definitions(drawing) == definitions(drawing)
