"""A game's lesson as the page plays it: every table on the way, made once."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import permutations
from typing import Any

import msgspec

from kibitz.bots.choices import written
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
            seat=PUPIL,
            scenes=[scene_data(scene, PUPIL, _orders(scene.step.do)) for scene in played],
        )
    )


def scene_data(scene: Scene, pupil: int, begun: Iterable[tuple[str, ...]]) -> LessonScene:
    """A scene as somebody sees it who is to play in it, and may have taken these steps of it."""
    step, before = scene.step, scene.before
    moves, was = [], before
    for seat, after in scene.after:
        moves.append(_move(seat, was, after, pupil))
        was = after
    return LessonScene(
        name=step.name,
        laid=step.position is not None,
        view=_view(before, pupil),
        legal=_legal(before, pupil),
        light=list(step.light),
        do=list(step.do),
        previews=_previews(before, begun, pupil),
        refused=_refused(before, pupil) if step.do else {},
        moves=moves,
    )


def _view(match: Match, pupil: int) -> Any:
    return msgspec.Raw(ViewWriter(match, [pupil]).whole(0))


def _legal(match: Match, pupil: int) -> list[str]:
    return match.legal(pupil) if pupil in match.to_act else []


def _move(seat: int, before: Match, after: Match, pupil: int) -> LessonMove:
    lines = [after.line(n, pupil) for n in range(len(before.done), len(after.done))]
    return LessonMove(
        seat=seat,
        lines=[line_data(line, 0) for line in lines if line is not None],
        view=_view(after, pupil),
        legal=_legal(after, pupil),
        sheet=after.sheet,
    )


def _orders(do: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Some steps of a choice, whichever of them are taken first."""
    for n in range(1, len(do)):
        yield from permutations(do[:-1], n)


def _previews(match: Match, begun: Iterable[tuple[str, ...]], pupil: int) -> dict[str, LessonMove]:
    """The table after some steps of a choice; one order of them is as good as another."""
    found: dict[str, LessonMove] = {}
    for steps in begun:
        made = written(sorted(steps))
        if made not in found and (preview := _preview(match, steps, pupil)):
            found[made] = preview
    return found


def _preview(match: Match, steps: tuple[str, ...], pupil: int) -> LessonMove | None:
    try:
        after = match.preview(pupil, steps)
    except IllegalAction:  # not in this order
        return None
    return LessonMove(pupil, [], _view(after, pupil), _legal(after, pupil), after.sheet)


def _refused(match: Match, pupil: int) -> dict[str, list[str]]:
    """The actions that rules forbid now, by the rule, so that a wrong try is answered at once."""
    refused: dict[str, list[str]] = {}
    legal = set(match.legal(pupil))
    for action in match.game.actions.all:
        if action.text in legal:
            continue
        try:
            match.play(pupil, action.text)  # it is refused before anything changes
        except IllegalAction as refusal:
            if refusal.rule:
                refused.setdefault(refusal.rule, []).append(action.text)
    return refused
