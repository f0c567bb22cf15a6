"""The rules of Kiza, in the order of the rulebook."""

from kibitz.engine.actions import Actions, Secrecy
from kibitz.engine.bits import lowest
from kibitz.engine.chance import below
from kibitz.engine.compiled import NONE, Moves, State, rule, table
from kibitz.engine.moves import add, add_each
from kibitz.engine.moving import (
    draw,
    gather,
    is_empty,
    move,
    move_all,
    see_all,
    shuffle,
    size,
    worth,
)  # fmt: skip
from kibitz.engine.record import I1, flag, kind, layout, number, seat, seats, word
from kibitz.engine.standing import crown, next_seat
from kibitz.engine.zones import SEATS, Sight, Zones
from kibitz.games.kiza.cards import DECK, SHAPES, VALUES

HAND_SIZE = 18
MOST_ROUNDS = 100
MOST_DRY_ROUNDS = 3
DRAWS = 4  # the draws for the first Donor that are kept for all to see; a fifth is most unlikely

zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True)
CHOSEN = zones.set("chosen", Sight.OWNER, per_seat=True, within="hand")  # KIZA-R1
KIZA = zones.set("kiza", Sight.EVERYONE, per_seat=True)
BID = zones.set("bid", Sight.EVERYONE, per_seat=True)
GAIN = zones.set("gain", Sight.EVERYONE, per_seat=True)  # KIZA-C3
LOT = zones.set("lot", Sight.EVERYONE)
DISCARD = zones.set("discard")  # KIZA-S2: face down

PRESENT, OFFER, AUCTION = range(3)

LAYOUT = layout(
    __file__,
    DECK,
    zones,
    shown={
        "target": number(),
        "phase": word("present", "offer", "auction"),
        "donor": seat(),
        "drawn": kind(SEATS, DRAWS),  # KIZA-S1: what each seat drew for the first Donor
        "passed": seats(),
        "leader": seat(),  # the highest bidder, and the bid
        "high": number(),
        "laying": flag(),  # the bidder has laid a card and is not done yet
        "dry_rounds": number(I1, high=MOST_DRY_ROUNDS - 1),
        "before": number(),  # cards captured before this round
    },
    hidden={"totals_before": number(I1, SEATS)},
    parts=("captured",),
)

actions = Actions(DECK)
PRESENT_CARD = actions.verb("present", "present {card}", Secrecy.SEALED, card=DECK.codes)
READY = actions.verb("ready", "ready", Secrecy.SEALED)
OFFER_CARD = actions.verb("offer", "offer {card}", card=DECK.codes)
BID_CARD = actions.verb("bid", "bid {card}", card=DECK.codes)
DONE = actions.verb("done", "done")
PASS = actions.verb("pass", "pass")

KIND, ALL, STRIDE = DECK.kind, DECK.all, DECK.stride
CARD = table(DECK.cards)
N_SHAPES, N_VALUES = len(SHAPES), len(VALUES)
N_KINDS = len(DECK.kinds)
VALUE = DECK.by_card(VALUES[k % N_VALUES] for k in range(N_KINDS))


def _matches(a: int, b: int) -> bool:
    """KIZA-R5: the same colour and/or the same shape."""
    family_a, family_b = a // N_VALUES, b // N_VALUES
    same_colour = family_a // N_SHAPES == family_b // N_SHAPES
    return same_colour or family_a % N_SHAPES == family_b % N_SHAPES


MATCHES = table(
    DECK.words(DECK.card(b) for b in range(N_KINDS) if _matches(a, b)) for a in range(N_KINDS)
)


# Setting up


@rule
def start(s: State) -> None:
    """KIZA-S1: draw for the Donor, then deal."""
    gather(s, DISCARD, ALL)
    s.round_no = 1
    s.donor = draw_donor(s)
    gather(s, DISCARD, ALL)
    deal(s)


@rule
def draw_donor(s: State) -> int:
    """KIZA-S1: the highest card; those who tie, and they alone, draw again from the rest."""
    tied, n = (1 << s.players) - 1, 0
    while tied & (tied - 1):
        highest = 0
        for p in range(s.players):
            if (tied >> p) & 1:
                s.drawn[p, n] = KIND[draw(s, DISCARD, LOT)]
                highest = max(highest, VALUE[CARD[s.drawn[p, n]]])
        for p in range(s.players):
            if (tied >> p) & 1 and VALUE[CARD[s.drawn[p, n]]] < highest:
                tied &= ~(1 << p)
        n = min(n + 1, DRAWS - 1)
    return lowest(tied)


@rule
def deal(s: State) -> None:
    """KIZA-S2, R14: 18 cards each; if there are fewer, all, one at a time from the Donor's left."""
    p = s.donor
    for _ in range(min(HAND_SIZE * s.players, size(s, DISCARD))):
        p = next_seat(s, p)
        draw(s, DISCARD, HAND + p)
    s.before = 0
    for p in range(s.players):
        s.before += size(s, GAIN + p)
        s.totals_before[p] = s.total[p]
    begin_presenting(s)


# A round


@rule
def begin_presenting(s: State) -> None:
    """KIZA-R1: all who hold cards are due at the same time."""
    s.phase = PRESENT
    s.due = 0
    for p in range(s.players):
        if not is_empty(s, HAND + p):  # KIZA-R14: who was dealt nothing presents nothing
            s.due |= 1 << p


@rule
def legal(s: State, me: int, moves: Moves) -> None:
    """What a seat that is due may do."""
    if s.phase == PRESENT:
        add_cards(moves, PRESENT_CARD, s.cards[HAND + me, 0], s.cards[HAND + me, 1])
        if not is_empty(s, CHOSEN + me):
            add(moves, READY)
    elif s.phase == OFFER:
        add_cards(moves, OFFER_CARD, s.cards[KIZA + me, 0], s.cards[KIZA + me, 1])
    else:
        legal_bids(s, me, moves)


@rule
def legal_bids(s: State, me: int, moves: Moves) -> None:
    """KIZA-R5, R6, R7: lay matching cards that can beat the highest bid, or pass."""
    if s.laying == 0:
        add(moves, PASS)
        if not can_outbid(s, me):
            return
    elif worth(s, BID + me, VALUE) > s.high:
        add(moves, DONE)
    lot = the_lot(s)
    low, high = s.cards[HAND + me, 0] & MATCHES[lot, 0], s.cards[HAND + me, 1] & MATCHES[lot, 1]
    add_cards(moves, BID_CARD, low, high)


@rule
def add_cards(moves: Moves, first: int, low: int, high: int) -> None:
    """An action for every card of a set."""
    add_each(moves, first, low)
    add_each(moves, first + STRIDE, high)


@rule
def the_lot(s: State) -> int:
    """The kind of the Kiza card in the centre."""
    low = s.cards[LOT, 0]
    return KIND[lowest(low) if low else 64 + lowest(s.cards[LOT, 1])]


@rule
def can_outbid(s: State, me: int) -> bool:
    """KIZA-R5, R6: whether all of a seat's matching cards together beat the highest bid."""
    lot = the_lot(s)
    total = worth(s, BID + me, VALUE)
    for w in range(2):
        left = s.cards[HAND + me, w] & MATCHES[lot, w]
        while left and total <= s.high:
            total += VALUE[64 * w + lowest(left)]
            left &= left - 1
    return total > s.high


@rule
def apply(s: State, me: int, action: int) -> None:
    """A seat that is due makes a legal action."""
    if action < READY:
        move(s, CARD[action - PRESENT_CARD], HAND + me, CHOSEN + me)
    elif action == READY:
        be_ready(s, me)
    elif action < BID_CARD:
        offer(s, me, CARD[action - OFFER_CARD])
    elif action < DONE:
        move(s, CARD[action - BID_CARD], HAND + me, BID + me)
        s.laying = 1
    elif action == DONE:
        s.laying = 0
        s.leader = me
        s.high = worth(s, BID + me, VALUE)
        next_bidder(s, me)
    else:
        s.passed |= 1 << me
        next_bidder(s, me)


@rule
def be_ready(s: State, me: int) -> None:
    """KIZA-R1: when all have chosen, the Kiza cards are shown."""
    s.due &= ~(1 << me)
    if s.due == 0:
        for p in range(s.players):
            move_all(s, CHOSEN + p, KIZA + p)
        next_donor(s)


@rule
def next_donor(s: State) -> None:
    """KIZA-R11, R12: the Donor, or the first to the left who has a Kiza card, offers one."""
    for _ in range(s.players):
        if not is_empty(s, KIZA + s.donor):
            s.phase = OFFER
            s.due = 1 << s.donor
            return
        s.donor = next_seat(s, s.donor)
    end_round(s)


@rule
def offer(s: State, me: int, card: int) -> None:
    """KIZA-R3, R4: a Kiza card comes up; the Donor bids first."""
    move(s, card, KIZA + me, LOT)
    s.phase = AUCTION
    s.passed = 0
    s.leader = NONE
    s.high = 0
    s.due = 1 << me


@rule
def next_bidder(s: State, me: int) -> None:
    """KIZA-R8: the next who has not passed, unless only the highest bidder is left."""
    bidders = ((1 << s.players) - 1) & ~s.passed
    if bidders == 0 or (s.leader != NONE and bidders == 1 << s.leader):
        end_auction(s)
        return
    me = next_seat(s, me)
    while not (bidders >> me) & 1:
        me = next_seat(s, me)
    s.due = 1 << me


@rule
def end_auction(s: State) -> None:
    """KIZA-R9, R10: the highest bidder captures the card; all that was laid is discarded."""
    for p in range(s.players):
        see_all(s, BID + p)
        move_all(s, BID + p, DISCARD)
    if s.leader == NONE:
        see_all(s, LOT)
        move_all(s, LOT, DISCARD)
    else:
        s.total[s.leader] += worth(s, LOT, VALUE)
        move_all(s, LOT, GAIN + s.leader)
        if s.total[s.leader] >= s.target:  # KIZA-E1
            end_match(s)
            return
    s.donor = next_seat(s, s.donor)
    next_donor(s)


# End of a round, end of the match


@rule
def end_round(s: State) -> None:
    """KIZA-R13, R15: what is left in hands is discarded, and all is dealt anew.

    The Donor is already the one to the left of the last: next_donor went round once.
    """
    captured = 0
    for p in range(s.players):
        captured += size(s, GAIN + p)
        move_all(s, HAND + p, DISCARD)
    shuffle(s, DISCARD)
    s.dry_rounds = s.dry_rounds + 1 if captured == s.before else 0
    dealt_out = size(s, DISCARD) <= s.players
    if s.dry_rounds == MOST_DRY_ROUNDS or dealt_out or s.round_no == MOST_ROUNDS:  # KIZA-E2
        s.dry_rounds = 0
        end_match(s)
    else:
        note_gains(s)
        s.round_no += 1
        deal(s)


@rule
def end_match(s: State) -> None:
    """KIZA-E1, E2, E3: the highest total wins."""
    note_gains(s)
    crown(s, 1)


@rule
def note_gains(s: State) -> None:
    """What each seat has captured in this round."""
    for p in range(s.players):
        s.gain[p, 0] = s.total[p] - s.totals_before[p]


@rule
def reseal(s: State, me: int) -> None:
    """KIZA-R1: neither which cards a seat has chosen is known, nor how many."""
    if s.phase == PRESENT and (s.due >> me) & 1 == 0 and not is_empty(s, HAND + me):
        for _ in range(1 + below(s, size(s, HAND + me))):
            draw(s, HAND + me, CHOSEN + me)
