"""What bots know of Zocken: duck, throw high cards under others' tricks, lay long series."""

from kibitz.bots.heuristics import best_total, softmax
from kibitz.engine.action_list import verb_of
from kibitz.engine.cards import how_many, top_kind
from kibitz.engine.compiled import State, rule
from kibitz.engine.seats import next_seat
from kibitz.games.zocken.rules import (
    BLUE,
    CHOOSE_COLOUR,
    DONE,
    GIVE_TWO,
    GOBLINS,
    HAND,
    LAY_SERIES,
    NEIGHBOUR_DRAWS,
    NUMBERS,
    PASS_GOBLIN,
    PLAY,
    TO,
    TRICK,
    TURN_BLUE,
    TURN_YELLOW,
    YELLOW,
)

CALIBRATION = (-0.09, 0.81)  # fitted by `kibitz calibrate zocken`
HABITS = {"series": -2.06, "done": -0.41, "play": 2.47}  # by `python -m kibitz.lab.habits zocken`
A_CARD = 100
N_KINDS = len(NUMBERS)


@rule
def action_value(s: State, me: int, action: int) -> int:
    """By what the action is."""
    verb = verb_of(s, action)
    chosen = action - verb
    if verb == PLAY:
        return value_of_card(s, me, chosen)
    if verb == LAY_SERIES:
        return 5 * A_CARD
    if verb == DONE:
        return 0
    if verb == CHOOSE_COLOUR:
        return -high_cards(s, me, chosen)
    if verb == TO:
        return -s.total[chosen]
    return gift(s, me, chosen)


@rule
def high_cards(s: State, me: int, colour: int) -> int:
    """How high the hand is in a colour."""
    sum_ = 0
    for kind in range(N_KINDS):
        sum_ += NUMBERS[kind, colour] * how_many(s, HAND + me, kind)
    return sum_


@rule
def gift(s: State, me: int, kind: int) -> int:
    """What it is worth to be rid of a card: a high one, and none of a series to be."""
    value = 10 * NUMBERS[kind, s.pawn]
    if (GOBLINS >> kind) & 1:
        return value - 40 * (how_many(s, HAND + me, kind) - 1)
    return value + 20


@rule
def value_of_card(s: State, me: int, kind: int) -> int:
    """ZOCKEN-K1 to K4: what the card risks to take, and what it is to be rid of it."""
    pawn = s.pawn
    if kind == TURN_YELLOW:
        pawn = YELLOW
    elif kind == TURN_BLUE:
        pawn = BLUE
    mine = NUMBERS[kind, pawn]
    best, played, p = 0, 0, s.leader
    while p != me:
        other = top_kind(s, TRICK + p)
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
        n += int(top_kind(s, TRICK + p) == kind)
        p = next_seat(s, p)
    return n


@rule
def left_to_go(s: State) -> int:
    """Points until the match can end."""
    return max(0, s.limit - best_total(s, 1))


@rule
def win_chance(s: State, me: int) -> float:
    """The lead counts for more the nearer someone is to the limit."""
    return softmax(s, me, -1, 7.7 + 0.2 * left_to_go(s))
