"""Information-set Monte-Carlo tree search, for any game.

Each simulation redeals what the searching seat cannot see, walks down the tree through actions
that are legal in that world, adds a node, plays greedily to the end of the round, and books for
each seat its own chance to win the match. Every seat maximises its own. What other seats do unseen
(a sealed choice, a card passed secretly) makes no node: the searcher could not tell such nodes
apart, so it is played greedily.
"""

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from kibitz.bots import knowledge
from kibitz.bots.policy import chance_after, greedy, play_round
from kibitz.bots.weighing import Worlds, drawn_world
from kibitz.engine import chance, dispatch
from kibitz.engine.action_list import list_actions
from kibitz.engine.bits import lowest
from kibitz.engine.compiled import NONE, ActionList, State, from_python, rule
from kibitz.engine.game import Game
from kibitz.engine.redeal import redeal
from kibitz.engine.rounds import next_round

USUAL: Mapping[str, Any] = {}  # no changes in the style of a search
NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("parent", np.int32), ("first", np.int32), ("sibling", np.int32),
                ("visits", np.int32), ("offered", np.int32), ("children", np.int32),
                ("action", np.int16), ("seat", np.int8),
                ("worth", np.float64), ("square", np.float64),
                ("place", np.float64), ("points", np.float64),
            ],
            align=True,
        ),
    )
)  # fmt: skip


class Style(NamedTuple):
    """How a search goes about it; docs/bots.md tells what was tried."""

    exploration: float = 0.5
    noise: int = 60  # how far the values may be off by which playouts choose
    widening: float = 2.0  # below the root, n visits allow for this × √n children
    depth: int = 64  # actions looked ahead in the tree; 1 is plain Monte Carlo
    to_the_end: int = 0  # play out the match, not the round
    others: int = 0  # in the tree, other seats go by their own results; 1: they play greedily
    paired: int = 1  # all actions of the seat are tried in the same worlds, with the same luck
    infer: int = 1  # worlds are consistent with what the others did
    redeal: int = 1  # 0: there is one world, the one that it was given
    worlds: int = 0  # so many are dealt, and come as often as they are likely; 0: one is as good
    heat: float = 100.0  # how far values may differ and both actions still be likely
    doubt: float = 0.1  # how often others are taken to choose for no reason
    limit: int = 2_000  # actions of a playout
    sure: float = 0.0  # standard errors by which to be better than what looks better at a glance


def style_of(game: Game, changes: Mapping[str, Any] = USUAL) -> Style:
    """How a search goes about a game, with these changes."""
    return Style(**{**knowledge.of(game).style, **changes})


def new_tree(nodes: int, node: np.dtype[Any] = NODE) -> Any:
    """Room for a tree; node 0 is its root."""
    tree = np.zeros(nodes, node)  # the machine gives such memory only as it is used
    tree[0]["first"] = tree[0]["sibling"] = tree[0]["parent"] = NONE
    return tree


@rule
def grow(tree: Any, used: int, parent: int, action: int, seat: int) -> tuple[int, int]:
    """One more child, if there is room for it: the node reached, and the nodes in use."""
    if used == len(tree):
        return parent, used
    node = tree[used]
    node.parent = parent
    node.first = NONE
    node.sibling = tree[parent].first
    node.action = action
    node.seat = seat
    node.visits = 0
    node.offered = 1
    node.children = 0
    node.worth = 0.0
    node.square = 0.0
    node.place = 0.0
    node.points = 0.0
    tree[parent].first = used
    tree[parent].children += 1
    return used, used + 1


@rule
def find_child(tree: Any, parent: int, seat: int, action: int) -> int:
    """The child for an action of a seat, or NONE."""
    child = tree[parent].first
    while child != NONE and (tree[child].action != action or tree[child].seat != seat):
        child = tree[child].sibling
    return child


@rule
def best_child(tree: Any, parent: int, seat: int, found: ActionList, exploration: float) -> int:
    """The most promising child among the listed actions, or NONE; untried ones move to the front.

    Afterwards found.count is the number of untried actions.
    """
    best, best_score, untried = NONE, -1.0, 0
    for i in range(found.count):
        child = find_child(tree, parent, seat, found.action[i])
        if child == NONE:
            found.action[untried] = found.action[i]
            untried += 1
        else:
            node = tree[child]
            node.offered += 1
            spread = math.sqrt(math.log(node.offered + 1.0) / node.visits)
            score = node.worth / node.visits + exploration * spread
            if score > best_score:
                best, best_score = child, score
    found.count = untried
    return best


@rule
def next_try(
    tree: Any, used: int, s: State, found: ActionList, me: int, style: Style
) -> tuple[int, int]:
    """Which of its actions the seat tries next: that node, and the nodes in use.

    What it may do is the same in every world, so this can be settled before one is dealt.
    """
    list_actions(s, me, found)
    best = best_child(tree, 0, me, found, style.exploration)
    if found.count > 0:
        return grow(tree, used, 0, greedy(s, me, found, style.noise), me)
    return best, used


@rule
def descend(
    tree: Any, used: int, s: State, found: ActionList, me: int, style: Style, at: int
) -> tuple[int, int]:
    """From a node down to a new one, or to the end; that node, and the nodes in use."""
    depth = 0 if at == 0 else 1
    secret = dispatch.secret(s)
    while not s.round_over and depth < style.depth:
        seat = me if (s.due >> me) & 1 else lowest(s.due)
        list_actions(s, seat, found)
        if seat != me and secret[found.action[0]]:
            dispatch.apply(s, seat, greedy(s, seat, found, style.noise))
            continue
        if seat != me and style.others:
            action = greedy(s, seat, found, style.noise)
            dispatch.apply(s, seat, action)
            child = find_child(tree, at, seat, action)
            if child == NONE:
                return grow(tree, used, at, action, seat)
            at = child
            depth += 1
            continue
        best = best_child(tree, at, seat, found, style.exploration)
        room = at == 0 or tree[at].children < style.widening * math.sqrt(tree[at].visits + 1.0)
        if found.count > 0 and (room or best == NONE):
            action = greedy(s, seat, found, style.noise)
            dispatch.apply(s, seat, action)
            return grow(tree, used, at, action, seat)
        at = best
        depth += 1
        dispatch.apply(s, tree[at].seat, tree[at].action)
    return at, used


@rule
def book(tree: Any, at: int, s: State, me: int, sign: int, worth: Any) -> None:
    """Book each seat's chance on the way back up, and for root and children all figures."""
    for p in range(s.players):
        worth[p] = chance_after(s, p)
    place = 1.0
    for p in range(s.players):
        if sign * s.total[p] > sign * s.total[me]:
            place += 1.0
        elif p != me and s.total[p] == s.total[me]:
            place += 0.5
    while at != 0:
        node = tree[at]
        book_at(node, worth[node.seat])
        if node.parent == 0:
            book_figures(node, worth[node.seat], place, s.total[me])
        at = node.parent
    book_at(tree[0], worth[me])
    book_figures(tree[0], worth[me], place, s.total[me])


@rule
def book_at(node: Any, value: float) -> None:
    """One visit, and what came of it."""
    node.visits += 1
    node.worth += value


@rule
def book_figures(node: Any, value: float, place: float, points: int) -> None:
    """What the kibitzer tells besides."""
    node.square += value * value
    node.place += place
    node.points += points


@from_python
def search(
    states: Any,
    lists: Any,
    tree: Any,
    used: int,
    me: int,
    sign: int,
    sims: int,
    seed: int,
    style: Style,
    beliefs: Any,
    worlds: Worlds,
    steps: Any,
    worth: Any,
) -> int:
    """Run simulations from states[0], or from these worlds, playing in states[1]; nodes in use.

    The number of a simulation settles its luck, however many are run at a time; if they are
    paired, the number among those that try the same action. In each, the seat has taken these
    steps; they may have drawn a card, so what it may do then differs by world, and none are paired.
    `worth` is room for what a simulation was worth to each seat.
    """
    first = tree[0].visits
    for i in range(sims):
        states[1] = states[0]
        s, at, luck = states[1], 0, first + i
        if style.paired and not len(steps) and (s.due >> me) & 1 and not s.round_over:
            chance.reseed(s, seed, luck)
            at, used = next_try(tree, used, s, lists[0], me, style)
            luck = tree[at].visits
        if len(worlds.states):
            states[1] = worlds.states[drawn_world(worlds, seed, luck)]
        chance.reseed(s, seed, luck)
        if style.redeal and not len(worlds.states):
            redeal(s, me)
            if style.infer:
                knowledge.condition(s, me, beliefs[0])
        for action in steps:
            dispatch.apply(s, me, action)
        if at != 0:
            dispatch.apply(s, me, tree[at].action)
        if at == 0 or tree[at].visits > 0:
            at, used = descend(tree, used, s, lists[0], me, style, at)
        play_round(s, lists[0], style.noise, style.limit)
        if style.to_the_end:
            play_to_the_end(s, lists[0], style)
        book(tree, at, s, me, sign, worth)
    return used


@rule
def play_to_the_end(s: State, found: ActionList, style: Style) -> None:
    """Everyone plays greedily until the match is over, or a playout gets stuck (`play_round`)."""
    made = 1
    while not s.over and made > 0:
        if s.round_over:
            next_round(s)
        made, _ = play_round(s, found, style.noise, style.limit)
