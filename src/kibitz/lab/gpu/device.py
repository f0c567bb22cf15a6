"""What numba-cuda has to be told before it can compile our rules for a GPU.

It makes device functions of functions compiled for the processor by itself. With
`NUMBA_ENABLE_CUDASIM=1` kernels run in its simulator instead: plain Python, a thread for each of
theirs, and so do the rules, over checked states.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numba.cuda
import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from kibitz.engine.checked import Checked
from kibitz.engine.dispatch import CONSTANTS
from kibitz.engine.errors import KibitzError
from kibitz.extras import ask_for

if find_spec("numba_cuda") is None:  # numba alone has an older one, which lacks much
    raise ask_for(ModuleNotFoundError(name="numba_cuda"))

cuda: Any = numba.cuda  # its types say little, and that of the simulator
SIMULATED = bool(getattr(config, "ENABLE_CUDASIM"))  # noqa: B009

# A few matches are fewer threads than a GPU has: that is no mistake.
setattr(config, "CUDA_LOW_OCCUPANCY_WARNINGS", 0)  # noqa: B010


def _lend_numpy_its_old_names() -> None:
    """numba-cuda 0.30 asks numpy for functions by names that numpy 2.5 no longer has."""
    for old, new in {"row_stack": "vstack", "in1d": "isin", "trapz": "trapezoid"}.items():
        if not hasattr(np, old):
            setattr(np, old, getattr(np, new))


def _keep_tables_in_global_memory() -> None:
    """Have the rules' tables where threads read at many places at once.

    numba puts them into constant memory, which serves one place after the other.
    """
    context = import_module("numba.cuda.target").CUDATargetContext
    spaces: Any = import_module("numba.cuda.cudadrv.nvvm")
    make = context.make_constant_array

    def make_global(self: Any, builder: Any, array: Any, values: Any) -> Any:
        constant, spaces.ADDRSPACE_CONSTANT = spaces.ADDRSPACE_CONSTANT, spaces.ADDRSPACE_GLOBAL
        try:
            return make(self, builder, array, values)
        finally:
            spaces.ADDRSPACE_CONSTANT = constant

    context.make_constant_array = make_global


if not SIMULATED:
    _lend_numpy_its_old_names()
    lower = import_module("numba.cuda.cudaimpl").registry.lower
    for function, write in CONSTANTS.items():
        lower(function, types.Record)(write)
    _keep_tables_in_global_memory()


def device() -> str:
    """The name of the GPU; an error that says what is missing where there is none."""
    if SIMULATED:
        return "numba-cuda's simulator"
    if not cuda.is_available():
        raise KibitzError(
            "no GPU was found: this needs one of NVIDIA with its driver; nvidia-smi lists them"
        )
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


@intrinsic
def _copy_words(_context: Any, to: Any, _source: Any) -> Any:
    """Word by word: numba would load a whole record into registers, and store it from there."""
    words = to.size // 8

    def generate(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        word = ir.IntType(64).as_pointer()
        target, source = (builder.bitcast(arg, word) for arg in args)
        with cgutils.for_range(builder, ir.Constant(ir.IntType(64), words)) as loop:
            value = builder.load(builder.gep(source, [loop.index]))
            builder.store(value, builder.gep(target, [loop.index]))
        return context.get_dummy_value()

    return types.void(to, _source), generate


def _copy_checked(to: Any, source: Any) -> None:
    """The same between records and checked states."""
    if isinstance(to, Checked):
        to.__dict__.update(Checked(to._layout, to._rules, source).__dict__)
    else:
        record = source.record()[0] if isinstance(source, Checked) else source
        for name, value in zip(to.dtype.names, record.tolist(), strict=True):
            to[name] = value


copy: Any = _copy_checked if SIMULATED else _copy_words
