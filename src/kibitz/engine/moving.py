"""Moving cards between zones: the only functions that touch where a card lies.

A card lies in a set (`s.cards[zone]`, a bit) or on a pile (`s.top[pile]`, then `s.under`).
Knowledge goes with it: `s.seen` holds the cards of closed sets whose place everyone knows,
`s.known[seat]` those whose place this seat knows as well. A zone that is open to a seat needs
neither.
"""

from kibitz.engine.bits import count, lowest, nth
from kibitz.engine.chance import below
from kibitz.engine.compiled import NONE, State, Table, rule
from kibitz.engine.deck import WORD_BITS, WORDS
from kibitz.engine.zones import SEATS


@rule
def size(s: State, zone: int) -> int:
    """How many cards a set holds."""
    return count(s.cards[zone, 0]) + count(s.cards[zone, 1])


@rule
def is_empty(s: State, zone: int) -> bool:
    """Whether a set holds no card."""
    return (s.cards[zone, 0] | s.cards[zone, 1]) == 0


@rule
def holds(s: State, zone: int, card: int) -> bool:
    """Whether the card lies in the set."""
    return (s.cards[zone, card >> 6] >> (card & 63)) & 1 != 0


@rule
def flip(s: State, zone: int, card: int) -> None:
    """Put a card into a set, or take it out."""
    s.cards[zone, card >> 6] ^= 1 << (card & 63)


@rule
def move(s: State, card: int, a: int, b: int) -> None:
    """Move a card from set a to set b."""
    flip(s, a, card)
    flip(s, b, card)


@rule
def move_all(s: State, a: int, b: int) -> None:
    """Move all cards of set a to set b."""
    for w in range(WORDS):
        s.cards[b, w] |= s.cards[a, w]
        s.cards[a, w] = 0


@rule
def any_card(s: State, zone: int) -> int:
    """A card at random out of a set that is not empty."""
    low = count(s.cards[zone, 0])
    n = below(s, low + count(s.cards[zone, 1]))
    w = int(n >= low)  # the word; reckoned, since no processor guesses it
    return 64 * w + nth(s.cards[zone, w], n - low * w)


@rule
def draw(s: State, a: int, b: int) -> int:
    """Move a card at random from set a to set b, and say which."""
    card = any_card(s, a)
    move(s, card, a, b)
    return card


@rule
def find(s: State, zone: int, kind: int, twins: Table) -> int:
    """A card of this kind in a set that holds one."""
    w = int(s.cards[zone, 0] & twins[kind, 0] == 0)
    return 64 * w + lowest(s.cards[zone, w] & twins[kind, w])


@rule
def find_seen(s: State, zone: int, kind: int, twins: Table) -> int:
    """The same; a card that all know to be there comes first.

    Where cards of a hand have been seen, the one to leave it must be found so: all others
    think that it is the card they know of.
    """
    low = s.cards[zone, 0] & twins[kind, 0] & s.seen[0]
    high = s.cards[zone, 1] & twins[kind, 1] & s.seen[1]
    if low:
        return lowest(low)
    return 64 + lowest(high) if high else find(s, zone, kind, twins)


@rule
def how_many(s: State, zone: int, kind: int, twins: Table) -> int:
    """How many cards of this kind a set holds."""
    return count(s.cards[zone, 0] & twins[kind, 0]) + count(s.cards[zone, 1] & twins[kind, 1])


@rule
def worth(s: State, zone: int, values: Table) -> int:
    """The sum of the values of a set's cards, given by card number."""
    points = 0
    for w in range(WORDS):
        left = s.cards[zone, w]
        while left:
            points += values[64 * w + lowest(left)]
            left &= left - 1
    return points


@rule
def kinds(s: State, zone: int, stride: int) -> int:
    """The kinds of card in a set, as a set of kinds (for decks of at most 63 kinds)."""
    both = s.cards[zone, 0] | s.cards[zone, 1]
    folded = 0
    for shift in range(0, WORD_BITS, stride):
        folded |= both >> shift
    return folded & ((1 << stride) - 1)


@rule
def put_on(s: State, card: int, zone: int, pile: int) -> None:
    """Lay a card of a set on top of a pile."""
    flip(s, zone, card)
    s.under[card] = s.top[pile]
    s.top[pile] = card


@rule
def take_off(s: State, pile: int, zone: int) -> int:
    """Move the top card of a pile into a set, and say which."""
    card = s.top[pile]
    s.top[pile] = s.under[card]
    flip(s, zone, card)
    return card


@rule
def from_pile_to_pile(s: State, a: int, b: int) -> int:
    """Lay the top card of pile a on pile b, and say which."""
    card = s.top[a]
    s.top[a] = s.under[card]
    s.under[card] = s.top[b]
    s.top[b] = card
    return card


@rule
def stack_on(s: State, a: int, b: int) -> None:
    """Put pile a, as it lies, on top of pile b, which must not be empty."""
    if s.top[a] != NONE:
        last = s.top[a]
        while s.under[last] != NONE:
            last = s.under[last]
        s.under[last] = s.top[b]
        s.top[b] = s.top[a]
        s.top[a] = NONE


@rule
def clear_pile(s: State, pile: int, zone: int) -> None:
    """Move a whole pile into a set; all have seen its cards and know that they are there."""
    while s.top[pile] != NONE:
        card = take_off(s, pile, zone)
        see(s, card)


@rule
def gather(s: State, zone: int, deck: Table) -> None:
    """Take up all cards of the deck into one closed set, shuffled: nobody knows anything."""
    for z in range(s.cards.shape[0]):
        for w in range(WORDS):
            s.cards[z, w] = 0
    for pile in range(s.top.shape[0]):
        s.top[pile] = NONE
    for w in range(WORDS):
        s.cards[zone, w] = deck[w]
    forget_all(s)


@rule
def forget_all(s: State) -> None:
    """Nobody knows the place of a card in a closed set any more."""
    for w in range(WORDS):
        s.seen[w] = 0
        for seat in range(SEATS):
            s.known[seat, w] = 0


@rule
def shuffle(s: State, zone: int) -> None:
    """Nobody knows any more which cards lie in this set."""
    for w in range(WORDS):
        s.seen[w] &= ~s.cards[zone, w]
        for seat in range(SEATS):
            s.known[seat, w] &= ~s.cards[zone, w]


@rule
def see(s: State, card: int) -> None:
    """Everyone sees where this card goes."""
    s.seen[card >> 6] |= 1 << (card & 63)


@rule
def see_all(s: State, zone: int) -> None:
    """Everyone sees the cards of this set, and where they go next."""
    for w in range(WORDS):
        s.seen[w] |= s.cards[zone, w]


@rule
def leave_hand(s: State, card: int, zone: int, twins: Table, kind: int) -> None:
    """A card of this kind leaves a hand before the eyes of all (call it before the move).

    Who knew of a twin in that hand cannot tell which of the two was played, so they know of
    one card less.
    """
    for seat in range(SEATS):
        if (s.known[seat, card >> 6] >> (card & 63)) & 1:
            continue
        for w in range(WORDS):
            known_twins = s.known[seat, w] & s.cards[zone, w] & twins[kind, w]
            if known_twins:
                s.known[seat, w] ^= known_twins & -known_twins
                break
    see(s, card)


@rule
def pass_secretly(
    s: State, card: int, giver: int, taker: int, hands: int, twins: Table, kind: int
) -> None:
    """A card goes from hand to hand, seen by giver and taker alone.

    Any card of the giver's that a third seat knew may be the one that went, so it knows none
    of them any more. The taker, shown a twin of a card it knew of, knows of one card less.
    """
    a, b = hands + giver, hands + taker
    bit = 1 << (card & 63)
    knew = s.known[taker, card >> 6] & bit
    for w in range(WORDS):
        s.seen[w] &= ~s.cards[a, w]
        for seat in range(SEATS):
            if seat != giver and seat != taker:
                s.known[seat, w] &= ~s.cards[a, w]
    if knew == 0:
        for w in range(WORDS):
            known_twins = s.known[taker, w] & s.cards[a, w] & twins[kind, w]
            if known_twins:
                s.known[taker, w] ^= known_twins & -known_twins
                break
    move(s, card, a, b)
    s.known[giver, card >> 6] |= bit
    s.known[taker, card >> 6] &= ~bit
    s.told = 1 << giver | 1 << taker
