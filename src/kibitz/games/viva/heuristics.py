"""What bots know of Viva: shed cards, call Viva, and keep a last card that can leave."""

import math

from kibitz.engine.action_list import verb_of
from kibitz.engine.bits import count
from kibitz.engine.cards import has_top, kinds_in, size, top_kind
from kibitz.engine.compiled import State, rule
from kibitz.engine.seats import has
from kibitz.games.viva.components import (
    ALL_COLOURS,
    BLOCK,
    BLOCK_CARD,
    COLOURS_OF,
    DONE,
    DRAW,
    HAND,
    HOUSE,
    N_KINDS,
    OUT,
    OUT_OWN,
    PLAY,
    SHARING,
)
from kibitz.games.viva.spreads import CARDS_IN_HOUSE, CARDS_LAID, HOUSES

CALIBRATION = (-0.06, 0.93)  # fitted by `kibitz calibrate viva`
STYLE = {"others": 1}  # docs/bots.md has the figures
A_CARD = 100
A_VIVA = 160  # sheds a blocking card and costs the others three
HANDICAP = 0.2  # in winner's cards: the last loser wins half as many rounds as the others


@rule
def action_value(s: State, me: int, action: int) -> int:
    """Cards shed, and what they lead to."""
    verb = verb_of(s, action)
    if verb == PLAY:
        return value_of_play(s, me, (action - PLAY) % N_KINDS, (action - PLAY) // N_KINDS)
    if verb == DRAW or verb == DONE:
        return -A_CARD // 2
    if verb == OUT or verb == OUT_OWN:
        return 50 * A_CARD
    if verb == BLOCK_CARD:
        return value_of_block(s, me, action - BLOCK_CARD)
    return -5 * A_CARD


@rule
def value_of_play(s: State, me: int, kind: int, spread: int) -> int:
    """VIVA-T1, T2, T3, V1: how many cards, whether it is Viva, and what is left."""
    laid = CARDS_LAID[spread]
    value = A_CARD * laid
    common = ALL_COLOURS
    for house in range(HOUSES):
        if CARDS_IN_HOUSE[spread, house] > 0:
            common &= COLOURS_OF[kind]
        else:
            common &= COLOURS_OF[top_kind(s, HOUSE + house)] if has_top(s, HOUSE + house) else 0
    if common:
        return value + A_VIVA
    if size(s, HAND + me) - laid == 1 and has_top(s, BLOCK):
        rest = kinds_in(s, HAND + me) & ~(1 << kind)
        if rest & SHARING[top_kind(s, BLOCK)]:
            value += A_CARD
    return value


@rule
def value_of_block(s: State, me: int, kind: int) -> int:
    """VIVA-V3, L1: bar what the own hand lacks, but let the last card leave on it."""
    rest = kinds_in(s, HAND + me) & ~(1 << kind)
    barred = count(rest & SHARING[kind])
    if size(s, HAND + me) == 2:
        return A_CARD * 2 * barred
    return -A_CARD // 4 * barred


@rule
def left_to_go(s: State) -> int:
    """Rounds until the match can end."""
    return max(0, s.rounds - s.round_no)


@rule
def ahead(s: State, p: int) -> float:
    """VIVA-S4: winner's cards, less what a personal blocking card will cost its holder."""
    return s.total[p] - (HANDICAP if p == s.loser else 0.0)


@rule
def win_chance(s: State, me: int) -> float:
    """A winner's card counts for more the fewer rounds are left; a tie-break is among the tied."""
    if s.tie_break and not has(s.playing, me):
        return 0.0
    scale = 0.3 + 0.175 * left_to_go(s)
    sum_ = 0.0
    for p in range(s.players):
        if has(s.playing, p) or not s.tie_break:
            sum_ += math.exp((ahead(s, p) - ahead(s, me)) / scale)
    return 1 / sum_
