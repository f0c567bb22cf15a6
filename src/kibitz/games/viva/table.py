"""How Viva lies on the table."""

from kibitz.engine.table import Look, Place, Spot, Table

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
        "play": ("hand/{card}@houses", "house.{houses}@houses"),  # VIVA-T3
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
