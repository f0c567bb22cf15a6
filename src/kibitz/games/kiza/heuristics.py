"""What bots know of Kiza: a hand is money for one round, so spend it where it buys most."""

from kibitz.bots.heuristics import best_total, softmax
from kibitz.engine.action_list import verb_of
from kibitz.engine.cards import size, worth, worth_among
from kibitz.engine.compiled import State, rule
from kibitz.games.kiza.rules import (
    BID,
    BID_CARD,
    CARD,
    CHOSEN,
    DONE,
    HAND,
    KIZA,
    MATCHES,
    OFFER_CARD,
    PRESENT_CARD,
    VALUE,
    the_lot,
)

CALIBRATION = (-0.37, 0.98)  # fitted by `kibitz calibrate kiza`
POINT = 10


@rule
def action_value(s: State, me: int, action: int) -> int:
    """By what the action is."""
    verb = verb_of(s, action)
    if verb == PRESENT_CARD:
        return value_of_presenting(s, me, action - PRESENT_CARD)
    if verb == OFFER_CARD:
        return value_of_offer(s, me, action - OFFER_CARD)
    if verb == BID_CARD:
        return value_of_bid(s, me, CARD[action - BID_CARD])
    return 100 * POINT if verb == DONE else 0


@rule
def strength(s: State, me: int, kind: int) -> int:
    """What a seat could bid on a card."""
    return worth_among(s, HAND + me, VALUE, MATCHES[kind])


@rule
def value_of_presenting(s: State, me: int, kind: int) -> int:
    """KIZA-R1: cards worth having that the own hand can win; not many, for they cost money."""
    value = VALUE[CARD[kind]]
    power = strength(s, me, kind) - value
    return value * power // 4 - 60 - 50 * size(s, CHOSEN + me)


@rule
def value_of_offer(s: State, me: int, kind: int) -> int:
    """KIZA-R3: the dearest card that the own hand can win."""
    return VALUE[CARD[kind]] * strength(s, me, kind)


@rule
def value_of_bid(s: State, me: int, card: int) -> int:
    """KIZA-R5, R6: pay no more than the lot's share of the money, and as little as wins."""
    lot = the_lot(s)
    prize = VALUE[CARD[lot]]
    laid = worth(s, BID + me, VALUE)
    need = s.high - laid + 1
    if s.laying == 0 and need > price(s, me, prize):
        return -POINT
    over = VALUE[card] - need
    return 10 * POINT - over if over >= 0 else 5 * POINT + VALUE[card]


@rule
def price(s: State, me: int, prize: int) -> int:
    """What a lot is worth in money: all of it, if it wins the match for me or another."""
    on_offer = prize
    danger = s.total[me] + prize >= s.target
    for p in range(s.players):
        on_offer += worth(s, KIZA + p, VALUE)
        if s.total[p] + prize >= s.target and p == s.leader:
            danger = True
    if danger:
        return 1000
    return prize * worth(s, HAND + me, VALUE) * s.players // (on_offer + 1)


@rule
def left_to_go(s: State) -> int:
    """Points until the match can end."""
    return max(0, s.target - best_total(s, 1))


@rule
def win_chance(s: State, me: int) -> float:
    """The lead counts for more the nearer someone is to the target."""
    return softmax(s, me, 1, 11.7 + 0.084 * left_to_go(s))
