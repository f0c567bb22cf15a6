"""With NUMBA_ENABLE_CUDASIM=1: a few random moves as a kernel, compared with those made here."""

import sys
import threading
from importlib import import_module
from typing import Any

import numpy as np
from numba import cuda

from kibitz.engine import playout
from kibitz.engine.action_list import new_list
from kibitz.engine.bits import lowest
from kibitz.engine.compiled import from_python
from kibitz.engine.rounds import next_round
from kibitz.games import find
from kibitz.lab.gpu.bench import differing
from kibitz.lab.gpu.playouts import RandomPlay

MATCHES = 9  # a block of three warps, and a part of one
LAUNCHES, BATCHES, FIRST_SEED = 2, 24, 11
_arrays = import_module("numba.cuda.simulator.kernelapi").FakeCUDAShared
_make, _lock = _arrays.array, threading.Lock()


def _one_array_a_line(self: Any, shape: Any, dtype: Any) -> Any:
    """A block's shared array; numba's simulator may make one for each thread that asks at once."""
    if shape == 0:
        return _make(self, shape, dtype)
    line = sys._getframe(1).f_lineno
    with _lock:
        if line not in self._allocations:
            self._allocations[line] = np.zeros(shape, np.dtype(str(dtype)))
        return self._allocations[line]


_arrays.array = _one_array_a_line


@from_python
def choose(states: Any, i: int, lists: Any) -> None:
    """What a kernel has done beyond its last move: it deals, and chooses the next action."""
    if states[i].round_over:
        next_round(states[i])
    playout.random_action(states[i], lowest(states[i].due), lists[0])


def compare(name: str) -> None:
    """Play some moves on both sides, and then some more of the same matches."""
    play = RandomPlay(find(name))
    states, _ = play.fresh(MATCHES)
    here = np.concatenate([play.blank, np.zeros(MATCHES, states.dtype)])
    begun: set[int] = set()
    for _ in range(LAUNCHES):
        made = cuda.to_device(np.zeros(MATCHES, np.int64))
        play.play(states, FIRST_SEED, BATCHES, 1, made)
        there, moves = states.copy_to_host(), made.copy_to_host()
        for i in map(int, np.flatnonzero(there["players"])):  # others may still wait to be dealt
            if i not in begun:
                playout.restart(here, 1 + i, 0, FIRST_SEED + i)
                begun.add(i)
            playout.playout_at(here, 1 + i, new_list(), int(moves[i]))
            if not there[i]["round_over"]:
                choose(here, 1 + i, new_list())
            different = differing(here[1 + i : 2 + i], there[i : i + 1])
            print(name, moves[i], "different" if different else "same", *different)


if __name__ == "__main__":
    sys.setswitchinterval(1e-5)  # its threads wait for each other all the time
    for game in sys.argv[1:]:
        compare(game)
