"""Greedy play: the action that the game's heuristics like best."""

from typing import Any

from kibitz.bots import knowledge
from kibitz.bots.heuristics import share
from kibitz.engine import chance, dispatch
from kibitz.engine.action_list import list_actions
from kibitz.engine.bits import lowest
from kibitz.engine.compiled import NONE, ActionList, State, from_python, rule


@rule
def greedy(s: State, seat: int, found: ActionList, noise: int) -> int:
    """The listed action that looks best; `noise` is how far the values may be off."""
    best, best_score = found.action[0], -(1 << 40)
    for i in range(found.count):  # in sixteenths, so that equals are told apart by chance
        value = knowledge.action_value(s, seat, found.action[i])
        score = 16 * value + chance.below(s, 16 * (noise + 1))
        if score > best_score:
            best, best_score = found.action[i], score
    return int(best)


@rule
def play_round(s: State, found: ActionList, noise: int, limit: int) -> tuple[int, int]:
    """Everyone plays greedily until the round is over; how many actions, and who made the last.

    That is NONE where the round was over before.
    """
    n, seat = 0, NONE
    while not s.round_over and n < limit:
        seat = lowest(s.due)
        list_actions(s, seat, found)
        if found.count == 0:  # dealt anew, who was in the midst of a choice cannot go on with it
            break
        action = greedy(s, seat, found, noise) if found.count > 1 else found.action[0]
        dispatch.apply(s, seat, action)
        n += 1
    return n, seat


@from_python
def greedy_at(states: Any, i: int, lists: Any, seat: int, noise: int) -> int:
    """The best-looking action of a seat in state i."""
    list_actions(states[i], seat, lists[0])
    return greedy(states[i], seat, lists[0], noise)


@rule
def chance_after(s: State, seat: int) -> float:
    """A seat's chance to win the match, once a round is over: then the game can tell."""
    return share(s, seat) if s.over else knowledge.win_chance(s, seat)
