"""What a seat may do: which cards fit where (VIVA-T1 to T5), the last card (L1), tries (X1)."""

from kibitz.engine.action_list import add, add_each
from kibitz.engine.cards import at_least, is_empty, kinds_in, size, tally, top_or_none
from kibitz.engine.compiled import ActionList, State, rule
from kibitz.engine.seats import has
from kibitz.games.viva.components import (
    ALL_KINDS,
    BLOCK,
    BLOCK_CARD,
    BLOCKING,
    CLEARED,
    DONE,
    DRAW,
    DRAWN,
    DUTY,
    FITTING_ON,
    HAND,
    HOUSE,
    KEEP,
    N_KINDS,
    OUT,
    OUT_OWN,
    PERSONAL,
    PLAY,
    SHARING_WITH,
    STACK,
    TRY,
    TRY_BLOCK,
    TURN,
)
from kibitz.games.viva.spreads import CARDS_LAID, HOUSES, HOUSES_USED, SPREADS


@rule
def barred(s: State, me: int) -> int:
    """VIVA-T5: the kinds that may not go into a house."""
    return sharing_with(s, BLOCK) | sharing_with(s, PERSONAL + me)


@rule
def sharing_with(s: State, pile: int) -> int:
    """The kinds that have a colour in common with the top of a pile."""
    return SHARING_WITH[top_or_none(s, pile)]


@rule
def fitting(s: State, house: int) -> int:
    """VIVA-T1, T2: the kinds that fit into a house; any fits into an empty one."""
    return FITTING_ON[top_or_none(s, HOUSE + house)]


@rule
def source(s: State, me: int) -> int:
    """VIVA-T4: where a seat plays from: its hand, or the card just drawn alone."""
    return DRAWN + me if s.phase == KEEP else HAND + me


@rule
def has_last_card(s: State, me: int) -> bool:
    """VIVA-L1: whether the seat holds just one card."""
    return size(s, HAND + me) + size(s, DRAWN + me) == 1


@rule
def legal(s: State, me: int, found: ActionList) -> None:
    """What a seat that is due may do."""
    if s.phase == BLOCKING or s.phase == DUTY:
        add_each(found, BLOCK_CARD, kinds_in(s, HAND + me))
        return
    mine, last = kinds_in(s, source(s, me)), has_last_card(s, me)
    if last:  # VIVA-L1
        add_each(found, OUT, mine & sharing_with(s, BLOCK))
        add_each(found, OUT_OWN, mine & sharing_with(s, PERSONAL + me))
    else:
        legal_plays(s, me, mine & ~barred(s, me), found)
    if s.phase == KEEP:
        add(found, DONE)
    elif found.count == 0 or not is_empty(s, STACK) or not is_empty(s, CLEARED):  # VIVA-T4
        add(found, DRAW)
    if s.caught:
        legal_tries(s, me, mine, last, found)


@rule
def legal_plays(s: State, me: int, mine: int, found: ActionList) -> None:
    """VIVA-T1, T2, T3: cards of one kind into houses that they fit into."""
    first, second, third = mine & fitting(s, 0), mine & fitting(s, 1), mine & fitting(s, 2)
    add_each(found, PLAY, first)
    add_each(found, PLAY + N_KINDS, second)
    add_each(found, PLAY + N_KINDS * 2, third)
    if s.phase == TURN:  # VIVA-T4: the drawn card is played alone
        legal_spreads(s, me, first, second, third, found)


@rule
def legal_spreads(
    s: State, me: int, first: int, second: int, third: int, found: ActionList
) -> None:
    """VIVA-T3, L1: two or more of a kind, spread over houses; one card must be left.

    Given are the kinds that fit into each house.
    """
    counts, most = tally(s, HAND + me), size(s, HAND + me) - 1
    anywhere = first | second | third
    for spread in range(HOUSES, len(SPREADS)):
        kinds = anywhere & at_least(counts, CARDS_LAID[spread])
        if kinds == 0 or CARDS_LAID[spread] > most:
            break  # of the spreads to come, each takes as many cards, or more
        used = HOUSES_USED[spread]
        kinds &= first if has(used, 0) else ALL_KINDS
        kinds &= second if has(used, 1) else ALL_KINDS
        kinds &= third if has(used, 2) else ALL_KINDS
        add_each(found, PLAY + N_KINDS * spread, kinds)


@rule
def legal_tries(s: State, me: int, mine: int, last: bool, found: ActionList) -> None:
    """VIVA-X1: every card where it is forbidden."""
    for house in range(HOUSES):
        allowed = 0 if last else fitting(s, house) & ~barred(s, me)
        add_each(found, TRY + N_KINDS * house, mine & ~allowed)
    add_each(found, TRY_BLOCK, mine & ~sharing_with(s, BLOCK) if last else mine)
