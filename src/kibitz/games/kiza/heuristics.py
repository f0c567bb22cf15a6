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

CALIBRATION = (-0.13, 0.84)  # fitted by `kibitz calibrate kiza`
STYLE = {"sure": 1.0}  # docs/bots.md has the figures
POINT = 10
WINNING = 11  # that I can win a card counts for more than what it is worth; found by playing


@rule
def action_value(s: State, me: int, action: int) -> int:
    """By what the action is."""
    verb = verb_of(s, action)
    if verb == PRESENT_CARD:
        return value_of_presenting(s, me, action - PRESENT_CARD)
    if verb == OFFER_CARD:
        return POINT * VALUE[CARD[action - OFFER_CARD]]  # KIZA-R3: the dearest first
    if verb == BID_CARD:
        return value_of_bid(s, me, CARD[action - BID_CARD])
    return 100 * POINT if verb == DONE else 0


@rule
def strength(s: State, me: int, kind: int) -> int:
    """What a seat could bid on a card."""
    return worth_among(s, HAND + me, VALUE, MATCHES[kind])


@rule
def value_of_presenting(s: State, me: int, kind: int) -> int:
    """KIZA-R1: a single card, for a card to win is one less to pay with; one that I can win."""
    if size(s, CHOSEN + me) > 0:
        return -10 * POINT
    value = VALUE[CARD[kind]]
    return (strength(s, me, kind) - value) * (WINNING + value) - WINNING * value


@rule
def value_of_bid(s: State, me: int, card: int) -> int:
    """KIZA-R5, R6: go along up to a price, and then with the dearest card: that may be enough."""
    laid = worth(s, BID + me, VALUE)
    spare = price(s, me, VALUE[CARD[the_lot(s)]], laid) - (s.high - laid + 1)
    if s.laying == 0 and spare < 0:
        return POINT * spare
    return POINT * (5 + VALUE[card])


@rule
def price(s: State, me: int, prize: int, laid: int) -> int:
    """What a lot is worth in money: all of it, if it wins the match for me or another.

    Otherwise half of what its share of the money would be: found by playing.
    """
    on_offer = prize
    danger = s.total[me] + prize >= s.target
    for p in range(s.players):
        on_offer += worth(s, KIZA + p, VALUE)
        if s.total[p] + prize >= s.target and p == s.leader:
            danger = True
    if danger:
        return 1000
    return prize * (worth(s, HAND + me, VALUE) + laid) // (2 * (on_offer + 1))


@rule
def left_to_go(s: State) -> int:
    """Points until the match can end."""
    return max(0, s.target - best_total(s, 1))


@rule
def win_chance(s: State, me: int) -> float:
    """The lead counts for more the nearer someone is to the target."""
    return softmax(s, me, 1, 9.7 + 0.13 * left_to_go(s))
