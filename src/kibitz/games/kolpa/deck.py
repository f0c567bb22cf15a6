"""KOLPA-C1: 0 to 5 in five colours, two of each, and four jokers."""

from kibitz.engine.deck import Deck, Kind

COLOURS = ("red", "blue", "green", "yellow", "purple")
NUMBERS = range(6)
JOKER = len(COLOURS) * len(NUMBERS)  # the last kind


def _numbers() -> list[Kind]:
    return [
        Kind(f"{colour[0]}{n}", 2, "number", {"colour": colour, "number": str(n)})
        for colour in COLOURS
        for n in NUMBERS
    ]


DECK = Deck([*_numbers(), Kind("joker", 4, "joker")])
