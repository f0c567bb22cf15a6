"""How Kiza lies on the table."""

from kibitz.engine.tabletop import Chapter, Figure, Look, Place, Spot, Tabletop, Tally
from kibitz.games.kiza.deck import DECK

VALUE = Tally({kind.code: int(kind.words["value"]) for kind in DECK.kinds})

TABLETOP = Tabletop(
    places={
        "hand": Place(Look.HAND, Spot.SEAT),
        "chosen": Place(Look.FAN, Spot.SEAT),
        "kiza": Place(Look.FAN, Spot.SEAT),
        "bid": Place(Look.ROW, Spot.SEAT, tally=VALUE),
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
    facts=("high",),
    markers=("donor", "leader", "passed"),
    figures={
        "auction": (
            Figure("bid", "bid"),
            Figure("high", "high"),
            Figure("needs", "high", "1", "-bid"),
        )
    },
    chapters=(Chapter("auction", verb="offer"),),
    goal="target",
    quiet=("pass",),
)
