"""Rounds: the engine deals them, the rules end them, and between two of them the table rests.

A rule ends a round with `end_round`, or the match with `end_match`: scores are booked, nobody is
due. The engine begins the next round with `next_round`.
"""

from kibitz.engine import dispatch
from kibitz.engine.compiled import State, rule
from kibitz.engine.events import SCORED, SHARED, WON, report
from kibitz.engine.seats import has, how_many_seats


@rule
def next_round(s: State) -> None:
    """Begin the next round, or the first."""
    s.round_no += 1
    s.round_over = 0
    s.turns = 0
    for seat in range(s.players):
        for part in range(s.gain.shape[1]):
            s.gain[seat, part] = 0
    dispatch.begin_round(s)


@rule
def count_turn(s: State) -> int:
    """One more turn of this round; how many there have been."""
    s.turns += 1
    return s.turns


@rule
def score(s: State, seat: int, part: int, points: int) -> None:
    """Book a part of a seat's score, and report it: the cards that it came from can be added."""
    book(s, seat, part, points)
    report(s, SCORED, seat, points, part)


@rule
def book(s: State, seat: int, part: int, points: int) -> None:
    """Book a part of a seat's score."""
    s.gain[seat, part] += points
    s.total[seat] += points


@rule
def end_round(s: State) -> None:
    """The round is over and scored."""
    s.round_over = 1
    s.due = 0


@rule
def best_seats(s: State, sign: int) -> int:
    """The seats with the highest total (sign 1), or the lowest (sign -1)."""
    best = sign * s.total[0]
    for seat in range(1, s.players):
        best = max(best, sign * s.total[seat])
    found = 0
    for seat in range(s.players):
        if sign * s.total[seat] == best:
            found |= 1 << seat
    return found


@rule
def end_match(s: State, winners: int) -> None:
    """The round is over, and so is the match; several winners share the victory."""
    end_round(s)
    s.over = 1
    s.winners = winners
    event = WON if how_many_seats(winners) == 1 else SHARED
    for seat in range(s.players):
        if has(winners, seat):
            report(s, event, seat, s.total[seat])


@rule
def no_hidden_choice(s: State, seat: int) -> None:
    """For games in which nothing is chosen unseen."""
