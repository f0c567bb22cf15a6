"""What one kind of machine has and another lacks; where it is missing, we do without."""

import contextlib
import os
import sys
import threading
from importlib import import_module
from pathlib import Path
from typing import IO, Any


def _if_there(module: str) -> Any:
    try:
        return import_module(module)
    except ModuleNotFoundError:
        return None


_fcntl, _msvcrt = _if_there("fcntl"), _if_there("msvcrt")


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def step_back() -> None:
    """Let other processes go first."""
    if hasattr(os, "nice"):
        os.nice(10)


def let_the_main_thread_go_first() -> None:
    """Step back with the thread that calls this, where a machine can tell threads apart."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 5)


def take(file: Path, *, wait: bool) -> IO[str]:
    """Open a file and have it alone, among processes that ask, until it is closed.

    Where another has it: wait, or raise BlockingIOError.
    """
    taken = file.open("w")
    try:
        if _fcntl is not None:
            _fcntl.flock(taken, _fcntl.LOCK_EX | (0 if wait else _fcntl.LOCK_NB))
        elif _msvcrt is not None:
            _msvcrt.locking(taken.fileno(), _msvcrt.LK_LOCK if wait else _msvcrt.LK_NBLCK, 1)
    except OSError as error:
        taken.close()
        raise BlockingIOError(f"another process has {file}") from error
    return taken
