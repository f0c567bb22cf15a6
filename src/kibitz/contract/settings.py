"""What promises are tried with: every number of players, every option, matches at random."""

import math
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import kibitz
from kibitz.engine.action_list import new_list
from kibitz.engine.game import Game
from kibitz.engine.log import DEAL
from kibitz.engine.match import Match
from kibitz.engine.options import Choice, Flag, Number
from kibitz.engine.playout import playout_at


@dataclass(frozen=True)
class Setting:
    """A game with a number of players and options."""

    game: str
    players: int
    options: dict[str, Any] = field(default_factory=dict)
    effort: float = 1.0  # how many of the usual matches a promise is tried with

    def __str__(self) -> str:
        options = [f"{name}={value}" for name, value in self.options.items()]
        return "-".join([self.game, str(self.players), *options])

    def match(self, seed: int) -> Match:
        """A match from its beginning."""
        return kibitz.new(self.game, players=self.players, seed=seed, **self.options)

    def under_way(self, seed: int) -> Match:
        """A match that is anywhere between its beginning and its end; its log begins there."""
        match = self.match(seed)
        whole, longest = match.state.copy(), match.game.identity.longest
        steps = playout_at(whole, 0, new_list(), longest)
        playout_at(match.state, 0, new_list(), random.Random(seed).randrange(max(1, steps)))
        return Match(match.game, match.state, match.settings, match.seed, None)

    def seeds(self, usual: int) -> range:
        """Of that many matches, as many as the effort allows."""
        return range(math.ceil(usual * self.effort))

    def walks(self, matches: int, steps: int) -> Iterator[tuple[Match, int | None, str]]:
        """A few steps at many places: before each one the match, who is to do it, and what."""
        for seed in self.seeds(matches):
            match = self.under_way(seed)
            for seat, action in wander(match, random.Random(seed), steps):
                yield match, seat, action


def settings_of(game: Game) -> list[Setting]:
    """Every number of players with every combination of the options that change the rules."""
    return [
        Setting(game.name, players, options)
        for players in game.identity.seats
        for options in _variants(game)
    ]


def defaults_of(game: Game) -> list[Setting]:
    """Every number of players."""
    return [Setting(game.name, players) for players in game.identity.seats]


def _variants(game: Game) -> Iterator[dict[str, Any]]:
    """Each number is as small as it may be: small numbers make short matches."""
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


def numbers(game: Game) -> dict[str, Number]:
    """The options of a game that are numbers."""
    options = game.identity.options.items()
    return {name: option for name, option in options if isinstance(option, Number)}


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


@contextmanager
def refused(error: type[Exception], says: str = "") -> Iterator[None]:
    """What is done within must be refused."""
    said = None
    try:
        yield
    except error as refusal:
        said = str(refusal)
    assert said is not None, f"this must be refused with {error.__name__}"
    assert says in said, f"it says {said!r}, not {says!r}"
