"""Who comes next, who has won, and what most games need not say."""

from kibitz.engine.compiled import State, rule


@rule
def next_seat(s: State, seat: int) -> int:
    """The seat to the left."""
    return seat + 1 if seat + 1 < s.players else 0


@rule
def crown(s: State, sign: int) -> None:
    """End the match: the highest totals win (sign 1), or the lowest (sign -1); equals share."""
    best = sign * s.total[0]
    for p in range(1, s.players):
        best = max(best, sign * s.total[p])
    s.winners = 0
    for p in range(s.players):
        if sign * s.total[p] == best:
            s.winners |= 1 << p
    s.over = 1
    s.due = 0


@rule
def reseal(s: State, seat: int) -> None:
    """For games in which nothing is chosen unseen."""
