"""What is wrong with a written position."""

from kibitz.games.hearts.rules import (
    GIFT,
    HAND,
    HAND_SIZE,
    KEEP,
    PASS,
    PASSED,
    TAKEN,
    TRICK,
    TWO_OF_CLUBS,
    is_first_trick,
)

from kibitz.engine.cards import height, holds, size
from kibitz.engine.compiled import NONE, State
from kibitz.engine.seats import has, next_seat


def position_error(s: State) -> str | None:
    """What is wrong with a position, or None."""
    if s.round_over:
        return None
    return passing_error(s) if s.phase == PASS else trick_error(s)


def passing_error(s: State) -> str | None:
    """What is wrong while cards are passed."""
    if s.direction == KEEP:
        return "no cards are passed in this direction"
    for p in range(s.players):
        gift = size(s, GIFT + p)
        if size(s, HAND + p) + gift != HAND_SIZE or size(s, TAKEN + p) or height(s, TRICK + p):
            return f"while cards are passed, seat {p} has {HAND_SIZE} cards in hand and gift"
        if gift > PASSED or (not has(s.due, p) and gift != PASSED):
            return f"seat {p} passes {PASSED} cards"
    return None


def trick_error(s: State) -> str | None:
    """What is wrong with a trick under way."""
    if s.leader == NONE or s.due & (s.due - 1) or not s.due:
        return "one seat is due, and a seat has led"
    p, has_played, left = s.leader, True, size(s, HAND + s.leader) + height(s, TRICK + s.leader)
    for _ in range(s.players):
        has_played = has_played and not has(s.due, p)
        if height(s, TRICK + p) != int(has_played):
            return "those from the leader on to the seat that is due have played a card each"
        if size(s, HAND + p) + height(s, TRICK + p) != left or not left or size(s, GIFT + p):
            return "all seats have as many cards, counting the trick, and no gift"
        p = next_seat(s, p)
    if is_first_trick(s) and not (
        holds(s, HAND + s.leader, TWO_OF_CLUBS) or s.top[TRICK + s.leader] == TWO_OF_CLUBS
    ):
        return "the two of clubs leads to the first trick"
    return None
