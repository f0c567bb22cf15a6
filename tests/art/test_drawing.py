"""The pencil: elements, numbers, glyphs, shapes, the sheet."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import product

import pytest

import kibitz
from kibitz.art.frame import both_ends, card
from kibitz.art.glyphs import STROKES, write
from kibitz.art.palette import COLOURS, lettered
from kibitz.art.pips import scaled, square
from kibitz.art.sheet import contact_sheet
from kibitz.art.svg import circle, element, num, place
from kibitz.games import find
from kibitz.games.kiza import art as kiza
from kibitz.texts import LANGUAGES
from kibitz.texts.rulebook import read_rulebook


@pytest.mark.parametrize(
    ("value", "text"), [(3, "3"), (3.0, "3"), (-0.126, "-0.13"), (123.456, "123.5"), (-0.001, "0")]
)
def test_numbers_are_kept_short(value: float, text: str) -> None:
    assert num(value) == text


def test_an_attribute_is_escaped_and_hyphenated() -> None:
    assert element("g", stroke_width=2, id='a"<') == '<g stroke-width="2" id="a&quot;&lt;"/>'


def test_placing_scales_then_turns_then_moves() -> None:
    assert 'transform="translate(1 2)rotate(90)scale(0.5)"' in place("", 1, 2, scale=0.5, turn=90)


def test_there_is_a_glyph_for_every_digit_rank_and_letter_of_a_colour() -> None:
    letters = {colour.letter for colour in COLOURS}
    for game, lang in product(kibitz.games(), LANGUAGES):
        letters |= set("".join(find(game).texts.letters(lang).values()))
    assert set("0123456789JQKA") | letters == set(STROKES)


@pytest.mark.parametrize(
    ("game", "lang", "letters"),
    [
        ("kiza", "en", {"red": "R", "blue": "B", "green": "G", "yellow": "Y"}),
        ("kiza", "fr", {"red": "R", "blue": "B", "green": "V", "yellow": "J"}),
        ("kiza", "de", {"red": "R", "blue": "B", "green": "GR", "yellow": "GE"}),
        ("ramon", "de", {"blue": "B", "green": "G", "orange": "O"}),
    ],
)
def test_a_colour_has_the_letter_of_its_name_and_two_where_others_begin_alike(
    game: str, lang: str, letters: dict[str, str]
) -> None:
    assert find(game).texts.letters(lang) == letters


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("game", "rule"), [("kiza", "KIZA-C2"), ("viva", "VIVA-C2")])
def test_rulebooks_tell_the_letters_that_are_drawn(game: str, rule: str, lang: str) -> None:
    texts = find(game).texts
    (told,) = [b.text for b in read_rulebook(find(game).folder, lang) if b.id == rule]
    for colour, letter in texts.letters(lang).items():
        assert f"**{letter}** {texts.word(lang, 'colour', colour)}" in told


def test_a_card_is_drawn_with_the_letters_asked_for_and_in_english_again_afterwards() -> None:
    english = kiza.face("y●1")
    with lettered({"yellow": "J"}):
        french = kiza.face("y●1")
    assert STROKES["Y"][1] in english
    assert STROKES["J"][1] in french
    assert STROKES["Y"][1] not in french
    assert kiza.face("y●1") == english


@pytest.mark.parametrize("text", ["6", "9"])
def test_six_and_nine_stand_on_a_bar(text: str) -> None:
    assert write(text, 0, 0, 50, "#000").count("<path") == 2


def test_a_shape_can_be_scaled() -> None:
    assert scaled("M-10 20L30-5Z", 0.5).split() == ["M", "-5", "10L", "15", "-2.5Z"]


def test_a_square_with_sharp_corners_has_them_where_they_belong() -> None:
    assert square(5).startswith("M-5 -5")


def test_both_ends_show_the_same() -> None:
    drawn = circle(1, 2, 3)
    assert both_ends(drawn).count(drawn) == 2


def test_a_title_is_escaped() -> None:
    assert "<title>a&lt;b</title>" in card("a<b", "")


def test_a_sheet_shows_every_face_with_its_code() -> None:
    sheet = contact_sheet({"one": card("one", ""), "two": card("two", "")}, columns=1)
    root = ET.fromstring(sheet)
    captions = [text.text for text in root.findall("{http://www.w3.org/2000/svg}text")]
    assert captions == ["one", "two"]
    assert len(root.findall("{http://www.w3.org/2000/svg}svg")) == 2


def test_a_sheet_without_columns_is_refused() -> None:
    with pytest.raises(ValueError, match="column"):
        contact_sheet({}, columns=0)
