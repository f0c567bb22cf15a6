"""Hearts' cards: rank and suit in the corners, a large suit in the middle."""

from kibitz.games.hearts.deck import RANKS, SUITS, code_of

from kibitz.art.frame import INDEX_X, both_ends, card, panel
from kibitz.art.glyphs import write
from kibitz.art.palette import BLUE, INK, RED
from kibitz.art.pips import SUIT_SHAPES, scaled
from kibitz.art.svg import path, place

COLOURS = {"clubs": INK, "spades": INK, "diamonds": RED.ink, "hearts": RED.ink}
CARDS = {code_of(suit, rank): (suit, rank) for suit in SUITS for rank in RANKS}


def face(code: str) -> str:
    """The card with this code, such as `c10`."""
    if code not in CARDS:
        raise ValueError(f"Hearts has no card {code!r}")
    suit, rank = CARDS[code]
    index = write(code[1:].upper(), INDEX_X, 48, 52, COLOURS[suit])
    corner = both_ends(index + pip(suit, INDEX_X, 108, 20))
    return card(f"{rank} of {suit}", corner + pip(suit, 125, 175, 62))


def pip(suit: str, x: float, y: float, radius: float) -> str:
    """A suit's sign."""
    return place(path(scaled(SUIT_SHAPES[suit], radius / 100), fill=COLOURS[suit]), x, y)


def back() -> str:
    """The back."""
    return card(
        "hearts",
        panel(BLUE.fill) + place(path(scaled(SUIT_SHAPES["hearts"], 0.8), fill=BLUE.on), 125, 175),
    )
