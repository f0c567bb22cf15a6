"""Sets of cards as the bits 0 to 62 of a non-negative int64, so that no unsigned type appears."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from kibitz.engine.compiled import NONE, rule


@intrinsic
def _count_ones(_context: Any, word: Any) -> Any:
    def generate(_target: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), generate


@intrinsic
def _trailing_zeros(_context: Any, word: Any) -> Any:
    def generate(_target: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate


@rule
def count(word: int) -> int:
    """How many bits are set."""
    return _count_ones(word)  # type: ignore[call-arg]  # numba passes the context itself


@rule
def lowest(word: int) -> int:
    """The lowest set bit of a word; of an empty one, 64."""
    return _trailing_zeros(word)  # type: ignore[call-arg]


def _plain_count(word: int) -> int:
    return int(word).bit_count()


def _plain_lowest(word: int) -> int:
    return (int(word) & -int(word)).bit_length() - 1 if word else 64


# What checked play calls where compiled code has a machine instruction.
PLAIN = {"_count_ones": _plain_count, "_trailing_zeros": _plain_lowest}


@rule
def nth(word: int, n: int) -> int:
    """The n-th set bit, counted from 0: a binary search without branches."""
    at, step = 0, 32
    while step > 0:
        below = count((word >> at) & ((1 << step) - 1))
        beyond = int(n >= below)
        n -= below * beyond
        at += step * beyond
        step >>= 1
    return at


@rule
def without(word: int, n: int) -> int:
    """A set without one of its numbers; NONE takes nothing away."""
    return word if n == NONE else word & ~(1 << n)
