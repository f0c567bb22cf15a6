"""A list of legal actions: `moves.count` and `moves.move[i]`."""

from typing import Any

import numpy as np

from kibitz.engine.bits import count, lowest
from kibitz.engine.compiled import Moves, rule

MOST = 2048  # a list holds some more: add_each writes beyond the end
MOVES = np.dtype(
    (np.record, np.dtype([("count", np.int32), ("move", np.int16, (MOST + 8,))], align=True))
)


def new_moves(n: int = 1) -> Any:
    """Empty lists, as an array to pass to compiled code."""
    return np.zeros(n, MOVES)


@rule
def add(moves: Moves, action: int) -> None:
    """One more action."""
    moves.move[moves.count] = action
    moves.count += 1


@rule
def add_each(moves: Moves, first: int, bits: int) -> None:
    """The actions first + n for every n of a set.

    Four at a time, what is too much written beyond the end: the processor guesses such a loop
    right far more often than one that ends after any number of bits.
    """
    at = moves.count
    end = at + count(bits)
    while True:
        for i in range(4):
            moves.move[at + i] = first + lowest(bits)
            bits &= bits - 1
        at += 4
        if at >= end:
            break
    moves.count = end


@rule
def add_run(moves: Moves, first: int, n: int) -> None:
    """The actions first to first + n - 1."""
    at = moves.count
    for i in range(n):
        moves.move[at + i] = first + i
    moves.count = at + n
