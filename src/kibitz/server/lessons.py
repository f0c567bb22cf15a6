"""A game's lesson as the page plays it: every table on the way, made once."""

from functools import cache
from itertools import permutations
from typing import Any

import msgspec

from kibitz.engine.errors import IllegalAction
from kibitz.engine.lesson import PUPIL, Scene, read_lesson, scenes
from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.server.protocol import LessonData, LessonMove, LessonScene, encode
from kibitz.server.view_json import ViewWriter, line_data
from kibitz.texts.names import BOT_NAMES


@cache
def lesson(name: str) -> bytes | None:
    """The lesson of a game; None: it has none."""
    game = find(name)
    found = read_lesson(game)
    if found is None:
        return None
    played = list(scenes(game, found))
    first = played[0].before
    return encode(
        LessonData(
            players=first.players,
            names=list(BOT_NAMES[: first.players - 1]),
            options=dict(first.options),
            scenes=[_scene(scene) for scene in played],
        )
    )


def _scene(scene: Scene) -> LessonScene:
    step, before = scene.step, scene.before
    moves, was = [], before
    for seat, after in scene.after:
        moves.append(_move(seat, was, after))
        was = after
    return LessonScene(
        name=step.name,
        laid=step.position is not None,
        view=_view(before),
        legal=_legal(before),
        light=list(step.light),
        do=list(step.do),
        previews=_previews(before, step.do),
        refused=_refused(before) if step.do else {},
        moves=moves,
    )


def _view(match: Match) -> Any:
    return msgspec.Raw(ViewWriter(match, [PUPIL]).whole(0))


def _legal(match: Match) -> list[str]:
    return match.legal(PUPIL) if PUPIL in match.to_act else []


def _move(seat: int, before: Match, after: Match) -> LessonMove:
    lines = [after.line(n, PUPIL) for n in range(len(before.done), len(after.done))]
    return LessonMove(
        seat=seat,
        lines=[line_data(line, 0) for line in lines if line is not None],
        view=_view(after),
        legal=_legal(after),
        sheet=after.sheet,
    )


def _previews(match: Match, do: tuple[str, ...]) -> dict[str, LessonMove]:
    """The table after some steps of a choice, whichever of them are taken first."""
    found = {}
    for n in range(1, len(do)):
        for steps in permutations(do[:-1], n):
            key = " + ".join(sorted(steps))
            if key not in found and (preview := _preview(match, steps)):
                found[key] = preview
    return found


def _preview(match: Match, steps: tuple[str, ...]) -> LessonMove | None:
    try:
        after = match.preview(PUPIL, steps)
    except IllegalAction:  # not in this order
        return None
    return LessonMove(PUPIL, [], _view(after), _legal(after), after.sheet)


def _refused(match: Match) -> dict[str, list[str]]:
    """The actions that rules forbid now, by the rule, so that a wrong try is answered at once."""
    refused: dict[str, list[str]] = {}
    legal = set(match.legal(PUPIL))
    for action in match.game.actions.all:
        if action.text in legal:
            continue
        try:
            match.play(PUPIL, action.text)  # it is refused before anything changes
        except IllegalAction as refusal:
            if refusal.rule:
                refused.setdefault(refusal.rule, []).append(action.text)
    return refused
