"""LANTERN-C1: 1 to 6, three of each."""

from kibitz.engine.deck import Deck, Kind

DECK = Deck(Kind(str(n), 3, "number", {"number": str(n)}) for n in range(1, 7))
