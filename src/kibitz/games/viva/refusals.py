"""Which rule forbids an action that is not legal."""

from kibitz.engine.action_list import verb_of
from kibitz.engine.cards import how_many, kinds_in, size
from kibitz.engine.compiled import State
from kibitz.games.viva.components import (
    BLOCK_CARD,
    BLOCKING,
    DONE,
    DRAW,
    DUTY,
    HAND,
    KEEP,
    N_KINDS,
    OUT,
    OUT_OWN,
    PLAY,
    TRY,
    TRY_BLOCK,
)
from kibitz.games.viva.plays import barred, has_last_card, source
from kibitz.games.viva.spreads import CARDS_LAID


def refusal(s: State, me: int, action: int) -> str:
    """The rule that forbids an action."""
    verb = verb_of(s, action)
    if s.over:
        return "VIVA-G1"
    if s.due != 1 << me:
        return "VIVA-L5"
    if s.phase == BLOCKING or verb == BLOCK_CARD:
        return "VIVA-V3"
    if s.phase == DUTY:
        return "VIVA-L3"
    if verb in (DRAW, DONE):
        return "VIVA-T4"
    if verb in (TRY, TRY_BLOCK):
        return "VIVA-X1"
    kind = (action - verb) % N_KINDS
    if not kinds_in(s, source(s, me)) >> kind & 1:
        return "VIVA-T4" if s.phase == KEEP else "VIVA-T1"
    if verb in (OUT, OUT_OWN) or has_last_card(s, me):
        return "VIVA-L1"
    return play_refusal(s, me, kind, CARDS_LAID[(action - PLAY) // N_KINDS])


def play_refusal(s: State, me: int, kind: int, cards: int) -> str:
    """The rule that forbids playing so many cards of a kind that is at hand."""
    if s.phase == KEEP and cards > 1:
        return "VIVA-T4"
    if cards > how_many(s, HAND + me, kind) and s.phase != KEEP:
        return "VIVA-T3"
    if cards >= size(s, HAND + me) and s.phase != KEEP:
        return "VIVA-L1"
    return "VIVA-T5" if barred(s, me) >> kind & 1 else "VIVA-T2"
