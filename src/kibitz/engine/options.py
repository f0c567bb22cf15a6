"""The options of a game: numbers, words, flags, each with a default and what it may be."""

from dataclasses import dataclass

import numpy as np

from kibitz.engine.errors import BadOption


@dataclass(frozen=True)
class Number:
    """An option that is a number."""

    default: int
    low: int
    high: int

    def read(self, name: str, value: object) -> int:
        """The option's value, checked."""
        if isinstance(value, str) and value.strip().removeprefix("-").isdecimal():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise BadOption(f"{name} must be a whole number, not {value!r}")
        if not self.low <= value <= self.high:
            raise BadOption(f"{name} must be from {self.low} to {self.high}, not {value}")
        return int(value)

    def write(self, value: int) -> object:
        """The value as a person would give it."""
        return value


@dataclass(frozen=True)
class Choice:
    """An option that is one of a few words."""

    words: tuple[str, ...]
    default: int = 0

    def read(self, name: str, value: object) -> int:
        """The option's value, checked."""
        if isinstance(value, str) and value.strip().lower() in self.words:
            return self.words.index(value.strip().lower())
        raise BadOption(f"{name} must be one of {', '.join(self.words)}, not {value!r}")

    def write(self, value: int) -> object:
        """The value as a person would give it."""
        return self.words[value]


@dataclass(frozen=True)
class Flag:
    """An option that is on or off."""

    default: int = 0

    def read(self, name: str, value: object) -> int:
        """The option's value, checked."""
        words = {"yes": 1, "on": 1, "true": 1, "no": 0, "off": 0, "false": 0}
        if isinstance(value, bool):
            return int(value)
        if isinstance(value, str) and value.strip().lower() in words:
            return words[value.strip().lower()]
        raise BadOption(f"{name} must be yes or no, not {value!r}")

    def write(self, value: int) -> object:
        """The value as a person would give it."""
        return bool(value)


Option = Number | Choice | Flag
Settings = dict[str, int]  # every option of a game with its value


def no_more_to_settle(settings: Settings, given: frozenset[str]) -> Settings:
    """For games whose options do not depend on each other."""
    return settings
