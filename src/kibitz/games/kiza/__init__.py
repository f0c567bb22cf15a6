"""Kiza: an auction of cards that the players themselves put up."""

from kibitz.engine.game import Identity
from kibitz.engine.options import Number

IDENTITY = Identity(
    name="kiza",
    title="Kiza",
    seats=range(2, 7),
    version=2,
    # KIZA-E2: 100 rounds. In each, every card is presented, offered and bid at most once, and
    # each of at most 112 auctions sees at most 6 passes and as many bids as cards were laid.
    longest=130_000,
    scores=(0, 114),  # one short of the highest target, then a 15
    options={"target": Number(50, 10, 100)},
)
