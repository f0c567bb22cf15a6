"""Viva: shed your cards by colour, and be the first to get rid of the last one."""

from kibitz.engine.errors import BadOption
from kibitz.engine.game import Identity
from kibitz.engine.options import Choice, Flag, Number, Settings

REGULAR, POCKET = range(2)
WINNERS_CARDS = (12, 8)  # VIVA-C1


def settle(settings: Settings, given: frozenset[str]) -> Settings:
    """VIVA-G1: no more rounds than the deck has winner's cards."""
    most = WINNERS_CARDS[settings["deck"]]
    if settings["rounds"] > most:
        raise BadOption(f"rounds must be from 1 to {most} with this deck, not {settings['rounds']}")
    return settings


IDENTITY = Identity(
    name="viva",
    title="Viva",
    seats=range(2, 7),
    version=2,
    # VIVA-G3: 13 rounds of 1,000 turns; a turn has at most 4 actions: a blocking card, a draw,
    # a play, and a new blocking card after Viva.
    longest=52_000,
    scores=(0, 12),
    options={
        "deck": Choice(("regular", "pocket")),
        "rounds": Number(5, 1, 12),
        "caught": Flag(),
    },
    settle=settle,
)
