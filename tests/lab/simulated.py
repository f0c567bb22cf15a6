"""With NUMBA_ENABLE_CUDASIM=1: a few random moves as a kernel, compared with those made here."""

import sys

import numpy as np
from numba import cuda

from kibitz.engine import playout
from kibitz.engine.action_list import new_list
from kibitz.games import find
from kibitz.lab.gpu.bench import differing
from kibitz.lab.gpu.playouts import Memory, RandomPlay, launch

MOVES, MATCHES, FIRST_SEED = 30, 1, 11


def compare(name: str, memory: Memory) -> None:
    """Play some moves on both sides."""
    play = RandomPlay(find(name), memory)
    states, made = play.fresh(MATCHES)
    blank = cuda.to_device(play.blank)
    launch(play.kernel, states, blank, FIRST_SEED, MOVES, 1, made)
    there, moves = states.copy_to_host(), made.copy_to_host()
    here = np.concatenate([play.blank, np.zeros(MATCHES, there.dtype)])
    for i in range(MATCHES):
        playout.restart(here, 1 + i, 0, FIRST_SEED + i)
        playout.playout_at(here, 1 + i, new_list(), int(moves[i]))
    different = differing(here[1:], there)
    for i in range(MATCHES):
        print(name, memory.value, moves[i], "different" if different else "same", *different)


if __name__ == "__main__":
    for game in sys.argv[1:]:
        for memory in Memory:
            compare(game, memory)
