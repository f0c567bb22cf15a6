"""The words shared by all games, and those of the page, are the same in every language."""

import json
import re
import tomllib
from pathlib import Path

import pytest

import kibitz.texts
from kibitz.contract.texts import LOOSE
from kibitz.texts import LANGUAGES, shared

FOLDER = Path(kibitz.texts.__file__).parent
PAGE = Path(__file__).parents[1] / "web" / "src" / "texts"


def words(lang: str) -> dict[str, str]:
    texts = tomllib.loads((FOLDER / f"{lang}.toml").read_text("utf-8"))
    return {f"{group}.{key}": text for group in texts for key, text in texts[group].items()}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_has_the_same_keys_and_gaps(lang: str) -> None:
    def gaps(text: str) -> set[str]:
        return set(re.findall(r"{(\w+)}", text))

    english, other = words("en"), words(lang)
    assert {key: gaps(text) for key, text in other.items()} == {
        key: gaps(text) for key, text in english.items()
    }


def test_a_text_that_is_not_there_is_named() -> None:
    with pytest.raises(KeyError, match=r"no 'table\.nonsense' in 'en'"):
        shared("en", "table.nonsense")


def test_french_signs_stay_with_their_word() -> None:
    texts = tomllib.loads((FOLDER / "fr.toml").read_text("utf-8"))
    typed = {
        key: texts["table"].pop(key) for key in ("choose", "lesson_choose", "help", "go_on")
    }  # `?` is a command
    page = json.loads((PAGE / "fr.json").read_text("utf-8"))
    for said in (texts["table"], texts["events"], texts["why"], page):
        assert not [key for key in said if LOOSE.search(said[key])]
    assert not re.search(r" [!:;]", "".join(typed.values()))


@pytest.mark.parametrize("lang", ["fr", "es"])
def test_an_ellipsis_follows_its_word_at_once(lang: str) -> None:
    said = json.loads((PAGE / f"{lang}.json").read_text("utf-8"))
    assert not [key for key in said if " …" in said[key]]
