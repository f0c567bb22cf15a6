"""States are fixed-size records: what the engine keeps for every game, and the game's fields."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.engine.compiled import NONE, source_hash
from kibitz.engine.deck import NUMBERS, WORDS, Deck
from kibitz.engine.zones import SEATS, Zones

I1, I2, I4, I8 = np.int8, np.int16, np.int32, np.int64
MOST_EVENTS = 32  # of one action


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
    """All that is known of a game's states: their record types, cards, zones and fields.

    `dtype` is a state; `reporting` is a state followed by room for the events of one action.
    """

    dtype: np.dtype[Any]
    reporting: np.dtype[Any]
    deck: Deck
    zones: Zones
    shown: dict[str, Field]  # part of every view
    hidden: dict[str, Field]  # part of no view
    derived: dict[str, Field]  # follow from where the cards lie; kept for speed alone
    parts: tuple[str, ...]  # what a round's score is made of

    @property
    def common(self) -> dict[str, Field]:
        """The fields of every game; the score of a round has a number for each of its parts."""
        return {**COMMON, "gain": number(I2, SEATS, len(self.parts), low=-32768)}

    @property
    def fields(self) -> dict[str, Field]:
        """The game's own fields."""
        return {**self.shown, **self.hidden}


# Every game has these. The engine sets `players`, `round_no`, `round_over` and `turns`; the rules
# say who is due, and with the functions of rounds.py what is scored and who has won.
COMMON: dict[str, Field] = {
    "players": number(I1, high=SEATS),
    "round_no": number(I2),  # from 1
    "due": seats(),  # who may act now
    "turns": number(I2),  # of this round, where the rules count them
    "round_over": flag(),  # the round has been scored, and the next one has not been dealt
    "over": flag(),  # so has the match
    "winners": seats(),
    "total": number(I2, SEATS, low=-32768),
}

# What people call them.
PLAIN_NAMES = {"round_no": "round", "total": "scores", "gain": "round_scores"}

_Spec = list[tuple[str, Any, tuple[int, ...]]]


def layout(
    file: str,
    deck: Deck,
    zones: Zones,
    *,
    shown: dict[str, Field],
    hidden: dict[str, Field] | None = None,
    derived: dict[str, Field] | None = None,
    parts: tuple[str, ...] = ("points",),
) -> Layout:
    """The layout of a game whose rules stand in this file.

    A game with derived fields has a rule `derive` that sets them by where the cards lie.

    numba compares records by their fields only. The last field of a state is named after the
    game's folder and a hash of its sources, so that two games, or two versions of one, are never
    taken for each other, least of all in the cache.
    """
    folder = Path(file).parent
    hidden, derived = hidden or {}, derived or {}
    state: _Spec = [
        ("rng", I8, (4,)),
        ("cards", I8, (max(1, zones.sets), WORDS)),
        ("seen", I8, (WORDS,)),
        ("known", I8, (SEATS, WORDS)),
        ("gain", I2, (SEATS, len(parts))),  # what each seat has scored in this round
        ("top", I1, (max(1, zones.piles),)),
        ("under", I1, (NUMBERS,)),
        ("witnesses", I1, ()),  # the seats that saw the cards of a masked action
    ]
    state += [(n, f.dtype, f.shape) for n, f in {**COMMON, **shown, **hidden, **derived}.items()]
    version = f"{folder.name}_{source_hash([folder])}"
    # The cards come first, so that events begin where a state ends: a reporting state can be looked
    # at as a plain one in the same memory. Not by numba, though, which would take it for one, and
    # report nothing: its last field of a state has another name.
    events: _Spec = [
        (f"reports_{version}", I1, ()),
        ("event_cards", I8, (MOST_EVENTS, WORDS)),
        ("event_number", I2, (MOST_EVENTS,)),
        ("event_kind", I1, (MOST_EVENTS,)),
        ("event_seat", I1, (MOST_EVENTS,)),
        ("event_other", I1, (MOST_EVENTS,)),
        ("events", I1, ()),  # how many there are
    ]
    for name, *_ in state:
        if hasattr(np.record, name):  # s.size, s.copy, s.round … are methods of numpy scalars
            raise ValueError(f"{folder.name}: the field name {name!r} is taken by numpy")
    if len({name for name, *_ in (*state, *events)}) != len(state) + len(events):
        raise ValueError(f"{folder.name}: two fields have the same name")
    dtype, reporting = _record([*state, (f"is_{version}", I1, ())]), _record([*state, *events])
    assert reporting.fields is not None
    assert reporting.fields["event_cards"][1] == dtype.itemsize
    return Layout(dtype, reporting, deck, zones, shown, hidden, derived, parts)


def _record(spec: _Spec) -> np.dtype[Any]:
    return np.dtype((np.record, np.dtype(spec, align=True)))
