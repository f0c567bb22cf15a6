"""Hands that are sure to lack some kinds: who does not follow suit has none of it.

A game's `inference.py` can be made of this: `BELIEFS`, `note_lack` in its `observe`, and
`give_up_lacks` as its `condition`. For decks of at most 63 kinds.
"""

from typing import Any

import numpy as np

from kibitz.engine.bits import count, lowest, nth
from kibitz.engine.cards import move
from kibitz.engine.chance import below
from kibitz.engine.compiled import NONE, State, rule
from kibitz.engine.deck import WORD_BITS, WORDS
from kibitz.engine.dispatch import hidden_in, kind_of, stride
from kibitz.engine.visibility import is_open_to, known_to
from kibitz.engine.zones import SEATS

BELIEFS = np.dtype((np.record, np.dtype([("lacks", np.int64, SEATS)])))
ALL_KINDS = -1


@rule
def note_lack(beliefs: Any, seat: int, kinds: int) -> None:
    """Until the round is over, no card in this seat's hand is of these kinds."""
    beliefs.lacks[seat] |= kinds


@rule
def give_up_lacks(s: State, me: int, hands: int, beliefs: Any) -> None:
    """Exchange cards of a redealt world until no hand has what its seat lacks.

    There is a way whenever what was noted is true. Cards whose place seat `me` knows stay, and so
    do those that others have chosen unseen.
    """
    for seat in range(s.players):
        if beliefs.lacks[seat]:
            wrong = _loose(s, me, hands + seat, beliefs.lacks[seat])
            for w in range(WORDS):
                left = wrong[w]
                while left:
                    _give_up(s, me, hands, seat, 64 * w + lowest(left), beliefs)
                    left &= left - 1


@rule
def _give_up(s: State, me: int, hands: int, seat: int, card: int, beliefs: Any) -> None:
    """Exchange a card, and what comes for it, until the hand has one that it may have."""
    while card != NONE and (beliefs.lacks[seat] >> kind_of(s)[card]) & 1:
        other, zone = _best_exchange(s, me, hands, seat, card, beliefs)
        if other != NONE:
            move(s, card, hands + seat, zone)
            move(s, other, zone, hands + seat)
        card = other


@rule
def _best_exchange(
    s: State, me: int, hands: int, seat: int, card: int, beliefs: Any
) -> tuple[int, int]:
    """For which card of which set a hand gives up one that it lacks, or NONE.

    If it can, for one that it may have; else for one that it can exchange for such a card in turn,
    and so on: always a step nearer, at random among those that are equally near.
    """
    near = ~beliefs.lacks[seat]
    for _ in range(s.cards.shape[0]):
        n, chosen, next_to_near = 0, NONE, near
        for zone in range(s.cards.shape[0]):
            there = 0 if zone == hands + seat else _how_many_loose(s, me, zone, near)
            if there:
                takes = _may_hold(s, hands, zone, beliefs)
                next_to_near |= takes
                if (takes >> kind_of(s)[card]) & 1:
                    n += there
                    chosen = zone if below(s, n) < there else chosen
        if chosen != NONE:
            return _any_loose(s, me, chosen, near), chosen
        near = next_to_near
    return NONE, NONE


@rule
def _may_hold(s: State, hands: int, zone: int, beliefs: Any) -> int:
    """The kinds that a set may hold."""
    is_hand = hands <= zone < hands + s.players
    return ~beliefs.lacks[zone - hands] if is_hand else ALL_KINDS


# Loose cards: those that, for all that a seat knows, might as well lie elsewhere.


@rule
def _loose(s: State, me: int, zone: int, kinds: int) -> tuple[int, int]:
    """The loose cards of these kinds in a set, as two words."""
    if is_open_to(s, zone, me) or hidden_in(s)[zone] >= 0:
        return 0, 0
    low, high = known_to(s, me)
    cards = _every_card(s, kinds)
    return s.cards[zone, 0] & cards & ~low, s.cards[zone, 1] & cards & ~high


@rule
def _every_card(s: State, kinds: int) -> int:
    """All cards of these kinds, as a word; both words are alike."""
    step, cards = stride(s), 0
    for shift in range(0, WORD_BITS - step + 1, step):
        cards |= (kinds & ((1 << step) - 1)) << shift
    return cards


@rule
def _how_many_loose(s: State, me: int, zone: int, kinds: int) -> int:
    """How many there are."""
    low, high = _loose(s, me, zone, kinds)
    return count(low) + count(high)


@rule
def _any_loose(s: State, me: int, zone: int, kinds: int) -> int:
    """One of them at random."""
    low, high = _loose(s, me, zone, kinds)
    n = below(s, count(low) + count(high))
    return nth(low, n) if n < count(low) else 64 + nth(high, n - count(low))
