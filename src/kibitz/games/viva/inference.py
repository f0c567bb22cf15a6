"""What a seat's play tells everyone of its hand, and worlds that are consistent with it.

A player who draws probably had no play, and one who plays without a Viva probably had none at hand:
so the kinds that would have fitted are probably not in that hand. `lacks` holds the kinds that none
of its cards is believed to be, `lacked` those that none is except perhaps the `fresh` ones, which
came from the stack since.
"""

from typing import Any

import numpy as np

from kibitz.engine.action_list import verb_of
from kibitz.engine.bits import lowest
from kibitz.engine.cards import any_card, has_top, is_empty, move, size, top_kind
from kibitz.engine.chance import below
from kibitz.engine.compiled import State, lookup, rule
from kibitz.engine.deck import WORDS
from kibitz.engine.dispatch import kind_of
from kibitz.engine.seats import has
from kibitz.engine.zones import SEATS
from kibitz.games.viva.components import (
    BLOCK,
    BLOCK_CARD,
    BLOCKING,
    COLOURS_OF,
    DONE,
    DRAW,
    HAND,
    HOUSE,
    N_KINDS,
    PERSONAL,
    PLAY,
    STACK,
    TRY,
    TRY_BLOCK,
    TURN,
)
from kibitz.games.viva.deck import COLOURS
from kibitz.games.viva.plays import barred, fitting, has_last_card, sharing_with
from kibitz.games.viva.spreads import CARDS_LAID, HOUSES

BELIEFS = np.dtype(
    (
        np.record,
        np.dtype(
            [("lacks", np.int32, SEATS), ("lacked", np.int32, SEATS), ("fresh", np.int8, SEATS)],
            align=True,
        ),
    )
)
DOUBT = 16  # one time in so many, a seat's play is taken to tell nothing
TRIES = 8  # to find a card that is consistent with what is believed of a hand
WITH = lookup(  # for each set of colours, the kinds that show one of them
    sum(1 << k for k in range(N_KINDS) if COLOURS_OF[k] & colours)
    for colours in range(1 << len(COLOURS))
)


@rule
def observe(before: State, s: State, me: int, action: int, beliefs: Any) -> None:
    """Note what an action of a real match tells of the hands."""
    for p in range(s.players):
        if s.round_over or not has(s.playing, p):
            forget(beliefs, p)
        elif p != me:
            note_fresh(s, p, size(s, HAND + p) - size(before, HAND + p), beliefs)
    if not s.round_over and has(s.playing, me):
        observe_own(before, s, me, action, beliefs)


@rule
def observe_own(before: State, s: State, me: int, action: int, beliefs: Any) -> None:
    """What it tells of the hand of the seat that made it."""
    verb = verb_of(s, action)
    if verb == PLAY and before.phase == TURN:
        spread, kind = (action - PLAY) // N_KINDS, (action - PLAY) % N_KINDS
        note_played(s, me, kind, CARDS_LAID[spread], beliefs)
        if s.phase != BLOCKING:
            note_lack(me, viva_kinds(before) & ~barred(before, me), beliefs)
    elif verb == DRAW:
        note_lack(me, playable(before, me), beliefs)
    elif verb == DONE and size(before, HAND + me) == 1:
        note_fresh(s, me, 1, beliefs)  # what the last card lacks says nothing of the one drawn
    elif verb == BLOCK_CARD and size(before, HAND + me) > 1:
        note_played(s, me, action - BLOCK_CARD, 1, beliefs)
    elif verb == BLOCK_CARD or verb == TRY or verb == TRY_BLOCK:
        forget(beliefs, me)  # VIVA-V4, X1: a new hand, or one with three new cards


@rule
def playable(s: State, me: int) -> int:
    """VIVA-T1, T2, T5, L1: the kinds of which one in hand would make a play possible."""
    if has_last_card(s, me):
        return sharing_with(s, BLOCK) | sharing_with(s, PERSONAL + me)
    fits = 0
    for house in range(HOUSES):
        fits |= fitting(s, house)
    return fits & ~barred(s, me)


@rule
def viva_kinds(s: State) -> int:
    """VIVA-V1: the kinds of which one card would make Viva, were it not barred."""
    found = 0
    for house in range(HOUSES):
        a, b = HOUSE + (house + 1) % HOUSES, HOUSE + (house + 2) % HOUSES
        if has_top(s, a) and has_top(s, b):
            common = COLOURS_OF[top_kind(s, a)] & COLOURS_OF[top_kind(s, b)]
            found |= WITH[common] & fitting(s, house)
    return found


@rule
def forget(beliefs: Any, p: int) -> None:
    """Nothing is believed of this hand any more."""
    beliefs.lacks[p] = 0
    beliefs.lacked[p] = 0
    beliefs.fresh[p] = 0


@rule
def note_lack(p: int, kinds: int, beliefs: Any) -> None:
    """A seat did not do what it could have done with one of these kinds."""
    beliefs.lacks[p] |= kinds
    beliefs.lacked[p] |= kinds


@rule
def note_fresh(s: State, p: int, n: int, beliefs: Any) -> None:
    """So many unseen cards came into a hand."""
    if n > 0:
        beliefs.fresh[p] += n
        beliefs.lacks[p] = 0
        none_but_fresh(s, p, beliefs)


@rule
def note_played(s: State, p: int, kind: int, n: int, beliefs: Any) -> None:
    """Cards of a kind left a hand; if they were believed not to be there, start over."""
    if (beliefs.lacks[p] >> kind) & 1:
        forget(beliefs, p)
    elif (beliefs.lacked[p] >> kind) & 1:
        beliefs.fresh[p] -= n
        if beliefs.fresh[p] < 0:
            forget(beliefs, p)
    none_but_fresh(s, p, beliefs)


@rule
def none_but_fresh(s: State, p: int, beliefs: Any) -> None:
    """What older cards lacked does not matter when there are none."""
    if beliefs.fresh[p] >= size(s, HAND + p):
        beliefs.lacked[p] = beliefs.lacks[p]
        beliefs.fresh[p] = 0


@rule
def condition(s: State, me: int, beliefs: Any) -> None:
    """Bias a redealt world towards hands that are consistent with the others' play."""
    for p in range(s.players):
        if p != me and beliefs.lacked[p] and below(s, DOUBT):
            condition_hand(s, me, p, beliefs)


@rule
def condition_hand(s: State, me: int, p: int, beliefs: Any) -> None:
    """Exchange cards that a hand is believed to lack for others from the stack."""
    cards, fresh = size(s, HAND + p), beliefs.fresh[p]
    hand = s.cards[HAND + p, 0], s.cards[HAND + p, 1]
    for w in range(WORDS):
        left = hand[w]
        while left:
            card = 64 * w + lowest(left)
            sure = (s.seen[w] | s.known[me, w]) & left & -left
            left &= left - 1
            is_fresh = int(below(s, cards) < fresh)
            cards -= 1
            fresh -= is_fresh
            lacks = beliefs.lacks[p] if is_fresh else beliefs.lacked[p]
            if (lacks >> kind_of(s)[card]) & 1 and not sure:
                exchange(s, card, HAND + p, lacks)


@rule
def exchange(s: State, card: int, hand: int, lacks: int) -> None:
    """Change a card of a hand for one from the stack that is of none of these kinds."""
    for _ in range(0 if is_empty(s, STACK) else TRIES):
        other = any_card(s, STACK)
        if not (lacks >> kind_of(s)[other]) & 1:
            move(s, card, hand, STACK)
            move(s, other, STACK, hand)
            return
