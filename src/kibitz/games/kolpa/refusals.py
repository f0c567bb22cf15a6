"""Why an action is refused, and what is wrong with a written position."""

from kibitz.engine.compiled import NONE, State
from kibitz.engine.moving import is_empty, kinds, size
from kibitz.games.kolpa.cards import COLOURS, JOKER
from kibitz.games.kolpa.rules import (
    CALL_COLOUR,
    DISCARD,
    DISPLAY,
    HAND,
    JOKERS,
    KIND,
    KOL_DISPLAY,
    KOLPA,
    LAST_JOKER,
    N_COLOURS,
    N_NUMBERS,
    STRIDE,
    matching,
    tops,
)


def refusal(s: State, me: int, action: int) -> str | None:
    """The rule that forbids an action, or None if it is legal."""
    if s.over:
        return "KOLPA-E3"
    if s.due != 1 << me:
        return "KOLPA-T6"
    if action >= CALL_COLOUR:
        return joker_refusal(s, me, action)
    kind = action % JOKER
    fits = matching(s) >> kind & 1
    if KOL_DISPLAY <= action < KOLPA:
        if not tops(s, me) >> kind & 1:
            return "KOLPA-T3"
        return None if fits else "KOLPA-T1"
    held = kinds(s, HAND + me, STRIDE) >> kind & 1
    if action < KOL_DISPLAY:
        return None if held and fits else "KOLPA-T1"
    if not held or fits:
        return "KOLPA-T2"
    return "KOLPA-T5" if tops(s, me) & matching(s) else None


def joker_refusal(s: State, me: int, action: int) -> str | None:
    """The rule that forbids playing a joker so."""
    if not kinds(s, HAND + me, STRIDE) & JOKERS:
        return "KOLPA-J1"
    last = size(s, HAND + me) == 1
    if action == LAST_JOKER:
        return None if last else "KOLPA-J2"
    return "KOLPA-E1" if last else None


def doubt(s: State) -> str | None:
    """What is wrong with a written position."""
    if s.top[DISCARD] == NONE:
        return "the discard pile needs a card"
    called = (s.called_colour != NONE) + (s.called_number != NONE)
    if called != (KIND[s.top[DISCARD]] == JOKER) and not s.over:
        return "a colour or a number is called if, and only if, a joker lies on top of the discard"
    for p in range(s.players):
        if is_empty(s, HAND + p) and not s.over:
            return f"seat {p} has no card: the round would be over"
        for colour in range(N_COLOURS):
            card = s.top[DISPLAY + N_COLOURS * p + colour]
            while card != NONE:
                if KIND[card] // N_NUMBERS != colour or KIND[card] == JOKER:
                    return f"display.{p}.{COLOURS[colour]} holds a card of another colour"
                card = s.under[card]
    return None
