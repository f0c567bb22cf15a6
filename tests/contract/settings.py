"""What the contract suite runs over: every game found, every player count, every option."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import kibitz
from kibitz.engine.game import Game
from kibitz.engine.log import DEAL
from kibitz.engine.match import Match
from kibitz.engine.options import Choice, Flag, Number
from kibitz.games import find


@dataclass(frozen=True)
class Setting:
    """A game with a number of players and options."""

    game: str
    players: int
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        options = [f"{name}={value}" for name, value in self.options.items()]
        return "-".join([self.game, str(self.players), *options])

    def match(self, seed: int) -> Match:
        return kibitz.new(self.game, players=self.players, seed=seed, **self.options)


def variants(game: Game) -> Iterator[dict[str, Any]]:
    """Every combination of the options that change the rules, each number as small as it may be.

    Small numbers make short matches; test_options plays the ends of each range.
    """
    choices: dict[str, list[Any]] = {}
    for name, option in game.identity.options.items():
        if isinstance(option, Choice):
            choices[name] = list(option.words)
        elif isinstance(option, Flag):
            choices[name] = [False, True]
        else:
            choices[name] = [option.low]
    for values in product(*choices.values()):
        yield dict(zip(choices, values, strict=True))


SETTINGS = [
    Setting(name, players, options)
    for name in kibitz.games()
    for players in find(name).identity.seats
    for options in variants(find(name))
]
DEFAULTS = [
    Setting(name, players) for name in kibitz.games() for players in find(name).identity.seats
]


def wander(match: Match, rng: random.Random, most: int) -> Iterator[tuple[int | None, str]]:
    """Play on at random; before each step, say which comes: an action, or the deal of a round.

    Half of the matches prefer actions that name something: a word alone is often the way to do
    nothing (draw, pass, done), and whoever does nothing gets nowhere.
    """
    eager = rng.random() < 0.5
    for _ in range(most):
        if match.over:
            return
        step = (None, DEAL) if match.round_over else choose(match, rng, eager=eager)
        yield step
        match.repeat(*step)


def choose(match: Match, rng: random.Random, *, eager: bool) -> tuple[int | None, str]:
    """A seat that is due, and one of its actions."""
    seat = rng.choice(sorted(match.to_act))
    legal = match.legal(seat)
    telling = [action for action in legal if " " in action or ">" in action]
    return seat, rng.choice(telling if eager and telling and rng.random() < 0.9 else legal)


def numbers(game: Game) -> dict[str, Number]:
    """The options of a game that are numbers."""
    options = game.identity.options.items()
    return {name: option for name, option in options if isinstance(option, Number)}
