"""Where cards can lie.

A zone is a *set*, or a *pile* with an order. A set is closed to all unless it is declared open
to its owner or to everyone. A pile is built openly, card by card: everyone has seen each of
its cards, the top one shows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

SEATS = 6


class Sight(Enum):
    """Who may look into a zone."""

    NOBODY = "nobody"
    OWNER = "owner"
    EVERYONE = "everyone"


@dataclass(frozen=True)
class Family:
    """Zones of one name: one for the table or one per seat, each in `count` parts."""

    name: str
    first: int  # index of its first zone, among the sets or among the piles
    is_pile: bool
    sight: Sight
    per_seat: bool
    parts: tuple[str, ...]
    hidden_in: str | None = None
    looked_through: bool = False  # a pile whose covered cards everyone may look at again
    open_at_end: bool = False  # a set that lies open to everyone once the round is over

    @property
    def count(self) -> int:
        """How many zones a seat, or the table, has of it."""
        return max(1, len(self.parts))


@dataclass(frozen=True)
class Zone:
    """One place on the table."""

    family: Family
    owner: int | None
    part: str | None
    index: int  # among the sets, or among the piles

    @property
    def name(self) -> str:
        """The zone as written in positions: `draw`, `hand.2`, `display.0.r`."""
        bits = [self.family.name]
        if self.owner is not None:
            bits.append(str(self.owner))
        if self.part is not None:
            bits.append(self.part)
        return ".".join(bits)


class Zones:
    """The zones of a game, declared once; each declaration returns the first index."""

    def __init__(self) -> None:
        self.families: dict[str, Family] = {}
        self.sets = 0
        self.piles = 0

    def set(
        self,
        name: str,
        sight: Sight = Sight.NOBODY,
        *,
        per_seat: bool = False,
        hidden_in: str | None = None,
        open_at_end: bool = False,
    ) -> int:
        """Declare a set, or one per seat: zone = first + seat.

        `hidden_in` names the hand in which others still believe these cards to be: neither the
        cards nor their number show.
        """
        first = self.sets
        self.sets += SEATS if per_seat else 1
        self.families[name] = Family(
            name, first, False, sight, per_seat, (), hidden_in, open_at_end=open_at_end
        )
        return first

    def pile(
        self,
        name: str,
        *,
        per_seat: bool = False,
        parts: tuple[str, ...] = (),
        looked_through: bool = False,
    ) -> int:
        """Declare a pile, or one per seat and part: first + seat * len(parts) + part."""
        first = self.piles
        self.piles += (SEATS if per_seat else 1) * max(1, len(parts))
        self.families[name] = Family(
            name, first, True, Sight.EVERYONE, per_seat, parts, None, looked_through
        )
        return first

    def at(self, players: int) -> tuple[Zone, ...]:
        """All zones of a table with that many seats."""
        return tuple(self._each(players))

    def _each(self, players: int) -> Iterator[Zone]:
        for family in self.families.values():
            for owner in range(players) if family.per_seat else (None,):
                for i, part in enumerate(family.parts or (None,)):
                    index = family.first + (owner or 0) * family.count + i
                    yield Zone(family, owner, part, index)
