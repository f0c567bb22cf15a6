"""VIVA-C1: one colour, or two different ones, out of six: 21 kinds, six of each."""

from itertools import combinations

from kibitz.engine.deck import Deck, Kind

COLOURS = ("red", "orange", "yellow", "green", "blue", "purple")
COPIES = 6
POCKET_COPIES = 4

PAIRS = [(colour,) for colour in COLOURS] + list(combinations(COLOURS, 2))


def _kind(colours: tuple[str, ...]) -> Kind:
    words = dict(zip(("colour", "colour2"), colours, strict=False))
    form = "one" if len(colours) == 1 else "two"
    return Kind("".join(colour[0] for colour in colours), COPIES, form, words)


DECK = Deck(_kind(colours) for colours in PAIRS)
