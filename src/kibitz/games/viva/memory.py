"""What a seat's play tells everyone of its hand, and deals that fit it. No rule asks for it.

Who draws could not play, and who plays without a Viva had none at hand: so the kinds that would
have fitted are probably not in that hand. `lacks` holds the kinds that none of its cards is thought
to be, `lacked` those that none is but perhaps the `fresh` ones, which came from the stack since.
"""

from kibitz.engine.bits import lowest
from kibitz.engine.chance import below
from kibitz.engine.compiled import NONE, State, rule
from kibitz.engine.deck import WORDS
from kibitz.engine.moving import any_card, is_empty, move, size
from kibitz.games.viva.rules import (
    BLOCK,
    BLOCK_CARD,
    BLOCKING,
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
    PERSONAL,
    PLAY,
    STACK,
    TRY,
    TURN,
    WITH,
    barred,
    fitting,
    has_last_card,
    leaving,
)  # fmt: skip

DOUBT = 16  # one time in so many, a seat's play is taken to tell nothing
TRIES = 8  # to find a card that fits what is thought of a hand


@rule
def remember(before: State, s: State, me: int, action: int) -> None:
    """Note what an action of a real match tells of the hands."""
    for p in range(s.players):
        if s.round_no != before.round_no or not (s.playing >> p) & 1:
            forget(s, p)
        elif p != me:
            note_fresh(s, p, size(s, HAND + p) - size(before, HAND + p))
    if s.round_no == before.round_no and (s.playing >> me) & 1:
        remember_own(before, s, me, action)


@rule
def remember_own(before: State, s: State, me: int, action: int) -> None:
    """What it tells of the hand of the seat that made it."""
    if action < OUT and before.phase == TURN:
        spread, kind = (action - PLAY) // N_KINDS, (action - PLAY) % N_KINDS
        note_played(s, me, kind, CARDS_LAID[spread])
        if s.phase != BLOCKING:
            note_lack(s, me, viva_kinds(before) & ~barred(before, me))
    elif action == DRAW:
        note_lack(s, me, playable(before, me))
    elif action == DONE and size(before, HAND + me) == 1:
        note_fresh(s, me, 1)  # what the last card lacks says nothing of the one drawn
    elif BLOCK_CARD <= action < TRY and size(before, HAND + me) > 1:
        note_played(s, me, action - BLOCK_CARD, 1)
    elif action >= BLOCK_CARD:  # VIVA-V4, X1: a new hand, or one with three new cards
        forget(s, me)


@rule
def playable(s: State, me: int) -> int:
    """VIVA-T1, T2, T5, L1: the kinds of which one in hand would make a play possible."""
    if has_last_card(s, me):
        return leaving(s, BLOCK) | leaving(s, PERSONAL + me)
    fits = 0
    for house in range(HOUSES):
        fits |= fitting(s, HOUSE + house)
    return fits & ~barred(s, me)


@rule
def viva_kinds(s: State) -> int:
    """VIVA-V1: the kinds of which one card would make Viva, were it not barred."""
    found = 0
    for house in range(HOUSES):
        a, b = s.top[HOUSE + (house + 1) % HOUSES], s.top[HOUSE + (house + 2) % HOUSES]
        if a != NONE and b != NONE:
            found |= WITH[COLOURS_OF[KIND[a]] & COLOURS_OF[KIND[b]]] & fitting(s, HOUSE + house)
    return found


@rule
def forget(s: State, p: int) -> None:
    """Nothing is thought of this hand any more."""
    s.lacks[p] = 0
    s.lacked[p] = 0
    s.fresh[p] = 0


@rule
def note_lack(s: State, p: int, kinds: int) -> None:
    """A seat did not do what it could have done with one of these kinds."""
    s.lacks[p] |= kinds
    s.lacked[p] |= kinds


@rule
def note_fresh(s: State, p: int, n: int) -> None:
    """So many unseen cards came into a hand."""
    if n > 0:
        s.fresh[p] += n
        s.lacks[p] = 0
        none_but_fresh(s, p)


@rule
def note_played(s: State, p: int, kind: int, n: int) -> None:
    """Cards of a kind left a hand; if they were thought not to be there, think anew."""
    if (s.lacks[p] >> kind) & 1:
        forget(s, p)
    elif (s.lacked[p] >> kind) & 1:
        s.fresh[p] -= n
        if s.fresh[p] < 0:
            forget(s, p)
    none_but_fresh(s, p)


@rule
def none_but_fresh(s: State, p: int) -> None:
    """What older cards lacked is of no account when there are none."""
    if s.fresh[p] >= size(s, HAND + p):
        s.lacked[p] = s.lacks[p]
        s.fresh[p] = 0


@rule
def believe(s: State, me: int) -> None:
    """Bend a deal anew to what the play of the others tells of their hands."""
    for p in range(s.players):
        if p != me and s.lacked[p] and below(s, DOUBT):
            believe_hand(s, me, p)


@rule
def believe_hand(s: State, me: int, p: int) -> None:
    """Exchange cards that a hand is thought to lack for others from the stack."""
    cards, fresh = size(s, HAND + p), s.fresh[p]
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
            lacks = s.lacks[p] if is_fresh else s.lacked[p]
            if (lacks >> KIND[card]) & 1 and not sure:
                exchange(s, card, HAND + p, lacks)


@rule
def exchange(s: State, card: int, hand: int, lacks: int) -> None:
    """Change a card of a hand for one from the stack that is of none of these kinds."""
    for _ in range(0 if is_empty(s, STACK) else TRIES):
        other = any_card(s, STACK)
        if not (lacks >> KIND[other]) & 1:
            move(s, card, hand, STACK)
            move(s, other, STACK, hand)
            return
