"""What is wrong with a written position."""

from kibitz.engine.bits import lowest
from kibitz.engine.cards import height, is_empty, size, worth, worth_of_pile
from kibitz.engine.compiled import NONE, State
from kibitz.engine.seats import has
from kibitz.games.kiza.rules import (
    AUCTION,
    BID,
    CHOSEN,
    DISCARD,
    GAIN,
    HAND,
    KIZA,
    LOT,
    OFFER,
    PRESENT,
    VALUE,
    can_outbid,
)


def position_error(s: State) -> str | None:
    """What is wrong with a position, or None."""
    if s.over:
        return None
    if s.donor == NONE:
        return "there is a donor, also while cards are presented"
    for p in range(s.players):
        captured = worth_of_pile(s, GAIN + p, VALUE)
        if s.total[p] != captured:
            return f"seat {p} has captured {captured} points, not {s.total[p]}"
        if s.captured[p] > height(s, GAIN + p):
            return f"seat {p} has captured {height(s, GAIN + p)} cards, not {s.captured[p]}"
        if s.gain[p, 0] != worth_this_round(s, p):
            points = worth_this_round(s, p)
            return f"seat {p} has captured {points} points in this round, not {s.gain[p, 0]}"
    return rest_error(s) if s.round_over else round_error(s)


def worth_this_round(s: State, p: int) -> int:
    """The points of the cards that a seat has captured in this round, the uppermost ones."""
    points, card = 0, s.top[GAIN + p]
    for _ in range(s.captured[p]):
        points += VALUE[card]
        card = s.under[card]
    return points


def is_bid_for(s: State) -> bool:
    """Whether anything has been bid."""
    return s.leader != NONE or s.high or s.laying or any_in(s, BID)


def any_in(s: State, zone: int) -> bool:
    """Whether any seat has a card in its zone of that name."""
    return any(not is_empty(s, zone + p) for p in range(s.players))


def rest_error(s: State) -> str | None:
    """What is wrong between two rounds."""
    if is_bid_for(s) or any_in(s, CHOSEN) or any_in(s, KIZA) or not is_empty(s, LOT):
        return "between two rounds nothing is presented, auctioned or bid"
    if size(s, DISCARD) + sum(size(s, HAND + p) for p in range(s.players)) <= s.players:
        return "with at most one card for each player to be dealt the match is over"
    return None


def round_error(s: State) -> str | None:
    """What is wrong while a round is played."""
    if s.phase != AUCTION and is_bid_for(s):
        return "bids belong to an auction"
    if s.phase != PRESENT and any_in(s, CHOSEN):
        return "chosen cards belong to presenting"
    if (size(s, LOT) == 1) != (s.phase == AUCTION):
        return "one card lies in lot during an auction, and none otherwise"
    if s.phase == OFFER and (s.due != 1 << s.donor or is_empty(s, KIZA + s.donor)):
        return "it is the donor who offers a card, and they need one"
    return auction_error(s, lowest(s.due)) if s.phase == AUCTION else None


def auction_error(s: State, bidder: int) -> str | None:
    """What is wrong with a written auction."""
    is_wrong = bidder >= s.players or has(s.passed, bidder) or bidder == s.leader
    if s.due != 1 << bidder or is_wrong:
        return "one seat is due to bid that has not passed and is not the highest bidder"
    if s.leader == NONE and s.high:
        return "a highest bid needs a leader"
    if s.leader != NONE and (has(s.passed, s.leader) or worth(s, BID + s.leader, VALUE) != s.high):
        return "high is the worth of the leader's bid, and the leader has not passed"
    if s.laying and not (size(s, BID + bidder) and can_outbid(s, bidder)):
        return "who is laying a bid has laid a card and can beat the highest bid"
    return None
