"""How fast the games run, on this machine."""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table as Grid

from kibitz.bots.levels import Search, level
from kibitz.cli.progress import progress_bar
from kibitz.engine import playout
from kibitz.engine.checked import Checked, CheckedList
from kibitz.engine.game import Game
from kibitz.engine.match import Match
from kibitz.engine.action_list import new_list
from kibitz.games import find, names

PLAYERS = 4
FIRST = 8  # matches of the first, short measurement
POSITIONS = 25  # from which searches are measured
STATES = 9  # playout.copies copies among so many


def bench(wanted: list[str], seconds: float, *, as_json: bool) -> int:
    """Measure each game and print a table, or JSON."""
    chosen = [find(name) for name in wanted or names()]
    results = []
    with progress_bar() as progress:
        task = progress.add_task("measuring", total=len(chosen) * len(MEASURES))
        for game in chosen:
            figures: dict[str, Any] = {"game": game.name, "players": _players(game)}
            for name, measure in MEASURES.items():
                progress.update(task, description=f"{game.name}: {name}")
                figures.update(measure(game, seconds))
                progress.advance(task)
            results.append(figures)
    if as_json:
        print(json.dumps(results, indent=2))
    else:
        _print(results)
    return 0


def _players(game: Game) -> int:
    seats = game.identity.seats
    return min(max(PLAYERS, seats[0]), seats[-1])


def _blank(game: Game, n: int = STATES) -> Any:
    players = _players(game)
    return game.blank(players, game.settings(players, {}), n)


def _rate(run: Callable[[int], float], seconds: float, first: int) -> tuple[float, float]:
    """Work per second, and the time taken: a short run, then one of the length asked for."""
    run(first)  # the first call compiles, or loads from the cache
    started = time.perf_counter()
    run(first)
    n = max(first, int(first * seconds / max(time.perf_counter() - started, 1e-9)))
    started = time.perf_counter()
    work = run(n)
    took = time.perf_counter() - started
    return work / took, n / took


def _play(game: Game, seconds: float) -> dict[str, Any]:
    states, lists, limit = _blank(game), new_list(), game.identity.longest
    moves, matches = _rate(
        lambda n: float(playout.playouts(states, lists, n, 1, limit)), seconds, FIRST
    )
    return {
        "moves_per_s": round(moves),
        "games_per_s": round(matches, 1),
        "moves_per_game": round(moves / matches, 1),
    }


def _threads(game: Game, seconds: float) -> dict[str, Any]:
    workers = os.cpu_count() or 1
    states, lists, limit = _blank(game, workers + 1), new_list(workers), game.identity.longest
    moves, _ = _rate(
        lambda n: float(playout.parallel_playouts(states, lists, n, 1, limit)),
        seconds,
        FIRST * workers,
    )
    return {"threads_moves_per_s": round(moves)}


def _copying(game: Game, seconds: float) -> dict[str, Any]:
    states = _blank(game)
    for i in range(len(states)):
        playout.start_at(states, i, i, 0)

    def copy(n: int) -> float:
        playout.copies(states, n)
        return n

    def redeal(n: int) -> float:
        playout.redeals(states, n)
        return n

    return {
        "copy_ns": round(1e9 / _rate(copy, seconds / 4, 10_000)[0], 1),
        "redeal_ns": round(1e9 / _rate(redeal, seconds / 4, 1_000)[0], 1),
        "state_bytes": game.layout.dtype.itemsize,
    }


def _checked(game: Game, seconds: float) -> dict[str, Any]:
    states, rng, made = _blank(game), random.Random(1), 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        playout.start_at(states, 0, rng.getrandbits(60), 0)
        state = Checked(game.layout, game.plain, states[0])
        while not state.over and time.perf_counter() - started < seconds:
            seat = (state.due & -state.due).bit_length() - 1
            moves = CheckedList()
            game.plain.legal(state, seat, moves)
            game.plain.apply(state, seat, rng.choice(moves.listed()))
            made += 1
    return {"checked_moves_per_s": round(made / (time.perf_counter() - started))}


def _starting(game: Game, seconds: float) -> dict[str, Any]:
    """From starting the command to the first move, without and with compiled code on disk."""
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "KIBITZ_CACHE": f"{folder}/cache", "XDG_DATA_HOME": f"{folder}/data"}
        command = [sys.executable, "-m", "kibitz", "play", game.name, "--seed", "1"]
        times = []
        for _ in range(3):
            started = time.perf_counter()
            subprocess.run(
                command, env=env, input=b"1\nquit\n", stdout=subprocess.DEVNULL, check=True
            )
            times.append(time.perf_counter() - started)
    return {"cold_start_s": round(times[0], 2), "warm_start_s": round(min(times[1:]), 2)}


def _searching(game: Game, seconds: float) -> dict[str, Any]:
    """Simulations to the end of the round, from positions of a whole match at a glance."""
    players = _players(game)
    match = Match.new(game, players, 1, {})
    guesses, bot = [], level("medium")
    while not match.over:
        seat = min(match.to_act)
        guesses.append((seat, match.sample_world(seat)))
        action = bot.choose(game, guesses[-1][1], seat, len(guesses))
        playout.advance(match.state, 0, seat, action)
    chosen = guesses[:: max(1, len(guesses) // POSITIONS)]
    simulations = spent = 0.0
    for seat, guess in chosen:
        search = Search(game, np.concatenate([guess, guess]), seat, 1)
        search.run(FIRST)
        started = time.perf_counter()
        while time.perf_counter() - started < seconds / len(chosen):
            search.run(64)
            simulations += 64
        spent += time.perf_counter() - started
    return {"search_sims_per_s": round(simulations / spent)}


MEASURES: dict[str, Callable[[Game, float], dict[str, Any]]] = {
    "random play": _play,
    "all cores": _threads,
    "copies and redeals": _copying,
    "search": _searching,
    "checked play": _checked,
    "starting": _starting,
}


def _print(results: list[dict[str, Any]]) -> None:
    grid = Grid()
    for i, name in enumerate(results[0]):
        grid.add_column(name.replace("_", " "), justify="left" if i == 0 else "right")
    for figures in results:
        grid.add_row(*(f"{v:,}" if not isinstance(v, str) else v for v in figures.values()))
    Console().print(grid)
