"""The bots, from a newcomer's play to the best we know. Each is given what a seat may know."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from kibitz.bots import knowledge, network
from kibitz.bots.guided import Guide
from kibitz.bots.inference import Beliefs, Onlooker
from kibitz.bots.policy import greedy_at
from kibitz.bots.search import Style
from kibitz.bots.searching import AnySearch, Budget, GuidedSearch, Search
from kibitz.engine import border
from kibitz.engine.action_list import new_list
from kibitz.engine.chance import reseed
from kibitz.engine.compiled import from_python
from kibitz.engine.errors import KibitzError
from kibitz.engine.game import Game
from kibitz.engine.match import Match

__all__ = ["LEVELS", "Budget", "Level", "level"]

BUDGETS: dict[str, type[Any]] = {"seconds": float, "simulations": int}


@from_python
def reseed_at(states: Any, i: int, low: int, high: int) -> None:
    """Set the generator of state i."""
    reseed(states[i], low, high)


@dataclass(frozen=True)
class Level:
    """A way to play. `noise` is None for uniformly random play."""

    name: str
    noise: int | None = None
    budget: Budget | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)  # in the way it searches
    learned: bool | None = None  # whether it goes by what was learned; None: where it is better
    fixed: Budget | None = None  # its own budget, whatever others are given

    def choose(
        self,
        game: Game,
        world: Any,
        seat: int,
        seed: int,
        budget: Budget | None = None,
        beliefs: Beliefs | None = None,
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
        beliefs: Beliefs | None = None,
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
            given = self.fixed or budget or self.budget
            yield from self._searching(game, states, seat, seed, given, beliefs)
        elif self.noise is None:
            yield legal[seed % len(legal)]
        else:
            yield greedy_at(states, 0, lists, seat, self.noise)

    def _searching(
        self, game: Game, states: Any, seat: int, seed: int, budget: Budget, beliefs: Beliefs | None
    ) -> Iterator[int | None]:
        search: AnySearch
        learned = knowledge.of(game).guide is not None if self.learned is None else self.learned
        if not learned:
            search = Search(game, states, seat, seed, self.changes, beliefs)
        elif (net := network.of(game)) is None:
            raise KibitzError(f"nothing was learned of {game.name}, so {self.name} cannot play it")
        elif self.changes.get("depth") == 0:
            policy = network.glance_of(net, states, 0, seat).policy
            yield max(policy, key=lambda action: policy[action])
            return
        else:
            search = GuidedSearch(game, net, states, seat, seed, self.changes, beliefs)
        for _ in search.spend(budget):
            yield None
        yield search.best()

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
            beliefs = onlooker.beliefs(match, seat, tell="worlds" in self.changes)
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
    """A bot by its name; a searching one in another style is `hard:learned=0:depth=1:noise=200`.

    `learned=0` is a search by playouts in some `Style`, `learned=1` one by what was learned, which
    has a `Guide`; `hard:learned=1:depth=0` does what looks best at a glance. A budget of its own is
    given as `hard:simulations=300` or `hard:seconds=0.5`.
    """
    base, *changes = name.split(":")
    if base not in LEVELS:
        raise KibitzError(f"there is no bot {base!r}; there are {', '.join(LEVELS)}")
    chosen = LEVELS[base]
    if changes and chosen.budget is None:
        raise KibitzError(f"{base} does not search, so it has no style to change")
    for learned in (0, 1):
        if f"learned={learned}" in changes:
            changes.remove(f"learned={learned}")
            chosen = replace(chosen, name=name, learned=bool(learned))
    kinds = dict(BUDGETS)
    if chosen.learned is not None:
        way: Style | Guide = Guide() if chosen.learned else Style()
        kinds |= {key: type(value) for key, value in way._asdict().items()}
    for change in changes:
        key, _, value = change.partition("=")
        if key not in kinds:
            more = "" if chosen.learned is not None else ", and after learned=0 or learned=1 more"
            raise KibitzError(f"this search has no {key!r}; it has {', '.join(kinds)}{more}")
        try:
            number = kinds[key](value)
        except ValueError:
            raise KibitzError(f"{key} takes a number, not {value!r}") from None
        if key in BUDGETS:
            if number <= 0:
                raise KibitzError(f"{key} must be more than 0, not {value}")
            chosen = replace(chosen, name=name, fixed=Budget(**{key: number}))
        else:
            chosen = replace(chosen, name=name, changes={**chosen.changes, key: number})
    return chosen
