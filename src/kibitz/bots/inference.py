"""What play tells of the hands of others.

A game's folder may hold an `inference.py`: the record type `BELIEFS`, and two rules. `observe`
notes what an action tells everyone, `condition` biases a redealt world towards hands that are
consistent with it. Where there is none, these stand in. Beliefs are kept beside a match, not in it,
and are made of nothing but what everyone could have seen.
"""

import threading
from typing import Any, NamedTuple

import numpy as np

from kibitz.bots import knowledge, story
from kibitz.bots.story import Story
from kibitz.engine.compiled import State, from_python, rule
from kibitz.engine.game import Game
from kibitz.engine.match import Match, bytes_of

BELIEFS: np.dtype[Any] = np.dtype((np.record, np.dtype([("none", np.int8)])))


@rule
def observe(before: State, s: State, me: int, action: int, beliefs: Any) -> None:
    """Nothing is noted of an action."""


@rule
def condition(s: State, me: int, beliefs: Any) -> None:
    """Nothing is concluded from what others did."""


@from_python
def observe_at(before: Any, states: Any, seat: int, action: int, beliefs: Any) -> None:
    """Note what an action tells that led from one state to another."""
    knowledge.observe(before[0], states[0], seat, action, beliefs[0])


class Beliefs(NamedTuple):
    """What a seat may conclude the hands of others from."""

    noted: Any  # by the game's own inference, as an array of one
    story: Story  # of the round, as the seat may tell it


def no_beliefs(game: Game) -> Beliefs:
    """Nothing was seen."""
    return Beliefs(np.zeros(1, knowledge.of(game).beliefs), story.empty(game))


class Onlooker:
    """Follows a match, and keeps what it tells of the hands."""

    def __init__(self, match: Match) -> None:
        known = knowledge.of(match.game)
        self._infers, self._tells = known.infers, "worlds" in known.style
        self._noted = np.zeros(1, known.beliefs)
        self._shadow = match.rewound(0)
        self._states = [_kept(self._shadow)]  # of this round: before each line, and now
        self._following = threading.Lock()  # several threads may ask

    def beliefs(self, match: Match, seat: int | None = None, *, tell: bool = False) -> Beliefs:
        """What a seat (None: everyone) can believe now; the match can only have gone on.

        The story of the round is told where the game's own style of search asks for it, or `tell`.
        """
        tells = seat is not None and (tell or self._tells)
        with self._following:
            if self._infers or tells:
                self._follow(match)
            noted = self._noted.copy()
            if seat is None or not tells:
                return Beliefs(noted, story.empty(match.game))
            lines = self._shadow.done[len(self._shadow.done) - len(self._states) + 1 :]
            return Beliefs(noted, story.told(match.game, self._states, lines, seat))

    def _follow(self, match: Match) -> None:
        for done in match.done[len(self._shadow.done) :]:
            before = self._shadow.state.copy() if self._infers else None
            self._shadow.repeat(done.seat, done.text)
            if done.seat is None:
                self._noted[:] = 0
                self._states.clear()
            elif before is not None:
                observe_at(before, self._shadow.state, done.seat, done.action, self._noted)
            self._states.append(_kept(self._shadow))


def _kept(match: Match) -> bytes:
    """How a match stands."""
    return bytes(bytes_of(match.state))
