"""`kibitz puzzles`: positions in which one action is clearly best, and not the obvious one."""

import argparse
from pathlib import Path

from kibitz.bots.puzzles import Puzzle
from kibitz.cli.files import place_for, write_text
from kibitz.cli.progress import progress_bar, stopped
from kibitz.cli.report import options_of
from kibitz.engine.errors import BadOption
from kibitz.games import find
from kibitz.lab.arena import Contest, get_ready
from kibitz.lab.crew import crew
from kibitz.lab.puzzles import BOT, Wish, look_for, written


def puzzles(args: argparse.Namespace) -> int:
    """Let good bots play, and write down the puzzles that come up."""
    game = find(args.game)
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
    text = written(wish, found)
    if out is None:
        print(text, end="")
    else:
        write_text(text, out)
        print(f"{len(found)} puzzles are in {out}.")
