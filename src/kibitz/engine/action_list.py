"""The legal actions of a seat, as the rules list them, and as everyone else wants them.

Rules add groups: a first action, and a set of numbers to add to it. That costs next to nothing
however many actions there are, and one of them can be picked at random without listing them all.
`list_actions` writes them out: `found.action[i]` for i below `found.count`.
"""

from typing import Any

import numpy as np

from kibitz.engine import dispatch
from kibitz.engine.bits import at, count, lowest, nth
from kibitz.engine.compiled import ActionList, Lookup, State, inlined, rule
from kibitz.engine.dispatch import stride, verbs

MOST = 2048  # actions; a list has room for some more, since a group is written four at a time
MOST_GROUPS = 256
ACTION_LIST = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("bits", np.int64, (MOST_GROUPS,)),
                ("first", np.int16, (MOST_GROUPS,)),
                ("groups", np.int32),
                ("count", np.int32),
                ("action", np.int16, (MOST + 8,)),
            ],
            align=True,
        ),
    )
)


def new_list(n: int = 1) -> Any:
    """Empty lists, as an array to pass to compiled code."""
    return np.zeros(n, ACTION_LIST)


# ---- for rules


@rule
def add_each(found: ActionList, first: int, bits: int) -> None:
    """Add the actions first + n for every n of a set."""
    group = found.groups
    found.first[at(group)] = first
    found.bits[at(group)] = bits
    found.groups = group + 1
    found.count += count(bits)


@rule
def add(found: ActionList, action: int) -> None:
    """Add one action."""
    add_each(found, action, 1)


@rule
def add_run(found: ActionList, first: int, n: int) -> None:
    """Add the actions first to first + n - 1."""
    add_each(found, first, (1 << n) - 1)


@rule
def add_cards(s: State, found: ActionList, first: int, zone: int, among: Lookup) -> None:
    """Add an action for every card that lies in a zone and is in a set of two words.

    For decks that have one card of each kind.
    """
    add_each(found, first, s.cards[zone, 0] & among[0])
    add_each(found, first + stride(s), s.cards[zone, 1] & among[1])


@rule
def verb_of(s: State, action: int) -> int:
    """The verb of an action, as its declaration returned it: the first action of that verb."""
    return int(verbs(s)[at(action)])


# ---- for everyone else


@inlined
def find_actions(s: State, seat: int, found: ActionList) -> None:
    """Have the rules list the actions of a seat that is due, in groups."""
    found.groups = 0
    found.count = 0
    dispatch.legal(s, seat, found)


@inlined
def nth_action(found: ActionList, n: int) -> int:
    """The n-th of the actions found, counted from 0."""
    i, size = 0, count(found.bits[0])
    while n >= size:
        n -= size
        i += 1
        size = count(found.bits[at(i)])
    return int(found.first[at(i)]) + nth(found.bits[at(i)], n)


@rule
def is_among(found: ActionList, action: int) -> bool:
    """Whether an action has been found."""
    is_found = False
    for i in range(found.groups):
        n = action - found.first[i]
        is_found = is_found or (0 <= n < 63 and (found.bits[i] >> n) & 1 != 0)
    return is_found


@rule
def list_actions(s: State, seat: int, found: ActionList) -> None:
    """Find the actions of a seat that is due, and write them out.

    Four at a time, a few too many beyond the end of a group: the processor predicts such a loop far
    better than one that stops after any number of bits.
    """
    find_actions(s, seat, found)
    n = 0
    for i in range(found.groups):
        first, bits = found.first[at(i)], found.bits[at(i)]
        end = n + count(bits)
        while n < end:
            for k in range(4):
                found.action[at(n + k)] = first + lowest(bits)
                bits &= bits - 1
            n += 4
        n = end
