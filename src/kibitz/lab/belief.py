"""How well deals anew foretell what others do, with and without a game's memory.

    python -m kibitz.lab.belief viva

plays matches at a glance. Before each action the seat that sits before the one that is due deals
anew what it cannot see, many times, and we see in how many of the deals that seat would do what it
then does: the same verb, as play or draw, for which card may be a matter of taste. The loss is
the mean of minus the log of that share: 0 is knowing it all, and less is better.
"""

import math
import sys
from typing import Any

import numpy as np

from kibitz.bots.policy import glance_at
from kibitz.engine import chance, dispatch, playout
from kibitz.engine.bits import lowest
from kibitz.engine.compiled import Table, rule
from kibitz.engine.game import Game
from kibitz.engine.moves import new_moves
from kibitz.engine.redeal import redeal
from kibitz.games import find
from kibitz.lab.arena import usual_players

MATCHES = 40
DEALS = 40
PLAYED, TRIED = 0, 1  # the states: of the match, and of a deal anew


@rule
def foretell(states: Any, lists: Any, verbs: Table, seed: int, deals: int, losses: Any) -> None:
    """Play a match at a glance; add to `losses` those without memory, with it, and the actions."""
    s, n = states[PLAYED], 0
    while not s.over:
        n += 1
        seat = lowest(s.due)
        watcher = (seat + s.players - 1) % s.players
        action = glance_at(states, PLAYED, lists, seat, 0)
        for believing in range(2):
            right = 0
            for deal in range(deals):
                states[TRIED] = states[PLAYED]
                chance.reseed(states[TRIED], seed * 100_000 + n, deal)
                redeal(states[TRIED], watcher)
                if believing:
                    dispatch.believe(states[TRIED], watcher)
                tried = glance_at(states, TRIED, lists, seat, 0)
                right += verbs[tried] == verbs[action]
            losses[believing] -= math.log((right + 0.5) / (deals + 1))
        losses[2] += 1
        playout.advance(states, PLAYED, seat, action)


def measure(game: Game, matches: int = MATCHES, deals: int = DEALS) -> tuple[float, float, int]:
    """The loss without memory and with it, and the number of actions."""
    players = usual_players(game)
    losses = np.zeros(3)
    order = list(game.actions.verbs)
    verbs = np.array([order.index(action.verb) for action in game.actions.all])
    for seed in range(matches):
        states = game.blank(players, game.settings(players, {}), 2)
        playout.start_at(states, PLAYED, seed, 11)
        foretell(states, new_moves(), verbs, seed, deals, losses)
    return losses[0] / losses[2], losses[1] / losses[2], int(losses[2])


def main(names: list[str]) -> None:
    """Print the losses of each game."""
    for name in names:
        without, with_memory, actions = measure(find(name))
        print(f"{name}: {without:.3f} nats, with memory {with_memory:.3f} ({actions:,} actions)")


if __name__ == "__main__":
    main(sys.argv[1:])
