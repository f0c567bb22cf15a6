"""Every card of every game has a face that can be shown anywhere, and told from all others."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import kibitz
from kibitz.engine.game import Game

SVG = "{http://www.w3.org/2000/svg}"
MOST_BYTES = 7_000


def art(game: str) -> Any:
    return import_module(f"kibitz.games.{game}.art")


def pictures(game: Game) -> Iterator[tuple[str, str]]:
    """All faces of a game, and its back."""
    for code in game.layout.deck.codes:
        yield code, art(game.name).face(code)
    yield "back", art(game.name).back()


def test_a_picture_is_a_small_titled_svg_of_the_size_of_a_card(game: Game) -> None:
    for name, text in pictures(game):
        root = ET.fromstring(text)
        assert root.tag == f"{SVG}svg", name
        assert root.get("viewBox") == "0 0 250 350"
        assert root.findtext(f"{SVG}title")
        assert len(text.encode()) <= MOST_BYTES


def test_a_picture_needs_nothing_that_a_strict_page_forbids(game: Game) -> None:
    for _, text in pictures(game):
        for element in ET.fromstring(text).iter():
            tag = element.tag.removeprefix(SVG)
            assert tag not in {"script", "style", "image", "foreignObject"}
            for key, value in element.attrib.items():
                assert key != "style"
                assert not key.startswith("on")
                assert not key.endswith("href")
                assert not re.search(r"url\((?!#kibitz-)|https?:|data:|javascript:", value)


def test_a_picture_defines_exactly_the_paints_that_it_uses(game: Game) -> None:
    for name, text in pictures(game):
        used = set(re.findall(r"url\(#([^)]+)\)", text))
        assert used == set(re.findall(r' id="([^"]+)"', text)), name


def test_what_an_id_names_is_the_same_on_every_card(game: Game) -> None:
    defined: dict[str, str] = {}
    for _, text in pictures(game):
        for element in ET.fromstring(text).iter():
            identity = element.get("id")
            if identity is not None:
                drawing = ET.tostring(element, encoding="unicode")
                assert defined.setdefault(identity, drawing) == drawing


def test_no_two_pictures_of_a_game_look_alike(game: Game) -> None:
    untitled = [re.sub("<title>.*?</title>", "", text) for _, text in pictures(game)]
    assert len(set(untitled)) == len(untitled)


def test_no_two_games_have_the_same_back() -> None:
    assert len({art(game).back() for game in kibitz.games()}) == len(kibitz.games())


@pytest.mark.parametrize("code", ["", "?", "back", "r♦4", "r55", "Joker", "b01", "br", "g16", "R"])
def test_a_code_that_no_game_has_is_refused_by_name(game: Game, code: str) -> None:
    with pytest.raises(ValueError, match=f"has no card {re.escape(repr(code))}"):
        art(game.name).face(code)
