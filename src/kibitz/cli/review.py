"""A finished match, gone through with the kibitzer."""

import argparse
import json
import os

from rich.console import Console
from rich.text import Text

from kibitz.bots.review import Review, Reviewed
from kibitz.bots.review import review as go_through
from kibitz.cli.files import read_match
from kibitz.cli.progress import progress_bar
from kibitz.texts.names import BOT_NAMES
from kibitz.texts.phrasebook import Phrasebook, percent

BARS = "▁▂▃▄▅▆▇█"
WIDTH = 60


def review(args: argparse.Namespace) -> int:
    """Print everyone's chances through the match, and the decisions that decided it."""
    match = read_match(args.file)
    with progress_bar() as progress:
        task = progress.add_task("reviewing", total=len(match.log))
        found = go_through(
            match,
            simulations=args.simulations,
            threads=os.cpu_count() or 1,
            progress=lambda done: progress.update(task, completed=done),
        )
    if args.json:
        print(json.dumps(found.data(), ensure_ascii=False, indent=1))
    else:
        _print(Phrasebook(match.game, args.lang, BOT_NAMES[: match.players]), found)
    return 0


def _print(words: Phrasebook, found: Review) -> None:
    console = Console(highlight=False)
    match = found.match
    key = "winner" if len(match.winners) == 1 else "winners"
    console.print(Text(words.table(key, names=words.seats(match.winners)), style="bold green"))
    for seat in range(match.players):
        line = Text(f"{words.names[seat]:<12}", style="bold")
        line.append(f"{match.scores[seat]:>5}  ", style="cyan")
        line.append(_curve([move.chances[seat] for move in found.moves]))
        console.print(line)
    title = "decisive" if found.decisive else "no_mistakes"
    console.print(Text(words.table(title), style="bold"))
    for move in found.decisive:
        console.print(_told(words, found, move))


def _curve(chances: list[float]) -> str:
    """A seat's chances through the match, as a row of bars."""
    step = max(1, -(-len(chances) // WIDTH))
    return "".join(BARS[min(7, int(chance * 8))] for chance in chances[step - 1 :: step])


def _told(words: Phrasebook, found: Review, move: Reviewed) -> Text:
    better = words.label(move.best or "", move.seat)
    line = Text(f"{move.number:>5}  {words.done(found.line(move))} ")
    assert move.loss is not None
    assert move.error is not None
    cost = f"−{percent(move.loss)} ±{percent(move.error)}"
    line.append(words.table("cost", cost=cost, better=better), style="yellow")
    return line.append(f" {words.why(move.claims, None)}")
