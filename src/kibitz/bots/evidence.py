"""What comes of a choice: it is made in many worlds, and the round is played out greedily.

Two choices that are tried with the same seed are tried in the same worlds with the same luck, so
that what differs between them is not drowned by what does not.
"""

from typing import Any

import numpy as np

from kibitz.bots import knowledge
from kibitz.bots.choices import numbers_of
from kibitz.bots.inference import Beliefs
from kibitz.bots.policy import chance_after, play_round
from kibitz.bots.search import Style, style_of
from kibitz.engine import chance, dispatch
from kibitz.engine.action_list import list_actions, new_list
from kibitz.engine.bits import lowest
from kibitz.engine.compiled import ActionList, State, from_python, rule
from kibitz.engine.match import Match
from kibitz.engine.redeal import redeal
from kibitz.engine.seats import how_many_seats
from kibitz.engine.zones import SEATS

# What is noted of a world. First for each seat: whether it has the best score of the round, its
# points in the round, its chance to win the match, whether its action ended the round; then how
# many actions were still made in the round, what the next seat could do, who that was, and the own
# points by part of the score.
BEST, POINTS, CHANCE, ENDS = 0, SEATS, 2 * SEATS, 3 * SEATS
ACTIONS = 4 * SEATS
CHOICES = ACTIONS + 1
NEXT = ACTIONS + 2
PARTS = ACTIONS + 3
NOBODY = -1.0  # nobody else is due, or several are


@rule
def note_next(s: State, found: ActionList, me: int, row: Any) -> None:
    """What the next seat can do."""
    row[NEXT] = NOBODY
    row[CHOICES] = 0.0
    if how_many_seats(s.due) == 1 and lowest(s.due) != me:
        seat = lowest(s.due)
        list_actions(s, seat, found)
        row[NEXT] = seat
        row[CHOICES] = found.count


@rule
def note_round(s: State, me: int, sign: int, row: Any) -> None:
    """How the round came out."""
    for p in range(s.players):
        points = 0.0
        for part in range(s.gain.shape[1]):
            points += s.gain[p, part]
            if p == me:
                row[PARTS + part] = s.gain[p, part]
        row[POINTS + p] = points
        row[CHANCE + p] = chance_after(s, p)
    for p in range(s.players):
        row[BEST + p] = 1.0
        for q in range(s.players):
            if sign * row[POINTS + q] > sign * row[POINTS + p]:
                row[BEST + p] = 0.0


@from_python
def play_on(
    states: Any, lists: Any, me: int, sign: int, steps: Any, seed: int, style: Style,
    beliefs: Any, rows: Any,
) -> None:  # fmt: skip
    """Make a choice in as many worlds of states[0] as there are rows, playing in states[1]."""
    for i in range(len(rows)):
        states[1] = states[0]
        s = states[1]
        chance.reseed(s, seed, i)
        redeal(s, me)
        if style.infer:
            knowledge.condition(s, me, beliefs[0])
        for action in steps:
            dispatch.apply(s, me, action)
        note_next(s, lists[0], me, rows[i])
        n, last = play_round(s, lists[0], style.noise, style.limit)
        rows[i, ACTIONS] = n
        if s.round_over:
            rows[i, ENDS + (me if n == 0 else last)] = 1.0
        note_round(s, me, sign, rows[i])


def tried(match: Match, seat: int, choice: str, beliefs: Beliefs, seed: int, worlds: int) -> Any:
    """What comes of a choice of a seat, as far as the seat can know: a row for each world."""
    game = match.game
    steps = numbers_of(game, choice)
    world = match.sample_world(seat)
    rows = np.zeros((worlds, PARTS + len(game.layout.parts)))
    sign, style = -1 if game.identity.low_wins else 1, style_of(game)
    states = np.concatenate([world, world])
    play_on(states, new_list(), seat, sign, steps, seed, style, beliefs.noted, rows)
    return rows
