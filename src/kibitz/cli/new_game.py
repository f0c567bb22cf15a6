"""A new game: a copy of the example under another name, complete and ready to be changed."""

import keyword
import shutil
from pathlib import Path

import kibitz
from kibitz.engine.errors import KibitzError
from kibitz.games import names

EXAMPLE = Path(kibitz.__file__).parent / "example" / "lantern"
MOST_LETTERS = 20


def new_game(name: str, folder: str) -> int:
    """Make the folder of a game, and say how to go on."""
    _check_name(name)
    target = Path(folder) / name
    if target.is_dir():
        raise KibitzError(f"{target} is there already; choose another name or folder")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(EXAMPLE, target, ignore=shutil.ignore_patterns("__pycache__"))
        for file in [file for file in target.rglob("*") if file.is_file()]:
            file.write_text(renamed(file.read_text("utf-8"), name), "utf-8")
            file.rename(file.with_name(renamed(file.name, name)))
    except OSError as error:
        raise KibitzError(f"cannot write {target}: {error.strerror}") from None
    print(
        f"{target} is a small, complete game. Play it, change it, check it:\n"
        f"  KIBITZ_GAMES={folder} kibitz play {name}\n"
        f"  KIBITZ_GAMES={folder} kibitz check {name}\n"
        "docs/games.md of Kibitz says what a game is made of."
    )
    return 0


def renamed(text: str, name: str) -> str:
    """A text of the example for a game of this name."""
    for old, new in (("lantern", name), ("Lantern", name.capitalize()), ("LANTERN", name.upper())):
        text = text.replace(old, new)
    return text


def _check_name(name: str) -> None:
    if not (name.isascii() and name.isalpha() and name.islower() and 1 < len(name) <= MOST_LETTERS):
        raise KibitzError(
            f"a game's name is 2 to {MOST_LETTERS} small letters from a to z, not {name!r}"
        )
    if keyword.iskeyword(name):
        raise KibitzError(f"{name!r} is a word of Python; choose another name")
    if name in names():
        raise KibitzError(f"there is a game {name!r} already; choose another name")
