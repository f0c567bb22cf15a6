"""The very same rules in plain Python, over states that refuse what a record would swallow.

`plain(function)` gives a compiled rule back as Python: every rule it calls is Python as well, and
constant tables are `Rows`. A `Checked` state refuses unknown fields, numbers that do not fit their
field, and indices out of range. So one can step through the rules with a debugger, and the tests
compare compiled with checked play, action by action.
"""

import sys
from types import FunctionType, ModuleType
from typing import Any, NoReturn

import numpy as np
from numba.core.dispatcher import Dispatcher

from kibitz.engine import bits
from kibitz.engine.action_list import MOST, MOST_GROUPS
from kibitz.engine.dispatch import Rules
from kibitz.engine.record import Layout

_worlds: dict[str, dict[str, Any]] = {}


class _PlainModule:
    """A module of rules whose functions are plain Python."""

    def __init__(self, module: ModuleType) -> None:
        self._world = _world(module.__name__)

    def __getattr__(self, name: str) -> Any:
        return self._world[name]


def _world(module: str) -> dict[str, Any]:
    """A module's globals, turned to plain Python."""
    if module not in _worlds:
        world: dict[str, Any] = {"__builtins__": __builtins__, "__name__": module}
        _worlds[module] = world
        for name, value in vars(sys.modules[module]).items():
            if not name.startswith("__"):
                world[name] = plain(value)
        if module == bits.__name__:
            world.update(bits.PLAIN)
    return _worlds[module]


def plain(value: Any) -> Any:
    """A global of a rules module, as plain Python sees it."""
    if isinstance(value, Dispatcher):
        return plain(value.py_func)
    if isinstance(value, FunctionType):
        if not _is_ours(value.__module__):
            return value
        twin = FunctionType(
            value.__code__, _world(value.__module__), value.__name__, value.__defaults__
        )
        twin.__kwdefaults__ = value.__kwdefaults__
        return twin
    if isinstance(value, ModuleType) and _is_ours(value.__name__):
        return _PlainModule(value)
    if isinstance(value, np.ndarray) and np.issubdtype(value.dtype, np.integer):
        return Rows(value.tolist())
    return value


def _is_ours(module: str) -> bool:
    return module.startswith(("kibitz.engine.", "kibitz.games.", "kibitz.bots."))


class Rows:
    """A constant table: only plain ints, only indices within it."""

    def __init__(self, values: list[Any]) -> None:
        self._values = [Rows(v) if isinstance(v, list) else v for v in values]

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, at: int | tuple[int, int]) -> Any:
        if isinstance(at, tuple):
            return self[at[0]][at[1]]
        if not 0 <= at < len(self._values):
            raise IndexError(f"{at} is outside 0..{len(self._values) - 1}")
        return self._values[at]


class Cells:
    """An array field of a checked state."""

    def __init__(self, shape: tuple[int, ...], low: int, high: int, data: list[int]) -> None:
        self.shape, self.data = shape, data
        self._limits = low, high

    def __getitem__(self, at: int) -> int:
        if not 0 <= at < self.shape[0]:
            raise IndexError(f"{at} is outside 0..{self.shape[0] - 1}")
        return self.data[at]

    def __setitem__(self, at: int, value: int) -> None:
        low, high = self._limits
        if not low <= value <= high:
            raise OverflowError(f"{value} is outside {low}..{high}")
        if not 0 <= at < self.shape[0]:
            raise IndexError(f"{at} is outside 0..{self.shape[0] - 1}")
        self.data[at] = int(value)

    def copy(self) -> "Cells":
        """The same numbers, to be changed by themselves."""
        return type(self)(self.shape, *self._limits, self.data.copy())


class Grid(Cells):
    """An array field of rows and columns."""

    def __getitem__(self, at: tuple[int, int]) -> int:  # type: ignore[override]
        return self.data[self._place(at)]

    def __setitem__(self, at: tuple[int, int], value: int) -> None:  # type: ignore[override]
        low, high = self._limits
        if not low <= value <= high:
            raise OverflowError(f"{value} is outside {low}..{high}")
        self.data[self._place(at)] = int(value)

    def _place(self, at: tuple[int, int]) -> int:
        row, column = at
        rows, columns = self.shape
        if not (0 <= row < rows and 0 <= column < columns):
            raise IndexError(f"{at} is outside {self.shape}")
        return row * columns + column


class Checked:
    """A state as a Python object."""

    _layout: Layout
    _dtype: np.dtype[Any]
    _limits: dict[str, tuple[int, int]]

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a state has no field {name!r}")

    def __init__(self, layout: Layout, rules: Rules, record: Any) -> None:
        limits = {}
        dtype: np.dtype[Any] = record.dtype
        values = dict(zip(dtype.names or (), record.tolist(), strict=True))
        for name, value in values.items():
            field: np.dtype[Any] = dtype[name]
            info = np.iinfo(field.base)
            limits[name] = int(info.min), int(info.max)
            if field.shape:
                data = np.asarray(value).ravel().tolist()
                cells = Cells if len(field.shape) == 1 else Grid
                values[name] = cells(field.shape, *limits[name], data)
        self.__dict__.update(values, _layout=layout, _rules=rules, _limits=limits, _dtype=dtype)

    def __setattr__(self, name: str, value: int) -> None:
        if name not in self._limits:
            raise AttributeError(f"a state has no field {name!r}")
        low, high = self._limits[name]
        if not low <= value <= high:
            raise OverflowError(f"{name} = {value} is outside {low}..{high}")
        self.__dict__[name] = int(value)

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a state keeps its field {name!r}")

    def copy(self) -> "Checked":
        """The same state, to be changed by itself."""
        other = object.__new__(Checked)
        for name, value in self.__dict__.items():
            other.__dict__[name] = value.copy() if isinstance(value, Cells) else value
        return other

    def record(self) -> Any:
        """The same state as a record, in an array of one."""
        array = np.zeros(1, self._dtype)
        for name in self._dtype.names or ():
            value = self.__dict__[name]
            if isinstance(value, Cells):
                array[name][0].flat = value.data
            else:
                array[name] = value
        return array


class CheckedList:
    """A list of actions as a Python object."""

    def __init__(self) -> None:
        i2, i8 = np.iinfo(np.int16), np.iinfo(np.int64)
        self.count = self.groups = 0
        self.first = Cells((MOST_GROUPS,), int(i2.min), int(i2.max), [0] * MOST_GROUPS)
        self.bits = Cells((MOST_GROUPS,), 0, int(i8.max), [0] * MOST_GROUPS)
        self.action = Cells((MOST + 8,), int(i2.min), int(i2.max), [0] * (MOST + 8))

    def listed(self) -> list[int]:
        """The actions."""
        return [
            first + n
            for first, bits in zip(self.first.data[: self.groups], self.bits.data, strict=False)
            for n in range(bits.bit_length())
            if bits >> n & 1
        ]
