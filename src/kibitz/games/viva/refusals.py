"""Why an action is refused, and what is wrong with a written position."""

from kibitz.engine.bits import lowest
from kibitz.engine.compiled import NONE, State
from kibitz.engine.moving import how_many, is_empty, kinds, size
from kibitz.games.viva.rules import (
    BLOCK,
    BLOCK_CARD,
    BLOCKING,
    CARDS_LAID,
    CLEARED,
    DONE,
    DRAW,
    DRAWN,
    DUTY,
    HAND,
    HOUSE,
    HOUSES,
    HOUSES_USED,
    KEEP,
    N_KINDS,
    OUT,
    OUT_OWN,
    PERSONAL,
    PLAY,
    STACK,
    STRIDE,
    TRY,
    TRY_BLOCK,
    TWINS,
    at_hand,
    barred,
    fitting,
    has_last_card,
    leaving,
    most_laid,
    players_in,
)


def refusal(s: State, me: int, action: int) -> str | None:
    """The rule that forbids an action, or None if it is legal."""
    if s.over:
        return "VIVA-G1"
    if s.due != 1 << me:
        return "VIVA-L5"
    if BLOCK_CARD <= action < TRY:
        held = kinds(s, HAND + me, STRIDE) >> (action - BLOCK_CARD) & 1
        return None if held and s.phase in (BLOCKING, DUTY) else "VIVA-V3"
    if s.phase == BLOCKING:
        return "VIVA-V3"
    if s.phase == DUTY:
        return "VIVA-L3"
    if action == DONE:
        return None if s.phase == KEEP else "VIVA-T4"
    if action == DRAW:
        return draw_refusal(s, me)
    if action >= TRY:
        return try_refusal(s, me, action)
    return card_refusal(s, me, action)


def draw_refusal(s: State, me: int) -> str | None:
    """The rule that forbids drawing."""
    if s.phase == KEEP:
        return "VIVA-T4"
    if not is_empty(s, STACK) or not is_empty(s, CLEARED):
        return None
    playable = any(card_refusal(s, me, action) is None for action in range(PLAY, DRAW))
    return "VIVA-T4" if playable else None


def try_refusal(s: State, me: int, action: int) -> str | None:
    """The rule that forbids trying a card: only a forbidden one is a try."""
    if not s.caught or not at_hand(s, me) >> ((action - TRY) % N_KINDS) & 1:
        return "VIVA-X1"
    plain = action - TRY + (PLAY if action < TRY_BLOCK else OUT - N_KINDS * HOUSES)
    return "VIVA-X1" if card_refusal(s, me, plain) is None else None


def card_refusal(s: State, me: int, action: int) -> str | None:
    """The rule that forbids playing this card, or these, there."""
    kind = (action - PLAY) % N_KINDS
    if not at_hand(s, me) >> kind & 1:
        return "VIVA-T4" if s.phase == KEEP else "VIVA-T1"
    last = has_last_card(s, me)
    if action >= OUT:
        pile = BLOCK if action < OUT_OWN else PERSONAL + me
        return None if last and leaving(s, pile) >> kind & 1 else "VIVA-L1"
    if last:
        return "VIVA-L1"
    spread = (action - PLAY) // N_KINDS
    if s.phase == KEEP and CARDS_LAID[spread] > 1:
        return "VIVA-T4"
    if s.phase != KEEP and CARDS_LAID[spread] > how_many(s, HAND + me, kind, TWINS):
        return "VIVA-T3"
    if CARDS_LAID[spread] > most_laid(s, me, kind):
        return "VIVA-L1"
    if barred(s, me) >> kind & 1:
        return "VIVA-T5"
    for house in range(HOUSES):
        if HOUSES_USED[spread] >> house & 1 and not fitting(s, HOUSE + house) >> kind & 1:
            return "VIVA-T2"
    return None


def doubt(s: State) -> str | None:
    """What is wrong with a written position."""
    if s.over:
        return None
    me = lowest(s.due)
    if s.due != 1 << me or me >= s.players or not s.playing >> me & 1 or players_in(s) < 2:
        return "one seat is due, and it is one of two or more that are playing"
    if s.starter == NONE:
        return "the round has a starter"
    if (s.top[BLOCK] == NONE) != (s.phase in (BLOCKING, DUTY)):
        return "a blocking card lies there, unless a new one is due"
    if (s.phase == KEEP) != (size(s, DRAWN + me) == 1):
        return "a card lies in drawn if, and only if, the phase is keep"
    for p in range(s.players):
        playing = s.playing >> p & 1
        if playing != (size(s, HAND + p) > 0) or size(s, DRAWN + p) > (p == me):
            return f"seat {p}: those who are playing hold cards, the others none"
        if (s.top[PERSONAL + p] != NONE) and s.holder != p:
            return f"seat {p} has a personal blocking card, so it must be the holder"
    return None
