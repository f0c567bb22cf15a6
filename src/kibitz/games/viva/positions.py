"""What is wrong with a written position."""

from kibitz.engine.bits import lowest
from kibitz.engine.cards import has_top, size
from kibitz.engine.compiled import NONE, State
from kibitz.engine.seats import has, how_many_seats
from kibitz.games.viva.components import BLOCK, BLOCKING, DRAWN, DUTY, HAND, KEEP, PERSONAL


def position_error(s: State) -> str | None:
    """What is wrong with a position, or None."""
    if s.over:
        return None
    if s.starter == NONE:
        return "the round has a starter"
    if how_many_seats(s.playing) < 2:
        return "two or more are playing"
    return None if s.round_over else round_error(s, lowest(s.due))


def round_error(s: State, me: int) -> str | None:
    """What is wrong while a round is played."""
    if s.due != 1 << me or me >= s.players or not has(s.playing, me):
        return "one seat is due, and it is one of those that are playing"
    if has_top(s, BLOCK) == (s.phase in (BLOCKING, DUTY)):
        return "a blocking card lies there, unless a new one is due"
    if (s.phase == KEEP) != (size(s, DRAWN + me) == 1):
        return "a card lies in drawn if, and only if, the phase is keep"
    for p in range(s.players):
        if has(s.playing, p) != (size(s, HAND + p) > 0) or size(s, DRAWN + p) > (p == me):
            return f"seat {p}: those who are playing hold cards, the others none"
        if has_top(s, PERSONAL + p) and s.holder != p:
            return f"seat {p} has a personal blocking card, so it must be the holder"
    return None
