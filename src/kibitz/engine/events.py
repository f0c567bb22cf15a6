"""What happened, in the game's terms: a lot won for a sum, a reshuffle, what a score came from.

Rules report events while they move cards:

    report(s, LOT_WON, s.leader, s.high)
    with_set(s, LOT)

Only a reporting state (`Layout.reporting`) has room for them. For any other, these functions
compile to nothing, so playouts do not pay for them. That an event happened is seen by everyone;
its cards are seen by those whom its declaration names.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from numba.extending import overload

from kibitz.engine.compiled import NONE, State, rule
from kibitz.engine.deck import NUMBERS, WORDS
from kibitz.engine.record import MOST_EVENTS


class Weight(Enum):
    """How much an event matters to those at the table."""

    DETAIL = "detail"  # a line of the log: a card drawn
    OUTCOME = "outcome"  # what everyone waited for: the trick taken
    SCORE = "score"  # a part of somebody's score
    END = "end"  # how the round or the match ended


class Witnesses(Enum):
    """Who sees the cards of an event."""

    EVERYONE = "everyone"
    SEAT = "seat"  # the seat that it happened to
    BOTH = "both"  # that seat and the other one


@dataclass(frozen=True)
class EventKind:
    """Events of one name. Where there are `words`, `other` is not a seat but one of them."""

    name: str
    weight: Weight
    witnesses: Witnesses
    gap: str = ""  # what the texts call the word
    words: tuple[str, ...] = ()


# Every game has these, and the shared texts have sentences for them.
SCORED, WON, SHARED, DREW, RESHUFFLED, RECEIVED = range(6)
_COMMON = (
    EventKind("scored", Weight.SCORE, Witnesses.EVERYONE, "part"),  # its words: the game's parts
    EventKind("won", Weight.END, Witnesses.EVERYONE),
    EventKind("shared", Weight.END, Witnesses.EVERYONE),
    EventKind("drew", Weight.DETAIL, Witnesses.SEAT),
    EventKind("reshuffled", Weight.DETAIL, Witnesses.EVERYONE),
    EventKind("received", Weight.OUTCOME, Witnesses.SEAT),
)


class Events:
    """The events of a game. Each declaration returns the number to report it by."""

    def __init__(self) -> None:
        self.kinds = list(_COMMON)

    def event(
        self,
        name: str,
        weight: Weight = Weight.DETAIL,
        witnesses: Witnesses = Witnesses.EVERYONE,
        **word: tuple[str, ...],
    ) -> int:
        """Declare an event; with `colour=COLOURS` it has a colour instead of a second seat."""
        if any(kind.name == name for kind in self.kinds):
            raise ValueError(f"two events are named {name!r}")
        ((gap, words),) = word.items() or (("", ()),)
        self.kinds.append(EventKind(name, weight, witnesses, gap, tuple(words)))
        return len(self.kinds) - 1


def report(s: State, event: int, seat: int, number: int = 0, other: int = NONE) -> None:
    """An event has happened to a seat, or to the table (NONE).

    `other` is a second seat, or the event's word.
    """
    if "events" in s.__dict__:
        _report(s, event, seat, number, other)


def report_draw(s: State, event: int, seat: int, card: int) -> None:
    """A seat has drawn a card; several drawn one after the other are one event."""
    if "events" in s.__dict__:
        _report_draw(s, event, seat, card)


def with_card(s: State, card: int) -> None:
    """The event last reported is about this card, too."""
    if "events" in s.__dict__:
        _with_card(s, card)


def with_set(s: State, zone: int) -> None:
    """The event last reported is about the cards of this set, too."""
    if "events" in s.__dict__:
        _with_set(s, zone)


def with_pile(s: State, pile: int, most: int = NUMBERS) -> None:
    """The event last reported is about the cards of this pile, too, or its uppermost ones."""
    if "events" in s.__dict__:
        _with_pile(s, pile, most)


@rule
def _report(s: State, event: int, seat: int, number: int, other: int) -> None:
    n = s.events
    s.event_kind[n] = event
    s.event_seat[n] = seat
    s.event_number[n] = number
    s.event_other[n] = other
    for w in range(WORDS):
        s.event_cards[n, w] = 0
    s.events = n + 1


@rule
def _report_draw(s: State, event: int, seat: int, card: int) -> None:
    last = s.events - 1
    if last < 0 or s.event_kind[last] != event or s.event_seat[last] != seat:
        _report(s, event, seat, 0, NONE)
    s.event_number[s.events - 1] += 1
    _with_card(s, card)


@rule
def _with_card(s: State, card: int) -> None:
    s.event_cards[s.events - 1, card >> 6] |= 1 << (card & 63)


@rule
def _with_set(s: State, zone: int) -> None:
    for w in range(WORDS):
        s.event_cards[s.events - 1, w] |= s.cards[zone, w]


@rule
def _with_pile(s: State, pile: int, most: int) -> None:
    card = s.top[pile]
    while card != NONE and most > 0:
        _with_card(s, card)
        card = s.under[card]
        most -= 1


@overload(report, strict=False)
def _compiled_report(s: Any, event: Any, seat: Any, number: Any = 0, other: Any = NONE) -> Any:
    if "events" not in s.fields:
        return lambda s, event, seat, number=0, other=NONE: None

    def write(s: State, event: int, seat: int, number: int = 0, other: int = NONE) -> None:
        if s.events < MOST_EVENTS:  # checked play raises an error instead
            _report(s, event, seat, number, other)

    return write


@overload(report_draw, strict=False)
def _compiled_report_draw(s: Any, event: Any, seat: Any, card: Any) -> Any:
    if "events" not in s.fields:
        return lambda s, event, seat, card: None

    def write(s: State, event: int, seat: int, card: int) -> None:
        if s.events < MOST_EVENTS:
            _report_draw(s, event, seat, card)

    return write


@overload(with_card, strict=False)
def _compiled_with_card(s: Any, card: Any) -> Any:
    if "events" not in s.fields:
        return lambda s, card: None
    return lambda s, card: _with_card(s, card)  # noqa: PLW0108  numba wants its own function


@overload(with_set, strict=False)
def _compiled_with_set(s: Any, zone: Any) -> Any:
    if "events" not in s.fields:
        return lambda s, zone: None
    return lambda s, zone: _with_set(s, zone)  # noqa: PLW0108  likewise


@overload(with_pile, strict=False)
def _compiled_with_pile(s: Any, pile: Any, most: Any = NUMBERS) -> Any:
    if "events" not in s.fields:
        return lambda s, pile, most=NUMBERS: None
    return lambda s, pile, most=NUMBERS: _with_pile(s, pile, most)
