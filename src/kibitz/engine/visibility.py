"""What each viewer sees of every zone, in numbers: the one place that decides it.

A row per zone, sets first, then piles. Of a set: its size, the cards that the viewer may look at
(two words), and those it has seen go there (two words). Of a pile: its size, a number that changes
with its order, and the top card.
"""

from typing import Any

from kibitz.engine import dispatch
from kibitz.engine.bits import at, count
from kibitz.engine.compiled import NONE, State, at_once, rule
from kibitz.engine.dispatch import OPEN

ROW = 5
CHANGE = 2 * (1 + ROW)  # a row that has changed: which and what it is, which and what it was
SPECTATOR = -1
ALL_SEEING = -4  # for a match that is over: nothing is hidden
_FACTOR, _WORD = 2862933555777941757, (1 << 62) - 1  # of the number of a pile's order


@rule
def is_open_to(s: State, zone: int, viewer: int) -> bool:
    """Whether a viewer may look at the cards of a set."""
    owner = dispatch.sight(s)[at(zone)]
    if owner == OPEN or owner == viewer or viewer == ALL_SEEING:
        return True
    return s.round_over != 0 and dispatch.open_at_end(s)[at(zone)] != 0


@rule
def lying_in(s: State, zone: int, viewer: int) -> tuple[int, int]:
    """The cards of a set as a viewer counts them, as two words; it may not look at them.

    What others have put aside unseen still counts among their hands.
    """
    low, high = s.cards[at(zone), 0], s.cards[at(zone), 1]
    if is_open_to(s, zone, viewer):
        return low, high
    if dispatch.hidden_in(s)[at(zone)] >= 0:
        return 0, 0
    hides = dispatch.hides(s)
    hidden = hides[at(zone)]
    while hidden >= 0:
        low |= s.cards[at(hidden), 0]
        high |= s.cards[at(hidden), 1]
        hidden = hides[at(hidden)]
    return low, high


@rule
def known_to(s: State, viewer: int) -> tuple[int, int]:
    """The cards of closed sets whose place a viewer knows, as two words."""
    if viewer < 0:
        return s.seen[0], s.seen[1]
    return s.seen[0] | s.known[viewer, 0], s.seen[1] | s.known[viewer, 1]


@rule
def visible_sets(s: State, viewer: int, rows: Any) -> None:
    """What a viewer sees of every set."""
    sets = s.cards.shape[0]
    known_low, known_high = known_to(s, viewer)
    for zone in range(sets):
        low, high = lying_in(s, zone, viewer)
        is_open = is_open_to(s, zone, viewer)
        rows[zone, 0] = count(low) + count(high)
        rows[zone, 1] = low if is_open else 0
        rows[zone, 2] = high if is_open else 0
        rows[zone, 3] = 0 if is_open else low & known_low
        rows[zone, 4] = 0 if is_open else high & known_high


@rule
def visible_piles(s: State, rows: Any) -> None:
    """What everyone sees of every pile."""
    sets = s.cards.shape[0]
    for pile in range(s.top.shape[0]):
        card, size, mark = s.top[pile], 0, 0
        while card != NONE:
            size += 1
            mark = (_FACTOR * mark + card + 1) & _WORD
            card = s.under[card]
        rows[sets + pile, 0] = size
        rows[sets + pile, 1] = mark
        rows[sets + pile, 2] = s.top[pile]


@at_once
def visible_rows_at(states: Any, i: int, viewer: int, rows: Any) -> None:
    """What a viewer sees of every zone of state i."""
    visible_sets(states[i], viewer, rows)
    visible_piles(states[i], rows)


@rule
def find_changes(
    s: State, viewers: Any, said: Any, rows: Any, fresh: Any, changed: Any, runs: Any
) -> int:
    """Bring the rows of some viewers up to date, and list those that have changed; how many.

    Bits of a row that are not in `said` count for nothing. Each entry of `changed` has the number
    of a row and the row, and the same again as it was before. `runs` has for each viewer the first
    one for whom the same has changed, for whom alone it is listed, and where its changes end.
    Piles look alike to all, so the first viewer's rows of them are those of everyone. `fresh` is
    room for one viewer's rows.
    """
    sets = s.cards.shape[0]
    n = piles = piles_end = 0
    visible_piles(s, fresh)
    for v in range(len(viewers)):
        visible_sets(s, viewers[v], fresh)
        first = n
        n = _list_changes(rows[v], fresh, said, 0, sets, changed, n)
        if v == 0:
            piles = n
            n = piles_end = _list_changes(rows[0], fresh, said, sets, len(fresh), changed, n)
        else:
            for pile in range(piles, piles_end):
                for k in range(CHANGE):
                    changed[n, k] = changed[pile, k]
                n += 1
        like = _first_like(changed, runs, v, first, n)
        if like < v:
            n = first
        runs[v, 0] = like
        runs[v, 1] = n
    return n


@rule
def _list_changes(
    rows: Any, fresh: Any, said: Any, first: int, end: int, changed: Any, n: int
) -> int:
    """Bring some rows up to date, and list those that have changed behind n others; how many."""
    for zone in range(first, end):
        differs = False
        for k in range(ROW):
            fresh[zone, k] &= said[zone, k]
            differs = differs or rows[zone, k] != fresh[zone, k]
        if differs:
            changed[n, 0] = changed[n, 1 + ROW] = zone
            for k in range(ROW):
                changed[n, 1 + k] = fresh[zone, k]
                changed[n, 2 + ROW + k] = rows[zone, k]
                rows[zone, k] = fresh[zone, k]
            n += 1
    return n


@at_once
def spans_changed(memory: Any, before: Any, spans: Any, changed: Any) -> int:
    """Bring a copy of some spans of bytes up to date, and list what has changed; how many."""
    n = 0
    for i in range(len(spans)):
        differs = False
        for k in range(spans[i, 0], spans[i, 1]):
            differs = differs or memory[k] != before[k]
            before[k] = memory[k]
        if differs:
            changed[n] = i
            n += 1
    return n


@rule
def _first_like(changed: Any, runs: Any, viewer: int, first: int, last: int) -> int:
    """The first viewer whose changes are those from `first` to `last`."""
    start = 0
    for v in range(viewer):
        end = runs[v, 1]
        if runs[v, 0] == v and end - start == last - first:
            same = True
            for n in range(last - first):
                for k in range(CHANGE):
                    if changed[start + n, k] != changed[first + n, k]:
                        same = False
            if same:
                return v
        start = end
    return viewer
