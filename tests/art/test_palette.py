"""Colours can be told apart without their hue, and read on paper."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest

from kibitz.art.palette import COLOURS, INK, PAPER, Colour, by_letters, contrast, mix

READABLE = 4.5
"""What WCAG 2 asks of text."""


def by_name(colour: Colour) -> str:
    return colour.name


def test_contrast_runs_from_one_to_twenty_one() -> None:
    assert contrast("#123456", "#123456") == pytest.approx(1)
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#ffffff", "#767676") == pytest.approx(4.54, abs=0.01)


def test_mixing_goes_from_one_colour_to_the_other() -> None:
    assert mix("#000000", "#ffffff", 0) == "#000000"
    assert mix("#000000", "#ffffff", 1) == "#ffffff"
    assert mix("#102030", "#304050", 0.5) == "#203040"


@pytest.mark.parametrize("colour", COLOURS, ids=by_name)
def test_a_colours_ink_reads_on_paper(colour: Colour) -> None:
    assert contrast(colour.ink, PAPER) >= READABLE


@pytest.mark.parametrize("colour", COLOURS, ids=by_name)
def test_a_letter_reads_on_its_colour(colour: Colour) -> None:
    assert colour.on in (PAPER, INK)
    assert contrast(colour.on, colour.fill) >= READABLE


@pytest.mark.parametrize(("one", "other"), list(combinations(COLOURS, 2)))
def test_two_colours_share_neither_letter_nor_pattern(one: Colour, other: Colour) -> None:
    assert one.letter != other.letter
    assert one.pattern != other.pattern


def test_fills_form_a_ladder_of_lightness() -> None:
    rungs = sorted(contrast(colour.fill, "#000000") for colour in COLOURS)
    assert all(above / below > 1.1 for below, above in pairwise(rungs))


def test_colours_are_found_by_the_letters_of_card_codes() -> None:
    assert [colour.name for colour in by_letters("rbg").values()] == ["red", "blue", "green"]
