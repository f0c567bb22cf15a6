"""Every card of every game has a face that can be shown anywhere, and told from all others."""

from __future__ import annotations

import importlib
import re
import xml.etree.ElementTree as ET
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import kibitz.games

SVG = "{http://www.w3.org/2000/svg}"
SIZE_LIMIT = 7_000

CODES: dict[str, list[str]] = {
    "kiza": [
        colour + shape + value
        for colour in "rbgy"
        for shape in "●■▲♦"
        for value in ("1", "2", "3", "5", "7", "10", "15")
    ],
    "kolpa": [colour + number for colour in "rbgyp" for number in "012345"] + ["joker"],
    "ramon": [f"{colour}{number}" for colour in "bgo" for number in range(1, 16)],
    "viva": [*"roygbp", *(first + second for first, second in combinations("roygbp", 2))],
    "zocken": [f"g{number}" for number in range(1, 10)]
    + ["yellow", "blue", "pass", "draw", "give", "wild", "low", "high"],
}

EXTRAS: dict[str, list[tuple[str, tuple[str, ...]]]] = {
    "kiza": [("gain", ())],
    "viva": [("winner", ())],
    "zocken": [("pawn", ("yellow",)), ("pawn", ("blue",))],
}

NO_CARDS = {
    "kiza": ["r♦4", "p♦7", "r♥7", "r♦", "♦7", "r♦07"],
    "kolpa": ["r6", "o1", "r", "r55", "Joker"],
    "ramon": ["b0", "b16", "r3", "b", "b01"],
    "viva": ["br", "rr", "rob", "x", "R"],
    "zocken": ["g0", "g10", "green", "Wild"],
}


def games() -> list[str]:
    """The games found: every folder that holds drawings."""
    root = Path(next(iter(kibitz.games.__path__)))
    return sorted(folder.parent.name for folder in root.glob("*/art.py"))


def art(game: str) -> Any:
    return importlib.import_module(f"kibitz.games.{game}.art")


@cache
def pictures(game: str) -> dict[str, str]:
    """All that a game draws, by name."""
    module = art(game)
    drawn: dict[str, str] = {code: module.face(code) for code in CODES.get(game, [])}
    drawn["back"] = module.back()
    for name, arguments in EXTRAS.get(game, []):
        drawn[" ".join((name, *arguments))] = getattr(module, name)(*arguments)
    return drawn


def every_picture() -> list[Any]:
    return [
        pytest.param(game, name, id=f"{game} {name}") for game in games() for name in pictures(game)
    ]


def test_all_games_of_the_table_are_found() -> None:
    assert set(CODES) <= set(games())


@pytest.mark.parametrize(("game", "name"), every_picture())
def test_a_picture_is_a_titled_svg_of_the_size_of_a_card(game: str, name: str) -> None:
    root = ET.fromstring(pictures(game)[name])
    assert root.tag == f"{SVG}svg"
    assert root.get("viewBox") == "0 0 250 350"
    assert root.findtext(f"{SVG}title")


@pytest.mark.parametrize(("game", "name"), every_picture())
def test_a_picture_needs_nothing_that_a_strict_page_forbids(game: str, name: str) -> None:
    for element in ET.fromstring(pictures(game)[name]).iter():
        assert element.tag.removeprefix(SVG) not in {"script", "style", "image", "foreignObject"}
        for key, value in element.attrib.items():
            assert key != "style"
            assert not key.startswith("on")
            assert not key.endswith("href")
            assert not re.search(r"url\((?!#kibitz-)|https?:|data:|javascript:", value)


@pytest.mark.parametrize(("game", "name"), every_picture())
def test_a_picture_defines_exactly_the_paints_that_it_uses(game: str, name: str) -> None:
    text = pictures(game)[name]
    used = set(re.findall(r"url\(#([^)]+)\)", text))
    assert used == set(re.findall(r' id="([^"]+)"', text))


@pytest.mark.parametrize(("game", "name"), every_picture())
def test_a_picture_is_small(game: str, name: str) -> None:
    assert len(pictures(game)[name].encode()) <= SIZE_LIMIT


@pytest.mark.parametrize("game", games())
def test_no_two_pictures_of_a_game_look_alike(game: str) -> None:
    untitled = [re.sub("<title>.*?</title>", "", text) for text in pictures(game).values()]
    assert len(set(untitled)) == len(untitled)


def test_no_two_games_have_the_same_back() -> None:
    assert len({art(game).back() for game in games()}) == len(games())


@pytest.mark.parametrize("game", games())
def test_what_an_id_names_is_the_same_on_every_card(game: str) -> None:
    defined: dict[str, str] = {}
    for text in pictures(game).values():
        for element in ET.fromstring(text).iter():
            identity = element.get("id")
            if identity is not None:
                drawing = ET.tostring(element, encoding="unicode")
                assert defined.setdefault(identity, drawing) == drawing


@pytest.mark.parametrize("game", games())
@pytest.mark.parametrize("code", ["", "?", "back"])
def test_a_code_that_no_game_has_is_refused(game: str, code: str) -> None:
    with pytest.raises(ValueError, match="has no card"):
        art(game).face(code)


@pytest.mark.parametrize(
    ("game", "code"), [(game, code) for game, codes in NO_CARDS.items() for code in codes]
)
def test_a_near_miss_is_refused_by_name(game: str, code: str) -> None:
    with pytest.raises(ValueError, match=re.escape(repr(code))):
        art(game).face(code)


def test_the_pawn_has_two_sides_only() -> None:
    with pytest.raises(ValueError, match="'green'"):
        art("zocken").pawn("green")
