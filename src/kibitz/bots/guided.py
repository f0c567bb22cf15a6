"""A search that is guided by what was learned.

Each simulation redeals what the searching seat cannot see and walks down the tree. At a decision of
its own the seat weighs what it has found so far against what the network likes (PUCT); what others
do is drawn from what the network expects of them in that world. At a new decision the walk ends,
and what the network foresees there is booked, for every seat. A round that ends counts for what it
was worth.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from kibitz.bots import knowledge
from kibitz.bots.network import Desk, Network, glance
from kibitz.bots.policy import chance_after, play_round
from kibitz.bots.search import find_child
from kibitz.engine import chance, dispatch
from kibitz.engine.action_list import list_actions
from kibitz.engine.bits import lowest
from kibitz.engine.compiled import NONE, ActionList, State, from_python, rule
from kibitz.engine.redeal import redeal

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("parent", np.int32), ("first", np.int32), ("sibling", np.int32),
                ("visits", np.int32), ("action", np.int16), ("seat", np.int8), ("known", np.int8),
                ("likely", np.float32), ("worth", np.float64),
            ],
            align=True,
        ),
    )
)  # fmt: skip
OWN, POLICY = 0, 1  # how others choose: by their own results, or as the network expects
NOISE = 60  # how far the values may be off by which heuristics choose
LIMIT = 2_000  # actions of a playout
LUCK = 1 << 20  # for drawing a choice by its probability


class Guide(NamedTuple):
    """How a guided search goes about it; docs/bots.md tells what was tried."""

    exploration: float = 1.0
    others: int = POLICY
    depth: int = 12  # actions of a walk
    infer: int = 1  # worlds are consistent with what the others did
    playouts: float = 0.0  # how much is given on playing the round out, and not on foresight
    heat: float = 1.0  # how much its likes are levelled out where it weighs; 1: as they are


@rule
def grow(tree: Any, used: int, parent: int, action: int, seat: int, likely: float) -> int:
    """One more child; the nodes in use."""
    node = tree[used]
    node.parent = parent
    node.first = NONE
    node.sibling = tree[parent].first
    node.action = action
    node.seat = seat
    node.visits = 0
    node.known = 0
    node.likely = likely
    node.worth = 0.0
    tree[parent].first = used
    return used + 1


@rule
def expand(tree: Any, used: int, at: int, seat: int, found: ActionList, desk: Desk) -> int:
    """A child for each listed action that has none yet; the nodes in use."""
    for i in range(found.count):
        action = int(found.action[i])
        if find_child(tree, at, seat, action) == NONE and used < len(tree):
            used = grow(tree, used, at, action, seat, desk.policy[i])
    tree[at].known |= 1 << seat
    return used


@rule
def level_out(likely: Any, n: int, heat: float) -> None:
    """Let the first n probabilities differ less: their log odds are divided by `heat`."""
    total = 0.0
    for i in range(n):
        likely[i] = likely[i] ** (1.0 / heat)
        total += likely[i]
    for i in range(n):
        likely[i] /= total


@rule
def best_child(tree: Any, at: int, seat: int, found: ActionList, exploration: float) -> int:
    """The most promising child among the listed actions; NONE if one of them is new."""
    visits, worth = 0, 0.0
    for i in range(found.count):
        child = find_child(tree, at, seat, found.action[i])
        if child == NONE:
            return NONE
        visits += tree[child].visits
        worth += tree[child].worth
    usual = worth / visits if visits else 0.5  # what nobody has tried is worth what the others are
    best, best_score = NONE, -1.0
    for i in range(found.count):
        child = find_child(tree, at, seat, found.action[i])
        node = tree[child]
        value = node.worth / node.visits if node.visits else usual
        urge = exploration * node.likely * math.sqrt(visits + 1.0) / (1.0 + node.visits)
        if value + urge > best_score:
            best, best_score = child, value + urge
    return best


@rule
def draw(s: State, n: int, desk: Desk) -> int:
    """Which of the listed actions is made, by how likely they are."""
    left = chance.below(s, LUCK) / LUCK
    for i in range(n):
        left -= desk.policy[i]
        if left < 0:
            return i
    return n - 1


@rule
def walk(
    tree: Any, used: int, s: State, found: ActionList, me: int,
    guide: Guide, network: Network, desk: Desk,
) -> tuple[int, int]:  # fmt: skip
    """From the root down to a new decision, or as far as one looks: there, and nodes in use.

    Afterwards desk.chances has everyone's.
    """
    at, depth = 0, 0
    secret = dispatch.secret(s)
    while not s.round_over:
        seat = me if (s.due >> me) & 1 else lowest(s.due)
        list_actions(s, seat, found)
        action = int(found.action[0])
        is_secret = seat != me and secret[action]
        weighs = seat == me or (guide.others == OWN and not is_secret)
        ends = depth >= guide.depth or used + found.count >= len(tree)
        child = best_child(tree, at, seat, found, guide.exploration) if weighs else NONE
        if found.count == 1 and not ends:
            if seat == me:
                dispatch.apply(s, seat, action)
                continue
        elif ends or child == NONE:
            glance(s, seat, found, network, desk)
            if ends:
                return at, used
            if weighs:
                is_new = (tree[at].known >> seat) & 1 == 0
                if guide.heat != 1.0:
                    level_out(desk.policy, found.count, guide.heat)
                used = expand(tree, used, at, seat, found, desk)
                if is_new:
                    return at, used
                child = best_child(tree, at, seat, found, guide.exploration)
            else:
                action = int(found.action[draw(s, found.count, desk)])
        if child != NONE:
            action = int(tree[child].action)
        dispatch.apply(s, seat, action)
        if not is_secret:
            if child == NONE:
                child = find_child(tree, at, seat, action)
            if child == NONE:
                child = used
                used = grow(tree, used, at, action, seat, 0.0)
            at = child
            depth += 1
    for p in range(s.players):
        desk.chances[p] = chance_after(s, p)
    return at, used


@rule
def book(tree: Any, at: int, chances: Any) -> None:
    """Book each seat's chance on the way back up."""
    while at != 0:
        node = tree[at]
        node.visits += 1
        node.worth += chances[node.seat]
        at = node.parent
    tree[0].visits += 1


@rule
def play_out(s: State, found: ActionList, share_of: float, desk: Desk) -> None:
    """Play the round out, and let its end count for a share of what was foreseen."""
    play_round(s, found, NOISE, LIMIT)
    for p in range(s.players):
        came = chance_after(s, p)
        desk.chances[p] += share_of * (came - desk.chances[p])


@from_python
def search(
    states: Any, lists: Any, tree: Any, used: int, me: int, sims: int, seed: int,
    guide: Guide, network: Network, desk: Desk, beliefs: Any,
) -> int:  # fmt: skip
    """Run simulations from states[0], playing in states[1]; the nodes in use.

    Each has a number of its own for its luck, however many are run at a time.
    """
    first = tree[0].visits
    for i in range(sims):
        states[1] = states[0]
        s = states[1]
        chance.reseed(s, seed, first + i)
        redeal(s, me)
        if guide.infer:
            knowledge.condition(s, me, beliefs[0])
        at, used = walk(tree, used, s, lists[0], me, guide, network, desk)
        if guide.playouts > 0 and not s.round_over:
            play_out(s, lists[0], guide.playouts, desk)
        book(tree, at, desk.chances)
    return used
