"""Whole numbers that callers give, checked: Python's, numpy's, or those of a tensor."""

from operator import index
from typing import Any

import numpy as np

from kibitz.engine.errors import BadOption

MOST = (1 << 63) - 1  # what compiled code takes
SHOWN = 8  # actions of a mask


def number(value: Any) -> int | None:
    """The whole number that it is, if it is one; True and False are none."""
    try:
        return None if isinstance(value, bool) else index(value)
    except TypeError:
        return None


def whole(name: str, value: Any, least: int) -> int:
    """A whole number that is not too small, and fits."""
    found = number(value)
    if found is None or found < least:
        raise BadOption(f"{name} must be a whole number, {least} or more, not {value!r}")
    if found > MOST:
        raise BadOption(f"{name} must be at most {MOST}, not {value!r}")
    return found


def seat_among(players: int, seat: Any) -> int:
    """A seat that is there."""
    found = number(seat)
    if found is None or not 0 <= found < players:
        raise BadOption(f"there is no seat {seat!r}; seats are 0 to {players - 1}")
    return found


def some_of(mask: Any) -> str:
    """The first few actions of a mask, for whoever chose another."""
    legal = np.flatnonzero(mask)
    return ", ".join(map(str, legal[:SHOWN])) + ("…" if len(legal) > SHOWN else "")
