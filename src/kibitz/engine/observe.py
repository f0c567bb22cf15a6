"""Filling an observation, and the mask of legal actions, in compiled code.

`observe(s, me, out)` writes what seat `me` may know, and nothing else, in the layout of
`engine/observation.py`. Like the rules, both are found by the type of the state, and nothing in
them keeps them from running on a GPU: they allocate nothing and know no Python objects. Actions are
turned as seats are: what a mask says of `to 1` is about the next seat.
"""

from collections.abc import Callable
from typing import Any

from numba import from_dtype, njit
from numba.extending import overload

from kibitz.engine import dispatch
from kibitz.engine.action_list import find_actions
from kibitz.engine.bits import at, count, lowest
from kibitz.engine.compiled import NONE, ActionList, Lookup, State, from_python, rule
from kibitz.engine.game import Game
from kibitz.engine.observation import SIZE, Observation, observation_of
from kibitz.engine.record import PLAIN_NAMES, Field
from kibitz.engine.seats import has, next_seat
from kibitz.engine.visibility import SPECTATOR, is_open_to, known_to, lying_in
from kibitz.engine.zones import SEATS

NO_PILE = 63  # of a set without any, the lowest is 64: with this, 0, where one may look
_by_record: dict[Any, Observation] = {}


def ready(game: Game) -> Observation:
    """A game's layout; from now on compiled code can observe its states."""
    found = observation_of(game)
    _by_record[from_dtype(game.layout.dtype)] = found
    return found


# ---- seats and actions, turned


@rule
def turned(s: State, me: int, seat: int) -> int:
    """How many seats after `me` a seat comes; NONE and seats that nobody has stay."""
    if seat < 0 or seat >= s.players:
        return seat
    return seat - me if seat >= me else seat - me + s.players


@rule
def turned_back(s: State, me: int, steps: int) -> int:
    """The seat that comes so many after `me`."""
    if steps < 0 or steps >= s.players:
        return steps
    seat = me + steps
    return seat if seat < s.players else seat - s.players


def turn_action(s: State, me: int, action: int) -> int:
    """An action as `me` is told of it: seats are counted from its own."""
    raise NotImplementedError("for compiled code")


def turn_action_back(s: State, me: int, action: int) -> int:
    """The action of the rules that `me` means."""
    raise NotImplementedError("for compiled code")


@overload(turn_action, strict=False)
def _turn_action(s: State, me: Any, action: Any) -> Any:
    named = _by_record[s].named_seats
    if not named[:, 1].any():
        return lambda s, me, action: action

    def impl(s: State, me: int, action: int) -> int:
        row = named[at(action)]  # once: each mention of a table is a copy of it in a GPU's memory
        steps = row[0] - me
        moved = (s.players if steps < 0 else 0) - me
        return action + (moved if row[0] < s.players else 0) * row[1]

    return impl


@overload(turn_action_back, strict=False)
def _turn_action_back(s: State, me: Any, action: Any) -> Any:
    named = _by_record[s].named_seats
    if not named[:, 1].any():
        return lambda s, me, action: action

    def impl(s: State, me: int, action: int) -> int:
        row = named[action]  # once: each mention of a table is a copy of it in a GPU's memory
        return action + (turned_back(s, me, row[0]) - row[0]) * row[1]

    return impl


# ---- the mask


@rule
def legal_mask(s: State, me: int, found: ActionList, mask: Any) -> None:
    """Set 1 for each action that `me` may make, as it is told of it; none if it is not due."""
    for action in range(len(mask)):
        mask[action] = 0
    found.groups = 0
    found.count = 0
    if not has(s.due, me):
        return
    find_actions(s, me, found)
    for group in range(found.groups):
        first, bits = int(found.first[at(group)]), found.bits[at(group)]
        while bits:
            mask[at(turn_action(s, me, first + lowest(bits)))] = 1
            bits &= bits - 1


# ---- the observation


def observe(s: State, me: int, out: Any) -> None:
    """Write all that `me` may know."""
    raise NotImplementedError("for compiled code")


@overload(observe, strict=False)
def _observe(s: State, me: Any, out: Any) -> Any:
    return observer(_by_record[s])


def observer(layout: Observation) -> Callable[[State, int, Any], None]:
    """A function that observes the states of a game, to be compiled."""
    sets, piles = layout.sets, layout.piles
    order = layout.sections["order"].offset if "order" in layout.sections else 0
    put_fields: Any = njit(_field_writer(layout))

    def impl(s: State, me: int, out: Any) -> None:
        for n in range(len(out)):
            out[n] = 0
        put_fields(s, me, out)
        put_sets(s, me, out, sets)
        put_piles(s, me, out, piles, order)

    return impl


@rule
def put_sets(s: State, me: int, out: Any, sets: Lookup) -> None:
    """What lies in each set: its size, what `me` sees or knows of it, and what everyone knows."""
    known_low, known_high = known_to(s, me)
    kinds = len(dispatch.twins(s))
    for family in range(len(sets)):
        seats, place = sets[family, 1], sets[family, 2]
        zone, seat = sets[family, 0], me
        for _ in range(min(seats, s.players) if seats else 1):
            if seats:
                zone = sets[family, 0] + seat
                seat = next_seat(s, seat)
            low, high = lying_in(s, zone, me)
            if low | high:
                out[at(place)] = count(low) + count(high)
                outside_low, outside_high = low, high
                if is_open_to(s, zone, me):
                    outside_low, outside_high = lying_in(s, zone, SPECTATOR)
                else:
                    low &= known_low
                    high &= known_high
                outside_low &= s.seen[0]
                outside_high &= s.seen[1]
                if not sets[family, 4]:
                    add_kinds(s, out, place + SIZE, 0, low, high)
                elif low == outside_low and high == outside_high:  # as of what lies discarded
                    add_kinds(s, out, place + SIZE, kinds, low, high)
                else:
                    add_kinds(s, out, place + SIZE, 0, low, high)
                    add_kinds(s, out, place + SIZE + kinds, 0, outside_low, outside_high)
            place += sets[family, 3]


@rule
def add_kinds(s: State, out: Any, place: int, gap: int, low: int, high: int) -> None:
    """Count the cards of two words, kind by kind; and once more after a gap, if there is one."""
    kind_of = dispatch.kind_of(s)
    while low:
        add_kind(out, place + kind_of[at(lowest(low))], gap)
        low &= low - 1
    while high:
        add_kind(out, place + kind_of[at(64 + lowest(high))], gap)
        high &= high - 1


@rule
def add_kind(out: Any, place: int, gap: int) -> None:
    """Count a card, once or twice."""
    out[at(place)] += 1
    if gap:
        out[at(place + gap)] += 1


@rule
def put_piles(s: State, me: int, out: Any, piles: Lookup, order: int) -> None:
    """What lies on each pile: its size, its cards, the one on top, and their order."""
    for family in range(len(piles)):
        n, own = piles[family, 4], 0
        if piles[family, 1]:
            n, own = n * s.players, n * me
        first, place, length = piles[family, 0], piles[family, 2], piles[family, 3]
        order = put_family(s, first, n, own, out, place, length, order)


@rule
def put_family(
    s: State, first: int, n: int, own: int, out: Any, place: int, length: int, order: int
) -> int:
    """The n piles from `first` on, the own ones first; where others go on in the order of all.

    One loop over all their cards, without a branch: a processor could not foretell how many lie on
    each pile. While one is gone through, it is already known where the next one begins. What
    changes where a pile ends is multiplied, for of several `if` compilers make a branch.
    """
    kind_of, kinds = dispatch.kind_of(s), len(dispatch.twins(s))
    later = 0  # the piles with cards that come after the next one
    for p in range(n):
        later |= int(s.top[at(first + p)] != NONE) << p
    left = count(later)
    later = (later >> own | later << (n - own)) & ((1 << n) - 1)
    pile = lowest(later) & NO_PILE
    card, here = top_of(s, first, n, own + pile), place + length * pile
    later &= later - 1
    pile = lowest(later) & NO_PILE
    next_card, next_here = top_of(s, first, n, own + pile), place + length * pile
    later &= later - 1
    size, top = 1, 0
    while left:
        kind = kind_of[at(card)]
        out[at(order)] = kind + 1
        order += 1
        out[at(here)] = size
        out[at(here + SIZE + kind)] += 1
        top = kind if size == 1 else top
        out[at(here + SIZE + kinds + top)] = 1
        under = int(s.under[at(card)])
        ends = int(under == NONE)
        pile = lowest(later) & NO_PILE
        third_card, third = top_of(s, first, n, own + pile), place + length * pile
        left -= ends
        size = size * (1 - ends) + 1
        card = under + ends * (next_card - under)
        here += ends * (next_here - here)
        next_card += ends * (third_card - next_card)
        next_here += ends * (third - next_here)
        later &= later - ends
    return order


@rule
def top_of(s: State, first: int, n: int, steps: int) -> int:
    """The card on top of one of n piles; a step beyond the last is the first again."""
    return int(s.top[at(first + (steps if steps < n else steps - n))])


# ---- fields


@rule
def mark(out: Any, place: int, value: int) -> None:
    """Set 1 where a value is meant; NONE means nowhere."""
    if value != NONE:
        out[place + value] = 1


def _field_writer(layout: Observation) -> Callable[[State, int, Any], None]:
    """A function that writes all fields: compiled code cannot find a field by its name."""
    lines, by_seat = ["def put_fields(s, me, out):"], []
    for name, field in layout.fields.items():
        place, width = layout.sections[PLAIN_NAMES.get(name, name)].offset, layout.width(field)
        if field.shape[:1] == (SEATS,):
            by_seat += _writing(field, f"s.{name}", "seat", "i", place, width)
        elif field.is_seats:
            by_seat.append(f"out[{place} + i] = (s.{name} >> seat) & 1")
        elif field.is_seat and not field.shape:
            by_seat.append(f"out[{place} + i] = int(s.{name} == seat)")
        elif field.shape:
            lines.append(f"    for i in range({field.shape[0]}):")
            inner = _writing(field, f"s.{name}", "i", "i", place, width)
            lines += [f"        {line}" for line in inner]
        else:
            lines.append(f"    {_statement(field, f's.{name}', str(place))}")
    lines += ["    for i in range(s.players):", "        seat = turned_back(s, me, i)"]
    lines += [f"        {line}" for line in by_seat]
    names = {"mark": mark, "turned": turned, "turned_back": turned_back}
    exec("\n".join(lines), names)
    function: Callable[[State, int, Any], None] = names["put_fields"]  # type: ignore[assignment]
    return function


def _writing(field: Field, name: str, row: str, i: str, place: int, width: int) -> list[str]:
    """The lines that write a row of an array."""
    if len(field.shape) == 1:
        return [_statement(field, f"{name}[{row}]", f"{place} + {width} * {i}")]
    columns = field.shape[1]
    cell = f"{place} + {width} * ({columns} * {i} + j)"
    return [
        f"for j in range({columns}):",
        f"    {_statement(field, f'{name}[{row}, j]', cell)}",
    ]


def _statement(field: Field, value: str, place: str) -> str:
    """What writes one value."""
    if field.is_seat:
        return f"mark(out, {place}, turned(s, me, {value}))"
    if field.words or (field.is_kind and not field.shape):
        return f"mark(out, {place}, {value})"
    return f"out[{place}] = {value} + 1" if field.is_kind else f"out[{place}] = {value}"


# ---- from Python


@from_python
def observe_at(states: Any, i: int, me: int, lists: Any, out: Any, mask: Any) -> None:
    """What seat `me` may know of state i, and what it may do."""
    observe(states[i], me, out)
    legal_mask(states[i], me, lists[0], mask)


@from_python
def turn_action_at(states: Any, i: int, me: int, action: int) -> int:
    """An action of state i as `me` is told of it."""
    return turn_action(states[i], me, action)


@from_python
def turn_action_back_at(states: Any, i: int, me: int, action: int) -> int:
    """The action of the rules that `me` means in state i."""
    return turn_action_back(states[i], me, action)
