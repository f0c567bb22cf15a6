"""Sets of cards as the bits 0 to 62 of a non-negative int64, so that no unsigned type appears."""

from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils, target_extension
from numba.extending import intrinsic, overload

from kibitz.engine.compiled import NONE, rule

current_target: Any = target_extension.current_target  # what numba compiles for: cpu, or cuda
HAS_PDEP = bool(binding.get_host_cpu_features().get("bmi2"))


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


def at(n: int) -> int:
    """An index that is not negative: compiled code need not look whether to count from the end."""
    return n


@overload(at, strict=False)
def _compiled_at(n: Any) -> Any:
    return lambda n: np.uint64(n)  # noqa: PLW0108  numba wants a function of its own


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
    """The n-th set bit, counted from 0."""
    return _find_nth(word, n)


def _find_nth(word: int, n: int) -> int:
    """The same: what checked play does, and compiled code where the processor cannot."""
    for _ in range(n):
        word &= word - 1
    return lowest(word)


@rule
def _search_nth(word: int, n: int) -> int:
    """The same: a binary search without branches."""
    at, step = 0, 32
    while step > 0:
        below = count((word >> at) & ((1 << step) - 1))
        beyond = int(n >= below)
        n -= below * beyond
        at += step * beyond
        step >>= 1
    return at


@intrinsic
def _deposit(_context: Any, bits: Any, word: Any) -> Any:
    """The lowest bits put where the set bits of a word are, in one instruction (pdep)."""

    def generate(_target: Any, builder: Any, _signature: Any, args: Any) -> Any:
        i64 = ir.IntType(64)
        kind = ir.FunctionType(i64, [i64, i64])
        insert: Any = cgutils.get_or_insert_function
        return builder.call(insert(builder.module, kind, "llvm.x86.bmi.pdep.64"), args)

    return types.int64(types.int64, types.int64), generate


@overload(_find_nth, strict=False)
def _compiled_nth(word: Any, n: Any) -> Any:
    if HAS_PDEP and current_target() == "cpu":
        return lambda word, n: lowest(_deposit(1 << n, word))  # type: ignore[call-arg]
    return lambda word, n: _search_nth(word, n)  # noqa: PLW0108  numba wants its own function


@rule
def without(word: int, n: int) -> int:
    """A set without one of its numbers; NONE takes nothing away."""
    return word if n == NONE else word & ~(1 << n)
