"""How fast the games run, printed."""

import argparse
import json
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid

from kibitz.cli.progress import progress_bar
from kibitz.engine.errors import KibitzError
from kibitz.games import find, names
from kibitz.lab import observing_peers, peers
from kibitz.lab.bench import MEASURES, observed_play, random_play

WIDE = 1000  # columns: more than any table needs

# What a column shows: its figure, in which unit, with how many digits.
COLUMNS = {
    "M moves\n/s": ("moves_per_s", 1e6, 1),
    "all\ncores": ("threads_moves_per_s", 1e6, 1),
    "copy\nns": ("copy_ns", 1, 0),
    "redeal\nns": ("redeal_ns", 1, 0),
    "k sims\n/s": ("search_sims_per_s", 1e3, 0),
    "k checked\n/s": ("checked_moves_per_s", 1e3, 0),
    "cold\nstart s": ("cold_start_s", 1, 1),
    "warm\nstart s": ("warm_start_s", 1, 1),
}


def bench(args: argparse.Namespace) -> int:
    """Measure each game, or the peers beside them, and print a table, or JSON."""
    chosen = args.games or names()
    results = _peers(chosen, args.seconds) if args.peers else _games(chosen, args.seconds)
    if args.json:
        print(json.dumps(results, indent=2))
    elif args.peers:
        _print_peers(results)
    else:
        _print(results)
    return 0


def _games(chosen: list[str], seconds: float) -> list[dict[str, Any]]:
    results = []
    with progress_bar() as progress:
        task = progress.add_task("measuring", total=len(chosen) * len(MEASURES))
        for game in map(find, chosen):
            figures: dict[str, Any] = {"game": game.name, "players": game.identity.usual_players}
            for name, measure in MEASURES.items():
                progress.update(task, description=f"{game.name}: {name}")
                figures.update(measure(game, seconds))
                progress.advance(task)
            results.append(figures)
    return results


def _print(results: list[dict[str, Any]]) -> None:
    grid = Grid("game", box=SIMPLE_HEAD, padding=0, pad_edge=False)
    for name in COLUMNS:
        grid.add_column(name, justify="right", no_wrap=True)
    for figures in results:
        cells = (f"{figures[key] / unit:,.{digits}f}" for key, unit, digits in COLUMNS.values())
        grid.add_row(figures["game"], *cells)
    print_whole(grid)


def print_whole(grid: Grid) -> None:
    """In a narrow terminal lines are broken, rather than that figures are lost."""
    console = Console()
    grid.width = console.measure(grid, options=console.options.update(width=WIDE)).maximum
    console.print(grid, crop=False, soft_wrap=True)


def _peers(chosen: list[str], seconds: float) -> list[dict[str, Any]]:
    """Peers and games in turn, so that all meet the same machine."""
    found, observing = dict(peers.measure(seconds)), observing_peers.measure(seconds)
    lacking = observing_peers.missing()
    if not found and not observing:
        raise KibitzError(f"no peer is installed; pip install {' '.join(lacking)}")
    results = []
    for game in map(find, chosen):
        figures = {**random_play(game, seconds), **observed_play(game, seconds)}
        ratios = _ratios(figures["moves_per_s"], found)
        observed = {
            **_ratios(figures["observed_moves_per_s"], observing),
            **_ratios(figures["observations_per_s"], _alone(observing)),
        }
        results.append(
            {"game": game.name, **figures, "times_as_fast_as": ratios, "observing": observed}
        )
    again = {**dict(peers.measure(seconds)), **observing_peers.measure(seconds)}
    rates = {**found, **observing}
    results.append(
        {
            "peers": {peer: round(rate) for peer, rate in found.items()},
            "observing_peers": {peer: round(rate) for peer, rate in observing.items()},
            "measured_again": {peer: round(again[peer] / rate, 2) for peer, rate in rates.items()},
            "not_installed": lacking,
        }
    )
    return results


def _alone(rates: dict[str, float]) -> dict[str, float]:
    """The figures of observations without steps."""
    return {peer: rate for peer, rate in rates.items() if peer.endswith(observing_peers.ALONE)}


def _ratios(moves: float, rates: dict[str, float]) -> dict[str, float]:
    return {peer: round(moves / rate, 1) for peer, rate in rates.items()}


def _print_peers(results: list[dict[str, Any]]) -> None:
    *games, rates = results
    for title, own, peers_of, ratios_of in (
        ("random play", "moves_per_s", "peers", "times_as_fast_as"),
        ("with an observation and a mask at every step", "observed_moves_per_s",
         "observing_peers", "observing"),
    ):  # fmt: skip
        grid = Grid(title, "M moves/s", *(f"× {game['game']}" for game in games))
        for peer, rate in rates[peers_of].items():
            ratios = (f"{game[ratios_of][peer]:,}" for game in games)
            grid.add_row(peer, f"{rate / 1e6:.2f}", *ratios)
        grid.add_row("M moves/s", "", *(f"{game[own] / 1e6:.1f}" for game in games))
        if own != "moves_per_s":
            alone = (f"{game['observations_per_s'] / 1e6:.1f}" for game in games)
            grid.add_row("M observations/s alone", "", *alone)
            grid.add_row("numbers in each", "", *(str(game["numbers"]) for game in games))
        print_whole(grid)
    if rates["not_installed"]:
        print(f"not measured: pip install {' '.join(rates['not_installed'])}")
