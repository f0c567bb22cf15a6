"""How Ramon Jack Alphonse lies on the table."""

from kibitz.engine.table import Look, Place, Spot, Table

TABLE = Table(
    places={
        "hand": Place(Look.HAND, Spot.SEAT),
        "kitty": Place(Look.STACKS, Spot.SEAT),
        "draw": Place(Look.PILE),
    },
    taps={
        "beside": ("hand/{card}", "kitty.{seat}"),
        "onto": ("hand/{card}", "kitty.{seat}/{number}"),
    },
)
