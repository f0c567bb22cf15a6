"""What a game is: its identity card, and all that its folder holds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from kibitz.engine import rounds
from kibitz.engine.actions import Actions
from kibitz.engine.checked import Checked, plain
from kibitz.engine.deck import Kind
from kibitz.engine.dispatch import Rules, action_tables, deck_tables, register, zone_tables
from kibitz.engine.errors import BadOption
from kibitz.engine.events import Events
from kibitz.engine.options import Option, Settings, no_more_to_settle
from kibitz.engine.record import Layout
from kibitz.engine.tabletop import Tabletop

USUAL_PLAYERS = 4


class Texts(Protocol):
    """The words of a game in the languages it speaks."""

    def say(self, lang: str, key: str, **words: str) -> str:
        """A sentence, its gaps filled."""
        ...

    def has(self, lang: str, key: str) -> bool:
        """Whether there is such a sentence."""
        ...

    def word(self, lang: str, group: str, word: str) -> str:
        """A single word."""
        ...

    def card(self, lang: str, kind: Kind) -> str:
        """The name of a card."""
        ...

    def explain(self, lang: str, kind: Kind) -> str:
        """What a card is and does."""
        ...

    def letters(self, lang: str) -> dict[str, str]:
        """The letters of colours on cards."""
        ...

    def all(self, lang: str) -> dict[str, Any]:
        """All that can be said."""
        ...


@dataclass(frozen=True)
class Identity:
    """A game's identity card, on top of its folder."""

    name: str
    title: str
    seats: range
    version: int  # of the rules; a stored match is replayed by the version that it was played with
    longest: int  # no match has more actions than this; the reason stands beside it
    scores: tuple[int, int]  # no total is ever outside these; likewise
    low_wins: bool = False
    options: Mapping[str, Option] = field(default_factory=dict)
    settle: Callable[[Settings, frozenset[str]], Settings] = no_more_to_settle

    @property
    def usual_players(self) -> int:
        """How many sit down unless somebody says otherwise."""
        return min(max(USUAL_PLAYERS, self.seats[0]), self.seats[-1])


@dataclass(frozen=True, eq=False)
class Game:
    """A game, complete: engine, command, table and bots know nothing else of it."""

    identity: Identity
    layout: Layout
    actions: Actions
    events: Events
    rules: ModuleType
    refusals: ModuleType
    positions: ModuleType
    tabletop: Tabletop
    texts: Texts
    folder: Path

    @property
    def name(self) -> str:
        """The game's code name."""
        return self.identity.name

    @property
    def package(self) -> str:
        """The package that holds the game's modules."""
        return self.rules.__name__.rpartition(".")[0]

    @cached_property
    def compiled(self) -> Rules:
        """The rules for compiled play."""
        return Rules(
            begin_round=self.rules.begin_round,
            legal=self.rules.legal,
            apply=self.rules.apply,
            redeal_choice=getattr(self.rules, "redeal_choice", rounds.no_hidden_choice),
            **action_tables(self.actions),
            **zone_tables(self.layout.zones),
            **deck_tables(self.layout.deck),
        )

    @cached_property
    def plain(self) -> Rules:
        """The same rules for checked play."""
        return Rules(*(plain(value) for value in self.compiled))

    @cached_property
    def refusal(self) -> Callable[[Any, int, int], str]:
        """The rule that forbids an action which is not legal, asked of a checked state."""
        function: Callable[[Any, int, int], str] = plain(self.refusals.refusal)
        return function

    @cached_property
    def position_error(self) -> Callable[[Any], str | None]:
        """What is wrong with a written position, asked of a checked state."""
        function: Callable[[Any], str | None] = plain(self.positions.position_error)
        return function

    def with_derived(self, state: Any) -> Any:
        """A state, as an array of one, with its derived fields set by where the cards lie."""
        if not self.layout.derived:
            return state
        checked = Checked(self.layout, self.plain, state[0])
        plain(self.rules.derive)(checked)
        return checked.record()

    def ready(self) -> "Game":
        """Make the game known to compiled code."""
        register(self.layout, self.compiled)
        return self

    def settings(self, players: int, options: Mapping[str, object]) -> Settings:
        """All options with their values, checked."""
        card = self.identity
        if isinstance(players, bool) or not isinstance(players, int) or players not in card.seats:
            few, many = card.seats[0], card.seats[-1]
            how_many = f"{few} to {many}" if few != many else f"{few}"
            raise BadOption(f"{card.title} is for {how_many} players, not {players!r}")
        for name in options:
            if name not in card.options:
                known = ", ".join(card.options) or "none"
                raise BadOption(f"{card.title} has no option {name!r}; it has: {known}")
        settings = {
            name: option.read(name, options[name]) if name in options else option.default
            for name, option in card.options.items()
        }
        return card.settle(settings, frozenset(options))

    def written(self, settings: Settings) -> dict[str, object]:
        """Options as a person would give them."""
        return {name: self.identity.options[name].write(v) for name, v in settings.items()}

    def blank(
        self, players: int, settings: Settings, n: int = 1, *, reporting: bool = False
    ) -> Any:
        """States with players and options set, nothing dealt, as an array."""
        states = np.zeros(n, self.layout.reporting if reporting else self.layout.dtype)
        for name, declared in self.layout.fields.items():
            if declared.empty:
                states[name] = declared.empty
        states["players"] = players
        for name, value in settings.items():
            states[name] = value
        return states
