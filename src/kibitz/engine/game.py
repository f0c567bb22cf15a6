"""What a game is: its identity card, and all that its folder holds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from kibitz.engine import memory, sense, standing
from kibitz.engine.actions import Actions, Secrecy
from kibitz.engine.checked import plain
from kibitz.engine.compiled import table
from kibitz.engine.deck import Kind
from kibitz.engine.dispatch import Rules, register, sight_tables
from kibitz.engine.errors import BadOption
from kibitz.engine.record import Layout
from kibitz.engine.table import Table

Settings = dict[str, int]


class Texts(Protocol):
    """The words of a game in the languages it speaks."""

    def say(self, lang: str, key: str, **words: str) -> str:
        """A sentence, its gaps filled."""
        ...

    def word(self, lang: str, group: str, word: str) -> str:
        """A single word."""
        ...

    def card(self, lang: str, kind: Kind) -> str:
        """The name of a card."""
        ...

    def all(self, lang: str) -> dict[str, Any]:
        """All that can be said."""
        ...


@dataclass(frozen=True)
class Number:
    """An option that is a number."""

    default: int
    low: int
    high: int

    def read(self, name: str, value: object) -> int:
        """The option's value, checked."""
        if isinstance(value, str) and value.strip().lstrip("-").isdigit():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise BadOption(f"{name} must be a whole number, not {value!r}")
        if not self.low <= value <= self.high:
            raise BadOption(f"{name} must be from {self.low} to {self.high}, not {value}")
        return value

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


def no_more_to_settle(settings: Settings, given: frozenset[str]) -> Settings:
    """For games whose options do not depend on each other."""
    return settings


@dataclass(frozen=True)
class Identity:
    """A game's identity card, on top of its folder."""

    name: str
    title: str
    seats: range
    version: int  # of the rules; a stored match is replayed by the version that it was played with
    longest: int  # no match has more actions than this; rules.py says why
    scores: tuple[int, int]  # no total is ever outside these; rules.py says why
    low_wins: bool = False
    options: Mapping[str, Option] = field(default_factory=dict)
    settle: Callable[[Settings, frozenset[str]], Settings] = no_more_to_settle


@dataclass(frozen=True)
class Game:
    """A game, complete: engine, command, table and bots know nothing else of it."""

    identity: Identity
    layout: Layout
    actions: Actions
    rules: ModuleType
    refusals: ModuleType
    sense: ModuleType | None  # for bots; a game can do without
    memory: ModuleType | None  # likewise
    table: Table
    texts: Texts
    folder: Path

    @property
    def name(self) -> str:
        """The game's code name."""
        return self.identity.name

    @cached_property
    def compiled(self) -> Rules:
        """The rules for compiled play."""
        r, own = self.rules, self.sense or sense
        reseal = getattr(r, "reseal", standing.reseal)
        mind = self.memory or memory
        unseen = table(int(a.verb.secrecy is not Secrecy.OPEN) for a in self.actions.all)
        return Rules(
            r.start, r.legal, r.apply, reseal, own.appraise, own.outlook, mind.remember,
            mind.believe, unseen, *sight_tables(self.layout),
        )  # fmt: skip

    @cached_property
    def plain(self) -> Rules:
        """The same rules for checked play."""
        return Rules(*(plain(value) for value in self.compiled))

    @cached_property
    def refusal(self) -> Callable[[Any, int, int], str | None]:
        """Which rule forbids an action, asked of a checked state."""
        function: Callable[[Any, int, int], str | None] = plain(self.refusals.refusal)
        return function

    @cached_property
    def doubt(self) -> Callable[[Any], str | None]:
        """What is wrong with a written position, asked of a checked state."""
        function: Callable[[Any], str | None] = plain(self.refusals.doubt)
        return function

    @property
    def trust(self) -> tuple[float, float]:
        """How far chances found by playouts can be trusted: bias and slope of their log odds."""
        found: tuple[float, float] = getattr(self.sense or sense, "TRUST", sense.TRUST)
        return found

    @property
    def search(self) -> Mapping[str, Any]:
        """What a search does otherwise than usual in this game, by the names of its style."""
        found: Mapping[str, Any] = getattr(self.sense or sense, "SEARCH", sense.SEARCH)
        return found

    def ready(self) -> "Game":
        """Make the game known to compiled code."""
        register(self.layout, self.compiled)
        return self

    def settings(self, players: int, options: Mapping[str, object]) -> Settings:
        """All options with their values, checked."""
        card = self.identity
        if isinstance(players, bool) or not isinstance(players, int) or players not in card.seats:
            few, many = card.seats[0], card.seats[-1]
            raise BadOption(f"{card.title} is for {few} to {many} players, not {players}")
        for name in options:
            if name not in card.options:
                known = ", ".join(card.options) or "none"
                raise BadOption(f"{card.title} has no option {name!r}; it has: {known}")
        settings = {
            name: option.read(name, options[name]) if name in options else option.default
            for name, option in card.options.items()
        }
        return card.settle(settings, frozenset(options))

    def blank(self, players: int, settings: Settings, n: int = 1) -> Any:
        """States with players and options set, nothing dealt, as an array."""
        states = np.zeros(n, self.layout.dtype)
        for name, declared in self.layout.fields.items():
            if declared.empty:
                states[name] = declared.empty
        states["players"] = players
        for name, value in settings.items():
            states[name] = value
        return states
