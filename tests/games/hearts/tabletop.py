"""How Hearts lies on the table."""

from kibitz.engine.tabletop import Look, Place, Spot, Tabletop

TABLETOP = Tabletop(
    places={
        "hand": Place(Look.HAND, Spot.SEAT),
        "gift": Place(Look.FAN, Spot.SEAT),
        "taken": Place(Look.COUNTER, Spot.SEAT),
        "trick": Place(Look.TRICK),
    },
    taps={
        "pass": ("hand/{card}",),
        "ready": ("=ready",),
        "play": ("hand/{card}", "trick"),
    },
    prompt="phase",
    prompts={"pass": ("pass",), "pass_ready": ("ready",), "play": ("play",)},
    facts=("direction", "leader"),
)
