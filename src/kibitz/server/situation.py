"""What a decision depends on besides the table, and what it asks of the table first."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from kibitz.engine.match import Match
from kibitz.server.protocol import Refused
from kibitz.server.table import Table

GRACE = 30_000  # milliseconds for which somebody may be away before others can stand in


class Situation(NamedTuple):
    """What a decision depends on besides the table: the time, and who is there."""

    now: int  # milliseconds since 1970
    here: frozenset[int] = frozenset()  # the seats whose players are connected
    pause: int = 0  # how long a table rests after a round, in milliseconds
    gone: Mapping[int, int] = MappingProxyType({})  # since when the others are not there

    def grace(self, seat: int) -> int:
        """For how long nobody can stand in for who is not there, in milliseconds."""
        return max(0, self.gone.get(seat, self.now) + GRACE - self.now)


def seated(seat: int | None) -> int:
    """The seat of somebody who must have one."""
    if seat is None:
        raise Refused("not_seated", "this needs a seat, and you are watching")
    return seat


def playing(table: Table) -> Match:
    """The match, which must have begun and not be over."""
    if table.match is None or table.phase != "playing":
        raise Refused("phase", f"the match is {table.phase}, so this cannot be done now")
    return table.match


def due(table: Table, seat: int) -> Match:
    """The match, in which a seat must be due."""
    match = playing(table)
    if seat not in match.to_act:
        raise Refused("not_due", "it is not your turn")
    return match
