"""What is wrong with a written position."""

from kibitz.engine.bits import lowest
from kibitz.engine.cards import height, is_empty
from kibitz.engine.compiled import NONE, State
from kibitz.engine.seats import next_seat
from kibitz.games.zocken.deck import DECK
from kibitz.games.zocken.rules import (
    CHOOSING,
    GIVING,
    GOBLINS,
    HAND,
    JOKERS_FOR,
    LAYING,
    LEAST,
    MOST,
    MOST_SERIES,
    PASSING,
    SERIES,
    TRICK,
)


def position_error(s: State) -> str | None:
    """What is wrong with a position, or None."""
    if s.round_over:
        return rest_error(s)
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
    return series_error(s, me)


def rest_error(s: State) -> str | None:
    """What is wrong with a written position between two rounds."""
    if s.leader == NONE:
        return "the next round has a leader"
    if s.taker != NONE or s.given or s.series_goblin != NONE:
        return "between two rounds nothing is being given or laid"
    return None


def series_error(s: State, me: int) -> str | None:
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
        for n in range(len(laid)):
            goblin = s.series_goblin if n >= len(whole) else NONE
            if not is_series(s, SERIES + MOST_SERIES * p + n, goblin):
                return f"series {n + 1} of seat {p} is not of one goblin and jokers for it"
    return None


def is_series(s: State, pile: int, goblin: int) -> bool:
    """Whether all cards of a pile belong into one series, of this goblin (NONE: of any)."""
    kinds, card = set(), s.top[pile]
    while card != NONE:
        kinds.add(int(DECK.kind[card]))
        card = s.under[card]
    goblins = [kind for kind in kinds if GOBLINS >> kind & 1]
    if len(goblins) != 1 or goblin not in (NONE, *goblins):
        return False
    return all(kind in goblins or JOKERS_FOR[goblins[0]] >> kind & 1 for kind in kinds)
