"""The games, found by looking: every folder here with an identity card is one.

Folders named in $KIBITZ_GAMES are looked into as well, so that a game can be written anywhere.
"""

import os
import pkgutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from kibitz.engine.errors import UnknownGame
from kibitz.engine.game import Game
from kibitz.texts import Texts

__path__ += [p for p in os.environ.get("KIBITZ_GAMES", "").split(os.pathsep) if p]


def names() -> list[str]:
    """The names of the games found."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)


@cache
def find(name: str) -> Game:
    """A game by its name, ready to be played."""
    if name not in names():
        raise UnknownGame(f"there is no game {name!r}; there are {', '.join(names())}")
    package = f"{__name__}.{name}"
    root = import_module(package)
    rules = import_module(f"{package}.rules")
    refusals = import_module(f"{package}.refusals")
    table = import_module(f"{package}.table")
    folder = Path(root.__path__[0])
    game = Game(
        identity=root.IDENTITY,
        layout=rules.LAYOUT,
        actions=rules.actions,
        rules=rules,
        refusals=refusals,
        sense=_if_there(f"{package}.sense"),
        memory=_if_there(f"{package}.memory"),
        table=table.TABLE,
        texts=Texts(folder / "texts"),
        folder=folder,
    )
    return game.ready()


def _if_there(module: str) -> ModuleType | None:
    return import_module(module) if find_spec(module) else None
