"""Random play of whole matches, one a thread.

A state lies in the memory that a multiprocessor's threads share, or in each thread's own, which is
cached beside it. A thread whose round is over waits until some moves have been made by the others
of its warp: to deal is long, and what one thread does, all wait for.
"""

import time
from enum import Enum
from typing import Any

import numpy as np
from numba import from_dtype

from kibitz.engine import chance
from kibitz.engine.action_list import ACTION_LIST
from kibitz.engine.checked import Checked, CheckedList, plain
from kibitz.engine.game import Game
from kibitz.engine.playout import play_some
from kibitz.lab.gpu.device import SIMULATED, copy, cuda, device

THREADS = 32  # of a block: a state is too large for many more in shared memory
BURST = 32  # moves between two looks for rounds to be dealt
REGISTERS = 64  # more would leave too few threads on a multiprocessor
SHARED_BYTES = 227 * 1024  # of a multiprocessor that blocks can have; what counts is the order
OWN_STATES = 1024  # of a multiprocessor, where each thread keeps its state
# Actions are never written out here, so a list has no room for them.
_FIELDS = [(name, field[0]) for name, field in (ACTION_LIST.fields or {}).items()]
GROUPS = np.dtype((np.record, np.dtype([f for f in _FIELDS if f[0] != "action"], align=True)))


class Memory(Enum):
    """Where a state lies while it is played."""

    SHARED = "shared"
    OWN = "own"


def padded(game: Game) -> np.dtype[Any]:
    """States so wide that the same field of neighbours lies in different banks of the memory."""
    dtype = game.layout.dtype
    fields: list[Any] = [("state", dtype)]
    if dtype.itemsize // 8 % 2 == 0:
        fields.append(("pad", np.int64))
    return np.dtype((np.record, np.dtype(fields, align=True)))


def _places(game: Game, memory: Memory) -> tuple[Any, Any]:
    """Two functions for a kernel: where its thread's state lies, and its list of actions."""
    state, actions = from_dtype(padded(game)), from_dtype(GROUPS)

    def shared() -> Any:
        return cuda.shared.array(THREADS, state)[cuda.threadIdx.x]["state"]

    def own() -> Any:
        return cuda.local.array(1, state)[0]["state"]

    def found() -> Any:
        return cuda.local.array(1, actions)[0]

    place = shared if memory is Memory.SHARED else own
    if SIMULATED:
        return lambda: Checked(game.layout, game.plain, place()), CheckedList
    inlined = cuda.jit(device=True, inline="always")
    return inlined(place), inlined(found)


def kernel(game: Game, memory: Memory) -> Any:
    """Play on from each state, for so many moves or until so many more matches are over.

    The seeds of the first ones are first_seed, first_seed + 1, …
    """
    my_state, my_list = _places(game, memory)
    some, reseed = play_some, chance.reseed
    if SIMULATED:
        some, reseed = plain(some), plain(reseed)

    def random_matches(
        states: Any, blank: Any, first_seed: int, moves: int, matches: int, made: Any
    ) -> None:
        i = cuda.grid(1)
        if i < len(states):
            s, found = my_state(), my_list()
            copy(s, states[i])
            n, begun = 0, 0
            while n < moves and (begun < matches or not s.over):
                if s.over:
                    copy(s, blank[0])
                    reseed(s, first_seed + i, begun)
                    begun += 1
                    s.round_over = 1  # so that it is dealt
                n += some(s, found, BURST)
            copy(states[i], s)
            made[i] += n

    options: dict[str, Any] = {} if SIMULATED else {"max_registers": REGISTERS}
    return cuda.jit(**options)(random_matches)


def launch(play: Any, states: Any, *arguments: Any) -> None:
    """One thread for each state."""
    play[(len(states) + THREADS - 1) // THREADS, THREADS](states, *arguments)
    cuda.synchronize()


class RandomPlay:
    """Random matches of a game, compiled for the GPU."""

    def __init__(self, game: Game, memory: Memory, players: int | None = None) -> None:
        device()
        self.game = game
        players = players or game.identity.usual_players
        self.blank = game.blank(players, game.settings(players, {}))
        self._on_device = cuda.to_device(self.blank)
        self.kernel, self.memory = kernel(game, memory), memory

    def finals(self, matches: int, first_seed: int) -> Any:
        """The last states of matches with the seeds from first_seed on."""
        states, made = self.fresh(matches)
        longest = self.game.identity.longest
        launch(self.kernel, states, self._on_device, first_seed, longest, 1, made)
        return states.copy_to_host()

    def fresh(self, n: int) -> tuple[Any, Any]:
        """States as if of matches that are over, and a count of moves for each; on the GPU."""
        states = np.zeros(n, self.game.layout.dtype)
        states["over"] = 1
        return cuda.to_device(states), cuda.to_device(np.zeros(n, np.int64))

    def states_at_once(self) -> int:
        """How many matches the GPU has room for side by side."""
        processors = cuda.get_current_device().MULTIPROCESSOR_COUNT
        size = padded(self.game).itemsize * THREADS + 1024  # each block costs a kilobyte
        at_once = SHARED_BYTES // size * THREADS if self.memory is Memory.SHARED else OWN_STATES
        return int(processors) * at_once

    def moves_per_second(self, seconds: float) -> float:
        """Whole matches, one after another, on the whole GPU."""
        n = self.states_at_once()
        states, made = self.fresh(n)
        rate, moves = 0.0, 500
        for run in range(3):  # the first also compiles, and brings the matches out of step
            made.copy_to_device(np.zeros(n, np.int64))
            started = time.perf_counter()
            launch(self.kernel, states, self._on_device, run * n, moves, moves, made)
            took = time.perf_counter() - started
            rate = float(made.copy_to_host().sum()) / took
            moves = max(moves, int(moves * seconds / took)) if run else moves
        return rate
