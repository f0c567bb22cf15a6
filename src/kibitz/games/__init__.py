"""The games, discovered automatically: every folder here with an identity card is one.

The folders of $KIBITZ_GAMES are searched as well, so that a game can be written anywhere.
"""

import os
import pkgutil
from functools import cache
from importlib import import_module
from pathlib import Path

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
    folder = Path(root.__path__[0])
    game = Game(
        identity=root.IDENTITY,
        layout=rules.LAYOUT,
        actions=rules.actions,
        events=rules.events,
        rules=rules,
        refusals=import_module(f"{package}.refusals"),
        positions=import_module(f"{package}.positions"),
        tabletop=import_module(f"{package}.tabletop").TABLETOP,
        texts=Texts(folder / "texts"),
        folder=folder,
    )
    return game.ready()
