"""OpenSpiel's ISMCTS against `hard`, on the same rules and with the same time for a move.

    python -m kibitz.lab.against_openspiel kolpa zocken --games 16 --seconds 0.1

Two of each sit at a table for four, and each deal is played from all seats. OpenSpiel's bot is its
`open_spiel.python.algorithms.ismcts`, on the game that `kibitz.lab.openspiel` gives it; it searches
until its time is up instead of counting simulations. It judges a position by random play to the end
of the match: with `--rollouts openspiel` by OpenSpiel's own evaluator, step by step in Python,
otherwise in compiled code, which is the same and faster.
"""

import argparse
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.bots.inference import Onlooker
from kibitz.bots.levels import Budget, level, reseed_at
from kibitz.engine.action_list import new_list
from kibitz.engine.chance import seed_of_move
from kibitz.engine.playout import playout_at
from kibitz.extras import ask_for
from kibitz.games import names
from kibitz.lab import openspiel
from kibitz.lab.arena import seating
from kibitz.lab.crew import crew, in_order
from kibitz.lab.standings import interval

try:
    from open_spiel.python.algorithms import ismcts, mcts
except ModuleNotFoundError as missing:
    raise ask_for(missing) from None

SEATS = 4
DEALS = 1_000
OURS = "hard"
EXPLORATION = 1.4  # about √2 for rewards from -1 to 1
FEWEST = 2  # simulations: the first only looks at the root

Table = Any  # a state of OpenSpiel


class CompiledRollouts:
    """What comes of a position by random play to the end of the match."""

    def __init__(self, luck: np.random.RandomState) -> None:
        self.luck, self.lists = luck, new_list()

    def evaluate(self, table: Table) -> list[float]:
        """What the match brings each player."""
        match = table.table.match
        state = match.state.copy()
        reseed_at(state, 0, *self.luck.randint(1 << 31, size=2))
        playout_at(state, 0, self.lists, match.game.identity.longest)
        played = table.table.copy()
        played.match = match.in_world(state)
        return [played.reward(seat) for seat in range(played.players)]

    def prior(self, table: Table) -> list[tuple[int, float]]:
        """Every action is as good as another."""
        legal = table.legal_actions()
        return [(action, 1 / len(legal)) for action in legal]


def openspiels_rollouts(luck: np.random.RandomState) -> Any:
    """The same by OpenSpiel's own means."""
    return mcts.RandomRolloutEvaluator(1, luck)


ROLLOUTS: Mapping[str, Callable[[np.random.RandomState], Any]] = {
    "compiled": CompiledRollouts,
    "openspiel": openspiels_rollouts,
}


class Ismcts(ismcts.ISMCTSBot):  # type: ignore[misc]  # OpenSpiel has no types
    """OpenSpiel's bot, by the clock."""

    def __init__(self, game: Any, rollouts: str, seconds: float, seed: int) -> None:
        luck = np.random.RandomState(seed)
        super().__init__(game, ROLLOUTS[rollouts](luck), EXPLORATION, 0, random_state=luck)
        self.seconds = seconds
        self.simulations = self.searches = 0

    def run_search(self, state: Table) -> Any:
        """What it would do, by visits."""
        self.reset()
        self._root_node = self.create_new_node(state)
        began, n = time.perf_counter(), 0
        while n < FEWEST or time.perf_counter() - began < self.seconds:
            self.run_simulation(self.sample_root_state(state))
            n += 1
        self.simulations += n
        self.searches += 1
        return self.get_final_policy(state, self._root_node)


@dataclass(frozen=True)
class Result:
    """A deal from all seats."""

    shares: tuple[float, ...]  # of each victory, OpenSpiel's
    simulations: int  # of OpenSpiel's bots
    searches: int


def is_openspiels(sitting: list[int], seat: int) -> bool:
    """Whether a seat's bot is OpenSpiel's: every other one is."""
    return sitting[seat] % 2 == 0


def play_deal(
    name: str, number: int, seconds: float, rollouts: str = "compiled", **options: object
) -> Result:
    """A deal from all seats."""
    game, ours = openspiel.load(name, SEATS, deals=DEALS, **options), level(OURS)
    theirs = Ismcts(game, rollouts, seconds, number)
    shares = []
    for rotation in range(SEATS):
        state = game.new_initial_state()
        state.apply_action(number % DEALS)
        table, sitting = state.table, seating(SEATS, number, rotation)
        onlooker = Onlooker(table.match)
        while not state.is_terminal():
            seat, legal = state.current_player(), state.legal_actions()
            if len(legal) == 1:
                state.apply_action(legal[0])
            elif is_openspiels(sitting, seat):
                state.apply_action(int(theirs.step(state)))
            else:
                seed, _ = seed_of_move(f"{number}/{rotation}", len(table.match.done))
                chosen = ours.action(table.match, seat, seed, onlooker, Budget(seconds=seconds))
                action = table.game.actions.read(chosen)
                assert action is not None
                state.apply_action(table.told(seat, action))
        won = [is_openspiels(sitting, seat) for seat in table.match.winners]
        shares.append(sum(won) / len(won))
    return Result(tuple(shares), theirs.simulations, theirs.searches)


def get_ready(name: str) -> None:
    """Let both think for a moment, so that all is compiled once."""
    game = openspiel.load(name, SEATS)
    state = game.new_initial_state()
    state.apply_action(0)
    Ismcts(game, "compiled", 0.0, 0).step(state)
    match = state.table.match
    level(OURS).action(match, state.current_player(), 0, Onlooker(match), Budget(simulations=1))


def told(name: str, deals: list[Result]) -> str:
    """The share of victories in a line."""
    shares, matches = [sum(deal.shares) / SEATS for deal in deals], SEATS * len(deals)
    low, high = interval(shares, matches)
    searches = sum(deal.searches for deal in deals)
    each = sum(deal.simulations for deal in deals) / max(searches, 1)
    return (
        f"{name}: OpenSpiel's ISMCTS wins {sum(shares) / len(shares):.0%} "
        f"({low:.0%} to {high:.0%}) of {matches} matches, with {each:.0f} simulations a move"
    )


def main() -> None:
    """Print how OpenSpiel's search does against ours."""
    parser = argparse.ArgumentParser(
        "against_openspiel", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("names", nargs="+", metavar="GAME")
    parser.add_argument("--games", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--rollouts", choices=tuple(ROLLOUTS), default="compiled")
    words = parser.parse_args()
    if words.games < 1 or words.seconds <= 0:
        parser.error("--games must be at least 1, and --seconds more than 0")
    if unknown := set(words.names) - set(names()):
        parser.error(f"there is no game {', '.join(unknown)}; there are {', '.join(names())}")
    for name in words.names:
        get_ready(name)
        deals = range(-(-words.games // SEATS))
        jobs = ((name, n, words.seconds, words.rollouts) for n in deals)
        with crew() as hired:
            print(told(name, in_order(hired.work(play_deal, jobs))), flush=True)


if __name__ == "__main__":
    main()
