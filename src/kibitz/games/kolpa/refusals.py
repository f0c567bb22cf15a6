"""Which rule forbids an action that is not legal."""

from kibitz.engine.action_list import verb_of
from kibitz.engine.cards import kinds_in, size
from kibitz.engine.compiled import State
from kibitz.games.kolpa.rules import (
    CALL_COLOUR,
    CALL_NUMBER,
    HAND,
    JOKERS,
    KOL,
    KOL_DISPLAY,
    KOLPA,
    LAST_JOKER,
    matching,
    visible,
)  # fmt: skip


def refusal(s: State, me: int, action: int) -> str:
    """The rule that forbids an action."""
    verb = verb_of(s, action)
    chosen = action - verb
    if s.over:
        return "KOLPA-E3"
    if s.due != 1 << me:
        return "KOLPA-T6"
    if verb == KOL:  # who must answer what their display shows is told so, and not just "no match"
        bound = kinds_in(s, HAND + me) >> chosen & 1 and visible(s, me) & matching(s)
        return "KOLPA-T5" if bound else "KOLPA-T1"
    if verb == KOL_DISPLAY:
        return "KOLPA-T1" if visible(s, me) >> chosen & 1 else "KOLPA-T3"
    if verb == KOLPA:
        fits = kinds_in(s, HAND + me) & ~matching(s) & ~JOKERS
        return "KOLPA-T5" if fits >> chosen & 1 else "KOLPA-T2"
    if not kinds_in(s, HAND + me) & JOKERS:
        return "KOLPA-J1"
    if verb == LAST_JOKER:
        return "KOLPA-J2"
    assert verb in (CALL_COLOUR, CALL_NUMBER)
    return "KOLPA-E1" if size(s, HAND + me) == 1 else "KOLPA-J3"
