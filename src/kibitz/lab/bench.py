"""How fast the games run, on this machine."""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from kibitz.bots.levels import level
from kibitz.bots.searching import Search
from kibitz.engine import border, playout
from kibitz.engine.action_list import new_list
from kibitz.engine.checked import Checked, CheckedList, plain
from kibitz.engine.compiled import from_python
from kibitz.engine.game import Game
from kibitz.engine.match import Match
from kibitz.engine.redeal import redeal
from kibitz.engine.rounds import next_round
from kibitz.lab.vector import VectorEnv

FIRST = 8  # matches of the first, short measurement
POSITIONS = 25  # from which searches are measured
SIDE_BY_SIDE = 128  # matches of the vector environment: their arrays fit into the cache
STATES = 9  # among which copies are made
Figures = dict[str, Any]


def rate(run: Callable[[int], float], seconds: float, first: int) -> tuple[float, float]:
    """Work per second, and runs per second: a short run, then one of the length asked for."""
    run(first)  # the first call compiles, or loads from the cache
    started = time.perf_counter()
    run(first)
    n = max(first, int(first * seconds / max(time.perf_counter() - started, 1e-9)))
    started = time.perf_counter()
    work = run(n)
    took = time.perf_counter() - started
    return work / took, n / took


def _blank(game: Game, n: int = STATES) -> Any:
    players = game.identity.usual_players
    return game.blank(players, game.settings(players, {}), n)


def random_play(game: Game, seconds: float) -> Figures:
    """Whole matches of random actions on one core."""
    states, lists, limit = _blank(game), new_list(), game.identity.longest
    moves, matches = rate(
        lambda n: float(playout.playouts(states, lists, n, 1, limit)), seconds, FIRST
    )
    return {
        "moves_per_s": round(moves),
        "games_per_s": round(matches, 1),
        "moves_per_game": round(moves / matches, 1),
    }


def observed_play(game: Game, seconds: float) -> Figures:
    """Steps of many matches side by side on one core, each with observation and mask.

    And observations alone.
    """
    env = VectorEnv(game.name, SIDE_BY_SIDE, threads=1)
    rows = env.observe(0)

    def steps(n: int) -> float:
        for _ in range(n):
            env.step(env.random_actions())
        return n * env.n

    def observations(n: int) -> float:
        for _ in range(n):
            env.observe(0, into=rows)
        return n * env.n

    return {
        "observed_moves_per_s": round(rate(steps, seconds, FIRST)[0]),
        "observations_per_s": round(rate(observations, seconds / 4, FIRST)[0]),
        "numbers": env.layout.size,
    }


def _threads(game: Game, seconds: float) -> Figures:
    workers = os.cpu_count() or 1
    states, lists, limit = _blank(game, workers + 1), new_list(workers), game.identity.longest
    moves, _ = rate(
        lambda n: float(playout.parallel_playouts(states, lists, n, 1, limit)),
        seconds,
        FIRST * workers,
    )
    return {"threads_moves_per_s": round(moves)}


@from_python
def copies(states: Any, n: int) -> None:
    """Copy a state n times, among nine."""
    for i in range(n):
        states[1 + (i & 7)] = states[(i * 5) & 7]


@from_python
def redeals(states: Any, n: int) -> None:
    """Redeal state 0 n times, for each seat in turn."""
    players = int(states[0].players)
    for i in range(n):
        redeal(states[0], i % players)


def _copying(game: Game, seconds: float) -> Figures:
    states = _blank(game)
    for i in range(len(states)):
        border.next_round_at(states, i, i, 0)

    def copy(n: int) -> float:
        copies(states, n)
        return n

    def deal_again(n: int) -> float:
        redeals(states, n)
        return n

    return {
        "copy_ns": round(1e9 / rate(copy, seconds / 4, 10_000)[0], 1),
        "redeal_ns": round(1e9 / rate(deal_again, seconds / 4, 1_000)[0], 1),
        "state_bytes": game.layout.dtype.itemsize,
    }


def _checked(game: Game, seconds: float) -> Figures:
    states, rng, made = _blank(game), random.Random(1), 0
    started = time.perf_counter()
    while time.perf_counter() - started < seconds:
        border.next_round_at(states, 0, rng.getrandbits(60), 0)
        state = Checked(game.layout, game.plain, states[0])
        while not state.over and time.perf_counter() - started < seconds:
            if state.round_over:
                plain(next_round)(state)
            seat = (state.due & -state.due).bit_length() - 1
            found = CheckedList()
            game.plain.legal(state, seat, found)
            game.plain.apply(state, seat, rng.choice(found.listed()))
            made += 1
    return {"checked_moves_per_s": round(made / (time.perf_counter() - started))}


def _searching(game: Game, seconds: float) -> Figures:
    """Simulations to the end of the round, from positions of a whole match of greedy play."""
    match = Match.new(game, game.identity.usual_players, 1, {})
    worlds, bot = [], level("medium")
    while not match.over:
        if match.round_over:
            match.next_round()
        seat = min(match.to_act)
        worlds.append((seat, match.sample_world(seat)))
        match.play(seat, bot.action(match, seat, len(worlds)))
    chosen = worlds[:: max(1, len(worlds) // POSITIONS)]
    simulations = spent = 0.0
    for seat, world in chosen:
        search = Search(game, np.concatenate([world, world]), seat, 1)
        search.run(FIRST)
        started = time.perf_counter()
        while time.perf_counter() - started < seconds / len(chosen):
            search.run(64)
            simulations += 64
        spent += time.perf_counter() - started
    return {"search_sims_per_s": round(simulations / spent)}


def _starting(game: Game, seconds: float) -> Figures:
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


MEASURES: dict[str, Callable[[Game, float], Figures]] = {
    "random play": random_play,
    "all cores": _threads,
    "copies and redeals": _copying,
    "search": _searching,
    "checked play": _checked,
    "starting": _starting,
}
