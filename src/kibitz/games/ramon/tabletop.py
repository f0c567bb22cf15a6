"""How Ramon Jack Alphonse lies on the table."""

from kibitz.engine.tabletop import Look, Place, Spot, Tabletop, Tally, Words
from kibitz.games.ramon.deck import DECK

# RAMON-E1: the tops count, if all three colours are among them.
KITTY = Tally(
    {kind.code: int(kind.words["number"]) for kind in DECK.kinds}, tops=True, every="colour"
)


def onto(words: Words) -> tuple[str, ...]:
    """RAMON-T2: the card that is covered has the colour of the one that is laid."""
    card, seat, number = words["card"], words["seat"], words["number"]
    return f"hand/{card}", f"kitty.{seat}/{card[0]}{number}"


TABLETOP = Tabletop(
    places={
        "hand": Place(Look.HAND, Spot.SEAT),
        "kitty": Place(Look.STACKS, Spot.SEAT, tally=KITTY),
        "draw": Place(Look.PILE),
    },
    taps={
        "beside": ("hand/{card}", "kitty.{seat}"),
        "onto": onto,
    },
    prompts={"turn": ("beside", "onto"), "turn_beside": ("beside",)},
    goal="target",
)
