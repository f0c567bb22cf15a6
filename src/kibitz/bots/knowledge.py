"""What bots know of a game, found by the type of its state: heuristics and inference.

Like `engine.dispatch`, for bots: `action_value(s, seat, action)` in compiled code calls the game's
own function, or the one that stands in for it.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numba import from_dtype
from numba.extending import overload

from kibitz.engine.compiled import State
from kibitz.engine.game import Game


class Knowledge(NamedTuple):
    """What bots know of one game."""

    action_value: Callable[[State, int, int], int]
    win_chance: Callable[[State, int], float]
    observe: Callable[[State, State, int, int, Any], None]
    condition: Callable[[State, int, Any], None]
    beliefs: np.dtype[Any]
    infers: bool  # whether play tells anything of the hands
    calibration: tuple[float, float]  # bias and slope of the log odds that playouts find
    style: Mapping[str, Any]  # what a search does otherwise than usual
    guide: Mapping[str, Any] | None  # and a guided one, where that is better; else None
    habits: np.ndarray[Any, Any]  # for each action how much likelier it is than by its value
    tells_who_ends: bool  # whether it matters whose action ends a round


_by_record: dict[Any, Knowledge] = {}


@cache
def of(game: Game) -> Knowledge:
    """What bots know of a game; from now on compiled code knows it as well."""
    heuristics, inference = _module(game, "heuristics"), _module(game, "inference")
    standard = import_module("kibitz.bots.heuristics")
    found = Knowledge(
        action_value=heuristics.action_value,
        win_chance=heuristics.win_chance,
        observe=inference.observe,
        condition=inference.condition,
        beliefs=inference.BELIEFS,
        infers=inference.__name__.startswith(game.package),
        calibration=getattr(heuristics, "CALIBRATION", standard.CALIBRATION),
        style=getattr(heuristics, "STYLE", standard.STYLE),
        guide=getattr(heuristics, "GUIDE", None),
        habits=_habits(game, getattr(heuristics, "HABITS", standard.HABITS)),
        tells_who_ends=getattr(heuristics, "TELLS_WHO_ENDS", standard.TELLS_WHO_ENDS),
    )
    _by_record[from_dtype(game.layout.dtype)] = found
    return found


def _habits(game: Game, habits: Mapping[str, float]) -> np.ndarray[Any, Any]:
    """For each action the log odds of its verb."""
    return np.array([habits.get(action.verb.name, 0.0) for action in game.actions.all])


def _module(game: Game, name: str) -> ModuleType:
    """A module of the game's folder, or the one that stands in for it."""
    own = f"{game.package}.{name}"
    return import_module(own if find_spec(own) else f"kibitz.bots.{name}")


def action_value(s: State, seat: int, action: int) -> int:
    """What an action is worth at a glance; about 100 is one card well played."""
    raise NotImplementedError("for compiled code")


def win_chance(s: State, seat: int) -> float:
    """The chance of a seat to win the match, when a round is over."""
    raise NotImplementedError("for compiled code")


def observe(before: State, s: State, seat: int, action: int, beliefs: Any) -> None:
    """Note what an action, which led from one state to another, tells everyone of the hands."""
    raise NotImplementedError("for compiled code")


def condition(s: State, seat: int, beliefs: Any) -> None:
    """Bias a world redealt for a seat towards hands consistent with what the others did."""
    raise NotImplementedError("for compiled code")


@overload(action_value, strict=False)
def _action_value(s: State, seat: Any, action: Any) -> Any:
    f: Any = _by_record[s].action_value
    return lambda s, seat, action: f(s, np.int64(seat), np.int64(action))


@overload(win_chance, strict=False)
def _win_chance(s: State, seat: Any) -> Any:
    f: Any = _by_record[s].win_chance
    return lambda s, seat: f(s, np.int64(seat))


@overload(observe, strict=False)
def _observe(before: State, s: State, seat: Any, action: Any, beliefs: Any) -> Any:
    f: Any = _by_record[s].observe
    return lambda before, s, seat, action, beliefs: f(
        before, s, np.int64(seat), np.int64(action), beliefs
    )


@overload(condition, strict=False)
def _condition(s: State, seat: Any, beliefs: Any) -> Any:
    f: Any = _by_record[s].condition
    return lambda s, seat, beliefs: f(s, np.int64(seat), beliefs)
