"""Good sense in Kolpa!: points in the display, few in the hand, and out at the right moment."""

from kibitz.engine import sense
from kibitz.engine.compiled import NONE, State, rule
from kibitz.engine.moving import size, worth
from kibitz.engine.standing import next_seat
from kibitz.games.kolpa.rules import (
    CALL_COLOUR,
    CALL_NUMBER,
    DISPLAY,
    HAND,
    JOKER_POINTS,
    KIND,
    KOL_DISPLAY,
    KOLPA,
    LAST_JOKER,
    N_COLOURS,
    N_NUMBERS,
    POINTS,
    points_in_display,
)  # fmt: skip

TRUST = (-0.23, 0.88)  # fitted by `kibitz calibrate kolpa`
POINT = 20
TEMPO = 45  # a card less in the hand
A_CARD = 3  # what an unknown hand card costs, in points


@rule
def appraise(s: State, me: int, action: int) -> int:
    """A card to the display gains its points twice, but draws another."""
    cards = size(s, HAND + me)
    if KOLPA <= action < CALL_COLOUR:
        return POINT * (2 * ((action - KOLPA) % N_NUMBERS) - A_CARD)
    if KOL_DISPLAY <= action < KOLPA:
        return -POINT * ((action - KOL_DISPLAY) % N_NUMBERS)
    saved = action % N_NUMBERS if action < KOL_DISPLAY else JOKER_POINTS
    if cards == 1:
        return POINT * (lead(s, me) + saved)
    value = POINT * saved + TEMPO
    if action >= CALL_COLOUR:
        return value - JOKER_POINTS * POINT // 2 + forced(s, next_seat(s, me), action)
    return value


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
def forced(s: State, p: int, action: int) -> int:
    """What a call costs the next player: the points of a display card that it calls for."""
    cost = 0
    for colour in range(N_COLOURS):
        card = s.top[DISPLAY + N_COLOURS * p + colour]
        if card == NONE or action == LAST_JOKER:
            continue
        if action < CALL_NUMBER:
            called = colour == action - CALL_COLOUR
        else:
            called = KIND[card] % N_NUMBERS == action - CALL_NUMBER
        if called:
            cost = max(cost, POINT // 2 * POINTS[card])
    return cost


@rule
def left_to_go(s: State) -> int:
    """Points until the match can end."""
    return max(0, s.target - sense.best_total(s, 1))


@rule
def outlook(s: State, me: int) -> float:
    """The lead counts for more the nearer someone is to the target."""
    return sense.softmax(s, me, 1, 4.3 + 0.18 * left_to_go(s))
