"""Random play of whole matches."""

from typing import Any

from numba import prange

from kibitz.engine import chance, dispatch
from kibitz.engine.action_list import find_actions, nth_action
from kibitz.engine.bits import lowest
from kibitz.engine.compiled import ActionList, State, from_python, in_parallel, inlined, rule
from kibitz.engine.rounds import next_round


@inlined
def random_action(s: State, seat: int, found: ActionList) -> int:
    """One of the seat's legal actions, each as likely."""
    find_actions(s, seat, found)
    return nth_action(found, chance.below(s, found.count))


@rule
def playout(s: State, found: ActionList, limit: int) -> int:
    """Play at random until the match is over; how many actions were made."""
    n = 0
    while not s.over and n < limit:
        if s.round_over:
            next_round(s)
        seat = lowest(s.due)
        dispatch.apply(s, seat, random_action(s, seat, found))
        n += 1
    return n


@from_python
def playout_at(states: Any, i: int, lists: Any, limit: int) -> int:
    """Play state i at random until the match is over; how many actions were made."""
    return playout(states[i], lists[0], limit)


@from_python
def restart(states: Any, i: int, blank: int, seed: int) -> None:
    """State i becomes a new match with the players and options of state `blank`."""
    states[i] = states[blank]
    chance.reseed(states[i], seed, 0)
    next_round(states[i])


@from_python
def playouts(states: Any, lists: Any, games: int, first_seed: int, limit: int) -> int:
    """Whole matches at random; states[0] holds players and options, states[1] is played in."""
    total = 0
    for g in range(games):
        restart(states, 1, 0, first_seed + g)
        total += playout(states[1], lists[0], limit)
    return total


@in_parallel
def parallel_playouts(states: Any, lists: Any, games: int, first_seed: int, limit: int) -> int:
    """The same with one thread for each list of actions."""
    workers = len(lists)
    total = 0
    for w in prange(workers):
        n = 0
        for g in range(w, games, workers):
            restart(states, 1 + w, 0, first_seed + g)
            n += playout(states[1 + w], lists[w], limit)
        total += n
    return total
