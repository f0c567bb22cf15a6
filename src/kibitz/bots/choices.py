"""Whole choices of a seat: one action, or several, after all but the last of which it goes on.

A choice is written as its steps, joined by ` + `. In which order the steps before the last were
taken does not matter, as in lessons: `key` is the same for all orders.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.engine.game import Game
from kibitz.engine.match import Match

PLUS = " + "
Steps = tuple[str, ...]
Key = tuple[str, ...]


@dataclass(frozen=True)
class Choices:
    """All that a seat can choose, and how far it can have come with one."""

    whole: dict[Key, str]  # each in one order in which it can be made
    begun: tuple[Steps, ...]  # after which there is more to choose, likewise


def steps_of(choice: str) -> Steps:
    """The actions that a choice is made of."""
    return tuple(choice.split(PLUS))


def written(steps: Iterable[str]) -> str:
    """Steps as a choice."""
    return PLUS.join(steps)


def key(choice: str) -> Key:
    """What a choice is, in whichever order it was made."""
    return tuple(sorted(steps_of(choice)))


def numbers_of(game: Game, choice: str) -> np.ndarray[Any, Any]:
    """The steps of a choice as compiled code knows them."""
    steps = [game.actions.read(step) for step in steps_of(choice)]
    assert None not in steps
    return np.array(steps, np.int64)


def choices_of(match: Match, seat: int, most: int) -> Choices | None:
    """The choices of a seat; None if there are more."""
    whole: dict[Key, str] = {}
    begun: dict[Key, Steps] = {}
    now: dict[Key, tuple[Steps, Match]] = {(): ((), match)}
    while now:
        longer: dict[Key, tuple[Steps, Match]] = {}
        for steps, so_far in now.values():
            for action in so_far.legal(seat):
                made = (*steps, action)
                same = key(written(made))
                if not goes_on(match, action):
                    whole.setdefault(same, written(made))
                elif same not in longer:
                    after = so_far.copy()
                    after.play(seat, action)
                    longer[same] = made, after
            if len(whole) > most:
                return None
        begun |= {same: made for same, (made, _) in longer.items()}
        now = longer
    return Choices(whole, tuple(begun.values()))


def goes_on(match: Match, action: str) -> bool:
    """Whether a choice goes on after an action."""
    verb = match.verb(action)
    return verb is not None and verb.continues
