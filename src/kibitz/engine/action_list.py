"""A list of legal actions, filled by the rules: `found.count` and `found.action[i]`."""

from typing import Any

import numpy as np

from kibitz.engine.bits import count, lowest
from kibitz.engine.compiled import ActionList, Lookup, State, rule
from kibitz.engine.dispatch import stride, verbs

MOST = 2048  # a list has room for some more: add_each writes beyond the end
ACTION_LIST = np.dtype(
    (np.record, np.dtype([("count", np.int32), ("action", np.int16, (MOST + 8,))], align=True))
)


def new_list(n: int = 1) -> Any:
    """Empty lists, as an array to pass to compiled code."""
    return np.zeros(n, ACTION_LIST)


@rule
def add(found: ActionList, action: int) -> None:
    """Add one action."""
    found.action[found.count] = action
    found.count += 1


@rule
def add_each(found: ActionList, first: int, bits: int) -> None:
    """Add the actions first + n for every n of a set.

    Four at a time, writing a few too many beyond the end: the processor predicts such a loop far
    better than one that stops after any number of bits.
    """
    at = found.count
    end = at + count(bits)
    while True:
        for i in range(4):
            found.action[at + i] = first + lowest(bits)
            bits &= bits - 1
        at += 4
        if at >= end:
            break
    found.count = end


@rule
def add_cards(s: State, found: ActionList, first: int, zone: int, among: Lookup) -> None:
    """Add an action for every card that lies in a zone and is in a set of two words.

    For decks that have one card of each kind.
    """
    add_each(found, first, s.cards[zone, 0] & among[0])
    add_each(found, first + stride(s), s.cards[zone, 1] & among[1])


@rule
def add_run(found: ActionList, first: int, n: int) -> None:
    """Add the actions first to first + n - 1."""
    at = found.count
    for i in range(n):
        found.action[at + i] = first + i
    found.count = at + n


@rule
def verb_of(s: State, action: int) -> int:
    """The verb of an action, as its declaration returned it: the first action of that verb."""
    return int(verbs(s)[action])
