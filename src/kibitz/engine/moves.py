"""A list of legal actions: `moves.count` and `moves.move[i]`."""

from typing import Any

import numpy as np

from kibitz.engine.bits import lowest
from kibitz.engine.compiled import Moves, rule

MOST = 256
MOVES = np.dtype(
    (np.record, np.dtype([("count", np.int32), ("move", np.int16, (MOST,))], align=True))
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
    """The actions first + n for every n of a set."""
    n = moves.count
    while bits:
        moves.move[n] = first + lowest(bits)
        n += 1
        bits &= bits - 1
    moves.count = n
