"""What bots know of Hearts: duck, throw penalties under others' tricks, pass on what is high."""

from kibitz.games.hearts.rules import (
    N_RANKS,
    NO_TRUMPS,
    PASS_CARD,
    PLAY_CARD,
    POINTS,
    QUEEN,
    TRICK,
    suit_led,
)

from kibitz.bots.heuristics import softmax
from kibitz.engine.action_list import verb_of
from kibitz.engine.cards import has_top, top_kind
from kibitz.engine.compiled import State, rule
from kibitz.engine.tricks import strength, trick_taker


@rule
def action_value(s: State, me: int, action: int) -> int:
    """By what the action is."""
    verb = verb_of(s, action)
    kind = action - verb
    if verb == PASS_CARD:
        return burden(kind)
    if verb == PLAY_CARD:
        return value_of_card(s, me, kind)
    return 0


@rule
def burden(kind: int) -> int:
    """HEARTS-E1: what it is worth to be rid of a card."""
    value = 8 * (kind % N_RANKS) + 10 * POINTS[kind]
    if QUEEN < kind < QUEEN + 3:  # ace and king of spades, which take the queen
        value += 40
    return value


@rule
def value_of_card(s: State, me: int, kind: int) -> int:
    """HEARTS-T5: cards that do not take the trick first, and of those the worst burden."""
    if s.leader == me:
        return -burden(kind)
    at_stake, others = POINTS[kind], 0
    for p in range(s.players):
        if has_top(s, TRICK + p):
            at_stake += POINTS[top_kind(s, TRICK + p)]
            others += 1
    best = top_kind(s, TRICK + trick_taker(s, TRICK, s.leader, suit_led(s), NO_TRUMPS))
    if strength(kind, suit_led(s), NO_TRUMPS) < best:
        return 100 + burden(kind)
    is_last = others == s.players - 1
    if is_last and at_stake == 0:
        return 100 + burden(kind)  # a trick that costs nothing
    return -burden(kind) - 20 * at_stake


@rule
def win_chance(s: State, me: int) -> float:
    """Fewest points win."""
    return softmax(s, me, -1, 15.0)
