"""What each viewer sees of every zone, in numbers: the one place that decides it.

A row per zone, sets first, then piles. Of a set: its size, the cards that the viewer may look at
(two words), and those it has seen go there (two words). Of a pile: its size, a number that
changes with its order, and the top card.
"""

from typing import Any

from kibitz.engine import chance, dispatch
from kibitz.engine.bits import count
from kibitz.engine.compiled import NONE, Moves, State, rule
from kibitz.engine.dispatch import OPEN
from kibitz.engine.redeal import pool

ROW = 5
SPECTATOR = -1
ALL_SEEING = -4  # for a match that is over: nothing is hidden
_PRIME = 36028797018963913  # below 2^55, so that 128 times as much fits into a word


@rule
def glimpse(s: State, me: int, rows: Any) -> None:
    """What viewer `me` sees of every zone."""
    sight, within = dispatch.sight(s), dispatch.within(s)
    sets = s.cards.shape[0]
    for zone in range(sets):
        low, high = s.cards[zone, 0], s.cards[zone, 1]
        rows[zone, 3] = 0
        rows[zone, 4] = 0
        if sight[zone] == OPEN or sight[zone] == me or me == ALL_SEEING:
            rows[zone, 1] = low
            rows[zone, 2] = high
        elif within[zone] >= 0:
            low, high = 0, 0
            rows[zone, 1] = 0
            rows[zone, 2] = 0
        else:
            for hidden in range(sets):
                if within[hidden] == zone:
                    low |= s.cards[hidden, 0]
                    high |= s.cards[hidden, 1]
            rows[zone, 1] = 0
            rows[zone, 2] = 0
            rows[zone, 3] = low & s.seen[0]
            rows[zone, 4] = high & s.seen[1]
            if me >= 0:
                rows[zone, 3] |= low & s.known[me, 0]
                rows[zone, 4] |= high & s.known[me, 1]
        rows[zone, 0] = count(low) + count(high)
    for pile in range(s.top.shape[0]):
        card, size, mark = s.top[pile], 0, 0
        while card != NONE:
            size += 1
            mark = (128 * mark + card + 1) % _PRIME
            card = s.under[card]
        rows[sets + pile, 0] = size
        rows[sets + pile, 1] = mark
        rows[sets + pile, 2] = s.top[pile]


@rule
def glimpse_at(states: Any, i: int, me: int, rows: Any) -> None:
    """What viewer `me` sees of every zone of state i."""
    glimpse(states[i], me, rows)


@rule
def changes_at(
    states: Any, i: int, viewers: Any, rows: Any, fresh: Any, changed: Any, like: Any
) -> int:
    """Bring the rows of some viewers up to date, and list those that have changed.

    Each entry of `changed` has the viewer, the number of the row, and the row. Where the same
    has changed for an earlier viewer, only `like` says so. `fresh` is room for one viewer's rows.
    """
    n = 0
    for v in range(len(viewers)):
        glimpse(states[i], viewers[v], fresh)
        first = n
        for zone in range(rows.shape[1]):
            differs = False
            for k in range(ROW):
                if rows[v, zone, k] != fresh[zone, k]:
                    differs = True
                    rows[v, zone, k] = fresh[zone, k]
            if differs:
                changed[n, 0] = v
                changed[n, 1] = zone
                for k in range(ROW):
                    changed[n, 2 + k] = fresh[zone, k]
                n += 1
        like[v] = v
        same = _same_run(changed, first, n)
        if same >= 0:
            like[v] = changed[same, 0]
            n = first
    return n


@rule
def _same_run(changed: Any, first: int, last: int) -> int:
    """Where an earlier viewer's changes begin that are those from `first` to `last`, or -1."""
    size = last - first
    start = 0
    while start < first:
        end = start
        while end < first and changed[end, 0] == changed[start, 0]:
            end += 1
        if end - start == size:
            same = True
            for n in range(size):
                for k in range(1, 2 + ROW):
                    if changed[start + n, k] != changed[first + n, k]:
                        same = False
            if same:
                return start
        start = end
    return -1


@rule
def goes_on(s: State, trial: State, seat: int, action: int) -> bool:
    """Whether an action is a step of a choice that is not complete.

    Then the seat goes on alone, nothing is revealed to it and nothing drawn, so the step can
    still be taken back.
    """
    low, high = pool(s, seat)
    chance.reseed(trial, 0, 0)
    before = trial.rng[0], trial.rng[1], trial.rng[2], trial.rng[3]
    dispatch.apply(trial, seat, action)
    if before != (trial.rng[0], trial.rng[1], trial.rng[2], trial.rng[3]):
        return False
    if trial.over or trial.round_no != s.round_no or trial.due & ~s.due:
        return False
    left_low, left_high = pool(trial, seat)
    return (trial.due >> seat) & 1 != 0 and low & ~left_low == 0 and high & ~left_high == 0


@rule
def held_at(states: Any, seat: int, lists: Any, held: Any) -> None:
    """For each action of a seat in state 0 whether its choice goes on; state 1 is played in."""
    moves: Moves = lists[0]
    for i in range(moves.count):
        states[1] = states[0]
        held[i] = goes_on(states[0], states[1], seat, moves.move[i])
