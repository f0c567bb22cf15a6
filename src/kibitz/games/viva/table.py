"""How Viva lies on the table."""

from kibitz.engine.actions import Action
from kibitz.engine.table import Look, Place, Spot, Table


def _play(action: Action) -> tuple[str, ...]:
    """VIVA-T3: pick up all cards of the play, then lay them down one after the other."""
    houses = action.words["houses"].split("+")
    return ("hand/{card}",) * len(houses) + tuple(f"house.{house}" for house in houses)


TABLE = Table(
    places={
        "hand": Place(Look.HAND, Spot.SEAT),
        "drawn": Place(Look.FAN, Spot.SEAT),
        "personal": Place(Look.PILE, Spot.SEAT),
        "house": Place(Look.STACKS),
        "block": Place(Look.PILE),
        "stack": Place(Look.PILE),
        "cleared": Place(Look.PILE),
        "box": Place(Look.NONE, Spot.ASIDE),
    },
    taps={
        "play": _play,
        "out": ("hand/{card}", "block"),
        "out_own": ("hand/{card}", "personal"),
        "draw": ("stack",),
        "done": ("=done",),
        "block": ("hand/{card}", "block"),
        "try": ("hand/{card}", "=try", "house.{house}"),
        "try_block": ("hand/{card}", "=try", "block"),
    },
    prompt="phase",
    facts=("holder",),
)
