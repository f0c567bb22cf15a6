"""Every card of a game has a face that can be shown anywhere, and told from all others."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from kibitz.art.glyphs import STROKES
from kibitz.art.palette import lettered
from kibitz.contract import promise
from kibitz.contract.settings import refused
from kibitz.engine.game import Game
from kibitz.texts import LANGUAGES

SVG = "{http://www.w3.org/2000/svg}"
MOST_BYTES = 7_000
NO_CARDS = ("", "?", "back", "r♦4", "r55", "Joker", "b01", "br", "g16", "R", "no such card")


def art(game: Game) -> Any:
    """The module that draws a game's cards."""
    return import_module(f"{game.package}.art")


def pictures(game: Game) -> Iterator[tuple[str, str]]:
    """All faces of a game, its back, and the things on its table."""
    for code in game.layout.deck.codes:
        yield code, art(game).face(code)
    yield "back", art(game).back()
    for token in game.tabletop.tokens:
        for word in game.layout.shown[token].words:
            yield f"{token}.{word}", art(game).token(token, word)


@promise
def a_picture_is_a_small_titled_svg_of_the_size_of_a_card(game: Game) -> None:
    for name, text in pictures(game):
        root = ET.fromstring(text)
        assert root.tag == f"{SVG}svg", name
        assert root.get("viewBox") == "0 0 250 350", name
        assert root.findtext(f"{SVG}title"), f"{name} has no title"
        assert len(text.encode()) <= MOST_BYTES, f"{name} has more than {MOST_BYTES} bytes"


@promise
def a_picture_needs_nothing_that_a_strict_page_forbids(game: Game) -> None:
    for name, text in pictures(game):
        for element in ET.fromstring(text).iter():
            tag = element.tag.removeprefix(SVG)
            assert tag not in {"script", "style", "image", "foreignObject"}, f"{name}: {tag}"
            for key, value in element.attrib.items():
                assert key != "style", name
                assert not key.startswith("on"), f"{name}: {key}"
                assert not key.endswith("href"), f"{name}: {key}"
                assert not re.search(r"url\((?!#kibitz-)|https?:|data:|javascript:", value), name


@promise
def a_picture_defines_exactly_the_paints_that_it_uses(game: Game) -> None:
    for name, text in pictures(game):
        used = set(re.findall(r"url\(#([^)]+)\)", text))
        assert used == set(re.findall(r' id="([^"]+)"', text)), name


@promise
def what_an_id_names_is_the_same_on_every_card(game: Game) -> None:
    defined: dict[str, str] = {}
    for name, text in pictures(game):
        for element in ET.fromstring(text).iter():
            identity = element.get("id")
            if identity is not None:
                drawing = ET.tostring(element, encoding="unicode")
                assert defined.setdefault(identity, drawing) == drawing, f"{name}: {identity}"


@promise
def no_two_pictures_look_alike_and_no_two_cards_have_the_same_name(game: Game) -> None:
    untitled = [re.sub("<title>.*?</title>", "", text) for _, text in pictures(game)]
    assert len(set(untitled)) == len(untitled), "two pictures differ at most in their titles"
    for lang in LANGUAGES:
        names = [game.texts.card(lang, kind) for kind in game.layout.deck.kinds]
        alike = {name for name in names if names.count(name) > 1}
        assert not alike, f"texts/{lang}.toml: two kinds of card are called {sorted(alike)[0]!r}"


@promise
def colours_have_letters_of_their_own_in_every_language(game: Game) -> None:
    """Hues need not be told apart, whatever a player speaks; and all letters can be drawn."""
    for lang in LANGUAGES:
        letters = game.texts.letters(lang)
        alike = [letter for letter in letters.values() if [*letters.values()].count(letter) > 1]
        assert not alike, f"texts/{lang}.toml: two colours begin with {alike[0]!r}"
        unknown = set("".join(letters.values())) - set(STROKES)
        assert not unknown, f"texts/{lang}.toml: kibitz.art cannot draw {sorted(unknown)}"
        with lettered(letters):
            drawn = [re.sub("<title>.*?</title>", "", text) for _, text in pictures(game)]
        assert len(set(drawn)) == len(drawn), f"two pictures look alike in {lang}"
        assert max(len(text.encode()) for text in drawn) <= MOST_BYTES


@promise
def a_code_that_is_no_card_is_refused_by_name(game: Game) -> None:
    for code in NO_CARDS:
        if code not in game.layout.deck.codes:
            with refused(ValueError, f"has no card {code!r}"):
                art(game).face(code)
