"""The numbers of a game's `win_chance`: fitted to matches, and printed.

    python -m kibitz.lab.win_chance kolpa

plays matches greedily and finds the two numbers, `near` and `far`, for which
exp(lead / (near + far × what is left to go)) gives the chances that the matches bear out.
"""

import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from kibitz.bots.policy import play_round
from kibitz.bots.search import style_of
from kibitz.engine import border
from kibitz.engine.action_list import new_list
from kibitz.engine.compiled import State, from_python, rule
from kibitz.engine.game import Game
from kibitz.engine.rounds import next_round
from kibitz.games import find

MATCHES = 4_000
Rows = npt.NDArray[np.float64]


@from_python
def play_round_at(states: Any, lists: Any, noise: int, limit: int) -> None:
    """Play a round greedily in state 0; the next one, if it is over."""
    if states[0].round_over:
        next_round(states[0])
    play_round(states[0], lists[0], noise, limit)


@rule
def total(s: State, p: int) -> float:
    """How far a seat has come, in most games."""
    return float(s.total[p])


def asked(rule: Any) -> Any:
    """A rule, to be asked from Python about state 0."""
    return njit(lambda states, *values: rule(states[0], *values))


def rounds(game: Game, players: int, matches: int) -> tuple[Rows, Rows, Rows]:
    """How all stood at the end of every round, what was left to go, and who won in the end."""
    style = style_of(game)
    heuristics: Any = import_module(f"{game.package}.heuristics")
    ahead, left_to_go = asked(getattr(heuristics, "ahead", total)), asked(heuristics.left_to_go)
    totals, to_go, won = [], [], []
    settings = game.settings(players, {})
    for seed in range(matches):
        states, lists = game.blank(players, settings, 1), new_list()
        border.next_round_at(states, 0, seed, 7)
        seen = []
        while True:
            play_round_at(states, lists, style.noise, style.limit)
            s = states[0]
            if s["over"]:
                break
            if s["round_over"]:
                seen.append(([ahead(states, p) for p in range(players)], left_to_go(states)))
        winners = int(states[0]["winners"])
        share = np.array([winners >> p & 1 for p in range(players)], float)
        for lead, left in seen:
            totals.append(lead)
            to_go.append(left)
            won.append(share / share.sum())
    return np.array(totals, float), np.array(to_go, float), np.array(won)


def loss(totals: Rows, to_go: Rows, won: Rows, sign: int, near: float, far: float) -> float:
    """How badly `win_chance` with these numbers foretold the winners (cross entropy)."""
    lead = sign * totals / (near + far * to_go)[:, None]
    lead -= lead.max(axis=1, keepdims=True)
    chance = np.exp(lead)
    chance /= chance.sum(axis=1, keepdims=True)
    return float(-(won * np.log(chance + 1e-12)).sum(axis=1).mean())


def fit(measure: Callable[[float, float], float], scale: float) -> tuple[float, float]:
    """The best pair of numbers, by looking ever closer."""
    near, far, step = scale, 0.25 * scale / 10, 2.0
    for _ in range(40):
        pairs = [(near * a, far * b) for a in (1 / step, 1, step) for b in (1 / step, 1, step)]
        best = min(pairs, key=lambda pair: measure(*pair))
        if best == (near, far):
            step = step**0.5
        near, far = best
    return near, far


def main(names: list[str]) -> None:
    """Print the fitted numbers of each game, and what they are worth."""
    for name in names:
        game = find(name)
        players = game.identity.usual_players
        totals, to_go, won = rounds(game, players, MATCHES)
        sign = -1 if game.identity.low_wins else 1
        measure = partial(loss, totals, to_go, won, sign)
        near, far = fit(measure, 8.0)
        found = measure(near, far)
        print(
            f"{name}: near {near:.2f}, far {far:.3f}; {found:.3f} nats on {len(totals)} rounds "
            f"(knowing nothing: {np.log(players):.3f})"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
