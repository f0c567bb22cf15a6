"""Tricks: each seat has laid a card on its pile, `trick + seat`; suits are sets of kinds.

Of two cards of a suit, the one whose kind comes later in the deck is higher. If a trump is led, the
trumps are the suit led.
"""

from kibitz.engine.cards import has_top, kinds_in, top_kind
from kibitz.engine.compiled import NONE, State, rule
from kibitz.engine.deck import WORD_BITS
from kibitz.engine.seats import next_seat


@rule
def following(s: State, hand: int, led: int) -> int:
    """The kinds of a hand that follow suit; all of them if it has none of the suit led."""
    kinds = kinds_in(s, hand)
    return kinds & led if kinds & led else kinds


@rule
def strength(kind: int, led: int, trumps: int) -> int:
    """How high a card is in a trick: any trump above the suit led, all else NONE."""
    if (trumps >> kind) & 1:
        return WORD_BITS + kind
    return kind if (led >> kind) & 1 else NONE


@rule
def trick_taker(s: State, trick: int, leader: int, led: int, trumps: int) -> int:
    """Who takes a trick, as far as it has been played; of identical cards the first counts."""
    taker, best, seat = leader, NONE, leader
    for _ in range(s.players):
        if has_top(s, trick + seat):
            value = strength(top_kind(s, trick + seat), led, trumps)
            if value > best:
                taker, best = seat, value
        seat = next_seat(s, seat)
    return taker
