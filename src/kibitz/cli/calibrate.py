"""Whether the kibitzer's chances come true, measured and drawn."""

import argparse
from importlib import import_module
from itertools import chain
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid

from kibitz.bots import knowledge
from kibitz.cli.files import place_for
from kibitz.cli.progress import progress_bar, stopped
from kibitz.engine.errors import BadOption, KibitzError
from kibitz.engine.game import Game
from kibitz.games import find, names
from kibitz.lab.arena import Contest, get_ready
from kibitz.lab.calibration import LEVELS, Bin, Sample, correction, gather, plot, reliability
from kibitz.lab.crew import crew, in_order

FORMATS = (".svg", ".png", ".pdf")


def calibrate(args: argparse.Namespace) -> int:
    """Play matches, compare chances with outcomes, print a table and draw the plot."""
    chosen = [find(name) for name in args.games or names()]
    if args.matches < 1:
        raise BadOption(f"the number of matches must be at least 1, not {args.matches}")
    if args.simulations < 1:
        raise BadOption(f"the number of simulations must be at least 1, not {args.simulations}")
    out = None if args.out is None else place_for(args.out)
    if out is not None:
        import_module("matplotlib")  # better missed now than after minutes of play
        if out.suffix not in FORMATS:
            raise BadOption(f"a plot is written as {', '.join(FORMATS)}, not as {out.name!r}")
    gathered: dict[str, list[tuple[int, list[Sample]]]] = {}
    code = 0
    try:
        _gather_all(chosen, args, gathered)
    except KeyboardInterrupt:
        code = stopped(something=any(gathered.values()))
    samples = {name: in_order(some) for name, some in gathered.items() if some}
    if samples:
        _tell(samples, out)
    return code


def _gather_all(
    chosen: list[Game],
    args: argparse.Namespace,
    gathered: dict[str, list[tuple[int, list[Sample]]]],
) -> None:
    with progress_bar() as progress, crew(args.on) as hired:
        for game in chosen:
            get_ready(Contest(game.name, LEVELS[0] * game.identity.usual_players, 1))
            task = progress.add_task(game.name, total=args.matches)
            gathered[game.name] = []
            for some in gather(game.name, args.matches, args.seed, args.simulations, hired):
                gathered[game.name].append(some)
                progress.advance(task)


def _tell(samples: dict[str, list[list[Sample]]], out: Path | None) -> None:
    fits = [_fit(find(name), *correction(list(chain(*some)))) for name, some in samples.items()]
    if len(samples) > 1:
        samples["all games"] = list(chain(*samples.values()))
    found = {name: reliability(some) for name, some in samples.items()}
    _print(found)
    print("what would make them come true (bias 0 and slope 1: they do)", *fits, sep="\n")
    if out:
        try:
            plot(found, out)
        except (OSError, ValueError) as error:
            raise KibitzError(f"cannot draw {out}: {error}") from None


def _fit(game: Game, bias: float, slope: float) -> str:
    """What is missing still, and with what there is, what should stand in heuristics.py."""
    old_bias, old_slope = knowledge.of(game).calibration
    new = bias + slope * old_bias, slope * old_slope
    fit = f"bias {bias:+.2f}, slope {slope:.2f}"
    return f"{game.name}: {fit}; CALIBRATION = ({new[0]:.2f}, {new[1]:.2f})"


def _print(found: dict[str, list[Bin]]) -> None:
    grid = Grid()
    for column in ("game", "given", "won", "positions", "matches", "off"):
        grid.add_column(column, justify="left" if column == "game" else "right")
    for name, bins in found.items():
        for one in bins:
            won = f"{one.won:.1%} ±{one.error:.1%}"
            off = f"{one.off:.1%}" if one.off else ""
            counts = f"{one.positions:,}", f"{one.matches:,}"
            grid.add_row(name, f"{one.given:.1%}", won, *counts, off)
    Console().print(grid)
