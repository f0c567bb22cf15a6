"""What the kibitzer thinks, refined while it thinks."""

import argparse
import os

from rich.console import Console
from rich.live import Live
from rich.table import Table as Grid
from rich.text import Text

import kibitz
from kibitz.bots.kibitzer import Thought, check_seat, explained
from kibitz.bots.kibitzer import think as thoughts
from kibitz.cli.files import read_match
from kibitz.engine.errors import BadOption, KibitzError
from kibitz.texts.names import BOT_NAMES
from kibitz.texts.phrasebook import Phrasebook

SECONDS = 3.0


def think(args: argparse.Namespace) -> int:
    """Print every action with its chance of winning; Ctrl-C ends the thinking, not the answer."""
    match = read_match(args.file)
    if args.seat is not None and not 0 <= args.seat < match.players:
        raise BadOption(f"there is no seat {args.seat}; seats are 0 to {match.players - 1}")
    if match.over:
        raise KibitzError("the match is over; `kibitz review` goes through a finished match")
    seat = min(match.to_act, default=0) if args.seat is None else args.seat
    check_seat(match, seat)
    words = Phrasebook(match.game, args.lang, BOT_NAMES[: match.players])
    seconds = SECONDS if args.seconds is None and args.simulations is None else args.seconds
    threads = (os.cpu_count() or 1) if args.simulations is None else 1
    stream = explained(
        match, thoughts(match, seat, seconds, simulations=args.simulations, threads=threads)
    )
    console = Console(highlight=False)
    last: Thought | None = None
    try:
        with Live(console=Console(stderr=True), transient=True) as live:
            for last in stream:
                live.update(_table(words, match, last))
    except KeyboardInterrupt:
        pass
    if last is not None:
        console.print(_table(words, match, last))
        if last.claims:
            console.print(Text(words.why(last.claims, seat)))
    return 0


def _table(words: Phrasebook, match: kibitz.Match, thought: Thought) -> Grid:
    columns = (words.table(key) for key in ("action", "chance", "place", "score", "simulations"))
    grid = Grid(title=words.names[thought.seat], title_justify="left")
    for i, column in enumerate(columns):
        grid.add_column(column, justify="right" if i else "left")
    for opinion in thought.opinions:
        grid.add_row(
            Text.assemble(f"{words.label(opinion.action, thought.seat)} ", (opinion.action, "dim")),
            f"{opinion.chance:.1%} ±{opinion.error:.1%}",
            f"{opinion.place:.2f}",
            f"{opinion.score:.1f}",
            f"{opinion.visits:,}",
        )
    return grid
