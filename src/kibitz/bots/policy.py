"""Choosing by the game's good sense, at a glance."""

from typing import Any

from kibitz.engine import chance, dispatch
from kibitz.engine.bits import lowest
from kibitz.engine.compiled import Moves, State, rule


@rule
def glance(s: State, seat: int, moves: Moves, noise: int) -> int:
    """The listed action that looks best; `noise` is how far the eye may err."""
    best, best_score = moves.move[0], -(1 << 40)
    for i in range(moves.count):  # in sixteenths, so that equals are told apart by chance
        score = 16 * dispatch.appraise(s, seat, moves.move[i]) + chance.below(s, 16 * (noise + 1))
        if score > best_score:
            best, best_score = moves.move[i], score
    return int(best)


@rule
def play_out(s: State, moves: Moves, noise: int, limit: int) -> int:
    """Everyone plays at a glance until the round ends; how many actions were made."""
    n, round_no = 0, s.round_no
    while not s.over and s.round_no == round_no and n < limit:
        seat = lowest(s.due)
        moves.count = 0
        dispatch.legal(s, seat, moves)
        dispatch.apply(s, seat, glance(s, seat, moves, noise) if moves.count > 1 else moves.move[0])
        n += 1
    return n


@rule
def glance_at(states: Any, i: int, lists: Any, seat: int, noise: int) -> int:
    """The best-looking action of a seat in state i."""
    lists[0].count = 0
    dispatch.legal(states[i], seat, lists[0])
    return glance(states[i], seat, lists[0], noise)
