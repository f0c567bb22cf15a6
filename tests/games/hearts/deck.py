"""HEARTS-C1: four suits of thirteen ranks."""

from kibitz.engine.deck import Deck, Kind

SUITS = ("clubs", "diamonds", "spades", "hearts")
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")


def code_of(suit: str, rank: str) -> str:
    """How a card is written down: `c10`, `sq`."""
    return suit[0] + (rank if rank.isdigit() else rank[0])


DECK = Deck(
    Kind(code_of(suit, rank), words={"suit": suit, "rank": rank})
    for suit in SUITS
    for rank in RANKS
)
