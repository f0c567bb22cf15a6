"""How Ramon Jack Alphonse lies on the table."""

from kibitz.engine.tabletop import Look, Place, Spot, Tabletop, Words


def onto(words: Words) -> tuple[str, ...]:
    """RAMON-T2: the card that is covered has the colour of the one that is laid."""
    card, seat, number = words["card"], words["seat"], words["number"]
    return f"hand/{card}", f"kitty.{seat}/{card[0]}{number}"


TABLETOP = Tabletop(
    places={
        "hand": Place(Look.HAND, Spot.SEAT),
        "kitty": Place(Look.STACKS, Spot.SEAT),
        "draw": Place(Look.PILE),
    },
    taps={
        "beside": ("hand/{card}", "kitty.{seat}"),
        "onto": onto,
    },
    prompts={"turn": ("beside", "onto"), "turn_beside": ("beside",)},
)
