"""KIZA-C1: four colours × four shapes × seven values, one of each."""

from kibitz.engine.deck import Deck, Kind

COLOURS = ("red", "blue", "green", "yellow")
SHAPES = {"circle": "●", "square": "■", "triangle": "▲", "diamond": "♦"}
TYPED = {"circle": "o", "square": "s", "triangle": "t", "diamond": "d"}  # on a plain keyboard
VALUES = (1, 2, 3, 5, 7, 10, 15)

DECK = Deck(
    Kind(
        f"{colour[0]}{sign}{value}",
        form="card",
        words={"colour": colour, "shape": shape, "value": str(value)},
        alias=f"{colour[0]}{TYPED[shape]}{value}",
    )
    for colour in COLOURS
    for shape, sign in SHAPES.items()
    for value in VALUES
)
