"""A game played in checked plain Python wherever a match would call compiled rules."""

import ast
import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from kibitz.engine import border
from kibitz.engine.checked import Checked, CheckedList, plain
from kibitz.games import find

CROSSED = ("next_round_at", "legal_at", "is_legal_at", "apply_at", "redeal_at")


def play_plain(game: str) -> None:
    """From now on matches of this game are played in plain Python in this process."""
    for name in CROSSED:
        setattr(border, name, _interpreted(getattr(border, name), game))


def _interpreted(function: Any, name: str) -> Callable[..., Any]:
    """A function of the border that has its states checked, and does the same."""
    twin = plain(function)

    def cross(states: Any, i: int, *rest: Any) -> Any:
        game = find(name)
        state = Checked(game.layout, game.plain, states[i])
        lists = [CheckedList() if isinstance(value, np.ndarray) else value for value in rest]
        result = twin([state], 0, *([v] if isinstance(v, CheckedList) else v for v in lists))
        states[i] = state.record()[0]
        for value, checked in zip(rest, lists, strict=True):
            if isinstance(checked, CheckedList):
                value["count"][0] = checked.count
                value["action"][0] = checked.action.data
        return result

    return cross


class Planted(SourceFileLoader):
    """Loads a module from a tree instead of from its file."""

    def __init__(self, name: str, file: Path, tree: ast.Module) -> None:
        super().__init__(name, str(file))
        self._tree = tree

    def get_code(self, fullname: str) -> CodeType:
        """The tree, compiled."""
        return compile(self._tree, self.path, "exec")


class Planting(MetaPathFinder):
    """Has one module loaded with a mistake in it."""

    def __init__(self, name: str, file: Path, tree: ast.Module) -> None:
        self._name, self._file, self._tree = name, file, tree

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The one module."""
        if fullname != self._name:
            return None
        loader = Planted(fullname, self._file, self._tree)
        return importlib.util.spec_from_file_location(fullname, self._file, loader=loader)


def plant(name: str, file: Path, tree: ast.Module) -> None:
    """Import a module with a mistake in it, once it is imported."""
    assert name not in sys.modules
    sys.meta_path.insert(0, Planting(name, file, tree))
