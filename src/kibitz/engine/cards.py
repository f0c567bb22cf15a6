"""Where cards lie, and how they move.

A card lies in a set (`s.cards[zone]`, a bit) or on a pile (`s.top[pile]`, then `s.under`).
Knowledge goes with it: `s.seen` holds the cards of closed sets whose place everyone knows,
`s.known[seat]` those whose place this seat knows besides. A zone that is open to a seat needs
neither.

Rules move cards with these functions. Where a rule does more with a pile than they offer, it may
relink `s.top` and `s.under` itself.
"""

from kibitz.engine.bits import at, count, lowest, nth
from kibitz.engine.chance import below
from kibitz.engine.compiled import NONE, Lookup, State, rule
from kibitz.engine.deck import NO_CARD, WORD_BITS, WORDS
from kibitz.engine.dispatch import bit_of, kind_of, stride, twins, whole_deck
from kibitz.engine.seats import next_seat
from kibitz.engine.zones import SEATS

# ---- sets


@rule
def size(s: State, zone: int) -> int:
    """How many cards a set holds."""
    return count(s.cards[at(zone), 0]) + count(s.cards[at(zone), 1])


@rule
def is_empty(s: State, zone: int) -> bool:
    """Whether a set holds no card."""
    return (s.cards[at(zone), 0] | s.cards[at(zone), 1]) == 0


@rule
def holds(s: State, zone: int, card: int) -> bool:
    """Whether the card lies in the set."""
    return (s.cards[at(zone), at(card >> 6)] >> (card & 63)) & 1 != 0


@rule
def _flip(s: State, zone: int, card: int) -> None:
    """Put a card into a set, or take it out."""
    s.cards[at(zone), at(card >> 6)] ^= 1 << (card & 63)


@rule
def move(s: State, card: int, a: int, b: int) -> None:
    """Move a card from set a to set b."""
    _flip(s, a, card)
    _flip(s, b, card)


@rule
def move_all(s: State, a: int, b: int) -> None:
    """Move all cards of set a to set b."""
    for w in range(WORDS):
        s.cards[at(b), at(w)] |= s.cards[at(a), at(w)]
        s.cards[at(a), at(w)] = 0


@rule
def move_some(s: State, a: int, b: int, cards: Lookup) -> None:
    """Move those cards of set a that are in a given set of two words to set b."""
    for w in range(WORDS):
        s.cards[at(b), at(w)] |= s.cards[at(a), at(w)] & cards[w]
        s.cards[at(a), at(w)] &= ~cards[w]


@rule
def any_card(s: State, zone: int) -> int:
    """A card at random out of a set that is not empty."""
    low = count(s.cards[at(zone), 0])
    n = below(s, low + count(s.cards[at(zone), 1]))
    w = int(n >= low)  # the word; computed, since no processor predicts it
    return 64 * w + nth(s.cards[at(zone), at(w)], n - low * w)


@rule
def draw(s: State, a: int, b: int) -> int:
    """Move a card at random from set a to set b, and say which."""
    card = any_card(s, a)
    move(s, card, a, b)
    return card


@rule
def deal(s: State, source: int, hands: int, n: int) -> None:
    """Deal n cards to each seat."""
    for seat in range(s.players):
        for _ in range(n):
            draw(s, source, hands + seat)


@rule
def deal_out(s: State, source: int, hands: int, first: int) -> None:
    """Deal all cards of a set, one by one from a seat on; the first may get one more."""
    seat = first
    while not is_empty(s, source):
        draw(s, source, hands + seat)
        seat = next_seat(s, seat)


@rule
def find(s: State, zone: int, kind: int) -> int:
    """A card of this kind in a set that holds one."""
    alike = twins(s)
    w = int(s.cards[at(zone), 0] & alike[at(kind), 0] == 0)
    return 64 * w + lowest(s.cards[at(zone), at(w)] & alike[at(kind), w])


@rule
def find_seen(s: State, zone: int, kind: int) -> int:
    """The same; a card that everyone knows to be there comes first.

    Where cards of a hand have been seen, the one to leave it must be found so: all others take it
    for the card they know of.
    """
    alike = twins(s)
    low = s.cards[at(zone), 0] & alike[at(kind), 0] & s.seen[0]
    high = s.cards[at(zone), 1] & alike[at(kind), 1] & s.seen[1]
    if low:
        return lowest(low)
    return 64 + lowest(high) if high else find(s, zone, kind)


@rule
def the_card(s: State, zone: int) -> int:
    """The card of a set that holds just one."""
    low = s.cards[at(zone), 0]
    return lowest(low) if low else 64 + lowest(s.cards[at(zone), 1])


@rule
def how_many(s: State, zone: int, kind: int) -> int:
    """How many cards of this kind a set holds."""
    alike = twins(s)
    return count(s.cards[at(zone), 0] & alike[at(kind), 0]) + count(
        s.cards[at(zone), 1] & alike[at(kind), 1]
    )


@rule
def worth(s: State, zone: int, values: Lookup) -> int:
    """The sum of the values of a set's cards, given by card number."""
    points = 0
    for w in range(WORDS):
        left = s.cards[at(zone), at(w)]
        while left:
            points += values[at(64 * w + lowest(left))]
            left &= left - 1
    return points


@rule
def worth_among(s: State, zone: int, values: Lookup, among: Lookup) -> int:
    """The same for those of its cards that are in a set of two words."""
    points = 0
    for w in range(WORDS):
        left = s.cards[at(zone), at(w)] & among[w]
        while left:
            points += values[at(64 * w + lowest(left))]
            left &= left - 1
    return points


@rule
def kinds_in(s: State, zone: int) -> int:
    """The kinds of card in a set, as a set of kinds (for decks of at most 63 kinds)."""
    both = s.cards[at(zone), 0] | s.cards[at(zone), 1]
    step = stride(s)
    folded = 0
    for shift in range(0, WORD_BITS, step):
        folded |= both >> shift
    return folded & ((1 << step) - 1)


@rule
def tally(s: State, zone: int) -> tuple[int, int, int]:
    """How many cards of each kind a set holds, in binary: the kinds with a 1, a 2 and a 4 in it."""
    step = stride(s)
    counts = 0, 0, 0
    for w in range(WORDS):
        for shift in range(0, WORD_BITS, step):
            counts = one_more(counts, (s.cards[at(zone), at(w)] >> shift) & ((1 << step) - 1))
    return counts


@rule
def one_more(counts: tuple[int, int, int], kinds: int) -> tuple[int, int, int]:
    """A tally with one more card of each of these kinds."""
    ones, twos, fours = counts
    carry = ones & kinds
    return ones ^ kinds, twos ^ carry, fours | (twos & carry)


@rule
def at_least(counts: tuple[int, int, int], n: int) -> int:
    """The kinds of which a tally has n or more, n from 1 to 7: compared digit by digit."""
    ones, twos, fours = counts
    enough = ones if n & 1 else -1
    enough = enough & twos if n & 2 else enough | twos
    return enough & fours if n & 4 else enough | fours


# ---- piles


@rule
def has_top(s: State, pile: int) -> bool:
    """Whether a card lies on a pile."""
    return s.top[at(pile)] != NONE


@rule
def top_or_none(s: State, pile: int) -> int:
    """The number of the card on top of a pile, or NO_CARD: a place in a table by card."""
    return at(s.top[at(pile)] & NO_CARD)


@rule
def top_kind(s: State, pile: int) -> int:
    """The kind on top of a pile, or NONE."""
    return kind_of(s)[top_or_none(s, pile)]


@rule
def kinds_on_top(s: State, first: int, n: int) -> int:
    """The kinds on top of n piles, as a set of kinds (for decks of at most 63 kinds)."""
    bit, shown = bit_of(s), 0
    for pile in range(first, first + n):
        shown |= bit[top_or_none(s, pile)]
    return shown


@rule
def height(s: State, pile: int) -> int:
    """How many cards a pile has."""
    n, card = 0, s.top[at(pile)]
    while card != NONE:
        n += 1
        card = s.under[at(card)]
    return n


@rule
def worth_of_pile(s: State, pile: int, values: Lookup) -> int:
    """The sum of the values of a pile's cards, given by card number."""
    points, card = 0, s.top[at(pile)]
    while card != NONE:
        points += values[at(card)]
        card = s.under[at(card)]
    return points


@rule
def put_on(s: State, card: int, zone: int, pile: int) -> None:
    """Lay a card of a set on top of a pile."""
    _flip(s, zone, card)
    s.under[at(card)] = s.top[at(pile)]
    s.top[at(pile)] = card


@rule
def take_off(s: State, pile: int, zone: int) -> int:
    """Move the top card of a pile into a set, and say which."""
    card = s.top[at(pile)]
    s.top[at(pile)] = s.under[at(card)]
    _flip(s, zone, card)
    return card


@rule
def from_pile_to_pile(s: State, a: int, b: int) -> int:
    """Lay the top card of pile a on pile b, and say which."""
    card = s.top[at(a)]
    s.top[at(a)] = s.under[at(card)]
    s.under[at(card)] = s.top[at(b)]
    s.top[at(b)] = card
    return card


@rule
def stack_on(s: State, a: int, b: int) -> None:
    """Put pile a, as it lies, on top of pile b."""
    if s.top[at(a)] != NONE:
        last = s.top[at(a)]
        while s.under[at(last)] != NONE:
            last = s.under[at(last)]
        s.under[at(last)] = s.top[at(b)]
        s.top[at(b)] = s.top[at(a)]
        s.top[at(a)] = NONE


@rule
def clear_pile(s: State, pile: int, zone: int) -> None:
    """Move a whole pile into a set; everyone has seen its cards and knows that they are there."""
    while s.top[at(pile)] != NONE:
        see(s, take_off(s, pile, zone))


@rule
def turn_over(s: State, pile: int, zone: int) -> None:
    """All cards of a pile but the top one go into a set, and are shuffled with it."""
    top = s.top[at(pile)]
    s.top[at(pile)] = s.under[at(top)]
    while s.top[at(pile)] != NONE:
        take_off(s, pile, zone)
    s.top[at(pile)] = top
    s.under[at(top)] = NONE
    shuffle(s, zone)


# ---- the whole deck, and knowledge


@rule
def gather(s: State, zone: int) -> None:
    """Take up all cards of the deck into one closed set, shuffled: nobody knows anything."""
    deck = whole_deck(s)
    for z in range(s.cards.shape[0]):
        for w in range(WORDS):
            s.cards[at(z), at(w)] = 0
    for pile in range(s.top.shape[0]):
        s.top[at(pile)] = NONE
    for w in range(WORDS):
        s.cards[at(zone), at(w)] = deck[w]
        s.seen[at(w)] = 0
        for seat in range(SEATS):
            s.known[at(seat), at(w)] = 0


@rule
def shuffle(s: State, zone: int) -> None:
    """Nobody knows any more which cards lie in this set."""
    for w in range(WORDS):
        s.seen[at(w)] &= ~s.cards[at(zone), at(w)]
        for seat in range(SEATS):
            s.known[at(seat), at(w)] &= ~s.cards[at(zone), at(w)]


@rule
def see(s: State, card: int) -> None:
    """Everyone sees where this card goes."""
    s.seen[at(card >> 6)] |= 1 << (card & 63)


@rule
def see_all(s: State, zone: int) -> None:
    """Everyone sees the cards of this set, and where they go next."""
    for w in range(WORDS):
        s.seen[at(w)] |= s.cards[at(zone), at(w)]


@rule
def leave_hand(s: State, card: int, zone: int) -> None:
    """A card leaves a hand before everyone's eyes (call it before the move).

    Who knew of a twin in that hand cannot tell which of the two was played, so they know of one
    card less.
    """
    if _is_twin_known(s, card, zone):
        for seat in range(SEATS):
            if (s.known[at(seat), at(card >> 6)] >> (card & 63)) & 1 == 0:
                forget_twin(s, seat, card, zone)
    see(s, card)


@rule
def lay_openly(s: State, kind: int, hand: int, pile: int) -> None:
    """A card of this kind goes from a hand onto a pile, before everyone's eyes."""
    card = find(s, hand, kind)
    leave_hand(s, card, hand)
    put_on(s, card, hand, pile)


@rule
def _is_twin_known(s: State, card: int, zone: int) -> bool:
    """Whether any seat knows of a card of this kind in a set: hardly ever, as a rule."""
    alike, kind = twins(s), kind_of(s)[at(card)]
    known = 0
    for w in range(WORDS):
        here = s.cards[at(zone), at(w)] & alike[at(kind), w]
        for seat in range(SEATS):
            known |= s.known[at(seat), at(w)] & here
    return known != 0


@rule
def forget_twin(s: State, seat: int, card: int, zone: int) -> None:
    """A seat knows of one card less of this kind in a set."""
    alike, kind = twins(s), kind_of(s)[at(card)]
    for w in range(WORDS):
        known = s.known[at(seat), at(w)] & s.cards[at(zone), at(w)] & alike[at(kind), w]
        if known:
            s.known[at(seat), at(w)] ^= known & -known
            break
