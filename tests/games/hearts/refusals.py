"""Which rule forbids an action that is not legal."""

from kibitz.games.hearts.rules import (
    HAND,
    PASS,
    PLAY_CARD,
    is_first_trick,
    suit_led,
)

from kibitz.engine.action_list import verb_of
from kibitz.engine.cards import kinds_in
from kibitz.engine.compiled import State


def refusal(s: State, me: int, action: int) -> str:
    """The rule that forbids an action."""
    if s.over:
        return "HEARTS-E3"
    if s.phase == PASS or verb_of(s, action) != PLAY_CARD:
        return "HEARTS-P1"
    hand = kinds_in(s, HAND + me)
    if s.due != 1 << me or not hand >> (action - PLAY_CARD) & 1:
        return "HEARTS-T2"
    if s.leader == me:
        return "HEARTS-T1" if is_first_trick(s) else "HEARTS-T4"
    return "HEARTS-T2" if hand & suit_led(s) else "HEARTS-T3"
