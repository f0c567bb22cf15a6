"""How Lantern lies on the table."""

from kibitz.engine.tabletop import Look, Place, Spot, Tabletop

TABLETOP = Tabletop(
    places={
        "hand": Place(Look.HAND, Spot.SEAT),
        "tower": Place(Look.PILE, Spot.SEAT),
        "draw": Place(Look.COUNTER),
    },
    taps={"lay": ("hand/{card}", "tower"), "stop": ("=stop",)},
    prompts={"turn": ("lay", "stop"), "turn_stop": ("stop",)},
)
