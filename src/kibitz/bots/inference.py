"""What play tells of the hands of others.

A game's folder may hold an `inference.py`: the record type `BELIEFS`, and two rules. `observe`
notes what an action tells everyone, `condition` biases a redealt world towards hands that are
consistent with it. Where there is none, these stand in. Beliefs are kept beside a match, not in it,
and are made of nothing but what everyone could have seen.
"""

import threading
from typing import Any

import numpy as np

from kibitz.bots import knowledge
from kibitz.engine.compiled import State, from_python, rule
from kibitz.engine.match import Match

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


class Onlooker:
    """Follows a match, and keeps what it tells everyone of the hands."""

    def __init__(self, match: Match) -> None:
        known = knowledge.of(match.game)
        self._beliefs = np.zeros(1, known.beliefs)
        self._shadow = match.rewound(0) if known.infers else None
        self._following = threading.Lock()  # several threads may ask

    def beliefs(self, match: Match) -> Any:
        """What can be believed now, as an array of one; the match can only have gone on."""
        with self._following:
            if self._shadow is not None:
                for done in match.done[len(self._shadow.done) :]:
                    before = self._shadow.state.copy()
                    self._shadow.repeat(done.seat, done.text)
                    if done.seat is None:
                        self._beliefs[:] = 0
                    else:
                        observe_at(
                            before, self._shadow.state, done.seat, done.action, self._beliefs
                        )
            return self._beliefs.copy()
