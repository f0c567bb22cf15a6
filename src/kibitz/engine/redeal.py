"""Dealing anew what a seat cannot see."""

from kibitz.engine import dispatch
from kibitz.engine.bits import count, nth
from kibitz.engine.cards import move_all
from kibitz.engine.chance import below
from kibitz.engine.compiled import State, rule
from kibitz.engine.visibility import is_open_to


@rule
def pool(s: State, me: int) -> tuple[int, int]:
    """The cards whose place seat `me` (-1: a spectator) does not know, as two words."""
    low, high = 0, 0
    for zone in range(s.cards.shape[0]):
        if not is_open_to(s, zone, me):
            low |= s.cards[zone, 0]
            high |= s.cards[zone, 1]
    low &= ~s.seen[0]
    high &= ~s.seen[1]
    if me >= 0:
        low &= ~s.known[me, 0]
        high &= ~s.known[me, 1]
    return low, high


@rule
def redeal(s: State, me: int) -> None:
    """Deal the cards that seat `me` cannot see (-1: a spectator) anew among their zones.

    Every card whose place it knows stays; every zone keeps its size. What others have chosen unseen
    is chosen anew. The result does not depend on how the unseen cards lay before.
    """
    hidden_in = dispatch.hidden_in(s)
    for zone in range(s.cards.shape[0]):
        if hidden_in[zone] >= 0 and not is_open_to(s, zone, me):
            move_all(s, zone, hidden_in[zone])
    low, high = pool(s, me)
    left_low, left_high = low, high
    last = -1
    for zone in range(s.cards.shape[0]):
        if not is_open_to(s, zone, me):
            last = zone
    for zone in range(last):
        if is_open_to(s, zone, me):
            continue
        n = count(s.cards[zone, 0] & low) + count(s.cards[zone, 1] & high)
        s.cards[zone, 0] &= ~low
        s.cards[zone, 1] &= ~high
        n_low = count(left_low)
        total = n_low + count(left_high)
        for _ in range(n):
            at = below(s, total)
            total -= 1
            if at < n_low:
                bit = 1 << nth(left_low, at)
                left_low ^= bit
                s.cards[zone, 0] |= bit
                n_low -= 1
            else:
                bit = 1 << nth(left_high, at - n_low)
                left_high ^= bit
                s.cards[zone, 1] |= bit
    if last >= 0:
        s.cards[last, 0] = (s.cards[last, 0] & ~low) | left_low
        s.cards[last, 1] = (s.cards[last, 1] & ~high) | left_high
    for seat in range(s.players):
        if seat != me:
            dispatch.redeal_choice(s, seat)
