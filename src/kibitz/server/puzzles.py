"""A game's puzzles as the page shows them: what the seat sees, and what each try is worth."""

from functools import lru_cache

from kibitz.bots.choices import steps_of
from kibitz.bots.puzzles import Puzzle, read_puzzles
from kibitz.engine.game import Game
from kibitz.engine.lesson import Scene, Step
from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.server.lessons import scene_data
from kibitz.server.protocol import LessonData, PuzzleData, encode
from kibitz.texts.names import BOT_NAMES

KEPT = 200  # puzzles, of all games


@lru_cache(KEPT)
def puzzle(name: str, number: int) -> bytes | None:
    """A puzzle of a game, by its number from 0; None: there is none such."""
    game = find(name)
    puzzles = read_puzzles(game)
    if number >= len(puzzles):
        return None
    found = puzzles[number]
    scene = _scene(game, found)
    return encode(
        PuzzleData(
            lesson=LessonData(
                players=scene.before.players,
                names=list(BOT_NAMES[: scene.before.players - 1]),
                options=dict(scene.before.options),
                seat=found.seat,
                scenes=[scene_data(scene, found.seat, _begun(found, scene.before))],
            ),
            chances=found.chances,
            medium=found.medium,
            claims=list(found.claims),
        )
    )


def _scene(game: Game, found: Puzzle) -> Scene:
    """The position, and what the best choice makes of it."""
    before, steps = found.match(game), steps_of(found.best)
    after = before.copy()
    after.play_all(found.seat, steps)
    step = Step("puzzle", found.position, (), steps, ())
    return Scene(step, before, ((found.seat, after),))


def _begun(found: Puzzle, before: Match) -> tuple[tuple[str, ...], ...]:
    """All steps that one can have taken: only a whole choice is right or wrong."""
    choices = found.choices(before)
    return () if choices is None else choices.begun
