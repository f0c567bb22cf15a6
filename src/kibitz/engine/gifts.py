"""Cards that go from hand to hand, seen by giver and taker alone.

Any card of the giver's that a third seat knew may be one that went, so it knows none of them any
more: cautious, and never wrong. The taker, shown a twin of a card it knew of, knows of one card
less. The giver keeps knowing where its cards are.
"""

from kibitz.engine.bits import at, lowest
from kibitz.engine.cards import forget_twin, is_empty, move, move_all, size
from kibitz.engine.compiled import State, rule
from kibitz.engine.deck import WORDS
from kibitz.engine.events import RECEIVED, report, with_set
from kibitz.engine.zones import SEATS


@rule
def pass_secretly(s: State, card: int, giver: int, taker: int, hands: int) -> None:
    """A card goes from hand to hand. The log tells giver and taker which one it was."""
    a, b = hands + giver, hands + taker
    bit = 1 << (card & 63)
    _third_seats_forget(s, giver, taker, a)
    if s.known[at(taker), at(card >> 6)] & bit == 0:
        forget_twin(s, taker, card, a)
    move(s, card, a, b)
    s.known[at(giver), at(card >> 6)] |= bit
    s.known[at(taker), at(card >> 6)] &= ~bit
    s.witnesses = 1 << giver | 1 << taker


@rule
def exchange(s: State, gifts: int, hands: int, step: int) -> None:
    """All gifts change hands at once: what a seat has laid out goes `step` seats to the left.

    The gifts lie in a set for each seat, declared `hidden_in` the hand. Each taker is told what it
    has received; that it has is all that the others are told.
    """
    for giver in range(s.players):
        if not is_empty(s, gifts + giver):
            taker = (giver + step) % s.players
            _third_seats_forget(s, giver, taker, hands + giver)
            _third_seats_forget(s, giver, taker, gifts + giver)
            _recognise(s, giver, taker, gifts, hands)
    for giver in range(s.players):
        if not is_empty(s, gifts + giver):
            taker = (giver + step) % s.players
            report(s, RECEIVED, taker, size(s, gifts + giver), giver)
            with_set(s, gifts + giver)
            for w in range(WORDS):
                s.known[at(giver), at(w)] |= s.cards[at(gifts + giver), at(w)]
                s.known[at(taker), at(w)] &= ~s.cards[at(gifts + giver), at(w)]
            move_all(s, gifts + giver, hands + taker)


@rule
def _third_seats_forget(s: State, giver: int, taker: int, zone: int) -> None:
    """Nobody but these two knows any more which cards lie in a set."""
    for w in range(WORDS):
        s.seen[at(w)] &= ~s.cards[at(zone), at(w)]
        for seat in range(SEATS):
            if seat != giver and seat != taker:
                s.known[at(seat), at(w)] &= ~s.cards[at(zone), at(w)]


@rule
def _recognise(s: State, giver: int, taker: int, gifts: int, hands: int) -> None:
    """A taker takes a twin of a card it knew of in the giver's hand for that card.

    All do so before any gift has moved: what they give themselves is not yet in that hand.
    """
    for w in range(WORDS):
        left = s.cards[at(gifts + giver), at(w)] & ~s.known[at(taker), at(w)]
        while left:
            forget_twin(s, taker, 64 * w + lowest(left), hands + giver)
            left &= left - 1
