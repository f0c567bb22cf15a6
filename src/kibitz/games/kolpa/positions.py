"""What is wrong with a written position."""

from kibitz.engine.cards import is_empty, top_kind
from kibitz.engine.compiled import NONE, State
from kibitz.engine.dispatch import kind_of
from kibitz.games.kolpa.deck import COLOURS, JOKER
from kibitz.games.kolpa.rules import DISCARD, HAND, N_COLOURS, N_NUMBERS, display_pile


def position_error(s: State) -> str | None:
    """What is wrong with a position, or None."""
    if s.top[DISCARD] == NONE:
        return "the discard pile needs a card"
    called = (s.called_colour != NONE) + (s.called_number != NONE)
    if called != (top_kind(s, DISCARD) == JOKER) and not s.round_over:
        return "a colour or a number is called if, and only if, a joker lies on top of the discard"
    for p in range(s.players):
        if is_empty(s, HAND + p) and not s.round_over:
            return f"seat {p} has no card: the round would be over"
        for colour in range(N_COLOURS):
            card = s.top[display_pile(p, colour)]
            while card != NONE:
                kind = kind_of(s)[card]
                if kind == JOKER or kind // N_NUMBERS != colour:
                    return f"display.{p}.{COLOURS[colour]} holds a card of another colour"
                card = s.under[card]
    return None
