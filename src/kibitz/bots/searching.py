"""Searches that can be asked, and asked to go on: plain, or guided by what was learned."""

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.bots import guided, knowledge, weighing
from kibitz.bots import search as plain
from kibitz.bots.guided import Guide
from kibitz.bots.inference import Beliefs, no_beliefs
from kibitz.bots.network import Network, new_desk
from kibitz.bots.search import USUAL, style_of
from kibitz.bots.weighing import Worlds
from kibitz.engine.action_list import new_list
from kibitz.engine.compiled import NONE
from kibitz.engine.deck import WORDS
from kibitz.engine.game import Game
from kibitz.engine.zones import SEATS

SLICE_SECONDS = 0.2  # of thinking, before others are served
NODES = 1_000_000  # the machine gives such memory only as it is used
SETTLED = 2_000  # simulations that all came out the same: more would, too


@dataclass(frozen=True)
class Budget:
    """How much a searching bot may think: seconds, or simulations, which can be repeated."""

    seconds: float | None = None
    simulations: int | None = None


def best_first(tried: Sequence[tuple[int, float]], searches: int = 1) -> list[int]:
    """How actions rank that were visited so often, and were worth so much, in searches.

    Where nothing is left to win or lose, all are worth the same and are visited as often but for
    one visit that is left over. Then the one that was tried first is the best: it looked best at
    a glance. So nobody who has won dawdles.
    """
    order = sorted(range(len(tried)), key=lambda i: (-tried[i][0], -tried[i][1]))
    most = tried[order[0]][0]
    level = [i for i in order if tried[i][0] >= most - searches]
    return sorted(level, key=lambda i: (-tried[i][1], i)) + order[len(level) :]


class AnySearch(ABC):
    """What all searches have: a tree that grows."""

    chunk: int  # simulations between two looks at the clock
    tree: Any

    def __init__(
        self, game: Game, states: Any, seat: int, seed: int, beliefs: Beliefs | None
    ) -> None:
        self.game, self.states, self.seat, self.seed = game, states, seat, seed
        self.beliefs = no_beliefs(game) if beliefs is None else beliefs
        self.lists = new_list()
        self.used = 1

    @abstractmethod
    def run(self, simulations: int) -> None:
        """So many simulations more."""

    def spend(self, budget: Budget) -> Iterator[None]:
        """Search until the budget is spent, slice by slice."""
        if budget.simulations is not None:
            self.run(budget.simulations)
            return
        left = budget.seconds or 0.0
        while True:
            began, spent = time.perf_counter(), 0.0
            while spent < min(left, SLICE_SECONDS):  # at first 0: however little time there is
                if self.is_settled():
                    return
                self.run(self.chunk)
                spent = time.perf_counter() - began
            left -= spent
            if left <= 0:
                return
            yield

    def is_settled(self) -> bool:
        """Whether nothing is left to find out."""
        return False

    def children(self) -> list[Any]:
        """The root's children: one for each action tried, in the order of their first tries."""
        found, child = [], int(self.tree[0]["first"])
        while child != NONE:
            found.append(self.tree[child])
            child = int(self.tree[child]["sibling"])
        return found[::-1]

    def best(self) -> int:
        """The action tried most often."""
        nodes = self.children()
        tried = [(int(node["visits"]), node["worth"] / max(1, node["visits"])) for node in nodes]
        return int(nodes[best_first(tried)[0]]["action"])


class Search(AnySearch):
    """A search by playouts; with `steps`, of what comes after the seat has taken them."""

    chunk = 64

    def __init__(
        self,
        game: Game,
        states: Any,
        seat: int,
        seed: int,
        changes: Mapping[str, Any] = USUAL,
        beliefs: Beliefs | None = None,
        steps: Iterable[int] = (),
    ) -> None:
        super().__init__(game, states, seat, seed, beliefs)
        self.steps = np.array(list(steps), np.int64)
        self.style = style_of(game, changes)
        self.sign = -1 if game.identity.low_wins else 1
        self.tree, self.worth = plain.new_tree(NODES), np.zeros(SEATS)
        self.worlds = self._deal() if self.style.worlds else weighing.no_worlds(states)

    def _deal(self) -> Worlds:
        """Worlds that look to the seat as the match does, weighed by what the others did."""
        style, n = self.style, self.style.worlds
        states, logs = np.repeat(self.states[:1], n), np.zeros(n)
        hands = np.zeros((SEATS, WORDS), np.int64)
        weighing.weigh(
            states, self.lists, self.seat, self.seed, style.infer, style.heat, style.doubt,
            knowledge.of(self.game).habits, self.beliefs.noted, self.beliefs.story, logs, hands,
        )  # fmt: skip
        return weighing.by_weight(states, logs)

    def is_settled(self) -> bool:
        """Whether the seat has won or lost in all of many simulations."""
        root = self.tree[0]
        return root["visits"] >= SETTLED and root["worth"] in (0, root["visits"])

    def best(self) -> int:
        """The action tried most often; or, if the style is to be sure of it, the first good one.

        That is the first one tried which is not surely worse than the best: what looks good at a
        glance stays good until the search knows better.
        """
        if not self.style.sure:
            return super().best()
        nodes = [node for node in self.children() if node["visits"]]
        worth = [float(node["worth"] / node["visits"]) for node in nodes]
        errors = [_error(node) for node in nodes]
        top = max(range(len(nodes)), key=lambda i: worth[i])
        for node, value, error in zip(nodes, worth, errors, strict=True):
            if worth[top] - value <= self.style.sure * math.hypot(error, errors[top]):
                return int(node["action"])
        raise AssertionError("the best is not worse than itself")

    def run(self, simulations: int) -> None:
        """So many simulations more."""
        self.used = plain.search(
            self.states, self.lists, self.tree, self.used, self.seat, self.sign, simulations,
            self.seed, self.style, self.beliefs.noted, self.worlds, self.steps, self.worth,
        )  # fmt: skip


def _error(node: Any) -> float:
    """The standard error of what an action is worth."""
    n = int(node["visits"])
    mean = float(node["worth"]) / n
    return math.sqrt(max(float(node["square"]) / n - mean * mean, 0.0) / n)


class GuidedSearch(AnySearch):
    """A search by what was learned."""

    chunk = 8

    def __init__(
        self,
        game: Game,
        network: Network,
        states: Any,
        seat: int,
        seed: int,
        changes: Mapping[str, Any] = USUAL,
        beliefs: Beliefs | None = None,
    ) -> None:
        super().__init__(game, states, seat, seed, beliefs)
        self.guide = Guide(**{**(knowledge.of(game).guide or {}), **changes})
        self.network, self.desk = network, new_desk(network)
        self.tree = plain.new_tree(NODES, guided.NODE)

    def run(self, simulations: int) -> None:
        """So many simulations more."""
        self.used = guided.search(
            self.states, self.lists, self.tree, self.used, self.seat, simulations,
            self.seed, self.guide, self.network, self.desk, self.beliefs.noted,
        )  # fmt: skip
