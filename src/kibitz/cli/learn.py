"""A game's lesson in the terminal."""

import argparse

from rich.console import Console
from rich.text import Text

from kibitz.cli.screen import asked, draw_table
from kibitz.engine.errors import BadOption, IllegalAction
from kibitz.engine.lesson import PUPIL, Scene, read_lesson, scenes
from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.texts import shared
from kibitz.texts.names import BOT_NAMES
from kibitz.texts.phrasebook import Phrasebook


def learn(args: argparse.Namespace) -> int:
    """Play a lesson to its end, or until the pupil leaves."""
    game = find(args.game)
    lesson = read_lesson(game)
    if lesson is None:
        raise BadOption(
            f"{game.name} has no lesson; read its rules with `kibitz rules {game.name}`"
        )
    console = Console(highlight=False)
    names = (shared(args.lang, "table.guest"), *BOT_NAMES)
    words = Phrasebook(game, args.lang, names)
    try:
        for scene in scenes(game, lesson):
            _step(console, words, scene)
    except (KeyboardInterrupt, EOFError):
        console.print()
        console.print(words.table("goodbye"))
        return 0
    console.print(Text(words.table("lesson_over", command=f"kibitz play {game.name}"), "bold"))
    return 0


def _step(console: Console, words: Phrasebook, scene: Scene) -> None:
    task = Text(words.say(f"lesson.{scene.step.name}"), style="bold green")
    draw_table(console, words, scene.before.view(PUPIL))
    console.print(task)
    if not scene.step.do:
        asked(console, words.table("lesson_next"))
    trial, left = scene.before.copy(), list(scene.step.do)
    while left:
        wanted = left[:-1] or left  # in any order, but the last one ends the choice
        if done := _try(console, words, trial, scene, wanted):
            left.remove(done)
        else:
            console.print(task)
    told = len(scene.before.done)
    for _, after in scene.after:
        for n in range(told, len(after.done)):
            line = after.line(n, PUPIL)
            for sentence in words.sentences(line) if line else ():
                console.print(Text(f"  {sentence}", style="dim"))
        told = len(after.done)


def _try(
    console: Console, words: Phrasebook, trial: Match, scene: Scene, wanted: list[str]
) -> str | None:
    """One line of the pupil's; what it did, if that is one of the things the lesson asks for."""
    answer = typed(console, words, trial, PUPIL)
    if answer in wanted:
        trial.play(PUPIL, answer)
        return answer
    if answer in ("?", ""):
        said = words.label(wanted[0], PUPIL)
    elif answer in trial.legal(PUPIL):
        key = f"lesson.{scene.step.name}_wrong"
        kind = words.say(key) if words.game.texts.has(words.lang, key) else ""
        label = words.label(wanted[0], PUPIL)
        said = kind or words.table("lesson_wrong", action=label)
    else:
        said = refusal(words, trial, PUPIL, answer)
    console.print(Text(said, style="yellow"))
    return None


def typed(console: Console, words: Phrasebook, match: Match, seat: int) -> str:
    """What is typed when a seat is asked what to do: an action where it can be read as one."""
    legal = match.legal(seat)
    for i, text in enumerate(legal, 1):
        line = Text(f"{i:>3} ", style="cyan")
        line.append(f"{words.label(text, seat)} ")
        console.print(line.append(text, style="dim"))
    answer = asked(console, words.table("lesson_choose"))
    if not answer and len(legal) == 1:
        return legal[0]
    if answer.isdigit() and 1 <= int(answer) <= len(legal):
        return legal[int(answer) - 1]
    number = match.game.actions.read(answer)
    # Also where a card was typed by its alias.
    return answer if number is None else match.game.actions.all[number].text


def refusal(words: Phrasebook, match: Match, seat: int, answer: str) -> str:
    """Why something cannot be done."""
    try:
        match.copy().play(seat, answer)
    except IllegalAction as no:
        reason = words.say(f"reasons.{no.rule}") if no.rule else no.reason
        return words.table("refused", reason=reason)
    return ""
