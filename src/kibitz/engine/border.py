"""The border between Python and compiled rules.

Across it go arrays of states and an index: numba takes them ten times faster than a single record.
"""

from typing import Any

from kibitz.engine import chance, dispatch
from kibitz.engine.action_list import find_actions, is_among, list_actions
from kibitz.engine.compiled import at_once
from kibitz.engine.redeal import redeal
from kibitz.engine.rounds import next_round
from kibitz.engine.seats import has


@at_once
def next_round_at(states: Any, i: int, low: int, high: int) -> None:
    """Seed the generator of state i, and deal the next round, or the first."""
    chance.reseed(states[i], low, high)
    next_round(states[i])


@at_once
def legal_at(states: Any, i: int, seat: int, lists: Any) -> None:
    """List the actions of a seat; none if it is not due."""
    lists[0].count = 0
    if has(states[i].due, seat):
        list_actions(states[i], seat, lists[0])


@at_once
def is_legal_at(states: Any, i: int, seat: int, action: int, lists: Any) -> bool:
    """Whether a seat may make an action."""
    if not has(states[i].due, seat):
        return False
    find_actions(states[i], seat, lists[0])
    return is_among(lists[0], action)


@at_once
def apply_at(states: Any, i: int, seat: int, action: int, low: int, high: int) -> None:
    """Seed the generator of state i, and make a legal action."""
    s = states[i]
    s.witnesses = 0
    chance.reseed(s, low, high)
    dispatch.apply(s, seat, action)


@at_once
def redeal_at(states: Any, i: int, me: int, low: int, high: int) -> None:
    """Deal anew what seat `me` cannot see (-1: a spectator)."""
    chance.reseed(states[i], low, high)
    redeal(states[i], me)
