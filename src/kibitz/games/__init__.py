"""The games, discovered automatically: every folder here with an identity card is one.

The folders of $KIBITZ_GAMES are searched as well, so that a game can be written anywhere.
"""

import os
import pkgutil
import traceback
from functools import cache
from importlib import import_module
from pathlib import Path

from kibitz.engine.errors import BrokenGame, KibitzError, UnknownGame
from kibitz.engine.game import Game
from kibitz.texts import LANGUAGES, Texts

_HERE = list(__path__)
_GIVEN = [folder for folder in os.environ.get("KIBITZ_GAMES", "").split(os.pathsep) if folder]
__path__ += _GIVEN


def names() -> list[str]:
    """The names of the games found."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)


@cache
def find(name: str) -> Game:
    """A game by its name, ready to be played."""
    if name not in names():
        known = "; ".join([f"there are {', '.join(names())}", *problems()])
        raise UnknownGame(f"there is no game {name!r}; {known}")
    try:
        return _load(name).ready()
    except KibitzError:
        raise
    except Exception as error:  # whatever a game's own code may raise
        raise BrokenGame(f"the game {name!r} cannot be loaded: {where(error)}") from error


def sound() -> tuple[list[str], list[str]]:
    """The names of the games that can be loaded, and what is wrong with the others."""
    found, wrong = [], []
    for name in names():
        try:
            texts = find(name).texts
            for lang in LANGUAGES:
                texts.say(lang, "title")
            found.append(name)
        except KibitzError as error:
            wrong.append(f"{error} (see `kibitz check {name}`)")
    return found, wrong


def _load(name: str) -> Game:
    package = f"{__name__}.{name}"
    root = import_module(package)
    folder = Path(root.__path__[0])
    if root.IDENTITY.name != name:
        raise BrokenGame(
            f"the folder {folder} holds a game named {root.IDENTITY.name!r} by its identity card; "
            "both must be the same"
        )
    rules = import_module(f"{package}.rules")
    return Game(
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


def where(error: BaseException) -> str:
    """An error in a game's code in a line: the innermost place in a game's folder, and what it is.

    Rules keep their file and line in checked play.
    """
    said = f"{type(error).__name__}: {error}"
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}: {type(error).__name__}: {error.msg}"
    folders = [str(Path(folder).resolve()) for folder in __path__]
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file = str(Path(frame.filename).resolve())
        if file != __file__ and any(file.startswith(folder + os.sep) for folder in folders):
            return f"{frame.filename}, line {frame.lineno}, in {frame.name}: {said}"
    return said


def problems() -> list[str]:
    """What is wrong with the folders of $KIBITZ_GAMES, a line each."""
    found = []
    for folder in _GIVEN:
        inside = {module.name for module in pkgutil.iter_modules([folder]) if module.ispkg}
        if not Path(folder).is_dir():
            found.append(f"$KIBITZ_GAMES names {folder}, which is no folder")
        elif (Path(folder) / "rules.py").exists():
            found.append(f"$KIBITZ_GAMES names {folder}, which is a game: name the folder it is in")
        elif not inside:
            found.append(f"$KIBITZ_GAMES names {folder}, in which no folder has an __init__.py")
        taken = {module.name for module in pkgutil.iter_modules(_HERE)} & inside
        found += [f"{folder}/{name} is not used: there is another {name}" for name in sorted(taken)]
    return found
