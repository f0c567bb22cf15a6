"""Lantern: climb as high as you can, one card at a time. The example of CONTRIBUTING.md."""

from kibitz.engine.game import Identity
from kibitz.engine.options import Number

IDENTITY = Identity(
    name="lantern",
    title="Lantern",
    seats=range(2, 5),
    version=1,
    longest=48,  # LANTERN-E2: 3 rounds, in which each of 4 players lays 3 cards and stops
    scores=(0, 9),
    options={"rounds": Number(1, 1, 3)},
)
