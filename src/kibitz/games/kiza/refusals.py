"""Why an action is refused, and what is wrong with a written position."""

from kibitz.engine.bits import lowest
from kibitz.engine.compiled import NONE, State
from kibitz.engine.moving import holds, is_empty, size, worth
from kibitz.games.kiza.rules import (
    AUCTION,
    BID,
    BID_CARD,
    CARD,
    CHOSEN,
    DONE,
    GAIN,
    HAND,
    KIZA,
    LOT,
    MATCHES,
    OFFER,
    OFFER_CARD,
    PASS,
    PRESENT,
    READY,
    VALUE,
    can_outbid,
    the_lot,
)


def refusal(s: State, me: int, action: int) -> str | None:
    """The rule that forbids an action, or None if it is legal."""
    if s.over:
        return "KIZA-E1"
    if action <= READY:
        return presenting_refusal(s, me, action)
    if s.phase == PRESENT:
        return "KIZA-R1"
    if action < BID_CARD:
        return offer_refusal(s, me, action)
    return bid_refusal(s, me, action)


def presenting_refusal(s: State, me: int, action: int) -> str | None:
    """The rule that forbids presenting so."""
    if s.phase != PRESENT:
        return "KIZA-R2"
    if not s.due >> me & 1:
        return "KIZA-R2" if size(s, CHOSEN + me) else "KIZA-R1"
    if action == READY:
        return None if size(s, CHOSEN + me) else "KIZA-R1"
    return None if holds(s, HAND + me, CARD[action]) else "KIZA-R1"


def offer_refusal(s: State, me: int, action: int) -> str | None:
    """The rule that forbids putting up this card."""
    if s.phase != OFFER or s.donor != me or not holds(s, KIZA + me, CARD[action - OFFER_CARD]):
        return "KIZA-R3"
    return None


def bid_refusal(s: State, me: int, action: int) -> str | None:
    """The rule that forbids bidding so, or passing."""
    if s.phase == OFFER:
        return "KIZA-R3"
    if s.passed >> me & 1:
        return "KIZA-R7"
    if s.leader == me:
        return "KIZA-R8"
    if not s.due >> me & 1:
        return "KIZA-R4"
    if action == PASS:
        return "KIZA-R7" if s.laying else None
    if action == DONE:
        return None if s.laying and worth(s, BID + me, VALUE) > s.high else "KIZA-R6"
    card = CARD[action - BID_CARD]
    if holds(s, LOT, card) or any(holds(s, KIZA + p, card) for p in range(s.players)):
        return "KIZA-R2"
    if not holds(s, HAND + me, card) or not MATCHES[the_lot(s), card >> 6] >> (card & 63) & 1:
        return "KIZA-R5"
    return None if s.laying or can_outbid(s, me) else "KIZA-R6"


def doubt(s: State) -> str | None:
    """What is wrong with a written position."""
    if s.over:
        return None
    if s.phase != PRESENT and (
        s.donor == NONE or any(size(s, CHOSEN + p) for p in range(s.players))
    ):
        return "chosen cards belong to presenting; afterwards there is a donor"
    if s.phase == PRESENT and s.donor == NONE:
        return "there is a donor, also while cards are presented"
    if (size(s, LOT) == 1) != (s.phase == AUCTION):
        return "one card lies in lot during an auction, and none otherwise"
    if s.phase == OFFER and (s.due != 1 << s.donor or is_empty(s, KIZA + s.donor)):
        return "it is the donor who offers a card, and they need one"
    for p in range(s.players):
        if s.total[p] != worth(s, GAIN + p, VALUE):
            return f"seat {p} has captured {worth(s, GAIN + p, VALUE)} points, not {s.total[p]}"
    return auction_doubt(s) if s.phase == AUCTION else None


def auction_doubt(s: State) -> str | None:
    """What is wrong with a written auction."""
    bidder = lowest(s.due)
    if s.due != 1 << bidder or bidder >= s.players or s.passed >> bidder & 1 or bidder == s.leader:
        return "one seat is due to bid that has not passed and is not the highest bidder"
    if s.leader == NONE and s.high:
        return "a highest bid needs a leader"
    if s.leader != NONE and (s.passed >> s.leader & 1 or worth(s, BID + s.leader, VALUE) != s.high):
        return "high is the worth of the leader's bid, and the leader has not passed"
    if s.laying and not (size(s, BID + bidder) and can_outbid(s, bidder)):
        return "who is laying a bid has laid a card and can beat the highest bid"
    return None
