"""The border between Python and compiled rules.

Across it go arrays of states and an index: numba takes them ten times faster than a single record.
"""

from typing import Any

from kibitz.engine import chance, dispatch
from kibitz.engine.compiled import rule
from kibitz.engine.redeal import redeal
from kibitz.engine.rounds import next_round


@rule
def next_round_at(states: Any, i: int, low: int, high: int) -> None:
    """Seed the generator of state i, and deal the next round, or the first."""
    chance.reseed(states[i], low, high)
    next_round(states[i])


@rule
def legal_at(states: Any, i: int, seat: int, lists: Any) -> None:
    """List the actions of a seat; none if it is not due."""
    lists[0].count = 0
    if (states[i].due >> seat) & 1:
        dispatch.legal(states[i], seat, lists[0])


@rule
def is_legal_at(states: Any, i: int, seat: int, action: int, lists: Any) -> bool:
    """Whether a seat may make an action."""
    legal_at(states, i, seat, lists)
    is_listed = False
    for n in range(lists[0].count):
        is_listed = is_listed or lists[0].action[n] == action
    return is_listed


@rule
def apply_at(states: Any, i: int, seat: int, action: int, low: int, high: int) -> None:
    """Seed the generator of state i, and make a legal action."""
    s = states[i]
    s.witnesses = 0
    chance.reseed(s, low, high)
    dispatch.apply(s, seat, action)


@rule
def redeal_at(states: Any, i: int, me: int, low: int, high: int) -> None:
    """Deal anew what seat `me` cannot see (-1: a spectator)."""
    chance.reseed(states[i], low, high)
    redeal(states[i], me)
