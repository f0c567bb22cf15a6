"""A game looked through for its author: what is wrong, where, and what would be right.

First the folder is looked at and the rules are played in plain Python, where a mistake has a file
and a line. Only then they are compiled, and all promises tried.
"""

import difflib
import random
import re
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numba.core.errors import NumbaError

from kibitz.contract import Subject, each, promises
from kibitz.contract.settings import Setting, settings_of
from kibitz.engine import chance
from kibitz.engine.checked import Checked, CheckedList, plain
from kibitz.engine.errors import BrokenGame, KibitzError
from kibitz.engine.game import Game
from kibitz.engine.rounds import next_round
from kibitz.games import find, where

OF_THE_FOLDER = ("folder", "texts", "art")  # promises that need no compiled rules
MATCHES, STEPS = 3, 400

Progress = Callable[[str, int, int], None]  # what is tried, how much is done, how much there is


@dataclass(frozen=True)
class Finding:
    """Something wrong: the promise that is broken, with which setting, and how."""

    promise: str
    subject: str
    text: str


def check(name: str, progress: Progress) -> Iterator[Finding]:
    """Look through a game; an unknown name raises UnknownGame."""
    if not __debug__:
        raise KibitzError("kibitz check needs Python's assertions: run it without -O")
    try:
        game = find(name)
    except BrokenGame as error:
        yield Finding("the game can be loaded", name, str(error))
        return
    done, pairs = 0, sorted(each(game), key=lambda pair: not _of_the_folder(pair[0]))
    first = sum(_of_the_folder(promise) for promise, _ in pairs)
    for promise, subject in pairs[:first]:
        progress(promise.name, done, len(pairs))
        yield from _tried(promise.name, promise.keep, subject, game)
        done += 1
    broken = False
    for setting in settings_of(game):
        progress("the rules in plain Python", done, len(pairs))
        for finding in _tried("the rules run in plain Python", play_plainly, setting, game):
            broken = True
            yield finding
    if broken:  # compiled, the same mistake would be hundreds of lines
        return
    for promise, subject in pairs[first:]:
        progress(promise.name, done, len(pairs))
        for finding in _tried(promise.name, promise.keep, subject, game):
            yield finding
            if finding.text.startswith(NOT_COMPILED):
                return
        done += 1


def how_many(game: Game) -> int:
    """How many promises there are to keep."""
    return sum(bool(promise.subjects(game)) for promise in promises())


def _of_the_folder(promise: Any) -> bool:
    return promise.over == "game" and promise.keep.__module__.rpartition(".")[2] in OF_THE_FOLDER


def _tried(
    title: str, keep: Callable[[Any], None], subject: Subject, game: Game
) -> Iterator[Finding]:
    try:
        keep(subject)
    except Exception as error:  # whatever a game's own code may raise
        about = "" if isinstance(subject, Game) else str(subject)
        yield Finding(title, about, explained(error, game))


def play_plainly(setting: Setting) -> None:
    """A few matches in checked play, which names what a compiled record would swallow."""
    game = find(setting.game)
    settings = game.settings(setting.players, setting.options)
    for seed in range(MATCHES):
        state = game.blank(setting.players, settings, reporting=True)
        s, rng = Checked(game.layout, game.plain, state[0]), random.Random(seed)
        plain(chance.reseed)(s, seed, 0)
        plain(next_round)(s)
        for _ in range(STEPS):
            s.events = 0
            if s.over:
                break
            if s.round_over:
                plain(next_round)(s)
                continue
            due = [seat for seat in range(setting.players) if s.due >> seat & 1]
            assert due, "nobody is due, and the round is not over: set s.due, or `end_round`"
            seat, found = rng.choice(due), CheckedList()
            game.plain.legal(s, seat, found)
            assert found.listed(), f"seat {seat} is due, but `legal` adds no action for it"
            game.plain.apply(s, seat, rng.choice(found.listed()))


# ---- errors, for people


NOT_COMPILED = "the rules cannot be compiled"


def explained(error: Exception, game: Game) -> str:
    """What went wrong: where in the game's folder, and what could be meant."""
    if isinstance(error, AssertionError):
        return str(error) or _failed_line(error)
    if isinstance(error, NumbaError):
        return _not_compiled(str(error), game.folder)
    if isinstance(error, KibitzError):
        return str(error)
    remedy = _remedy(error, game)
    return where(error) + (f"\n{remedy}" if remedy else "")


def _failed_line(error: AssertionError) -> str:
    """The line of the contract that does not hold."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"`{frame.line}` does not hold ({Path(frame.filename).name}, line {frame.lineno})"


def _remedy(error: Exception, game: Game) -> str:
    if isinstance(error, AttributeError) and (field := re.search(r"no field '(\w+)'", str(error))):
        known = list(game.layout.dtype.fields or ())
        like = difflib.get_close_matches(field[1], known, 1)
        meant = f"did you mean {like[0]!r}? " if like else ""
        return f"{meant}A game's own fields are declared in `layout`."
    if isinstance(error, OverflowError):
        return "The number does not fit: declare the field with a larger type, such as number(I4)."
    if isinstance(error, IndexError):
        return "The index is outside: a negative one, such as NONE, does not count from the end."
    return ""


def _not_compiled(message: str, folder: Path) -> str:
    """The innermost place in numba's explanation that is the game's, and the reason before it."""
    reason, at = message, ""
    for place in re.finditer(r'File "([^"]+)", line (\d+):', message):
        if folder.name in Path(place[1]).parts:
            reason, at = (
                message[: place.start()],
                f"{folder / Path(place[1]).name}, line {place[2]}: ",
            )
            break
    lines = [line.strip() for line in reason.splitlines() if line.strip()]
    return (
        f"{NOT_COMPILED}: {at}{lines[-1]}\n"
        "Rules may use integers, tables of `lookup`, and functions marked @rule."
    )
