"""What play tells of the hands in Hearts: void suits."""

from typing import Any

from kibitz.games.hearts.rules import HAND, PLAY, PLAY_CARD, suit_led

from kibitz.bots.lacks import BELIEFS, give_up_lacks, note_lack
from kibitz.engine.compiled import State, rule

__all__ = ["BELIEFS", "condition", "observe"]


@rule
def observe(before: State, s: State, me: int, action: int, beliefs: Any) -> None:
    """HEARTS-T2: who does not follow suit has no card of it."""
    if before.phase == PLAY and before.leader != me:
        led = suit_led(before)
        if not (led >> (action - PLAY_CARD)) & 1:
            note_lack(beliefs, me, led)


@rule
def condition(s: State, me: int, beliefs: Any) -> None:
    """No hand has a suit in which its seat is void."""
    give_up_lacks(s, me, HAND, beliefs)
