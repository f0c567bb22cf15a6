"""How Kiza lies on the table."""

from kibitz.engine.tabletop import Look, Place, Spot, Tabletop

TABLETOP = Tabletop(
    places={
        "hand": Place(Look.HAND, Spot.SEAT),
        "chosen": Place(Look.FAN, Spot.SEAT),
        "kiza": Place(Look.FAN, Spot.SEAT),
        "bid": Place(Look.ROW, Spot.SEAT),
        "gain": Place(Look.FAN, Spot.SEAT),
        "lot": Place(Look.LOT),
        "discard": Place(Look.PILE),
    },
    taps={
        "present": ("hand/{card}",),
        "ready": ("=ready",),
        "offer": ("kiza/{card}",),
        "bid": ("hand/{card}",),
        "done": ("=done",),
        "pass": ("=pass",),
    },
    prompt="phase",
    prompts={
        "present_more": ("present", "ready"),
        "present_ready": ("ready",),
        "present": ("present",),
        "auction": ("bid", "pass"),
        "auction_pass": ("pass",),
        "auction_more": ("bid", "done"),
        "auction_bid": ("bid",),
        "auction_done": ("done",),
    },
    facts=("donor", "high", "leader"),
)
