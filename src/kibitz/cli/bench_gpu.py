"""How fast the games run on a GPU, printed."""

import argparse
import json

from rich.box import SIMPLE_HEAD
from rich.table import Table as Grid

from kibitz.cli.bench import print_whole
from kibitz.cli.progress import progress_bar
from kibitz.games import find, names
from kibitz.lab.gpu.bench import measure
from kibitz.lab.gpu.device import device

# What a column shows: its figure, in which unit.
COLUMNS = {
    "M moves/s": ("moves_per_s", 1e6),
    "with observations\nand masks": ("observed_moves_per_s", 1e6),
    "matches that end\nas they do here": ("same_matches", 1),
}


def bench_gpu(args: argparse.Namespace) -> int:
    """Random play on the GPU, which must end as it does here."""
    chosen = [find(game) for game in args.games or names()]
    name, results = device(), []
    with progress_bar() as progress:
        task = progress.add_task("measuring", total=len(chosen))
        for game in chosen:
            progress.update(task, description=f"{game.name}: compiling for {name}")
            results.append(measure(game, args.seconds))
            progress.advance(task)
    if args.json:
        print(json.dumps({"gpu": name, "games": results}, indent=2))
        return 0
    grid = Grid(name, box=SIMPLE_HEAD, padding=0, pad_edge=False)
    for column in COLUMNS:
        grid.add_column(column, justify="right", no_wrap=True)
    for figures in results:
        cells = (f"{figures[key] / unit:,.0f}" for key, unit in COLUMNS.values())
        grid.add_row(figures["game"], *cells)
    print_whole(grid)
    return 0
