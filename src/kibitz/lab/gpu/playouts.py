"""Random play of whole matches, some hundred on each multiprocessor.

The threads of a warp go through the code together, so they should do the same. The matches of a
block lie in shared memory and wait in queues: one for each verb that is to be done next, and one
for rounds that are to be dealt. A warp takes up to 32 matches from the longest queue, makes the
action that was chosen in each, chooses the next one, and lines them up again.
"""

import time
from importlib import import_module
from threading import Barrier
from typing import Any

import numpy as np
from numba import from_dtype, int16, int32

from kibitz.engine import bits, chance, dispatch
from kibitz.engine.action_list import ACTION_LIST
from kibitz.engine.checked import Checked, CheckedList, plain
from kibitz.engine.errors import KibitzError
from kibitz.engine.game import Game
from kibitz.engine.playout import random_action
from kibitz.engine.rounds import next_round
from kibitz.lab.gpu.device import SIMULATED, copy, cuda, device

WARP = 2 if SIMULATED else 32  # threads that go through the code together
REGISTERS = 168  # of a thread: shared memory is full before the registers are
SPARE = 1024  # bytes of shared memory that are left to the system
MOST_MATCHES = 32_767  # begun in one place: more than any measurement plays
SIMULATED_MATCHES = 7  # of a block, in the simulator: three warps
# Actions are never written out here, so a list has no room for them.
_FIELDS = [(name, field[0]) for name, field in (ACTION_LIST.fields or {}).items()]
GROUPS = np.dtype((np.record, np.dtype([f for f in _FIELDS if f[0] != "action"], align=True)))


def padded(game: Game) -> np.dtype[Any]:
    """States so wide that the same field of neighbours lies in different banks of the memory."""
    dtype = game.layout.dtype
    fields: list[Any] = [("state", dtype)]
    if dtype.itemsize // 8 % 2 == 0:
        fields.append(("pad", np.int64))
    return np.dtype((np.record, np.dtype(fields, align=True)))


def queue_of_each_action(game: Game) -> Any:
    """The queue of a match by the action that it waits for: one for each verb."""
    return np.concatenate(
        [np.full(verb.count, i, np.int8) for i, verb in enumerate(game.actions.verbs)]
    )


def matches_of_a_block(game: Game) -> int:
    """How many matches there is room for in the shared memory of a multiprocessor."""
    if SIMULATED:
        return SIMULATED_MATCHES
    room = cuda.get_current_device().MAX_SHARED_MEMORY_PER_BLOCK_OPTIN - SPARE
    queues = len(game.actions.verbs) + 2
    # The state, its action (int16), how many matches were begun (int16) and moves made (int32),
    # and a place in each queue (int16).
    return int(room - 4 * (queues + 2)) // (padded(game).itemsize + 8 + 2 * queues)


def threads_of_a_block(matches: int) -> int:
    """Three quarters as many threads as matches: the others wait for enough that do the same."""
    return WARP * max(1, round(matches * 3 / 4 / WARP))


def _tools(game: Game) -> tuple[Any, ...]:
    """For a kernel: a state of a record and back, an empty list, a wait for the warp, and rules."""
    actions = from_dtype(GROUPS)

    def state_in(record: Any) -> Any:
        return record["state"]

    def put_back(record: Any, s: Any) -> None:
        """It has never been elsewhere."""

    def new_list() -> Any:
        return cuda.local.array(1, actions)[0]

    def wait() -> None:
        cuda.syncwarp()

    def checked_state_in(record: Any) -> Any:
        return Checked(game.layout, game.plain, record["state"])

    def put_checked_back(record: Any, s: Any) -> None:
        copy(record["state"], s)

    warps = threads_of_a_block(SIMULATED_MATCHES) // WARP
    barriers = [Barrier(WARP) for _ in range(warps)]

    def wait_in_python() -> None:  # the simulator has no syncwarp, and one block at a time
        barriers[cuda.threadIdx.x // WARP].wait()

    rules = random_action, next_round, chance.reseed, dispatch.apply, bits.lowest
    if SIMULATED:
        in_python = (plain(rule) for rule in rules)
        return checked_state_in, put_checked_back, CheckedList, wait_in_python, *in_python
    tools = (state_in, put_back, new_list, wait)
    return *(cuda.jit(device=True, inline="always")(tool) for tool in tools), *rules


def kernel(game: Game) -> Any:
    """Play on from each state, for so many batches, or until so many more matches are over.

    The seeds of the first ones are first_seed, first_seed + 1, …
    """
    record, most = from_dtype(padded(game)), matches_of_a_block(game)
    queue_of = queue_of_each_action(game)
    deal = len(game.actions.verbs)  # the queue of those whose round is over, and of all at first
    end, queues = deal + 1, deal + 2  # that of those whose last match is over
    state_in, put_back, new_list, wait, *rules = _tools(game)
    choose, begin, reseed, apply, lowest = rules

    def random_matches(
        states: Any, blank: Any, first_seed: int, batches: int, matches: int, made: Any
    ) -> None:
        place = cuda.shared.array(0, record)
        chosen = cuda.shared.array(most, int16)
        begun = cuda.shared.array(most, int16)
        moves = cuda.shared.array(most, int32)
        queue = cuda.shared.array((queues, most), int16)
        length = cuda.shared.array(queues, int32)
        taken = cuda.shared.array(1, int32)  # batches
        lock = cuda.shared.array(1, int32)
        thread, threads = cuda.threadIdx.x, cuda.blockDim.x
        lane = thread % WARP
        first = cuda.blockIdx.x * most
        here = min(most, len(states) - first)
        found = new_list()

        for j in range(thread, here, threads):
            copy(place[j]["state"], states[first + j])
            begun[j] = 0
            moves[j] = 0
            queue[deal, j] = j
        for q in range(thread, queues, threads):
            length[q] = here if q == deal else 0
        if thread == 0:
            taken[0] = 0
            lock[0] = 0
        cuda.syncthreads()

        j, then = -1, 0
        while True:
            # One warp at a time lines up what it has done, and takes what comes next.
            if lane == 0:
                while cuda.atomic.cas(lock, 0, 0, 1) != 0:
                    pass
            cuda.threadfence_block()
            wait()
            if j >= 0:
                queue[then, cuda.atomic.add(length, then, 1)] = j
            cuda.threadfence_block()
            wait()
            now = 0
            for q in range(1, end):
                if length[q] > length[now]:
                    now = q
            waiting = length[now]
            left = max(0, waiting - WARP)
            j = int(queue[now, left + lane]) if left + lane < waiting else -1
            # Where none waits, those that are not over are in the hands of other warps.
            finished = waiting == 0 or taken[0] >= batches
            cuda.threadfence_block()
            wait()
            if lane == 0:
                length[now] = left
                taken[0] += 1
                cuda.threadfence_block()
                cuda.atomic.exch(lock, 0, 0)
            wait()
            if finished:
                break

            if j >= 0:
                s = state_in(place[j])
                if now != deal:
                    apply(s, lowest(s.due), int(chosen[j]))
                    moves[j] += 1
                elif s.over:
                    if begun[j] < matches:
                        copy(s, blank[0])
                        reseed(s, first_seed + first + j, int(begun[j]))
                        begun[j] += 1
                        begin(s)
                elif s.round_over:
                    begin(s)
                if not s.round_over:
                    chosen[j] = choose(s, lowest(s.due), found)
                    then = int(queue_of[chosen[j]])
                else:
                    then = end if s.over and begun[j] >= matches else deal
                put_back(place[j], s)
            wait()

        cuda.syncthreads()
        for j in range(thread, here, threads):
            copy(states[first + j], place[j]["state"])
            made[first + j] += moves[j]

    options: dict[str, Any] = {} if SIMULATED else {"max_registers": REGISTERS}
    return cuda.jit(**options)(random_matches)


def _allow(compiled: Any, shared_bytes: int) -> None:
    """Let a kernel have more shared memory than the 48 KB that everyone has."""
    binding = import_module("cuda.bindings.driver")
    ((_, definition),) = compiled.overloads.items()
    function = definition._codelibrary.get_cufunc().kernel
    attribute = binding.CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    device_number = cuda.get_current_device().id
    (result,) = binding.cuKernelSetAttribute(
        attribute, shared_bytes, binding.CUkernel(int(function.handle)), device_number
    )
    if result != binding.CUresult.CUDA_SUCCESS:
        raise KibitzError(f"the GPU refused {shared_bytes} bytes of shared memory: {result.name}")


class RandomPlay:
    """Random matches of a game, compiled for the GPU."""

    def __init__(self, game: Game, players: int | None = None) -> None:
        device()
        self.game = game
        players = players or game.identity.usual_players
        self.blank = game.blank(players, game.settings(players, {}))
        self._on_device = cuda.to_device(self.blank)
        self._matches = matches_of_a_block(game)
        self._threads = threads_of_a_block(self._matches)
        self._kernel: Any = None

    def play(self, states: Any, first_seed: int, batches: int, matches: int, made: Any) -> None:
        """Play on from states on the GPU, each block for so many batches; see `kernel`."""
        arguments = states, self._on_device, first_seed, batches, matches, made
        shared_bytes = padded(self.game).itemsize * self._matches
        if self._kernel is None:
            self._kernel = kernel(self.game).specialize(*arguments)
            if not SIMULATED:
                _allow(self._kernel, shared_bytes)
        blocks = (len(states) + self._matches - 1) // self._matches
        self._kernel[blocks, self._threads, 0, shared_bytes](*arguments)
        cuda.synchronize()

    def finals(self, matches: int, first_seed: int) -> Any:
        """The last states of matches with the seeds from first_seed on."""
        states, made = self.fresh(matches)
        enough = 2 * self._matches * self.game.identity.longest  # a batch moves one match at least
        self.play(states, first_seed, enough, 1, made)
        return states.copy_to_host()

    def fresh(self, n: int) -> tuple[Any, Any]:
        """States as if of matches that are over, and a count of moves for each; on the GPU."""
        states = np.zeros(n, self.game.layout.dtype)
        states["over"] = states["round_over"] = 1
        return cuda.to_device(states), cuda.to_device(np.zeros(n, np.int64))

    def moves_per_second(self, seconds: float) -> float:
        """Whole matches, one after another, on the whole GPU."""
        n = self._matches * int(cuda.get_current_device().MULTIPROCESSOR_COUNT)
        states, made = self.fresh(n)
        rate, batches = 0.0, 1000
        for run in range(3):  # the first also compiles, and brings the matches out of step
            made.copy_to_device(np.zeros(n, np.int64))
            started = time.perf_counter()
            self.play(states, run * n, batches, MOST_MATCHES, made)
            took = time.perf_counter() - started
            rate = float(made.copy_to_host().sum()) / took
            batches = max(batches, int(batches * seconds / took)) if run else batches
        return rate
