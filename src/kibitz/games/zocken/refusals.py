"""Which rule forbids an action that is not legal."""

from kibitz.engine.action_list import verb_of
from kibitz.engine.compiled import State
from kibitz.games.zocken.rules import CHOOSE_COLOUR, COLOUR, DONE, LAY_SERIES, LAYING, PASS, PLAY


def refusal(s: State, me: int, action: int) -> str:
    """The rule that forbids an action."""
    verb = verb_of(s, action)
    if s.over:
        return "ZOCKEN-E3"
    if s.due != 1 << me:
        return "ZOCKEN-T2"
    if s.phase == COLOUR or verb == CHOOSE_COLOUR:
        return "ZOCKEN-S2"
    if s.phase == LAYING or verb in (LAY_SERIES, DONE):
        return "ZOCKEN-T1"
    if verb == PLAY:
        return "ZOCKEN-T2"
    return "ZOCKEN-P2" if verb == PASS else "ZOCKEN-P4"
