"""How Zocken lies on the table."""

from kibitz.engine.tabletop import Look, Place, Spot, Tabletop

TABLETOP = Tabletop(
    places={
        "hand": Place(Look.HAND, Spot.SEAT),
        "series": Place(Look.STACKS, Spot.SEAT),
        "taken": Place(Look.COUNTER, Spot.SEAT),
        "trick": Place(Look.TRICK),
        "draw": Place(Look.PILE),
        "lost": Place(Look.COUNTER, Spot.ASIDE),
        "box": Place(Look.NONE, Spot.ASIDE),
    },
    taps={
        "colour": ("=colour/{colour}",),
        "series": ("hand/{card}", "series"),
        "done": ("=done",),
        "play": ("hand/{card}", "trick"),
        "pass": ("hand/{card}",),
        "to": ("hand.{seat}",),
        "give": ("hand/{card}",),
        "give_last": ("hand/{card}",),
    },
    prompt="phase",
    prompts={
        "colour": ("colour",),
        "turn": ("play", "series"),
        "turn_play": ("play",),
        "series": ("series", "done"),
        "series_more": ("series",),
        "series_done": ("done",),
        "play": ("play",),
    },
    facts=("pawn", "leader"),
)
