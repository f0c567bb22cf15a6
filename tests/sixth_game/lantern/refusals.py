"""Why an action is refused, and what is wrong with a written position."""

from kibitz.games.lantern.rules import HAND, LAY, STOP, STRIDE, climbing

from kibitz.engine.compiled import State
from kibitz.engine.moving import kinds


def refusal(s: State, me: int, action: int) -> str | None:
    """The rule that forbids an action, or None if it is legal."""
    if s.over:
        return "LANTERN-E2"
    if s.due != 1 << me:
        return "LANTERN-T1"
    if action == STOP:
        return None
    if not kinds(s, HAND + me, STRIDE) >> (action - LAY) & 1:
        return "LANTERN-T1"
    return None if climbing(s, me) >> (action - LAY) & 1 else "LANTERN-T2"


def doubt(s: State) -> str | None:
    """What is wrong with a written position."""
    if not s.over and (s.due & (s.due - 1) or s.due & s.stopped):
        return "one seat is due that has not stopped"
    return None
