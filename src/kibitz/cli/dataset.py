"""`kibitz dataset`: decisions of bots as a Parquet file."""

import argparse

from kibitz.cli.files import place_for
from kibitz.cli.progress import progress_bar, stopped
from kibitz.cli.report import bots_for, options_of
from kibitz.games import find
from kibitz.lab.crew import crew
from kibitz.lab.dataset import Writer, decisions, jobs
from kibitz.lab.self_play import Setup


def dataset(args: argparse.Namespace) -> int:
    """Let bots play, and write down every decision."""
    game = find(args.game)
    players = game.identity.usual_players if args.players is None else args.players
    game.settings(players, {})  # refuses what the game is not for
    options = tuple(options_of(args.option).items())
    setup = Setup(args.game, bots_for(args.bots, players), options, args.seed)
    todo = jobs(setup, args.matches)
    code = 0
    with Writer(place_for(args.out), setup) as writer:
        try:
            with progress_bar() as progress, crew(args.on) as hired:
                task = progress.add_task("deals", total=sum(deals for _, _, deals in todo))
                for number, table in hired.work(decisions, todo):
                    writer.add(number, table)
                    progress.advance(task, todo[number][2])
        except KeyboardInterrupt:
            code = stopped(something=writer.rows > 0)
    if writer.rows or not code:
        print(f"{writer.rows:,} decisions are in {args.out}.")
    return code
