"""The words shared by all games are the same in every language."""

import re
import tomllib
from pathlib import Path

import pytest

import kibitz.texts
from kibitz.texts import LANGUAGES, shared

FOLDER = Path(kibitz.texts.__file__).parent


def words(lang: str) -> dict[str, str]:
    table: dict[str, str] = tomllib.loads((FOLDER / f"{lang}.toml").read_text("utf-8"))["table"]
    return table


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
