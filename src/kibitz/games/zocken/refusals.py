"""Why an action is refused, and what is wrong with a written position."""

from kibitz.engine.bits import lowest
from kibitz.engine.compiled import NONE, State
from kibitz.engine.moving import is_empty, kinds
from kibitz.engine.standing import next_seat
from kibitz.games.zocken.rules import (
    CHOOSING,
    COLOUR,
    DONE,
    GIVE,
    GIVING,
    GOBLINS,
    HAND,
    LAY_SERIES,
    LAYING,
    LEAST,
    MOST,
    MOST_SERIES,
    PASS,
    PASSING,
    PLAY,
    PLAYING,
    SERIES,
    STRIDE,
    TO,
    TRICK,
    TURN,
    first_of_series,
    height,
    more_of_series,
    others,
    passable,
    series_size,
)


def refusal(s: State, me: int, action: int) -> str | None:
    """The rule that forbids an action, or None if it is legal."""
    if s.over:
        return "ZOCKEN-E3"
    if s.due != 1 << me:
        return "ZOCKEN-T2"
    if s.phase == COLOUR or action < LAY_SERIES:
        return None if s.phase == COLOUR and action < LAY_SERIES else "ZOCKEN-S2"
    if action <= DONE:
        return series_refusal(s, me, action)
    if s.phase == LAYING:
        return "ZOCKEN-T1"
    hand = kinds(s, HAND + me, STRIDE)
    if action < PASS:
        fits = s.phase in (TURN, PLAYING) and hand >> (action - PLAY) & 1
        return None if fits else "ZOCKEN-T2"
    if action < TO:
        fits = s.phase == PASSING and passable(s, me) >> (action - PASS) & 1
        return None if fits else "ZOCKEN-P2"
    if action < GIVE:
        fits = s.phase == CHOOSING and others(s, me) >> (action - TO) & 1
    else:
        fits = s.phase == GIVING and hand >> (action - GIVE) & 1
    return None if fits else "ZOCKEN-P4"


def series_refusal(s: State, me: int, action: int) -> str | None:
    """The rule that forbids laying this card into a series, or closing it."""
    if s.phase == LAYING:
        if action == DONE:
            return None if series_size(s, me) >= LEAST else "ZOCKEN-T1"
        return None if more_of_series(s, me) >> (action - LAY_SERIES) & 1 else "ZOCKEN-T1"
    if s.phase != TURN or action == DONE:
        return "ZOCKEN-T1"
    hand = kinds(s, HAND + me, STRIDE)
    return None if first_of_series(s, me, hand) >> (action - LAY_SERIES) & 1 else "ZOCKEN-T1"


def doubt(s: State) -> str | None:
    """What is wrong with a written position."""
    if s.over:
        return None
    me = lowest(s.due)
    if s.due != 1 << me or me >= s.players or s.leader == NONE:
        return "one seat is due, and a seat has led"
    effect = s.phase in (PASSING, CHOOSING, GIVING)
    p = s.leader
    for _ in range(s.players):
        if p == me:
            break
        if height(s, TRICK + p) != 1:
            return f"seat {p} has played one card to the trick before seat {me}"
        p = next_seat(s, p)
    if height(s, TRICK + me) != int(effect):
        return f"seat {me} has played to the trick if, and only if, an effect is under way"
    p = next_seat(s, me)
    while p != s.leader:
        if height(s, TRICK + p) or is_empty(s, HAND + p):
            return f"seat {p} has a card to play yet"
        p = next_seat(s, p)
    if is_empty(s, HAND + me):
        return f"seat {me} is due without a card"
    if (s.phase == GIVING) != (s.taker != NONE) or s.taker == me or (s.given and s.phase != GIVING):
        return "a gift has a taker, who is another seat"
    return series_doubt(s, me)


def series_doubt(s: State, me: int) -> str | None:
    """What is wrong with the series of a written position."""
    if (s.phase == LAYING) != (s.series_goblin != NONE):
        return "series_goblin is set if, and only if, a series is being laid"
    if s.phase == LAYING and not GOBLINS >> s.series_goblin & 1:
        return "a series is one of goblins"
    for p in range(s.players):
        heights = [height(s, SERIES + MOST_SERIES * p + i) for i in range(MOST_SERIES)]
        laid = [n for n in heights if n]
        if heights[: len(laid)] != laid or any(n > MOST for n in laid):
            return f"the series of seat {p} lie one after the other and have at most {MOST} cards"
        whole = laid[:-1] if s.phase == LAYING and p == me else laid
        if any(n < LEAST for n in whole):
            return f"a series of seat {p} has fewer than {LEAST} cards"
        if s.phase == LAYING and p == me and not laid:
            return "a series is being laid, but no card of it lies there"
    return None
