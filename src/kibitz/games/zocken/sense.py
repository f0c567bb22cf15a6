"""Good sense in Zocken: duck, throw high cards under others' tricks, lay long series."""

from kibitz.engine import sense
from kibitz.engine.compiled import State, rule
from kibitz.engine.moving import how_many
from kibitz.engine.standing import next_seat
from kibitz.games.zocken.rules import (
    BLUE,
    CHOOSE_COLOUR,
    DONE,
    GIVE,
    GIVE_TWO,
    GOBLINS,
    HAND,
    KIND,
    LAY_SERIES,
    NEIGHBOUR_DRAWS,
    NUMBERS,
    PASS,
    PASS_GOBLIN,
    PLAY,
    TO,
    TRICK,
    TURN_BLUE,
    TURN_YELLOW,
    TWINS,
    YELLOW,
)  # fmt: skip

TRUST = (-0.57, 0.61)  # fitted by `kibitz calibrate zocken`
A_CARD = 100
N_KINDS = len(NUMBERS)


@rule
def appraise(s: State, me: int, action: int) -> int:
    """By what the action is."""
    if action >= PLAY and action < PASS:
        return appraise_card(s, me, action - PLAY)
    if action < LAY_SERIES:
        return -high_cards(s, me, action - CHOOSE_COLOUR)
    if action < DONE:
        return 5 * A_CARD
    if action == DONE:
        return 0
    if action < TO:
        return gift(s, me, action - PASS)
    if action < GIVE:
        return -s.total[action - TO]
    return gift(s, me, action - GIVE)


@rule
def high_cards(s: State, me: int, colour: int) -> int:
    """How high the hand is in a colour."""
    sum_ = 0
    for kind in range(N_KINDS):
        sum_ += NUMBERS[kind, colour] * how_many(s, HAND + me, kind, TWINS)
    return sum_


@rule
def gift(s: State, me: int, kind: int) -> int:
    """What it is worth to be rid of a card: a high one, and none of a series to be."""
    value = 10 * NUMBERS[kind, s.pawn]
    if (GOBLINS >> kind) & 1:
        return value - 40 * (how_many(s, HAND + me, kind, TWINS) - 1)
    return value + 20


@rule
def appraise_card(s: State, me: int, kind: int) -> int:
    """ZOCKEN-K1 to K4: what the card risks to take, and what it is to be rid of it."""
    pawn = s.pawn
    if kind == TURN_YELLOW:
        pawn = YELLOW
    elif kind == TURN_BLUE:
        pawn = BLUE
    mine = NUMBERS[kind, pawn]
    best, played, p = 0, 0, s.leader
    while p != me:
        other = KIND[s.top[TRICK + p]]
        if (times_played_so_far(s, me, other) + int(other == kind)) & 1:
            best = max(best, NUMBERS[other, pawn])
        played += 1
        p = next_seat(s, p)
    to_come = s.players - played - 1
    value = gift(s, me, kind)
    if kind in (GIVE_TWO, NEIGHBOUR_DRAWS):
        value += A_CARD // 2
    elif kind == PASS_GOBLIN:
        value += A_CARD // 4
    if times_played_so_far(s, me, kind) == 1:  # a pair: neither counts
        return value + A_CARD // 2
    if mine < best:
        return value
    risk = A_CARD * s.players
    if to_come > 0:
        risk = risk * (mine + 1) // (10 + 2 * to_come)
    return value - risk


@rule
def times_played_so_far(s: State, me: int, kind: int) -> int:
    """How many cards of this kind lie in the trick before a seat's turn."""
    n, p = 0, s.leader
    while p != me:
        n += int(KIND[s.top[TRICK + p]] == kind)
        p = next_seat(s, p)
    return n


@rule
def left_to_go(s: State) -> int:
    """Points until the match can end."""
    return max(0, s.limit - sense.best_total(s, 1))


@rule
def outlook(s: State, me: int) -> float:
    """The lead counts for more the nearer someone is to the limit."""
    return sense.softmax(s, me, -1, 7.7 + 0.2 * left_to_go(s))
