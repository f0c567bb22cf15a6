"""A first lesson that is played, not read: a game's lesson.toml.

    seed = 4

    [[step]]
    name = "match"              # its sentence: `lesson.match` in the texts
    position = '''kolpa 2 …'''  # the table is laid out; without it the last step goes on
    light = ["discard"]         # zones or cards to look at, as in taps
    do = ["kol r5"]             # the choice that is asked for; without it the step is only read
    then = ["1 kolpa b2"]       # what the others do after it: `SEAT ACTION, ACTION, …`

The pupil has seat 0. All steps of a choice but the last may be taken in any order. Page and
terminal play lessons without knowing any game.
"""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kibitz.engine.errors import BrokenGame, KibitzError
from kibitz.engine.game import Game
from kibitz.engine.match import Match

PUPIL = 0
_KEYS = {"name", "position", "light", "do", "then"}


@dataclass(frozen=True)
class Step:
    """One idea: a sentence, what is asked for, and what the others do then."""

    name: str
    position: str | None
    light: tuple[str, ...]
    do: tuple[str, ...]
    then: tuple[tuple[int, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Lesson:
    """The steps of a lesson."""

    seed: int
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Scene:
    """A step with the table before it, and the table after each thing that is done in it."""

    step: Step
    before: Match
    after: tuple[tuple[int, Match], ...]  # who did it, and the table then


def read_lesson(game: Game) -> Lesson | None:
    """The lesson of a game, if its folder has one."""
    file = game.folder / "lesson.toml"
    if not file.is_file():
        return None
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BrokenGame(f"{file} is no TOML: {error}") from None
    steps = tuple(_step(str(file), entry) for entry in data.get("step", []))
    if not steps or steps[0].position is None:
        raise BrokenGame(f"{file}: the first [[step]] needs a position")
    return Lesson(int(data.get("seed", 1)), steps)


def _step(file: str, entry: dict[str, Any]) -> Step:
    unknown = sorted(set(entry) - _KEYS)
    if unknown or "name" not in entry:
        raise BrokenGame(f"{file}: a step has a name and {sorted(_KEYS)}, not {unknown}")
    then = []
    for words in entry.get("then", []):
        seat, _, actions = words.partition(" ")
        if not (seat.isdigit() and actions):
            raise BrokenGame(f"{file}: write what others do as `SEAT ACTION`, not {words!r}")
        then.append((int(seat), tuple(actions.split(", "))))
    return Step(
        entry["name"], entry.get("position"), tuple(entry.get("light", ())),
        tuple(entry.get("do", ())), tuple(then),
    )  # fmt: skip


def scenes(game: Game, lesson: Lesson) -> Iterator[Scene]:
    """The steps one after the other, played by the rules."""
    match: Match | None = None
    for step in lesson.steps:
        try:
            if step.position is not None:
                match = Match.at(game, step.position, lesson.seed)
            assert match is not None  # the first step has a position
            scene = _played(step, match)
        except KibitzError as error:
            raise BrokenGame(f"{game.folder}/lesson.toml, step {step.name!r}: {error}") from None
        yield scene
        match = scene.after[-1][1] if scene.after else match


def _played(step: Step, before: Match) -> Scene:
    now, after = before.copy(), []
    choices = ((PUPIL, step.do), *step.then) if step.do else step.then
    for seat, actions in choices:
        for action in actions:
            now.play(seat, action)
        after.append((seat, now.copy()))
    return Scene(step, before, tuple(after))
