"""Which rule forbids an action that is not legal."""

from kibitz.games.lantern.rules import HAND, LAY

from kibitz.engine.cards import kinds_in
from kibitz.engine.compiled import State


def refusal(s: State, me: int, action: int) -> str:
    """The rule that forbids an action."""
    if s.over:
        return "LANTERN-E2"
    if s.due == 1 << me and kinds_in(s, HAND + me) >> (action - LAY) & 1:
        return "LANTERN-T2"
    return "LANTERN-T1"
