"""What stands where in an observation: all that a seat may know, as one row of small numbers.

The layout follows from the game's fields, zones and deck, and is the same for every number of
players: places of seats that nobody sits on stay 0. Seats are turned so that the own one comes
first: `hand.+1` is the hand of the next seat in order of play. `engine/observe.py` fills the row.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from kibitz.engine.actions import Verb
from kibitz.engine.compiled import Lookup, lookup
from kibitz.engine.errors import BrokenGame
from kibitz.engine.game import Game
from kibitz.engine.record import PLAIN_NAMES, Field
from kibitz.engine.zones import SEATS, Family, Sight

DTYPE = np.int16
SIZE = 1  # the number of cards comes first in the section of a zone
NOBODY_IS_NAMED = -1
MOST_PILES = 62  # of one name: they are kept as bits of a word while they are looked through


@dataclass(frozen=True)
class Section:
    """A run of numbers that belong together."""

    name: str
    offset: int
    length: int
    meaning: str

    @property
    def end(self) -> int:
        """The offset of what comes next."""
        return self.offset + self.length


class Observation:
    """The layout of a game's observations."""

    def __init__(self, game: Game) -> None:
        self.game, self.layout = game, game.layout
        self.seats = game.identity.seats[-1]  # the most that can sit at the table
        self.kinds = len(game.layout.deck.kinds)
        self.actions = len(game.actions)
        self.sections: dict[str, Section] = {}
        for name, length, meaning in self._parts():
            if name in self.sections:
                raise BrokenGame(f"{game.name}: a field and a zone are both called {name!r}")
            self.sections[name] = Section(name, self.size, length, meaning)

    @property
    def size(self) -> int:
        """How many numbers an observation has."""
        *_, last = self.sections.values() or [Section("", 0, 0, "")]
        return last.end

    @cached_property
    def fields(self) -> dict[str, Field]:
        """The fields that everyone sees, those of every game first."""
        found = {**self.layout.common, **self.layout.shown}
        for name, field in found.items():
            if np.dtype(field.dtype).itemsize > np.dtype(DTYPE).itemsize:
                raise BrokenGame(
                    f"{self.game.name}: the shown field {name!r} does not fit into an observation; "
                    "declare it as I1 or I2"
                )
        return found

    def _parts(self) -> Iterator[tuple[str, int, str]]:
        for name, field in self.fields.items():
            yield PLAIN_NAMES.get(name, name), self.length(field), self._meaning(field)
        for family in self.layout.zones.families.values():
            for name in self.zone_names(family):
                yield name, self.length_of_zone(family), self._meaning_of_zone(family)
        if self.layout.zones.piles:
            yield "order", len(self.layout.deck), "kind + 1 of each card on piles, top down; then 0"

    # ---- fields

    def width(self, field: Field) -> int:
        """How many numbers tell one value of a field."""
        if field.is_seat or field.is_seats:
            return self.seats
        if field.is_kind and not field.shape:
            return self.kinds
        return len(field.words) or 1

    def length(self, field: Field) -> int:
        """How many numbers tell a field."""
        shape = field.shape
        if shape[:1] == (SEATS,):
            shape = (self.seats, *shape[1:])
        return int(np.prod(shape, dtype=int)) * self.width(field)

    def _meaning(self, field: Field) -> str:
        if field.is_seat:
            value = "1 for the seat"
        elif field.is_seats:
            value = "1 for each seat among them"
        elif field.is_kind:
            value = "kind + 1, or 0" if field.shape else "1 for the kind"
        elif field.words:
            value = f"1 for {', '.join(field.words)}"
        else:
            value = "number"
        if not field.shape:
            return value
        each = "each seat" if field.shape[0] == SEATS else f"{field.shape[0]} of them"
        return f"{' × '.join([each, *map(str, field.shape[1:])])}: {value}"

    # ---- zones

    def zone_names(self, family: Family) -> list[str]:
        """The zones of a family as seats are turned, in the order of their sections."""
        owners = [f".+{n}" for n in range(self.seats_of(family))] if family.per_seat else [""]
        parts = [f".{part}" for part in family.parts] or [""]
        return [f"{family.name}{owner}{part}" for owner in owners for part in parts]

    def seats_of(self, family: Family) -> int:
        """Of how many seats a family is told: what is hidden in hands shows to its owner alone."""
        is_secret = family.sight is not Sight.EVERYONE and not family.open_at_end
        return 1 if family.hidden_in and is_secret else self.seats

    def length_of_zone(self, family: Family) -> int:
        """Its size, the cards of each kind, and what else is to be said of each kind."""
        return SIZE + self.kinds * (2 if family.is_pile or tells_seen(family) else 1)

    def _meaning_of_zone(self, family: Family) -> str:
        if family.is_pile:
            return "size; number of each kind; 1 for the kind on top"
        if tells_seen(family):
            return "size; number of each kind that you know of; that everyone does"
        return "size; number of each kind that you know of"

    @cached_property
    def sets(self) -> Lookup:
        """A row for each family of sets, see `_row`; the last one is whether it tells `seen`."""
        rows = [[*self._row(f), int(tells_seen(f))] for f in self._families(piles=False)]
        return lookup(rows).reshape(-1, 5)

    @cached_property
    def piles(self) -> Lookup:
        """A row for each family of piles, see `_row`; the last one is how many each seat has."""
        rows = []
        for family in self._families(piles=True):
            if len(self.zone_names(family)) > MOST_PILES:
                raise BrokenGame(
                    f"{self.game.name}: {family.name!r} has {len(self.zone_names(family))} piles, "
                    f"of which an observation can tell {MOST_PILES}; declare them as several zones"
                )
            rows.append([*self._row(family), family.count])
        return lookup(rows).reshape(-1, 5)

    def _row(self, family: Family) -> list[int]:
        """Its first zone, seats that it is told of (0: the table's), offset, length of a zone."""
        seats = self.seats_of(family) if family.per_seat else 0
        offset = self.sections[self.zone_names(family)[0]].offset
        return [family.first, seats, offset, self.length_of_zone(family)]

    def _families(self, *, piles: bool) -> Iterator[Family]:
        return (f for f in self.layout.zones.families.values() if f.is_pile == piles)

    # ---- actions

    @cached_property
    def named_seats(self) -> Lookup:
        """For each action the seat that it names, or -1, and how far apart two seats are."""
        rows = []
        for verb in self.game.actions.verbs:
            step = seat_step(verb)
            for action in self.game.actions.all[verb.first : verb.first + verb.count]:
                named = int(action.words["seat"]) if step else NOBODY_IS_NAMED
                rows.append([named, step])
        return lookup(rows, np.int16)


@cache
def observation_of(game: Game) -> Observation:
    """The layout of a game's observations."""
    return Observation(game)


def tells_seen(family: Family) -> bool:
    """Whether everyone may know of cards in these zones that not everyone can look at.

    Of what is hidden in a hand this is told with that hand, as others see it.
    """
    return not family.is_pile and family.sight is not Sight.EVERYONE and not family.hidden_in


def seat_step(verb: Verb) -> int:
    """How far apart two actions are that differ in the seat they name; 0 if they name none."""
    if "seat" not in verb.words:
        return 0
    if verb.words["seat"] != tuple(map(str, range(SEATS))):
        raise BrokenGame(f"the seats of the verb {verb.name!r} must be 0 to {SEATS - 1}")
    step = 1
    for name in reversed(list(verb.words)):
        if name == "seat":
            break
        step *= len(verb.words[name])
    return step
