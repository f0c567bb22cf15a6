"""Why an action is refused, and what is wrong with a written position."""

from kibitz.engine.compiled import State
from kibitz.engine.deck import NO_CARD
from kibitz.engine.moving import kinds
from kibitz.engine.zones import SEATS
from kibitz.games.ramon.rules import (
    BESIDE,
    HAND,
    KITTY,
    N_NUMBERS,
    NUMBER,
    ONTO,
    STACKS,
    STRIDE,
    tops,
)


def refusal(s: State, me: int, action: int) -> str | None:
    """The rule that forbids an action, or None if it is legal."""
    if s.over:
        return "RAMON-E3"
    if s.due != 1 << me:
        return "RAMON-T4"
    place = action - BESIDE if action < ONTO else (action - ONTO) // N_NUMBERS
    kind, p = place // SEATS, place % SEATS
    if p >= s.players or not kinds(s, HAND + me, STRIDE) >> kind & 1:
        return "RAMON-T1"
    if action >= ONTO:
        covered = kind - kind % N_NUMBERS + (action - ONTO) % N_NUMBERS
        if not tops(s, p) >> covered & 1:
            return "RAMON-T2"
    return None


def doubt(s: State) -> str | None:
    """What is wrong with a written position."""
    for p in range(s.players):
        shown = [NUMBER[s.top[KITTY + STACKS * p + i] & NO_CARD] for i in range(STACKS)]
        numbers = [n for n in shown if n]
        if len(numbers) == STACKS and not s.over:
            return f"kitty.{p} has six stacks: the round would be over"
        if len(set(numbers)) != len(numbers):
            return f"kitty.{p} shows a number twice"
    return None
