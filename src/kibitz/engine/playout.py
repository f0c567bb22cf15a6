"""Random play, and the border between Python and compiled rules.

Across the border go arrays of states and an index: numba takes them ten times faster than a
single record.
"""

from typing import Any

from numba import njit, prange

from kibitz.engine import chance, dispatch
from kibitz.engine.bits import lowest
from kibitz.engine.compiled import CACHED, Moves, State, rule
from kibitz.engine.redeal import redeal

REFUSED, PLAYED, ROUND_OVER = 0, 1, 2  # what became of an action


@rule
def start_at(states: Any, i: int, low: int, high: int) -> None:
    """Seed state i and set up its match."""
    chance.reseed(states[i], low, high)
    dispatch.start(states[i])


@rule
def legal_at(states: Any, i: int, seat: int, lists: Any) -> None:
    """List the actions of a seat; none if it is not due."""
    lists[0].count = 0
    if (states[i].due >> seat) & 1 and not states[i].over:
        dispatch.legal(states[i], seat, lists[0])


@rule
def advance(states: Any, i: int, seat: int, action: int) -> None:
    """A seat makes a legal action, and what it tells is kept in mind; the generator runs on."""
    before = states[i : i + 1].copy()
    dispatch.apply(states[i], seat, action)
    dispatch.remember(before[0], states[i], seat, action)


@rule
def play_at(states: Any, i: int, seat: int, action: int, low: int, high: int, lists: Any) -> int:
    """Make an action of a real match if it is legal: REFUSED, PLAYED or ROUND_OVER."""
    s = states[i]
    legal_at(states, i, seat, lists)
    for n in range(lists[0].count):
        if lists[0].move[n] == action:
            round_no = s.round_no
            s.told = 0
            chance.reseed(s, low, high)
            advance(states, i, seat, action)
            return ROUND_OVER if s.over or s.round_no != round_no else PLAYED
    return REFUSED


@rule
def redeal_at(states: Any, i: int, me: int, low: int, high: int) -> None:
    """Deal anew what seat `me` cannot see."""
    chance.reseed(states[i], low, high)
    redeal(states[i], me)


@rule
def random_action(s: State, seat: int, moves: Moves) -> int:
    """One of the seat's legal actions, each as likely."""
    moves.count = 0
    dispatch.legal(s, seat, moves)
    return int(moves.move[chance.below(s, moves.count)])


@rule
def playout(s: State, moves: Moves, limit: int) -> int:
    """Play at random until the match is over; how many actions were made."""
    n = 0
    while not s.over and n < limit:
        seat = lowest(s.due)
        dispatch.apply(s, seat, random_action(s, seat, moves))
        n += 1
    return n


@rule
def playout_at(states: Any, i: int, lists: Any, limit: int) -> int:
    """Play state i at random until the match is over; how many actions were made."""
    return playout(states[i], lists[0], limit)


@rule
def restart(states: Any, i: int, blank: int, seed: int) -> None:
    """State i becomes a new match with the players and options of state `blank`."""
    states[i] = states[blank]
    chance.reseed(states[i], seed, 0)
    dispatch.start(states[i])


@rule
def playouts(states: Any, lists: Any, games: int, first_seed: int, limit: int) -> int:
    """Whole matches at random; states[0] holds players and options, states[1] is played in."""
    total = 0
    for g in range(games):
        restart(states, 1, 0, first_seed + g)
        total += playout(states[1], lists[0], limit)
    return total


@njit(parallel=True, cache=CACHED, nogil=True, error_model="numpy")
def parallel_playouts(states: Any, lists: Any, games: int, first_seed: int, limit: int) -> int:
    """The same with one thread for each list of moves."""
    workers = len(lists)
    total = 0
    for w in prange(workers):
        n = 0
        for g in range(w, games, workers):
            restart(states, 1 + w, 0, first_seed + g)
            n += playout(states[1 + w], lists[w], limit)
        total += n
    return total


@rule
def copies(states: Any, n: int) -> None:
    """Copy a state n times, among nine."""
    for i in range(n):
        states[1 + (i & 7)] = states[(i * 5) & 7]


@rule
def redeals(states: Any, n: int) -> None:
    """Redeal state 0 n times, for each seat in turn."""
    players = int(states[0].players)
    for i in range(n):
        redeal(states[0], i % players)
