"""VIVA-T3: the ways to spread identical cards over the houses.

`1+1+2` is two in the first house and one in the second. A play of several cards is one action: in
steps, being asked for more would tell the others that there is more.
"""

from itertools import combinations_with_replacement

from kibitz.engine.compiled import lookup
from kibitz.games.viva.deck import COPIES

HOUSES = 3
SPREADS = tuple(
    houses
    for n in range(1, COPIES + 1)
    for houses in combinations_with_replacement(range(HOUSES), n)
)
TEXTS = tuple("+".join(str(house + 1) for house in spread) for spread in SPREADS)

CARDS_LAID = lookup(len(spread) for spread in SPREADS)
HOUSES_USED = lookup(sum(1 << house for house in set(spread)) for spread in SPREADS)
CARDS_IN_HOUSE = lookup([spread.count(house) for house in range(HOUSES)] for spread in SPREADS)
