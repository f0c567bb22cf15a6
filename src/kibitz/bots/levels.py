"""The bots, from a newcomer's play to the best we know. Each is given what a seat may know."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kibitz.bots import knowledge
from kibitz.bots.inference import Onlooker
from kibitz.bots.policy import greedy_at
from kibitz.bots.search import Style, new_tree, search
from kibitz.engine import border
from kibitz.engine.action_list import new_list
from kibitz.engine.chance import reseed
from kibitz.engine.compiled import NONE, from_python
from kibitz.engine.errors import KibitzError
from kibitz.engine.game import Game
from kibitz.engine.match import Match

CHUNK = 64  # simulations between two looks at the clock
SLICE_SECONDS = 0.2  # of thinking, before others are served
NODES = 1_000_000  # the machine gives such memory only as it is used
USUAL: Mapping[str, Any] = {}  # no changes in the style of a search


@from_python
def reseed_at(states: Any, i: int, low: int, high: int) -> None:
    """Set the generator of state i."""
    reseed(states[i], low, high)


@dataclass(frozen=True)
class Budget:
    """How much a searching bot may think: seconds, or simulations, which can be repeated."""

    seconds: float | None = None
    simulations: int | None = None


@dataclass(frozen=True)
class Level:
    """A way to play. `noise` is None for uniformly random play."""

    name: str
    noise: int | None = None
    budget: Budget | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)  # in the style of its search

    def choose(
        self,
        game: Game,
        world: Any,
        seat: int,
        seed: int,
        budget: Budget | None = None,
        beliefs: Any = None,
    ) -> int:
        """An action for a seat, from a world sampled from its view (`match.sample_world`).

        `beliefs` are those of an `Onlooker` at the match.
        """
        *_, action = self.choosing(game, world, seat, seed, budget, beliefs)
        assert action is not None
        return action

    def choosing(
        self,
        game: Game,
        world: Any,
        seat: int,
        seed: int,
        budget: Budget | None = None,
        beliefs: Any = None,
    ) -> Iterator[int | None]:
        """The same in slices, so that others can be served between: None, and at last an action."""
        knowledge.of(game)
        states, lists = np.concatenate([world, world]), new_list()
        reseed_at(states, 0, seed, seat)
        border.legal_at(states, 0, seat, lists)
        legal = [int(a) for a in lists[0]["action"][: lists[0]["count"]]]
        if len(legal) == 1:
            yield legal[0]
        elif self.budget is not None:
            search = Search(game, states, seat, seed, self.changes, beliefs)
            for _ in search.spend(budget or self.budget):
                yield None
            yield search.best()
        elif self.noise is None:
            yield legal[seed % len(legal)]
        else:
            yield greedy_at(states, 0, lists, seat, self.noise)

    def action(
        self,
        match: Match,
        seat: int,
        seed: int,
        onlooker: Onlooker | None = None,
        budget: Budget | None = None,
    ) -> str:
        """What it does at a seat of a match; `onlooker` has followed the match so far."""
        beliefs = None
        if onlooker is not None and self.budget is not None:
            beliefs = onlooker.beliefs(match)
        world = match.sample_world(seat)
        return match.game.actions.write(self.choose(match.game, world, seat, seed, budget, beliefs))


LEVELS = {
    level.name: level
    for level in (
        Level("random"),
        Level("easy", noise=250),
        Level("medium", noise=0),
        Level("hard", budget=Budget(seconds=0.05)),
        Level("expert", budget=Budget(seconds=1.0)),
    )
}


def level(name: str) -> Level:
    """A bot by its name; a searching one in another style is `hard:depth=1:noise=200`."""
    base, *changes = name.split(":")
    if base not in LEVELS:
        raise KibitzError(f"there is no bot {base!r}; there are {', '.join(LEVELS)}")
    chosen = LEVELS[base]
    if changes and chosen.budget is None:
        raise KibitzError(f"{base} does not search, so it has no style to change")
    for change in changes:
        key, _, value = change.partition("=")
        if key not in Style._fields:
            raise KibitzError(f"a search has no {key!r}; it has {', '.join(Style._fields)}")
        kind = type(getattr(Style(), key))
        try:
            chosen = replace(chosen, name=name, changes={**chosen.changes, key: kind(value)})
        except ValueError:
            raise KibitzError(f"{key} takes a number, not {value!r}") from None
    return chosen


class Search:
    """A search that can be asked, and asked to go on."""

    def __init__(
        self,
        game: Game,
        states: Any,
        seat: int,
        seed: int,
        changes: Mapping[str, Any] = USUAL,
        beliefs: Any = None,
    ) -> None:
        known = knowledge.of(game)
        self.game, self.states, self.seat, self.seed = game, states, seat, seed
        self.style = Style(**{**known.style, **changes})
        self.sign = -1 if game.identity.low_wins else 1
        self.beliefs = np.zeros(1, known.beliefs) if beliefs is None else beliefs
        self.lists = new_list()
        self.tree = new_tree(NODES)
        self.used = 1

    def run(self, simulations: int) -> None:
        """So many simulations more."""
        self.used = search(
            self.states, self.lists, self.tree, self.used, self.seat, self.sign, simulations,
            self.seed, self.style, self.beliefs,
        )  # fmt: skip

    def spend(self, budget: Budget) -> Iterator[None]:
        """Search until the budget is spent, slice by slice."""
        if budget.simulations is not None:
            self.run(budget.simulations)
            return
        left = budget.seconds or 0.0
        while True:
            began = time.perf_counter()
            while (spent := time.perf_counter() - began) < min(left, SLICE_SECONDS):
                self.run(CHUNK)
            left -= spent
            if left <= 0:
                return
            yield

    def children(self) -> list[Any]:
        """The root's children: one for each action tried."""
        found, child = [], int(self.tree[0]["first"])
        while child != NONE:
            found.append(self.tree[child])
            child = int(self.tree[child]["sibling"])
        return found

    def best(self) -> int:
        """The action tried most often."""
        return int(max(self.children(), key=lambda node: (node["visits"], node["worth"]))["action"])
