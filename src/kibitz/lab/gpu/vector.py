"""Many matches side by side that never leave the GPU.

`VectorEnv` is that of `kibitz.lab.vector`, made of the same functions, a thread for each match.
What a step returns can be handed to PyTorch, JAX or CuPy by DLPack without a copy, and actions may
come from there.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from cuda.core.utils import StridedMemoryView
from numba import from_dtype

from kibitz.engine.errors import IllegalAction
from kibitz.lab import vector
from kibitz.lab.gpu.device import cuda, device
from kibitz.lab.gpu.playouts import GROUPS
from kibitz.lab.vector import Array, Step

THREADS = 64  # of a block
REGISTERS = 64  # more would leave too few threads on a multiprocessor


def _refuse(masks: Any, actions: Any, found: Any) -> None:
    """Set found[0] to the first match whose action is outside its mask."""
    i = cuda.grid(1)
    if i < len(actions):
        action = actions[i]
        if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
            cuda.atomic.min(found, 0, i)


_find_refused = cuda.jit(_refuse)


@cache
def on_each(function: Callable[..., None]) -> Any:
    """A kernel that runs a function of `kibitz.lab.vector`, a thread for each match."""
    groups = from_dtype(GROUPS)

    def kernel(n: int, arguments: Any) -> None:
        i = cuda.grid(1)
        if i < n:
            function(0, i, i + 1, cuda.local.array(1, groups), *arguments)

    return cuda.jit(max_registers=REGISTERS)(kernel)


class VectorEnv(vector.VectorEnv):
    """N matches of a game on a GPU. All arrays stay there; when a step returns, they are complete.

    With `check=False` an action outside its mask is not looked for: it would spoil its match.
    """

    def __init__(
        self,
        game: str,
        n: int,
        players: int | None = None,
        *,
        seed: int = 0,
        check: bool = True,
        **options: object,
    ) -> None:
        device()
        self._check, self._refused = check, self.keep(np.zeros(1, np.int64))
        super().__init__(game, n, players, seed=seed, threads=1, **options)

    def handed_over(self) -> Step:
        """How all matches stand, for `from_dlpack` of any library; a view, not a copy."""
        return Step(*(StridedMemoryView.from_cuda_array_interface(a, -1) for a in self.now))

    def step(self, actions: Any) -> Step:
        """Let the seat that is due in each match act: an array of int64 that lies on the GPU."""
        chosen = cuda.as_cuda_array(actions)
        if chosen.shape != (self.n,) or chosen.dtype != np.int64:
            raise IllegalAction(
                f"give {self.n} actions as int64, one for each match, "
                f"not {chosen.dtype} of shape {chosen.shape}"
            )
        if self._check:
            self._refused.copy_to_device(np.array([self.n]))
            _find_refused[self._blocks, THREADS](self.now.masks, chosen, self._refused)
            wrong = int(self._refused.copy_to_host()[0])
            if wrong < self.n:
                raise IllegalAction(f"match {wrong}: its action is outside the mask")
        return self._advance(chosen)

    @property
    def _blocks(self) -> int:
        return (self.n + THREADS - 1) // THREADS

    def _rows(self, length: int, dtype: npt.DTypeLike) -> Array:
        """Rows that lie across: what neighbouring threads write at a time lies side by side."""
        return np.zeros((self.n, length), dtype, order="F")

    def keep(self, array: Array) -> Any:
        """An array on the GPU."""
        return cuda.to_device(array)

    def each(self, function: Callable[..., None], *arrays: Any) -> None:
        """Run a compiled function over all matches, a thread for each of them."""
        self.check_open()
        on_each(function)[self._blocks, THREADS](self.n, arrays)
        cuda.synchronize()
