"""Rules are plain Python functions, compiled by numba and cached on disk.

numba checks only the time stamp of the file that holds a function, never its callees. So the
cache folder is named by a hash of all sources that the compiled engine is made of, and every
game's record type carries a hash of that game's own sources (see record.py): an edited callee
never meets a stale caller, and editing one game leaves the others compiled.
"""

import hashlib
import os
import shutil
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

# A state, a list of actions: records whose fields only numba and Checked know.
State = Any
ActionList = Any
Lookup = npt.NDArray[np.integer[Any]]

F = TypeVar("F", bound=Callable[..., Any])

NONE = -1
_PACKAGE = Path(__file__).parent.parent
_COMPILED_LAYERS = ("engine", "bots")
_KEPT_CACHES = 3


def source_hash(folders: Iterable[Path]) -> str:
    """A short name for the present text of all Python files below these folders."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version}".encode())
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            if "tests" not in file.relative_to(folder).parts:
                digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:12]


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


def _open_cache() -> bool:
    """Point numba at our cache folder; False where nothing can be written."""
    root = cache_folder()
    name = source_hash(_PACKAGE / layer for layer in _COMPILED_LAYERS)
    folder = root / name
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            _prune(root, name)
    except OSError:
        return False
    setattr(numba.config, "CACHE_DIR", str(folder))  # noqa: B010  its types do not know it
    return os.access(folder, os.W_OK)


CACHED = _open_cache()


_OPTIONS: dict[str, Any] = {"cache": CACHED, "nogil": True, "error_model": "numpy"}


def rule(function: F) -> F:
    """Compile a function of the rules; its plain form stays reachable for checked play."""
    compiled: Any = numba.njit(**_OPTIONS)(function)
    return cast(F, compiled)


def inlined(function: F) -> F:
    """The same for a function that is worth compiling into each of its callers."""
    compiled: Any = numba.njit(**_OPTIONS, forceinline=True)(function)
    return cast(F, compiled)


def lookup(values: Iterable[Any], dtype: Any = np.int64) -> Lookup:
    """A constant table that compiled rules can index; in checked play it refuses bad indices."""
    return np.array(list(values), dtype)
