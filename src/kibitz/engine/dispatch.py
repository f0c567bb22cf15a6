"""The rules of a game, found by the type of its state.

`apply(s, seat, action)` calls the right game's rule: in compiled code it is picked at compile time
by the record type of `s`, in plain Python it is looked up. So search, playouts and the functions
that move cards know no game, and what they compile to is cached on disk.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba import from_dtype, typeof, types
from numba.extending import lower_builtin, overload, type_callable

from kibitz.engine.actions import Actions, Secrecy
from kibitz.engine.compiled import ActionList, Lookup, State, lookup
from kibitz.engine.deck import Deck
from kibitz.engine.record import Layout
from kibitz.engine.zones import SEATS, Sight, Zones

# In the table of `sight` stands the seat that may look into a set, or one of these. Neither is -1,
# which stands for a spectator where a viewer is meant.
OPEN = -2
NOBODY = -3

F = TypeVar("F", bound=Callable[..., Any])


class Rules(NamedTuple):
    """What compiled code asks of a game: the functions of its rules.py, and tables made for it."""

    begin_round: Callable[[State], None]
    legal: Callable[[State, int, ActionList], None]
    apply: Callable[[State, int, int], None]
    redeal_choice: Callable[[State, int], None]
    verbs: Lookup
    secret: Lookup
    sight: Lookup
    open_at_end: Lookup
    hidden_in: Lookup
    hides: Lookup
    whole_deck: Lookup
    twins: Lookup
    kind_of: Lookup
    bit_of: Lookup
    stride: int


_by_record: dict[Any, Rules] = {}
# How each table is written into compiled code, for those who compile for another machine.
CONSTANTS: dict[Callable[..., Any], Callable[..., Any]] = {}


def register(layout: Layout, rules: Rules) -> None:
    """Make a game's rules known to compiled code."""
    _by_record[from_dtype(layout.dtype)] = rules
    _by_record[from_dtype(layout.reporting)] = rules


def action_tables(actions: Actions) -> dict[str, Any]:
    """For each action its verb, and whether others do not see all of it."""
    every = actions.all
    return {
        "verbs": lookup((action.verb.first for action in every), np.int16),
        "secret": lookup((action.verb.secrecy is not Secrecy.OPEN for action in every), np.int8),
    }


def zone_tables(zones: Zones) -> dict[str, Any]:
    """For each set who may look into it, whether it opens at the end, and what is hidden where."""
    sets = max(1, zones.sets)
    sight, open_at_end = [NOBODY] * sets, [0] * sets
    hidden_in, hides = [-1] * sets, [-1] * sets
    for zone in zones.at(SEATS):
        family, i = zone.family, zone.index
        if family.is_pile:
            continue
        if family.sight is Sight.EVERYONE:
            sight[i] = OPEN
        elif family.sight is Sight.OWNER and zone.owner is not None:
            sight[i] = zone.owner
        open_at_end[i] = int(family.open_at_end)
        if family.hidden_in is not None:
            hand = zones.families[family.hidden_in].first + (zone.owner or 0)
            hidden_in[i], hides[i], hides[hand] = hand, hides[hand], i
    return {
        "sight": lookup(sight),
        "open_at_end": lookup(open_at_end),
        "hidden_in": lookup(hidden_in),
        "hides": lookup(hides),
    }


def deck_tables(deck: Deck) -> dict[str, Any]:
    """The deck, the cards of each kind, and the kind of each card."""
    bits = (1 << kind if len(deck.kinds) <= 63 else 0 for kind in range(len(deck.kinds)))
    return {
        "whole_deck": deck.all,
        "twins": deck.twins,
        "kind_of": deck.kind,
        "bit_of": deck.by_card(bits, empty=0),
        "stride": deck.stride,
    }


def _found_by_type(function: F) -> F:
    """Let compiled code find what plain Python looks up in `s._rules`: a constant of the game."""

    def find(s: Any) -> Any:
        return getattr(_by_record[s], function.__name__)

    @type_callable(function)
    def _type_of(_context: Any) -> Any:
        type_of: Any = typeof
        return lambda s: type_of(find(s)) if s in _by_record else None

    def constant(context: Any, builder: Any, signature: Any, _arguments: Any) -> Any:
        return context.get_constant_generic(builder, signature.return_type, find(signature.args[0]))

    lower: Any = lower_builtin
    lower(function, types.Record)(constant)
    CONSTANTS[function] = constant
    return function


# ---- rules


def begin_round(s: State) -> None:
    """Deal the round `s.round_no`, and say who is due."""
    s._rules.begin_round(s)


def legal(s: State, seat: int, found: ActionList) -> None:
    """List the actions of a seat that is due."""
    s._rules.legal(s, seat, found)


def apply(s: State, seat: int, action: int) -> None:
    """A seat that is due makes a legal action."""
    s._rules.apply(s, seat, action)


def redeal_choice(s: State, seat: int) -> None:
    """Choose anew what this seat has chosen unseen."""
    s._rules.redeal_choice(s, seat)


@overload(begin_round, strict=False)
def _begin_round(s: State) -> Any:
    f: Any = _by_record[s].begin_round
    return lambda s: f(s)  # noqa: PLW0108  numba wants a function of its own


@overload(legal, strict=False)
def _legal(s: State, seat: Any, found: ActionList) -> Any:
    f: Any = _by_record[s].legal
    return lambda s, seat, found: f(s, np.int64(seat), found)


@overload(apply, strict=False)
def _apply(s: State, seat: Any, action: Any) -> Any:
    f: Any = _by_record[s].apply
    return lambda s, seat, action: f(s, np.int64(seat), np.int64(action))


@overload(redeal_choice, strict=False)
def _redeal_choice(s: State, seat: Any) -> Any:
    f: Any = _by_record[s].redeal_choice
    return lambda s, seat: f(s, np.int64(seat))


# ---- tables


@_found_by_type
def verbs(s: State) -> Lookup:
    """For each action the first action of its verb."""
    return s._rules.verbs


@_found_by_type
def secret(s: State) -> Lookup:
    """For each action whether others do not see all of it when it is made."""
    return s._rules.secret


@_found_by_type
def sight(s: State) -> Lookup:
    """For each set the seat that may look into it, or OPEN, or NOBODY."""
    return s._rules.sight


@_found_by_type
def open_at_end(s: State) -> Lookup:
    """For each set whether it lies open to everyone once the round is over."""
    return s._rules.open_at_end


@_found_by_type
def hidden_in(s: State) -> Lookup:
    """For each set the hand in which others believe its cards to be, or -1."""
    return s._rules.hidden_in


@_found_by_type
def hides(s: State) -> Lookup:
    """For each hand a set that is hidden in it, and for that one the next; then -1."""
    return s._rules.hides


@_found_by_type
def whole_deck(s: State) -> Lookup:
    """All cards, as a set of two words."""
    return s._rules.whole_deck


@_found_by_type
def twins(s: State) -> Lookup:
    """For each kind its cards, as a set of two words."""
    return s._rules.twins


@_found_by_type
def kind_of(s: State) -> Lookup:
    """For each card its kind."""
    return s._rules.kind_of


@_found_by_type
def bit_of(s: State) -> Lookup:
    """For each card its kind as a set of kinds (for decks of at most 63 kinds)."""
    return s._rules.bit_of


@_found_by_type
def stride(s: State) -> int:
    """How far apart the copies of a kind are in a word."""
    return s._rules.stride
