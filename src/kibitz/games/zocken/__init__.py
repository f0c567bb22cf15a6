"""Zocken: tricks that nobody wants, and a pawn that turns every number round."""

from kibitz.engine.game import Identity
from kibitz.engine.options import Number

IDENTITY = Identity(
    name="zocken",
    title="Zocken",
    seats=range(3, 6),
    version=2,
    # ZOCKEN-E3: 30 rounds. In each, every card leaves a hand for the table once, as one action;
    # a series is also closed, 21 special cards have at most 3 more actions, and the pawn is set.
    longest=4_500,
    scores=(-3000, 400),  # 30 rounds with four series of six; one round above the highest limit
    low_wins=True,
    options={"limit": Number(55, 20, 200)},
)
