"""What every game promises, tried out by playing it: `kibitz check`, and the tests of this project.

A promise is a function with a sentence for a name. It is given a game, or a setting of it (players
and options), and asserts.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, TypeVar

from kibitz.contract.settings import Setting, defaults_of, settings_of
from kibitz.engine.game import Game

F = TypeVar("F", bound=Callable[..., None])
Subject = Game | Setting
MODULES = ("folder", "texts", "art", "play", "legality", "checked", "notation", "views", "secrets")

_subjects: dict[str, Callable[[Game], list[Any]]] = {
    "game": lambda game: [game],
    "setting": settings_of,  # every number of players, every option
    "default": defaults_of,  # every number of players
}


@dataclass(frozen=True)
class Promise:
    """What a game promises, and how to try it."""

    keep: Callable[[Any], None]
    over: str  # what it is given: game, setting or default

    @property
    def name(self) -> str:
        """The promise as a sentence."""
        return self.keep.__name__.replace("_", " ")

    def subjects(self, game: Game) -> list[Any]:
        """What it is tried with."""
        return _subjects[self.over](game)


_promises: list[Promise] = []


def promise(function: F) -> F:
    """Make a function a promise; its argument says what it is given."""
    (over,) = function.__code__.co_varnames[: function.__code__.co_argcount]
    _promises.append(Promise(function, over))
    return function


def promises() -> list[Promise]:
    """All promises, those about the folder first."""
    for module in MODULES:
        import_module(f"{__name__}.{module}")
    return _promises


def each(game: Game) -> Iterator[tuple[Promise, Subject]]:
    """All that there is to try of a game."""
    for one in promises():
        for subject in one.subjects(game):
            yield one, subject
