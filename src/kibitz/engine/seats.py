"""Seats and sets of seats: who comes next, who is among them."""

from kibitz.engine.bits import count
from kibitz.engine.compiled import State, rule


@rule
def only(seat: int) -> int:
    """The set of one seat."""
    return 1 << seat


@rule
def has(seats: int, seat: int) -> bool:
    """Whether a seat is in a set."""
    return (seats >> seat) & 1 != 0


@rule
def how_many_seats(seats: int) -> int:
    """How many seats are in a set."""
    return count(seats)


@rule
def everyone(s: State) -> int:
    """All seats of the table."""
    return (1 << s.players) - 1


@rule
def others(s: State, seat: int) -> int:
    """All seats but one."""
    return everyone(s) & ~(1 << seat)


@rule
def next_seat(s: State, seat: int) -> int:
    """The seat to the left."""
    return seat + 1 if seat + 1 < s.players else 0


@rule
def previous_seat(s: State, seat: int) -> int:
    """The seat to the right."""
    return seat - 1 if seat > 0 else s.players - 1


@rule
def next_among(s: State, seats: int, seat: int) -> int:
    """The first to the left who is in a set; the seat itself if there is no other."""
    for _ in range(s.players):
        seat = next_seat(s, seat)
        if has(seats, seat):
            return seat
    return seat


@rule
def previous_among(s: State, seats: int, seat: int) -> int:
    """The first to the right who is in a set; the seat itself if there is no other."""
    for _ in range(s.players):
        seat = previous_seat(s, seat)
        if has(seats, seat):
            return seat
    return seat
