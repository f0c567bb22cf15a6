"""`kibitz puzzles`: positions in which one action is clearly best, and not the obvious one."""

import argparse
from pathlib import Path

from rich.console import Console
from rich.text import Text

from kibitz.bots.choices import steps_of, written
from kibitz.bots.puzzles import Puzzle, read_puzzles
from kibitz.cli.files import place_for, write_text
from kibitz.cli.learn import refusal, typed
from kibitz.cli.progress import progress_bar, stopped
from kibitz.cli.report import options_of
from kibitz.cli.screen import asked, draw_table
from kibitz.engine.errors import BadOption
from kibitz.engine.game import Game
from kibitz.games import find
from kibitz.lab.arena import Contest, get_ready
from kibitz.lab.crew import crew
from kibitz.lab.puzzles import BOT, Wish, file_of, look_for
from kibitz.texts import shared
from kibitz.texts.names import BOT_NAMES
from kibitz.texts.phrasebook import Phrasebook, percent


def puzzles(args: argparse.Namespace) -> int:
    """Let good bots play, and write down the puzzles that come up; or solve those of a game."""
    game = find(args.game)
    if args.play:
        return _solve_all(game, args.lang)
    if args.count < 1:
        raise BadOption(f"the number of puzzles must be at least 1, not {args.count}")
    players = game.identity.usual_players if args.players is None else args.players
    options = options_of(args.option)
    game.settings(players, options)  # refuses what the game is not for
    wish = Wish(game.name, players, tuple(options.items()), args.seed, args.count)
    out = None if args.out is None else place_for(args.out)
    found: list[Puzzle] = []
    code = 0
    try:
        _look(wish, args.on, found)
    except KeyboardInterrupt:
        code = stopped(something=bool(found))
    if found or not code:
        _tell(wish, found, out)
    return code


def _look(wish: Wish, where: str, found: list[Puzzle]) -> None:
    get_ready(Contest(wish.game, (BOT,) * wish.players, 1))
    with progress_bar() as progress, crew(where) as hired:
        task = progress.add_task("puzzles", total=wish.count)
        for puzzle in look_for(wish, hired):
            found.append(puzzle)
            progress.advance(task)


def _tell(wish: Wish, found: list[Puzzle], out: Path | None) -> None:
    text = file_of(wish, found)
    if out is None:
        print(text, end="")
    else:
        write_text(text, out)
        print(f"{len(found)} puzzles are in {out}.")


def _solve_all(game: Game, lang: str) -> int:
    """One puzzle after the other, until all are solved or the player leaves."""
    found = read_puzzles(game)
    if not found:
        raise BadOption(f"{game.name} has no puzzles; find some by `kibitz puzzles {game.name}`")
    console = Console(highlight=False)
    try:
        for puzzle in found:
            others = list(BOT_NAMES)
            others.insert(puzzle.seat, shared(lang, "table.guest"))
            _solve(console, Phrasebook(game, lang, others), puzzle)
            asked(console, shared(lang, "table.lesson_next"))
    except (KeyboardInterrupt, EOFError):
        console.print()
        console.print(shared(lang, "table.goodbye"))
    return 0


def _solve(console: Console, words: Phrasebook, puzzle: Puzzle) -> None:
    match, seat = puzzle.match(words.game), puzzle.seat
    draw_table(console, words, match.view(seat))
    console.print(Text(words.table("puzzle"), style="bold green"))
    while (answer := _answer(console, words, puzzle)) != puzzle.best:
        cost = percent(puzzle.chances[puzzle.best] - puzzle.chances[answer])
        label = words.choice(steps_of(answer), seat)
        _warn(console, words.table("puzzle_wrong", action=label, cost=cost))
    why = words.why(puzzle.claims, seat)
    console.print(Text(words.table("puzzle_right", why=why), style="bold green"))


def _answer(console: Console, words: Phrasebook, puzzle: Puzzle) -> str:
    """What somebody chooses, step by step where whole choices are compared."""
    match, seat, steps = puzzle.match(words.game), puzzle.seat, list[str]()
    while not (steps and (answer := puzzle.tried(written(steps)))):
        step = typed(console, words, match, seat)
        if step in match.legal(seat):
            match.play(seat, step)
            steps.append(step)
        elif step in ("?", ""):
            _warn(console, words.table("puzzle"))
        else:
            _warn(console, refusal(words, match, seat, step))
    return answer


def _warn(console: Console, said: str) -> None:
    console.print(Text(said, style="yellow"))
