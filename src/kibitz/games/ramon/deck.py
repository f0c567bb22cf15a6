"""RAMON-C1: 1 to 15 in three colours, two of each."""

from kibitz.engine.deck import Deck, Kind

COLOURS = ("blue", "green", "orange")
NUMBERS = range(1, 16)

DECK = Deck(
    Kind(f"{colour[0]}{n}", 2, "number", {"colour": colour, "number": str(n)})
    for colour in COLOURS
    for n in NUMBERS
)
