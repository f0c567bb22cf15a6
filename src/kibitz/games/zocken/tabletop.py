"""How Zocken lies on the table."""

from kibitz.engine.tabletop import Chapter, Figure, Look, Place, Spot, Tabletop, Tally
from kibitz.games.zocken.deck import CARDS

# ZOCKEN-E2: what is left in hand, and what a series takes off.
LEFT_OVER = Tally({card.code: {"goblin": 1, "special": 2, "joker": 3}[card.role] for card in CARDS})
SERIES = Tally(by_size=(0, 0, 0, -5, -10, -20, -25))

TABLETOP = Tabletop(
    places={
        "hand": Place(Look.HAND, Spot.SEAT, tally=LEFT_OVER),
        "series": Place(Look.STACKS, Spot.SEAT, tally=SERIES),
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
    facts=("pawn",),
    markers=("leader",),
    figures={"turn": (Figure("taken", "taken"), Figure("hand", "hand"))},
    chapters=(
        Chapter(
            "trick",
            after=("highest_takes", "last_equal_takes", "nothing_counts", "trick_lost"),
        ),
    ),
    goal="limit",
    tokens=("pawn",),
    turned=("pawn", "blue"),
)
