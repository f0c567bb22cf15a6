"""What bots know of a game at a glance: what an action is worth, and how a match stands.

A game's folder may hold a `heuristics.py` with `action_value` and `win_chance`; where it does not,
these stand in. Both are rules, compiled like the others, and see whatever state they are given:
bots only ever give them worlds sampled from a seat's view.
"""

import math
from collections.abc import Mapping
from typing import Any

from kibitz.engine.compiled import State, rule
from kibitz.engine.seats import has, how_many_seats

CALIBRATION = (0.0, 1.0)  # bias and slope: chances found by playouts are taken as they are
STYLE: Mapping[str, Any] = {}  # nothing is different from the usual style of search
HABITS: Mapping[str, float] = {}  # no verb is likelier with good players than its value tells
TELLS_WHO_ENDS = False  # whether it matters whose action ends a round


@rule
def action_value(s: State, me: int, action: int) -> int:
    """No opinion."""
    return 0


@rule
def win_chance(s: State, me: int) -> float:
    """The chance to win the match when a round is over, by the totals alone."""
    return softmax(s, me, 1, 10.0)


@rule
def best_total(s: State, sign: int) -> int:
    """The highest total (sign 1), or minus the lowest (sign -1)."""
    best = sign * s.total[0]
    for p in range(1, s.players):
        best = max(best, sign * s.total[p])
    return best


@rule
def softmax(s: State, me: int, sign: int, scale: float) -> float:
    """Chances that grow with the lead: `scale` points ahead is e times as good.

    What scale fits a game is found by `python -m kibitz.lab.win_chance GAME`.
    """
    best = best_total(s, sign)
    mine, sum_ = 0.0, 0.0
    for p in range(s.players):
        weight = math.exp((sign * s.total[p] - best) / scale)
        sum_ += weight
        if p == me:
            mine = weight
    return mine / sum_


@rule
def share(s: State, me: int) -> float:
    """What a finished match is worth to a seat: 1 to the winner, shared among equals."""
    return int(has(s.winners, me)) / how_many_seats(s.winners)
