"""A game's good sense, for bots: what an action is worth at a glance, and how a match stands.

A game's folder may hold a `sense.py` with `appraise` and `outlook`; where it does not, these
stand in. Both are rules, compiled like the others, and see whatever state they are given: bots
only ever give them states dealt anew from a seat's view.
"""

import math
from collections.abc import Mapping
from typing import Any

from kibitz.engine.compiled import State, rule

TRUST = (0.0, 1.0)  # chances found by playouts are taken as they are
SEARCH: Mapping[str, Any] = {}  # and a search goes about it in the usual style


@rule
def appraise(s: State, me: int, action: int) -> int:
    """No opinion."""
    return 0


@rule
def outlook(s: State, me: int) -> float:
    """The chance to win the match, as the totals stand at the start of a round."""
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

    What scale fits a game is found by `python -m kibitz.lab.outlook GAME`.
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
    winners = 0
    for p in range(s.players):
        winners += (s.winners >> p) & 1
    return ((s.winners >> me) & 1) / winners
