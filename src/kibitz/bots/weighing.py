"""Worlds weighed by what the others did in them.

A pool of worlds is dealt, and in each the story of the round is told backwards: what each of the
others held when it chose, and how likely it was to choose what it did, were it to go by the game's
heuristics. The product is the world's weight. Nobody quite goes by heuristics, so all choices are
taken to be made with some heat, and now and then for no reason at all.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from kibitz.bots import knowledge
from kibitz.bots.story import Story, hand_of, held
from kibitz.engine import chance
from kibitz.engine.action_list import list_actions
from kibitz.engine.bits import count, nth
from kibitz.engine.cards import size
from kibitz.engine.compiled import NONE, ActionList, State, from_python, rule
from kibitz.engine.deck import WORDS
from kibitz.engine.redeal import redeal

GOLDEN = 0.6180339887498949  # its multiples, without the whole part, lie evenly however many


class Worlds(NamedTuple):
    """Worlds, and how much the first of them weigh together, up to each."""

    states: Any
    up_to: Any


def no_worlds(state: Any) -> Worlds:
    """Every simulation deals its own."""
    return Worlds(np.zeros(0, state.dtype), np.zeros(0))


@rule
def drawn_world(worlds: Worlds, seed: int, n: int) -> int:
    """Which world a simulation has, by weight: with its number, all come as often as they weigh."""
    share = ((seed & 0xFFFF) / 0x10000 + n * GOLDEN) % 1.0
    at = int(np.searchsorted(worlds.up_to, share))
    return min(at, len(worlds.up_to) - 1)


def by_weight(states: Any, logs: Any) -> Worlds:
    """Worlds, by the logs of their weights."""
    weights = np.exp(logs - logs.max())
    return Worlds(states, np.cumsum(weights / weights.sum()))


@from_python
def weigh(
    states: Any, lists: Any, me: int, seed: int, infer: int, heat: float, doubt: float,
    habits: Any, beliefs: Any, story: Story, logs: Any,
    hands: Any,
) -> None:  # fmt: skip
    """Deal each state anew, and write down the log of its weight; `hands` is room to do it in."""
    for i in range(len(states)):
        s = states[i]
        chance.reseed(s, seed, i)
        redeal(s, me)
        if infer:
            knowledge.condition(s, me, beliefs[0])
        logs[i] = likelihood(s, lists[0], me, heat, doubt, habits, story, hands)


@rule
def likelihood(
    s: State, found: ActionList, me: int, heat: float, doubt: float, habits: Any, story: Story,
    hands: Any,
) -> float:  # fmt: skip
    """The log of how likely it was that the others did what they did, were this the world."""
    for p in range(s.players):
        for w in range(WORDS):
            hands[p, w] = held(s, p, w)
    total = 0.0
    for n in range(len(story.seat) - 1, -1, -1):
        if not undo(s, story, n, me, hands):
            break
        p = story.seat[n]
        if story.action[n] != NONE and put_into_hand(story.shown[n], p, hands[p]):
            chosen = story.action[n]
            total += math.log(likely(story.shown[n], found, p, chosen, heat, doubt, habits))
    return total


@rule
def undo(s: State, story: Story, n: int, me: int, hands: Any) -> bool:
    """Take a line back: what was drawn unseen is any card that may have been. Whether it can be."""
    giver = story.giver[n]
    for p in range(s.players):
        for w in range(WORDS):
            hands[p, w] &= ~story.came[n, p, w]
        for _ in range(story.drawn[n, p]):
            low, high = hands[p, 0] & story.unseen[n, 0], hands[p, 1] & story.unseen[n, 1]
            at = count(low) + count(high)
            if at == 0:
                return False
            at = chance.below(s, at)
            card = nth(low, at) if at < count(low) else 64 + nth(high, at - count(low))
            hands[p, card >> 6] ^= 1 << (card & 63)
            if giver != NONE:
                hands[giver, card >> 6] |= 1 << (card & 63)
    for p in range(s.players):
        for w in range(WORDS):
            hands[p, w] |= story.left[n, p, w]
    return True


@rule
def put_into_hand(s: State, p: int, cards: Any) -> bool:
    """Let a seat hold these cards, in exchange for those it held; whether it held as many."""
    hand = hand_of(s, p)
    low, high = s.cards[hand, 0] & ~cards[0], s.cards[hand, 1] & ~cards[1]  # these are given up
    if size(s, hand) != count(cards[0]) + count(cards[1]):
        return False
    for zone in range(s.cards.shape[0]):
        for w in range(WORDS):
            taken = s.cards[zone, w] & cards[w] if zone != hand else 0
            s.cards[zone, w] ^= taken
            for _ in range(count(taken)):
                if low:
                    s.cards[zone, 0] |= low & -low
                    low &= low - 1
                else:
                    s.cards[zone, 1] |= high & -high
                    high &= high - 1
    for w in range(WORDS):
        s.cards[hand, w] = cards[w]
    return True


@rule
def likely(
    s: State, found: ActionList, p: int, action: int, heat: float, doubt: float, habits: Any
) -> float:
    """How likely a seat is to choose an action: the better it looks to it, the likelier."""
    list_actions(s, p, found)
    best, mine, total = -math.inf, 0.0, 0.0
    for i in range(found.count):
        value = knowledge.action_value(s, p, found.action[i]) / heat + habits[found.action[i]]
        if value > best:  # all are taken relative to the best so far, so that none is too great
            total *= math.exp(best - value)
            mine *= math.exp(best - value)
            best = value
        share = math.exp(value - best)
        total += share
        if found.action[i] == action:
            mine = share
    return (1.0 - doubt) * mine / total + doubt / max(1, found.count)
