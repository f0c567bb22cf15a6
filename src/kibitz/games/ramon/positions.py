"""What is wrong with a written position."""

from kibitz.engine.compiled import State
from kibitz.engine.deck import NO_CARD
from kibitz.games.ramon.rules import NUMBER, STACKS, first_stack


def position_error(s: State) -> str | None:
    """What is wrong with a position, or None."""
    for p in range(s.players):
        shown = [NUMBER[s.top[first_stack(p) + i] & NO_CARD] for i in range(STACKS)]
        numbers = [n for n in shown if n]
        if len(numbers) == STACKS and not s.round_over:
            return f"kitty.{p} has six stacks: the round would be over"
        if len(set(numbers)) != len(numbers):
            return f"kitty.{p} shows a number twice"
    return None
