"""The rules of Kiza, in the order of the rulebook."""

from kibitz.engine.action_list import add, add_cards, verb_of
from kibitz.engine.actions import Actions, Secrecy
from kibitz.engine.bits import lowest
from kibitz.engine.cards import (
    draw,
    gather,
    is_empty,
    move,
    move_all,
    put_on,
    see_all,
    shuffle,
    size,
    the_card,
    worth,
    worth_among,
)
from kibitz.engine.chance import below
from kibitz.engine.compiled import NONE, ActionList, State, lookup, rule
from kibitz.engine.dispatch import kind_of
from kibitz.engine.events import (
    SCORED,
    Events,
    Weight,
    report,
    with_card,
    with_pile,
    with_set,
)
from kibitz.engine.record import I1, flag, kind, layout, number, seat, seats, word
from kibitz.engine.rounds import best_seats, book, end_match, end_round
from kibitz.engine.seats import everyone, has, how_many_seats, next_among, next_seat, only
from kibitz.engine.zones import SEATS, Sight, Zones
from kibitz.games.kiza.deck import DECK, SHAPES, VALUES

HAND_SIZE = 18
MOST_ROUNDS = 100
MOST_DRY_ROUNDS = 3
DRAWS = 4  # the draws for the first Donor that are kept for all to see; a fifth is most unlikely

zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True, open_at_end=True)
CHOSEN = zones.set("chosen", Sight.OWNER, per_seat=True, hidden_in="hand")  # KIZA-R1
KIZA = zones.set("kiza", Sight.EVERYONE, per_seat=True)
BID = zones.set("bid", Sight.EVERYONE, per_seat=True)
LOT = zones.set("lot", Sight.EVERYONE)
DISCARD = zones.set("discard")  # KIZA-S2: face down
GAIN = zones.pile("gain", per_seat=True, looked_through=True)  # KIZA-C3

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
        "captured": number(I1, SEATS),  # cards captured in this round
        "dry_rounds": number(I1, high=MOST_DRY_ROUNDS),  # in a row, without a capture
    },
    parts=("captured",),
)

actions = Actions(DECK)
PRESENT_CARD = actions.verb(
    "present", "present {card}", Secrecy.SEALED, continues=True, card=DECK.codes
)
READY = actions.verb("ready", "ready")
OFFER_CARD = actions.verb("offer", "offer {card}", card=DECK.codes)
BID_CARD = actions.verb("bid", "bid {card}", continues=True, card=DECK.codes)
DONE = actions.verb("done", "done")
PASS = actions.verb("pass", "pass")

events = Events()
DREW_FOR_DONOR = events.event("drew_for_donor")
FIRST_DONOR = events.event("first_donor")
PRESENTED = events.event("presented", Weight.OUTCOME)
BIDS = events.event("bids")
LOT_WON = events.event("lot_won", Weight.OUTCOME)
LOT_UNSOLD = events.event("lot_unsold", Weight.OUTCOME)
ALL_SOLD = events.event("all_sold", Weight.END)
REACHED = events.event("reached", Weight.END)
NO_CAPTURES = events.event("no_captures", Weight.END)
CARDS_GONE = events.event("cards_gone", Weight.END)
TOO_LONG = events.event("too_long", Weight.END)

CARD = lookup(DECK.cards)
ALL = DECK.all
N_SHAPES, N_VALUES = len(SHAPES), len(VALUES)
N_KINDS = len(DECK.kinds)
VALUE = DECK.by_card(VALUES[k % N_VALUES] for k in range(N_KINDS))


def _matches(a: int, b: int) -> bool:
    """KIZA-R5: the same colour and/or the same shape."""
    family_a, family_b = a // N_VALUES, b // N_VALUES
    same_colour = family_a // N_SHAPES == family_b // N_SHAPES
    return same_colour or family_a % N_SHAPES == family_b % N_SHAPES


MATCHES = lookup(  # for each kind the cards that match it, as a set of two words
    DECK.words(DECK.card(b) for b in range(N_KINDS) if _matches(a, b)) for a in range(N_KINDS)
)


# Setting up a round


@rule
def begin_round(s: State) -> None:
    """KIZA-S1, S2, R14: 18 cards each; if there are fewer, all, from the Donor's left.

    There is a card for each (KIZA-E2).
    """
    if s.round_no == 1:
        s.donor = draw_donor(s)
        gather(s, DISCARD)
    for p in range(s.players):  # KIZA-R13
        move_all(s, HAND + p, DISCARD)
    shuffle(s, DISCARD)
    p = s.donor
    for _ in range(min(HAND_SIZE * s.players, size(s, DISCARD))):
        p = next_seat(s, p)
        draw(s, DISCARD, HAND + p)
    s.phase = PRESENT
    s.due = everyone(s)  # KIZA-R1: at the same time
    for p in range(s.players):
        s.captured[p] = 0


@rule
def draw_donor(s: State) -> int:
    """KIZA-S1: the highest card; those who tie, and they alone, draw again from the rest."""
    gather(s, DISCARD)
    tied, n = everyone(s), 0
    while how_many_seats(tied) > 1:
        highest = 0
        for p in range(s.players):
            if has(tied, p):
                card = draw(s, DISCARD, LOT)
                s.drawn[p, n] = kind_of(s)[card]
                highest = max(highest, VALUE[card])
                report(s, DREW_FOR_DONOR, p, VALUE[card])
                with_card(s, card)
        for p in range(s.players):
            if has(tied, p) and VALUE[CARD[s.drawn[p, n]]] < highest:
                tied &= ~only(p)
        n = min(n + 1, DRAWS - 1)
    report(s, FIRST_DONOR, lowest(tied))
    return lowest(tied)


# A round


@rule
def legal(s: State, me: int, found: ActionList) -> None:
    """What a seat that is due may do."""
    if s.phase == PRESENT:  # KIZA-R1
        add_cards(s, found, PRESENT_CARD, HAND + me, ALL)
        if not is_empty(s, CHOSEN + me):
            add(found, READY)
    elif s.phase == OFFER:  # KIZA-R3
        add_cards(s, found, OFFER_CARD, KIZA + me, ALL)
    else:
        legal_bids(s, me, found)


@rule
def legal_bids(s: State, me: int, found: ActionList) -> None:
    """KIZA-R5, R6, R7: lay matching cards that can beat the highest bid, or pass."""
    if s.laying == 0:
        add(found, PASS)
        if not can_outbid(s, me):
            return
    elif worth(s, BID + me, VALUE) > s.high:
        add(found, DONE)
    add_cards(s, found, BID_CARD, HAND + me, MATCHES[the_lot(s)])


@rule
def the_lot(s: State) -> int:
    """The kind of the Kiza card in the centre."""
    return kind_of(s)[the_card(s, LOT)]


@rule
def can_outbid(s: State, me: int) -> bool:
    """KIZA-R5, R6: whether all of a seat's matching cards together beat the highest bid."""
    laid = worth(s, BID + me, VALUE)
    return laid + worth_among(s, HAND + me, VALUE, MATCHES[the_lot(s)]) > s.high


@rule
def apply(s: State, me: int, action: int) -> None:
    """A seat that is due makes a legal action."""
    verb = verb_of(s, action)
    if verb == PRESENT_CARD:
        move(s, CARD[action - PRESENT_CARD], HAND + me, CHOSEN + me)
    elif verb == READY:
        be_ready(s, me)
    elif verb == OFFER_CARD:
        offer(s, me, CARD[action - OFFER_CARD])
    elif verb == BID_CARD:
        move(s, CARD[action - BID_CARD], HAND + me, BID + me)
        s.laying = 1
    elif verb == DONE:
        s.laying = 0
        s.leader = me
        s.high = worth(s, BID + me, VALUE)
        report(s, BIDS, me, s.high)
        next_bidder(s, me)
    else:
        s.passed |= only(me)
        next_bidder(s, me)


@rule
def be_ready(s: State, me: int) -> None:
    """KIZA-R1: when all have chosen, the Kiza cards are shown."""
    s.due &= ~only(me)
    if s.due == 0:
        for p in range(s.players):
            if not is_empty(s, CHOSEN + p):
                report(s, PRESENTED, p, size(s, CHOSEN + p))
                with_set(s, CHOSEN + p)
                move_all(s, CHOSEN + p, KIZA + p)
        next_donor(s)


@rule
def next_donor(s: State) -> None:
    """KIZA-R11, R12: the Donor, or the first to the left who has a Kiza card, offers one."""
    for _ in range(s.players):
        if not is_empty(s, KIZA + s.donor):
            s.phase = OFFER
            s.due = only(s.donor)
            return
        s.donor = next_seat(s, s.donor)
    close_round(s)


@rule
def offer(s: State, me: int, card: int) -> None:
    """KIZA-R3, R4: a Kiza card comes up; the Donor, who is due, bids first."""
    move(s, card, KIZA + me, LOT)
    s.phase = AUCTION
    s.passed = 0  # a position may have been written down with some


@rule
def next_bidder(s: State, me: int) -> None:
    """KIZA-R8: the next who has not passed, unless only the highest bidder is left."""
    bidders = everyone(s) & ~s.passed
    if bidders == 0 or (s.leader != NONE and bidders == only(s.leader)):
        end_auction(s)
    else:
        s.due = only(next_among(s, bidders, me))


@rule
def end_auction(s: State) -> None:
    """The highest bidder captures the card; all that was laid is discarded (KIZA-R9)."""
    for p in range(s.players):
        see_all(s, BID + p)
        move_all(s, BID + p, DISCARD)
    winner, price = s.leader, s.high
    s.leader = NONE
    s.high = s.passed = 0
    if winner == NONE:  # KIZA-R10
        report(s, LOT_UNSOLD, s.donor)
        with_set(s, LOT)
        see_all(s, LOT)
        move_all(s, LOT, DISCARD)
    else:
        capture(s, winner, price)
        if s.total[winner] >= s.target:  # KIZA-E1
            report(s, REACHED, winner, s.total[winner])
            finish_match(s)
            return
    s.donor = next_seat(s, s.donor)
    next_donor(s)


@rule
def capture(s: State, me: int, price: int) -> None:
    """KIZA-R9: the lot goes to the seat's Gain card."""
    report(s, LOT_WON, me, price)
    with_set(s, LOT)
    card = the_card(s, LOT)
    put_on(s, card, LOT, GAIN + me)
    s.captured[me] += 1
    book(s, me, 0, VALUE[card])


# End of a round, end of the match


@rule
def close_round(s: State) -> None:
    """KIZA-R12, R13, R15, E2: all Kiza cards have been auctioned.

    The Donor is already the one to the left of the last: next_donor went round once.
    """
    report(s, ALL_SOLD, NONE)
    captured, left = 0, size(s, DISCARD)
    for p in range(s.players):
        captured += s.captured[p]
        left += size(s, HAND + p)
    s.dry_rounds = 0 if captured else s.dry_rounds + 1
    if s.dry_rounds == MOST_DRY_ROUNDS:  # KIZA-E2
        report(s, NO_CAPTURES, NONE, MOST_DRY_ROUNDS)
        finish_match(s)
    elif left <= s.players:  # KIZA-E2
        report(s, CARDS_GONE, NONE, left)
        finish_match(s)
    elif s.round_no == MOST_ROUNDS:  # KIZA-E2
        report(s, TOO_LONG, NONE, MOST_ROUNDS)
        finish_match(s)
    else:
        report_captures(s)
        end_round(s)


@rule
def finish_match(s: State) -> None:
    """KIZA-E1, E2, E3: the highest total wins."""
    report_captures(s)
    end_match(s, best_seats(s, 1))


@rule
def report_captures(s: State) -> None:
    """What each seat has captured in this round."""
    for p in range(s.players):
        report(s, SCORED, p, s.gain[p, 0], 0)
        with_pile(s, GAIN + p, s.captured[p])


@rule
def redeal_choice(s: State, me: int) -> None:
    """KIZA-R1: neither which cards a seat has chosen is known, nor how many."""
    if s.phase == PRESENT and not has(s.due, me) and not is_empty(s, HAND + me):
        for _ in range(1 + below(s, size(s, HAND + me))):
            draw(s, HAND + me, CHOSEN + me)
