"""How well redealt worlds foretell what others do, with and without a game's inference.

    python -m kibitz.lab.inference viva

plays matches greedily. Before each action the seat that sits before the one that is due redeals
what it cannot see, many times, and we count in how many of these worlds that seat would do what it
then does: the same verb, as play or draw, for which card may be a matter of taste. The loss is the
mean of minus the log of that share: 0 is knowing it all, and less is better.
"""

import math
import sys
from typing import Any

import numpy as np

from kibitz.bots import knowledge
from kibitz.bots.policy import greedy_at
from kibitz.engine import border, chance, dispatch
from kibitz.engine.action_list import new_list, verb_of
from kibitz.engine.bits import lowest
from kibitz.engine.compiled import from_python
from kibitz.engine.game import Game
from kibitz.engine.redeal import redeal
from kibitz.engine.rounds import next_round
from kibitz.games import find

MATCHES = 40
WORLDS = 40
PLAYED, BEFORE, TRIED = 0, 1, 2  # the states: of the match, before the last action, redealt


@from_python
def foretell(states: Any, lists: Any, beliefs: Any, seed: int, worlds: int, losses: Any) -> None:
    """Play a match greedily; add to `losses` those without inference, with it, and the actions."""
    s, n = states[PLAYED], 0
    while not s.over:
        if s.round_over:
            next_round(s)
            beliefs[0] = beliefs[1]
        n += 1
        seat = lowest(s.due)
        watcher = (seat + s.players - 1) % s.players
        action = greedy_at(states, PLAYED, lists, seat, 0)
        for inferring in range(2):
            right = 0
            for world in range(worlds):
                states[TRIED] = states[PLAYED]
                chance.reseed(states[TRIED], seed * 100_000 + n, world)
                redeal(states[TRIED], watcher)
                if inferring:
                    knowledge.condition(states[TRIED], watcher, beliefs[0])
                tried = greedy_at(states, TRIED, lists, seat, 0)
                right += verb_of(s, tried) == verb_of(s, action)
            losses[inferring] -= math.log((right + 0.5) / (worlds + 1))
        losses[2] += 1
        states[BEFORE] = states[PLAYED]
        dispatch.apply(s, seat, action)
        knowledge.observe(states[BEFORE], s, seat, action, beliefs[0])


def measure(game: Game, matches: int = MATCHES, worlds: int = WORLDS) -> tuple[float, float, int]:
    """The loss without inference and with it, and the number of actions."""
    players, known = game.identity.usual_players, knowledge.of(game)
    losses = np.zeros(3)
    for seed in range(matches):
        states = game.blank(players, game.settings(players, {}), 3)
        border.next_round_at(states, PLAYED, seed, 11)
        beliefs = np.zeros(2, known.beliefs)  # of now, and of the beginning of a round
        foretell(states, new_list(), beliefs, seed, worlds, losses)
    return losses[0] / losses[2], losses[1] / losses[2], int(losses[2])


def main(names: list[str]) -> None:
    """Print the losses of each game."""
    for name in names:
        without, inferring, actions = measure(find(name))
        print(f"{name}: {without:.3f} nats, with inference {inferring:.3f} ({actions:,} actions)")


if __name__ == "__main__":
    main(sys.argv[1:])
