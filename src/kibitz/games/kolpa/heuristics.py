"""What bots know of Kolpa!: points in the display, few in the hand, and out at the right moment."""

from kibitz.bots.heuristics import best_total, softmax
from kibitz.engine.action_list import verb_of
from kibitz.engine.cards import size, top_kind, worth
from kibitz.engine.compiled import NONE, State, rule
from kibitz.engine.seats import next_seat
from kibitz.games.kolpa.rules import (
    CALL_COLOUR,
    CALL_NUMBER,
    HAND,
    JOKER_POINTS,
    KOL,
    KOL_DISPLAY,
    KOLPA,
    N_COLOURS,
    N_NUMBERS,
    POINTS,
    display_pile,
    points_in_display,
)  # fmt: skip

CALIBRATION = (-0.08, 1.19)  # fitted by `kibitz calibrate kolpa`
HABITS = {  # fitted by `python -m kibitz.lab.habits kolpa`
    "kol": 0.78, "kol_display": -0.68, "kolpa": 2.58, "call_colour": -1.34, "call_number": -1.65,
    "last_joker": 0.31,
}  # fmt: skip
TELLS_WHO_ENDS = (
    True  # KOLPA-E1: who has no card left ends the round, and the others pay for theirs
)
POINT = 20
TEMPO = 45  # a card less in the hand
A_CARD = 3  # what an unknown hand card costs, in points


@rule
def action_value(s: State, me: int, action: int) -> int:
    """A card to the display gains its points twice, but draws another."""
    verb = verb_of(s, action)
    points = (action - verb) % N_NUMBERS
    if verb == KOLPA:
        return POINT * (2 * points - A_CARD)
    if verb == KOL_DISPLAY:
        return -POINT * points
    saved = points if verb == KOL else JOKER_POINTS
    if size(s, HAND + me) == 1:
        return POINT * (lead(s, me) + saved)
    value = POINT * saved + TEMPO
    if verb == KOL:
        return value
    return value - JOKER_POINTS * POINT // 2 + forced(s, next_seat(s, me), verb, action - verb)


@rule
def lead(s: State, me: int) -> int:
    """How far this round's score is ahead of the best other, were it scored now."""
    mine = points_in_display(s, me) - worth(s, HAND + me, POINTS)
    best = -1000
    for p in range(s.players):
        if p != me:
            best = max(best, points_in_display(s, p) - A_CARD * size(s, HAND + p))
    return mine - best


@rule
def forced(s: State, p: int, verb: int, called: int) -> int:
    """What a call costs the next player: the points of a display card that it calls for."""
    cost = 0
    for colour in range(N_COLOURS):
        kind = top_kind(s, display_pile(p, colour))
        if kind == NONE:
            continue
        by_colour = verb == CALL_COLOUR and colour == called
        if by_colour or (verb == CALL_NUMBER and kind % N_NUMBERS == called):
            cost = max(cost, POINT // 2 * (kind % N_NUMBERS))
    return cost


@rule
def left_to_go(s: State) -> int:
    """Points until the match can end."""
    return max(0, s.target - best_total(s, 1))


@rule
def win_chance(s: State, me: int) -> float:
    """The lead counts for more the nearer someone is to the target."""
    return softmax(s, me, 1, 4.3 + 0.18 * left_to_go(s))
