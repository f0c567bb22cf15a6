"""ZOCKEN-C5: the deck, in one place. Correct kinds and counts here; no rule needs a change."""

from dataclasses import dataclass

from kibitz.engine.deck import Deck, Kind


@dataclass(frozen=True)
class Card:
    """What is printed on a kind of card, how often it occurs, and how often with a light hat."""

    code: str
    copies: int
    yellow: int
    blue: int
    role: str  # goblin, special or joker
    light_hats: int = 0
    stands_for: tuple[str, ...] = ()  # a joker: the goblins it replaces in a series


GOBLINS = tuple(f"g{n}" for n in range(1, 10))

CARDS = (
    # ZOCKEN-C1
    *(Card(code, 4, n, 10 - n, "goblin", 1) for n, code in enumerate(GOBLINS, 1)),
    # ZOCKEN-C2
    Card("yellow", 4, 5, 5, "special", 1),
    Card("blue", 4, 5, 5, "special", 1),
    Card("pass", 5, 5, 5, "special", 1),
    Card("draw", 4, 5, 5, "special", 1),
    Card("give", 4, 5, 5, "special", 1),
    # ZOCKEN-C3
    Card("wild", 1, 5, 5, "joker", stands_for=GOBLINS),
    Card("low", 1, 5, 5, "joker", stands_for=GOBLINS[:4]),
    Card("high", 1, 5, 5, "joker", stands_for=GOBLINS[5:]),
)


def _kind(card: Card) -> Kind:
    words = {"yellow": str(card.yellow), "blue": str(card.blue), "name": card.code}
    return Kind(card.code, card.copies, card.role, words)


DECK = Deck(_kind(card) for card in CARDS)
