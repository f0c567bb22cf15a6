"""Words in five languages: those of all games here, those of a game in its own folder."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from kibitz.engine.errors import BrokenGame

LANGUAGES = ("en", "fr", "de", "es", "nl")
_SHARED = Path(__file__).parent


@cache
def _read(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise BrokenGame(f"{file} cannot be read: {error.strerror}") from None
    except ValueError as error:  # it names line and column
        raise BrokenGame(f"{file} is no TOML: {error}") from None


def _look_up(words: dict[str, Any], key: str) -> Any:
    value: Any = words
    for part in key.split("."):
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    return value


def shared(lang: str, key: str, **words: str) -> str:
    """A sentence that belongs to no game."""
    sentence = _look_up(_read(_SHARED / f"{lang}.toml"), key)
    if not isinstance(sentence, str):
        raise KeyError(f"the shared texts have no {key!r} in {lang!r}")
    return sentence.format(**words) if words else sentence


class Kind(Protocol):
    """What a card's name is made of."""

    @property
    def code(self) -> str:
        """How it is written down."""
        ...

    @property
    def form(self) -> str:
        """The template's key."""
        ...

    @property
    def words(self) -> Mapping[str, str]:
        """What fills its gaps."""
        ...


class Texts:
    """The words of one game; what it does not say itself, the shared words do."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def say(self, lang: str, key: str, **words: str) -> str:
        """A sentence, its gaps filled."""
        sentence = _look_up(_read(self.folder / f"{lang}.toml"), key)
        if not isinstance(sentence, str):
            if not self.has(lang, key):
                raise BrokenGame(f"{self.folder / lang}.toml has no {key!r}")
            return shared(lang, key, **words)
        return sentence.format(**words) if words else sentence

    def has(self, lang: str, key: str) -> bool:
        """Whether there is such a sentence."""
        return any(
            isinstance(_look_up(_read(folder / f"{lang}.toml"), key), str)
            for folder in (self.folder, _SHARED)
        )

    def all(self, lang: str) -> dict[str, Any]:
        """All that can be said: the shared words, and over them the game's own."""
        own, common = _read(self.folder / f"{lang}.toml"), _read(_SHARED / f"{lang}.toml")
        events = {**common["events"], **own.get("events", {})}
        return {**common, **own, "events": events}

    def word(self, lang: str, group: str, word: str) -> str:
        """A single word, such as a colour; a number or a name stands for itself.

        `colour2` and `called_colour` are colours, too.
        """
        group = group.rstrip("0123456789")
        for name in (group, group.rpartition("_")[2]):
            found = _look_up(_read(self.folder / f"{lang}.toml"), f"words.{name}.{word}")
            if isinstance(found, str):
                return found
        return word

    def card(self, lang: str, kind: Kind) -> str:
        """The name of a card."""
        return self.say(lang, f"card.{kind.form}", **self._words(lang, kind))

    def explain(self, lang: str, kind: Kind) -> str:
        """What a card is and does: by its code, by one of its words, or by its form."""
        keys = [f"explain.{word}" for word in (kind.code, *kind.words.values())]
        key = next((key for key in keys if self.has(lang, key)), f"explain.{kind.form}")
        return self.say(lang, key, **self._words(lang, kind))

    def letters(self, lang: str) -> dict[str, str]:
        """A colour's letter on cards: its initial, or two letters where several begin alike."""
        words = _look_up(_read(self.folder / f"{lang}.toml"), "words.colour") or {}
        initials = [word[0].upper() for word in words.values()]
        return {
            colour: word[: 2 if initials.count(word[0].upper()) > 1 else 1].upper()
            for colour, word in words.items()
        }

    def _words(self, lang: str, kind: Kind) -> dict[str, str]:
        return {name: self.word(lang, name, word) for name, word in kind.words.items()}
