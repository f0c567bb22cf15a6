"""Good sense in Viva: shed cards, call Viva, and keep a last card that can leave."""

import math

from kibitz.engine.bits import count
from kibitz.engine.compiled import NONE, State, rule
from kibitz.engine.moving import kinds, size
from kibitz.games.viva.cards import COLOURS
from kibitz.games.viva.rules import (
    BLOCK,
    BLOCK_CARD,
    CARDS_IN_HOUSE,
    CARDS_LAID,
    COLOURS_OF,
    DONE,
    DRAW,
    HAND,
    HOUSE,
    HOUSES,
    KIND,
    N_KINDS,
    OUT,
    PLAY,
    SHARING,
    STRIDE,
    TRY,
)  # fmt: skip

TRUST = (-0.36, 0.65)  # fitted by `kibitz calibrate viva`
A_CARD = 100
VIVA = 160  # sheds a blocking card and costs the others three
SEARCH = {"others": 1}  # docs/bots.md has the figures
HANDICAP = 0.2  # in winner's cards: the last loser wins half as many rounds as the others


@rule
def appraise(s: State, me: int, action: int) -> int:
    """Cards shed, and what they lead to."""
    if action < OUT:
        return appraise_play(s, me, (action - PLAY) % N_KINDS, (action - PLAY) // N_KINDS)
    if action == DRAW or action == DONE:
        return -A_CARD // 2
    if action < DRAW:
        return 50 * A_CARD
    if action >= TRY:
        return -5 * A_CARD
    return appraise_block(s, me, action - BLOCK_CARD)


@rule
def appraise_play(s: State, me: int, kind: int, spread: int) -> int:
    """VIVA-T1, T2, T3, V1: how many cards, whether it is Viva, and what is left."""
    laid = CARDS_LAID[spread]
    value = A_CARD * laid
    common = (1 << len(COLOURS)) - 1
    for house in range(HOUSES):
        top = s.top[HOUSE + house]
        if CARDS_IN_HOUSE[spread, house] > 0:
            common &= COLOURS_OF[kind]
        elif top == NONE:
            common = 0
        else:
            common &= COLOURS_OF[KIND[top]]
    left = size(s, HAND + me) - laid
    if common:
        return value + VIVA
    if left == 1 and s.top[BLOCK] != NONE:
        rest = kinds(s, HAND + me, STRIDE) & ~(1 << kind)
        if rest & SHARING[KIND[s.top[BLOCK]]]:
            value += A_CARD
    return value


@rule
def appraise_block(s: State, me: int, kind: int) -> int:
    """VIVA-V3, L1: bar what the own hand lacks, but let the last card leave on it."""
    rest = kinds(s, HAND + me, STRIDE) & ~(1 << kind)
    barred = count(rest & SHARING[kind])
    if size(s, HAND + me) == 2:
        return A_CARD * 2 * barred
    return -A_CARD // 4 * barred


@rule
def left_to_go(s: State) -> int:
    """Rounds until the match can end."""
    return max(0, s.rounds - s.round_no + 1)


@rule
def ahead(s: State, p: int) -> float:
    """VIVA-S4: winner's cards, less what a personal blocking card will cost its holder."""
    return s.total[p] - (HANDICAP if p == s.loser else 0.0)


@rule
def outlook(s: State, me: int) -> float:
    """A winner's card counts for more the fewer rounds are left."""
    scale = 0.3 + 0.175 * left_to_go(s)
    sum_ = 0.0
    for p in range(s.players):
        sum_ += math.exp((ahead(s, p) - ahead(s, me)) / scale)
    return 1 / sum_
