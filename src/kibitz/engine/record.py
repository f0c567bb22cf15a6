"""States are fixed-size records: what the engine keeps for every game, and the game's own."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.engine.compiled import NONE, source_hash
from kibitz.engine.deck import NUMBERS, WORDS, Deck
from kibitz.engine.zones import SEATS, Zones

I1, I2, I4, I8 = np.int8, np.int16, np.int32, np.int64


@dataclass(frozen=True)
class Field:
    """A number, or an array of numbers, of a state, and how it is written down.

    `words` gives names to the values 0, 1, 2 …; `is_kind` says that values are kinds of card,
    `is_seat` and `is_seats` that they are a seat or a set of seats. Where the empty value is NONE,
    it is written `-`.
    """

    dtype: Any = I2
    shape: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    is_kind: bool = False
    is_seats: bool = False
    is_seat: bool = False
    low: int = 0
    high: int = 0
    empty: int = 0  # the value when a position does not mention it


def number(
    dtype: Any = I2, *shape: int, low: int = 0, high: int | None = None, empty: int = 0
) -> Field:
    """A plain number, or an array of them."""
    top = int(np.iinfo(dtype).max) if high is None else high
    return Field(dtype, shape, low=low, high=top, empty=empty)


def flag(*shape: int) -> Field:
    """Yes or no."""
    return number(I1, *shape, high=1)


def seat(*shape: int) -> Field:
    """The number of a seat, or NONE."""
    return Field(I1, shape, is_seat=True, empty=NONE)


def seats() -> Field:
    """A set of seats, one bit each."""
    return Field(I1, is_seats=True)


def word(*words: str, or_none: bool = False) -> Field:
    """One of a few named values."""
    return Field(I1, words=words, empty=NONE if or_none else 0)


def kind(*shape: int) -> Field:
    """A kind of card, or NONE."""
    return Field(I1, shape, is_kind=True, empty=NONE)


@dataclass(frozen=True)
class Layout:
    """All that is known of a game's states: their record type, cards, zones and fields."""

    dtype: np.dtype[Any]
    deck: Deck
    zones: Zones
    shown: dict[str, Field]  # part of every view
    hidden: dict[str, Field]  # part of no view
    parts: tuple[str, ...]  # what a round's score is made of

    @property
    def fields(self) -> dict[str, Field]:
        """The game's own fields."""
        return {**self.shown, **self.hidden}


# Every game has these: seats at the table, the round (from 1), the seats that are due, and the
# standing. The engine sets `players`, the game's rules the others.
COMMON: dict[str, Field] = {
    "players": number(I1, high=SEATS),
    "round_no": number(I2),
    "due": seats(),
    "over": flag(),
    "winners": seats(),
    "total": number(I2, SEATS, low=-32768),
}


def layout(
    file: str,
    deck: Deck,
    zones: Zones,
    *,
    shown: dict[str, Field],
    hidden: dict[str, Field] | None = None,
    parts: tuple[str, ...] = ("points",),
) -> Layout:
    """The layout of a game whose rules stand in this file.

    numba compares records by their fields only. The last field is named after the game's
    folder and a hash of its sources, so that two games, or two versions of one, are never
    taken for each other, in the cache above all.
    """
    folder = Path(file).parent
    hidden = hidden or {}
    spec: list[tuple[str, Any, tuple[int, ...]]] = [
        ("rng", I8, (4,)),
        ("cards", I8, (max(1, zones.sets), WORDS)),
        ("seen", I8, (WORDS,)),
        ("known", I8, (SEATS, WORDS)),
        ("gain", I2, (SEATS, len(parts))),
        ("top", I1, (max(1, zones.piles),)),
        ("under", I1, (NUMBERS,)),
        ("told", I1, ()),  # the seats that saw the card last passed secretly
    ]
    spec += [(n, f.dtype, f.shape) for n, f in {**COMMON, **shown, **hidden}.items()]
    spec.append((f"is_{folder.name}_{source_hash([folder])}", I1, ()))
    for name, *_ in spec:
        if hasattr(np.record, name):  # s.size, s.copy, s.round … are methods of numpy scalars
            raise ValueError(f"{folder.name}: field name {name!r} is taken by numpy")
    if len({name for name, *_ in spec}) != len(spec):
        raise ValueError(f"{folder.name}: two fields have the same name")
    dtype = np.dtype((np.record, np.dtype(spec, align=True)))
    return Layout(dtype, deck, zones, shown, hidden, parts)
