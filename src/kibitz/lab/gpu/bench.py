"""How fast the games run on the GPU, and whether they play there as they do here."""

import time
from typing import Any

import numpy as np

from kibitz.engine import playout
from kibitz.engine.action_list import new_list
from kibitz.engine.errors import KibitzError
from kibitz.engine.game import Game
from kibitz.lab.gpu.playouts import RandomPlay
from kibitz.lab.gpu.vector import VectorEnv

COMPARED = 4096  # matches, played on both
SIDE_BY_SIDE = 65_536  # matches of the environment
FIRST_SEED = 1


def finals_here(game: Game, blank: Any, matches: int, first_seed: int) -> Any:
    """The last states of random matches, played by the processor."""
    states = np.concatenate([blank, np.zeros(matches, game.layout.dtype)])
    lists = new_list()
    for i in range(matches):
        playout.restart(states, 1 + i, 0, first_seed + i)
        playout.playout_at(states, 1 + i, lists, game.identity.longest)
    return states[1:]


def differing(here: Any, there: Any) -> dict[str, Any]:
    """For each field that is not the same on both sides, the matches in which it is not."""
    found = {}
    for name in here.dtype.names:
        rows = (here[name] != there[name]).reshape(len(here), -1).any(axis=1)
        if rows.any():
            found[name] = np.flatnonzero(rows)
    return found


def compare(play: RandomPlay, matches: int = COMPARED) -> None:
    """Refuse a GPU on which a single bit of a single match ends otherwise than here."""
    there = play.finals(matches, FIRST_SEED)
    here = finals_here(play.game, play.blank, matches, FIRST_SEED)
    fields = differing(here, there)
    if fields:
        wrong = np.unique(np.concatenate(list(fields.values())))
        raise KibitzError(
            f"{play.game.name}: {len(wrong)} of {matches} matches ended otherwise on the GPU, "
            f"the first with the seed {FIRST_SEED + wrong[0]}, in {', '.join(fields)}"
        )


def measure(game: Game, seconds: float) -> dict[str, Any]:
    """Random moves a second, and steps of the environment."""
    play = RandomPlay(game)
    compare(play)
    return {
        "game": game.name,
        "players": game.identity.usual_players,
        "same_matches": COMPARED,
        "moves_per_s": round(play.moves_per_second(seconds)),
        "observed_moves_per_s": round(_steps_per_second(game, seconds)),
    }


def _steps_per_second(game: Game, seconds: float) -> float:
    """Steps of an environment that chooses at random, each with observation and mask."""
    env = VectorEnv(game.name, SIDE_BY_SIDE, check=False)
    env.step(env.random_actions())  # compiles
    steps, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        env.step(env.random_actions())
        steps += 1
    return steps * SIDE_BY_SIDE / (time.perf_counter() - started)
