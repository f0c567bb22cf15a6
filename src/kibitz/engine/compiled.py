"""Rules are plain Python functions, compiled by numba and cached on disk.

numba checks only the time stamp of the file that holds a function, never its callees. So the
cache folder is named by a hash of all sources that the compiled engine is made of, and every
game's record type carries a hash of that game's own sources (see record.py): an edited callee
never meets a stale caller, and editing one game leaves the others compiled.

In the names of compiled functions numba tells record types apart by numbers that each process gives
out anew. Two games that were compiled in processes of their own could have the same number, and
where both were then read from the cache, one would run the other's code on a state that is laid
out otherwise. So here record types are told apart by what they are.

Nor does numba mind that two processes may write to one index: either could lose what the other
wrote, or find under its own name what the other compiled for another game. So one writes at a time.
"""

import contextlib
import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt
from numba.core.caching import FunctionCache
from numba.core.registry import CPUDispatcher

from kibitz.engine.machine import take

# A state, a list of actions: records whose fields only numba and Checked know.
State = Any
ActionList = Any
Lookup = npt.NDArray[np.integer[Any]]

F = TypeVar("F", bound=Callable[..., Any])

NONE = -1
_PACKAGE = Path(__file__).parent.parent
_COMPILED_LAYERS = ("engine", "bots")
_KEPT_CACHES = 3


def sources(folders: Iterable[Path]) -> Iterator[Path]:
    """All Python files below these folders but tests."""
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            if "tests" not in file.relative_to(folder).parts:
                yield file


def source_hash(folders: Iterable[Path]) -> str:
    """A short name for the present text of all Python files below these folders."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version}".encode())
    for file in sources(folders):
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


def compiled_sources(game: Path) -> Iterator[Path]:
    """All files that the compiled code of a game is made of."""
    return sources([*(_PACKAGE / layer for layer in _COMPILED_LAYERS), game])


def cache_folder() -> Path:
    """Where compiled code is kept: $KIBITZ_CACHE, or the user's cache folder."""
    given = os.environ.get("KIBITZ_CACHE")
    if given:
        return Path(given)
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return home / "kibitz"


def _prune(root: Path, current: str) -> None:
    """Forget the caches of older sources, all but the few used last."""
    old = [d for d in root.iterdir() if d.is_dir() and d.name != current]
    old.sort(key=lambda d: d.stat().st_mtime, reverse=True)
    for folder in old[_KEPT_CACHES - 1 :]:
        shutil.rmtree(folder, ignore_errors=True)


def _open_cache() -> Path | None:
    """Point numba at our cache folder; None where nothing can be written."""
    root = cache_folder()
    name = source_hash(_PACKAGE / layer for layer in _COMPILED_LAYERS)
    folder = root / name
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            _prune(root, name)
    except OSError:
        return None
    setattr(numba.config, "CACHE_DIR", str(folder))  # noqa: B010  its types do not know it
    return folder if os.access(folder, os.W_OK) else None


def _named(record: numba.types.Record) -> tuple[str, tuple[str]]:
    """What stands for a record type in the name of a compiled function."""
    return "Record", (hashlib.sha256(record.name.encode()).hexdigest()[:16],)


setattr(numba.types.Record, "mangling_args", property(_named))  # noqa: B010  its types do not know it
CACHE = _open_cache()
# Nobody takes a pointer to a rule, so no code is made for that. No rule allocates memory, so
# nothing counts who still uses an array: whatever works on one is given it by Python.
_OPTIONS: dict[str, Any] = {"error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}


class _SharedCache(FunctionCache):
    """What numba has compiled of a function; one process writes at a time."""

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled for some types, if that can be; it is used either way."""
        assert CACHE is not None
        keep: Any = super().save_overload
        # Another version may have forgotten this folder meanwhile, or the disk may be full.
        with contextlib.suppress(OSError), take(CACHE / "lock", wait=True):
            keep(sig, data)


class _Inner(CPUDispatcher):
    """A function without a way in from Python: to compile one takes a third of the time."""

    def __call__(self, *_: Any, **__: Any) -> NoReturn:
        """Refuse, where numba would crash."""
        raise TypeError(f"only compiled code can call {self.py_func.__name__}; see `from_python`")


def _compiled(function: F, **options: Any) -> F:
    """A function compiled when it is first called, or found in the cache."""
    dispatcher: Any = numba.njit(**{**_OPTIONS, **options})(function)
    cache: Any = _SharedCache
    if CACHE is not None:
        dispatcher._cache = cache(function)  # as `cache=True` would do with one of its own
    return cast(F, dispatcher)


def _inner(function: F, **options: Any) -> F:
    dispatcher: Any = _compiled(function, no_cpython_wrapper=True, **options)
    dispatcher.__class__ = _Inner
    return cast(F, dispatcher)


def rule(function: F) -> F:
    """Compile a function of the rules, to be called by compiled code.

    Its plain form stays reachable for checked play.
    """
    return _inner(function)


def inlined(function: F) -> F:
    """The same for a function that is worth compiling into each of its callers."""
    return _inner(function, forceinline=True)


def in_any_order(function: F) -> F:
    """The same for sums of fractions that may be added in any order, several at a time."""
    return _inner(function, fastmath=True)


def from_python(function: F) -> F:
    """Compile a function that Python calls, with arrays of states: see engine/border.py.

    Other threads run meanwhile.
    """
    return _compiled(function, nogil=True)


def at_once(function: F) -> F:
    """The same for one that takes a microsecond or two.

    It keeps Python's lock: whoever gives it away has to wait until another thread gives it back.
    """
    return _compiled(function)


def in_parallel(function: F) -> F:
    """The same for one whose `prange` runs on all cores: they put what they find into arrays."""
    return _compiled(function, nogil=True, parallel=True, _nrt=True)


def lookup(values: Iterable[Any], dtype: Any = np.int64) -> Lookup:
    """A constant table that compiled rules can index; in checked play it refuses bad indices."""
    return np.array(list(values), dtype)
