"""The rules of a game, found by the type of its state.

`apply(s, seat, action)` calls the right game's rule: in compiled code picked at compile time by
the record type of `s`, in plain Python looked up. So search and playout are ordinary functions
that know no game, and what they compile to is cached on disk.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype
from numba.extending import overload

from kibitz.engine.compiled import Moves, State, Table, table
from kibitz.engine.record import Layout
from kibitz.engine.zones import Sight

# In a sight table stands the seat that may look into a set, or one of these. Neither is -1, which
# stands for a spectator where a viewer is meant.
OPEN = -2
NOBODY = -3


class Rules(NamedTuple):
    """What compiled code calls of a game: rules.py, sense.py, memory.py, and tables of them."""

    start: Callable[[State], None]
    legal: Callable[[State, int, Moves], None]
    apply: Callable[[State, int, int], None]
    reseal: Callable[[State, int], None]
    appraise: Callable[[State, int, int], int]
    outlook: Callable[[State, int], float]
    remember: Callable[[State, State, int, int], None]
    believe: Callable[[State, int], None]
    unseen: Table
    sight: Table
    within: Table


_by_dtype: dict[np.dtype[Any], Rules] = {}
_by_record: dict[Any, Rules] = {}


def register(layout: Layout, rules: Rules) -> None:
    """Make a game's rules known to compiled code."""
    _by_dtype[layout.dtype] = rules
    _by_record[from_dtype(layout.dtype)] = rules


def sight_tables(layout: Layout) -> tuple[Table, Table]:
    """For every set who may look into it, and in which other set it is hidden (or -1)."""
    sight = [NOBODY] * max(1, layout.zones.sets)
    within = [-1] * len(sight)
    families = layout.zones.families
    for zone in layout.zones.at(6):
        if zone.family.is_pile:
            continue
        if zone.family.sight is Sight.EVERYONE:
            sight[zone.index] = OPEN
        elif zone.family.sight is Sight.OWNER and zone.owner is not None:
            sight[zone.index] = zone.owner
        if zone.family.within is not None:
            within[zone.index] = families[zone.family.within].first + (zone.owner or 0)
    return table(sight), table(within)


def start(s: State) -> None:
    """Set up the match: players and options are set, the generator is seeded."""
    s._rules.start(s)


def legal(s: State, seat: int, moves: Moves) -> None:
    """List the actions of a seat that is due."""
    s._rules.legal(s, seat, moves)


def apply(s: State, seat: int, action: int) -> None:
    """A seat that is due makes a legal action."""
    s._rules.apply(s, seat, action)


def reseal(s: State, seat: int) -> None:
    """Choose anew what this seat has chosen unseen."""
    s._rules.reseal(s, seat)


def appraise(s: State, seat: int, action: int) -> int:
    """What an action is worth at a glance; about 100 is one card well played."""
    value: int = s._rules.appraise(s, seat, action)
    return value


def outlook(s: State, seat: int) -> float:
    """The chance of a seat to win the match, at the start of a round."""
    value: float = s._rules.outlook(s, seat)
    return value


def remember(before: State, s: State, seat: int, action: int) -> None:
    """Keep in mind what an action of a real match tells everyone of the hands."""
    s._rules.remember(before, s, seat, action)


def believe(s: State, seat: int) -> None:
    """Bend a deal anew for this seat to what the play of the others tells of their hands."""
    s._rules.believe(s, seat)


def unseen(s: State) -> Table:
    """For each action whether others do not see it in full when it is made."""
    table: Table = s._rules.unseen
    return table


def sight(s: State) -> Table:
    """Who may look into each set."""
    table: Table = s._rules.sight
    return table


def within(s: State) -> Table:
    """In which hand each set is hidden."""
    table: Table = s._rules.within
    return table


@overload(start, strict=False)
def _start(s: State) -> Any:
    f: Any = _by_record[s].start
    return lambda s: f(s)  # noqa: PLW0108  numba wants a function of its own


@overload(legal, strict=False)
def _legal(s: State, seat: Any, moves: Moves) -> Any:
    f: Any = _by_record[s].legal
    return lambda s, seat, moves: f(s, np.int64(seat), moves)


@overload(apply, strict=False)
def _apply(s: State, seat: Any, action: Any) -> Any:
    f: Any = _by_record[s].apply
    return lambda s, seat, action: f(s, np.int64(seat), np.int64(action))


@overload(reseal, strict=False)
def _reseal(s: State, seat: Any) -> Any:
    f: Any = _by_record[s].reseal
    return lambda s, seat: f(s, np.int64(seat))


@overload(appraise, strict=False)
def _appraise(s: State, seat: Any, action: Any) -> Any:
    f: Any = _by_record[s].appraise
    return lambda s, seat, action: f(s, np.int64(seat), np.int64(action))


@overload(outlook, strict=False)
def _outlook(s: State, seat: Any) -> Any:
    f: Any = _by_record[s].outlook
    return lambda s, seat: f(s, np.int64(seat))


@overload(remember, strict=False)
def _remember(before: State, s: State, seat: Any, action: Any) -> Any:
    f: Any = _by_record[s].remember
    return lambda before, s, seat, action: f(before, s, np.int64(seat), np.int64(action))


@overload(believe, strict=False)
def _believe(s: State, seat: Any) -> Any:
    f: Any = _by_record[s].believe
    return lambda s, seat: f(s, np.int64(seat))


@overload(unseen, strict=False)
def _unseen(s: State) -> Any:
    values = _by_record[s].unseen
    return lambda s: values


@overload(sight, strict=False)
def _sight(s: State) -> Any:
    values = _by_record[s].sight
    return lambda s: values


@overload(within, strict=False)
def _within(s: State) -> Any:
    values = _by_record[s].within
    return lambda s: values
