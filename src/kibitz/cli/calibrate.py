"""Whether the kibitzer's chances come true, measured and drawn."""

import argparse
from importlib import import_module
from itertools import chain
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid

from kibitz.bots import knowledge
from kibitz.cli.progress import progress_bar
from kibitz.engine.errors import BadOption, KibitzError
from kibitz.engine.game import Game
from kibitz.games import find, names
from kibitz.lab.arena import Contest, crew, get_ready
from kibitz.lab.calibration import BOT, Bin, Sample, correction, gather, plot, reliability


def calibrate(args: argparse.Namespace) -> int:
    """Play matches, compare chances with outcomes, print a table and draw the plot."""
    chosen = [find(name) for name in args.games or names()]
    if args.matches < 1:
        raise BadOption(f"the number of matches must be at least 1, not {args.matches}")
    if args.out:
        import_module("matplotlib")  # better missed now than after minutes of play
    samples: dict[str, list[list[Sample]]] = {}
    with progress_bar() as progress, crew() as pool:
        for game in chosen:
            get_ready(Contest(game.name, (BOT,) * game.identity.usual_players, 1))
            task = progress.add_task(game.name, total=args.matches)
            samples[game.name] = []
            for some in gather(game.name, args.matches, args.seed, pool):
                samples[game.name].append(some)
                progress.advance(task)
    fits = [_fit(game, *correction(list(chain(*samples[game.name])))) for game in chosen]
    if len(samples) > 1:
        samples["all games"] = list(chain(*samples.values()))
    found = {name: reliability(some) for name, some in samples.items()}
    _print(found)
    print("what would make them come true (bias 0 and slope 1: they do)", *fits, sep="\n")
    if args.out:
        try:
            plot(found, Path(args.out))
        except (OSError, ValueError) as error:
            raise KibitzError(f"cannot draw {args.out}: {error}") from None
    return 0


def _fit(game: Game, bias: float, slope: float) -> str:
    """What is missing still, and with what there is, what should stand in heuristics.py."""
    old_bias, old_slope = knowledge.of(game).calibration
    new = bias + slope * old_bias, slope * old_slope
    fit = f"bias {bias:+.2f}, slope {slope:.2f}"
    return f"{game.name}: {fit}; CALIBRATION = ({new[0]:.2f}, {new[1]:.2f})"


def _print(found: dict[str, list[Bin]]) -> None:
    grid = Grid()
    for column in ("game", "given", "won", "positions", "matches"):
        grid.add_column(column, justify="left" if column == "game" else "right")
    for name, bins in found.items():
        for one in bins:
            won = f"{one.won:.1%} ±{one.error:.1%}"
            grid.add_row(name, f"{one.given:.1%}", won, f"{one.positions:,}", f"{one.matches:,}")
    Console().print(grid)
