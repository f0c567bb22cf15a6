"""Which rule forbids an action that is not legal."""

from kibitz.engine.action_list import verb_of
from kibitz.engine.cards import holds, size
from kibitz.engine.compiled import State
from kibitz.engine.seats import has
from kibitz.games.kiza.rules import (
    BID_CARD,
    CARD,
    CHOSEN,
    DONE,
    HAND,
    KIZA,
    LOT,
    MATCHES,
    OFFER,
    OFFER_CARD,
    PASS,
    PRESENT,
    PRESENT_CARD,
    READY,
    the_lot,
)


def refusal(s: State, me: int, action: int) -> str:
    """The rule that forbids an action."""
    verb = verb_of(s, action)
    if s.over:
        return "KIZA-E1"
    if verb in (PRESENT_CARD, READY):
        has_presented = s.phase != PRESENT or (not has(s.due, me) and size(s, CHOSEN + me))
        return "KIZA-R2" if has_presented else "KIZA-R1"
    if s.phase == PRESENT:
        return "KIZA-R1"
    if s.phase == OFFER or verb == OFFER_CARD:
        return "KIZA-R3"
    return bid_refusal(s, me, verb, action)


def bid_refusal(s: State, me: int, verb: int, action: int) -> str:
    """The rule that forbids bidding so, or passing."""
    if has(s.passed, me) or (verb == PASS and has(s.due, me)):
        return "KIZA-R7"
    if s.leader == me:
        return "KIZA-R8"
    if not has(s.due, me):
        return "KIZA-R4"
    if verb == DONE:
        return "KIZA-R6"
    assert verb == BID_CARD
    card = CARD[action - BID_CARD]
    if holds(s, LOT, card) or any(holds(s, KIZA + p, card) for p in range(s.players)):
        return "KIZA-R2"
    matches = MATCHES[the_lot(s), card >> 6] >> (card & 63) & 1
    return "KIZA-R6" if holds(s, HAND + me, card) and matches else "KIZA-R5"
