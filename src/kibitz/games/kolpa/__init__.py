"""Kolpa!: shed your cards to end the round, but only what lies before you scores."""

from kibitz.engine.game import Identity
from kibitz.engine.options import Number

IDENTITY = Identity(
    name="kolpa",
    title="Kolpa!",
    seats=range(2, 7),
    version=2,
    longest=200_000,  # KOLPA-E5: 100 rounds of 2,000 turns, one action each
    scores=(-4500, 349),  # at worst 4 jokers and a 5 in hand, at best all 60 cards displayed
    options={"target": Number(50, 20, 200)},
)
