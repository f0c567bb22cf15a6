"""Which rule forbids an action that is not legal."""

from kibitz.engine.cards import kinds_in
from kibitz.engine.compiled import State
from kibitz.games.ramon.rules import HAND, taken_apart


def refusal(s: State, me: int, action: int) -> str:
    """The rule that forbids an action."""
    if s.over:
        return "RAMON-E3"
    if s.due != 1 << me:
        return "RAMON-T4"
    kind, p, _ = taken_apart(s, action)
    if p >= s.players or not kinds_in(s, HAND + me) >> kind & 1:
        return "RAMON-T1"
    return "RAMON-T2"
