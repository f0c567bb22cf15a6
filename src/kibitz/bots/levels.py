"""The bots, from a newcomer's play to the best we know. Each is given a seat's view alone."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.bots.policy import glance_at
from kibitz.bots.search import Style, new_tree, search
from kibitz.engine import playout
from kibitz.engine.chance import reseed
from kibitz.engine.compiled import NONE, rule
from kibitz.engine.errors import KibitzError
from kibitz.engine.game import Game
from kibitz.engine.moves import new_moves

CHUNK = 64  # simulations between two looks at the clock
NODES = 1_000_000  # of a search that is bound by time
USUAL: Mapping[str, Any] = {}  # no changes in the style of a search


@rule
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
        self, game: Game, guess: Any, seat: int, seed: int, budget: Budget | None = None
    ) -> int:
        """An action for a seat, from a state dealt anew from its view (`match.guess`)."""
        states, lists = game.blank(int(guess["players"][0]), {}, 2), new_moves()
        states[0] = guess[0]
        reseed_at(states, 0, seed, seat)
        playout.legal_at(states, 0, seat, lists)
        legal = [int(a) for a in lists[0]["move"][: lists[0]["count"]]]
        if len(legal) == 1:
            return legal[0]
        if self.budget is not None:
            chosen = budget or self.budget
            return think(game, states, seat, seed, chosen, self.changes).best()
        if self.noise is None:
            return legal[seed % len(legal)]
        return glance_at(states, 0, lists, seat, self.noise)


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
        nodes: int = NODES,
    ) -> None:
        self.game, self.states, self.seat, self.seed = game, states, seat, seed
        self.style = Style(**{**game.search, **changes})
        self.sign = -1 if game.identity.low_wins else 1
        self.lists = new_moves()
        self.tree = new_tree(nodes)
        self.used = 1

    def run(self, simulations: int) -> None:
        """So many simulations more."""
        self.used = search(
            self.states, self.lists, self.tree, self.used, self.seat, self.sign, simulations,
            self.seed, self.style,
        )  # fmt: skip

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


def think(
    game: Game, states: Any, seat: int, seed: int, budget: Budget, changes: Mapping[str, Any]
) -> Search:
    """Search until the budget is spent."""
    if budget.simulations is not None:
        found = Search(game, states, seat, seed, changes, budget.simulations + 1)
        found.run(budget.simulations)
        return found
    found = Search(game, states, seat, seed, changes)
    until = time.perf_counter() + (budget.seconds or 0.0)
    found.run(CHUNK)
    while time.perf_counter() < until:
        found.run(CHUNK)
    return found
