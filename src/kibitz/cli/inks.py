"""Cards in the terminal: their codes, each letter in the ink of its colour."""

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text

from kibitz.engine.game import Game

# The inks that tell a card's colour; its letter does so without them.
INKS = {
    "red": "#e5484d",
    "orange": "#f5883c",
    "yellow": "#e0b83a",
    "green": "#46a758",
    "blue": "#4a90e2",
    "purple": "#a06cd5",
}


def inked(game: Game, codes: Sequence[str]) -> Text:
    """Cards beside each other."""
    return Text(" ").join(_card(game, code) for code in codes)


def _card(game: Game, code: str) -> Text:
    deck = game.layout.deck
    words = deck.kinds[deck.codes.index(code)].words
    inks = [INKS[word] for key, word in words.items() if key.startswith("colour")]
    text = Text(code, Style(bold=True))
    for i, ink in enumerate(inks):
        start = i if len(inks) > 1 else 0
        text.stylize(ink, start, start + 1 if len(inks) > 1 else None)
    return text
