"""What bots know of Kolpa!: points to the display, and what costs others theirs."""

from kibitz.bots.heuristics import best_total, softmax
from kibitz.engine.action_list import verb_of
from kibitz.engine.bits import lowest
from kibitz.engine.cards import size, top_kind, worth
from kibitz.engine.compiled import NONE, State, rule
from kibitz.engine.seats import next_seat
from kibitz.games.kolpa.rules import (
    ALIKE,
    CALL_COLOUR,
    HAND,
    JOKER_POINTS,
    KOL,
    KOL_DISPLAY,
    KOLPA,
    N_NUMBERS,
    OF_COLOUR,
    OF_NUMBER,
    POINTS,
    display_pile,
    points_in_display,
    visible,
)  # fmt: skip

CALIBRATION = (0.0, 0.92)  # fitted by `kibitz calibrate kolpa`
STYLE = {"others": 1, "noise": 20, "sure": 1.0}  # docs/bots.md has the figures
HABITS = {  # fitted by `python -m kibitz.lab.habits kolpa`
    "kol": 0.59, "kol_display": -0.14, "kolpa": 0.35, "call_colour": -0.5, "call_number": -0.61,
    "last_joker": 0.31,
}  # fmt: skip
TELLS_WHO_ENDS = (
    True  # KOLPA-E1: who has no card left ends the round, and the others pay for theirs
)
# What things are worth was found by playing: docs/bots.md.
LAID = 27  # a point in the display: it counts there, and no longer in the hand
COVERED = 4  # a point that is covered by it, and so cannot be called for any more
DRAWN = 15  # the card that is drawn for it
A_CARD_MORE = 4  # who holds many cards need not hurry to be rid of one
SHED = 17  # a card less in the hand
TAKEN_OFF = 15  # a point that leaves the display
FORCED = 7  # a point that the next has to take off theirs
FORCED_BACK = 3  # and one that it will be my turn to take off, if nobody else plays
SAVED, AHEAD = 4, 1  # with the last card: a point less in the hand, a point ahead
UNSEEN = 3  # what a card of another hand costs, in points


@rule
def action_value(s: State, me: int, action: int) -> int:
    """Many points to the display, and cards to the discard pile that cost the next theirs."""
    verb = verb_of(s, action)
    chosen = action - verb
    points, cards = chosen % N_NUMBERS, size(s, HAND + me)
    if verb == KOLPA:
        value = LAID * points + COVERED * covered(s, me, chosen)
        return value - DRAWN + A_CARD_MORE * cards
    if verb == KOL_DISPLAY:
        return pressure(s, me, ALIKE[chosen]) - TAKEN_OFF * points
    if cards == 1:
        return AHEAD * lead(s, me) + SAVED * (points if verb == KOL else JOKER_POINTS)
    if verb == KOL:
        return SHED + pressure(s, me, ALIKE[chosen])
    return pressure(s, me, OF_COLOUR[chosen] if verb == CALL_COLOUR else OF_NUMBER[chosen])


@rule
def covered(s: State, me: int, kind: int) -> int:
    """The points that a card covers in the display."""
    top = top_kind(s, display_pile(me, kind // N_NUMBERS))
    return 0 if top == NONE else top % N_NUMBERS


@rule
def pressure(s: State, me: int, fits: int) -> int:
    """KOLPA-T5: what it costs the next, and later perhaps me, if these kinds match."""
    return FORCED * at_stake(s, next_seat(s, me), fits) - FORCED_BACK * at_stake(s, me, fits)


@rule
def at_stake(s: State, p: int, fits: int) -> int:
    """The most points that a seat shows among these kinds."""
    most, shown = 0, visible(s, p) & fits
    while shown:
        most = max(most, lowest(shown) % N_NUMBERS)
        shown &= shown - 1
    return most


@rule
def lead(s: State, me: int) -> int:
    """How far this round's score is ahead of the best other, were it scored now."""
    mine = points_in_display(s, me) - worth(s, HAND + me, POINTS)
    best = -1000
    for p in range(s.players):
        if p != me:
            best = max(best, points_in_display(s, p) - UNSEEN * size(s, HAND + p))
    return mine - best


@rule
def left_to_go(s: State) -> int:
    """Points until the match can end."""
    return max(0, s.target - best_total(s, 1))


@rule
def win_chance(s: State, me: int) -> float:
    """The lead counts for more the nearer someone is to the target."""
    return softmax(s, me, 1, 4.3 + 0.15 * left_to_go(s))
