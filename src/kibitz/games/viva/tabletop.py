"""How Viva lies on the table."""

from kibitz.engine.tabletop import Look, Place, Spot, Tabletop, Tally, Words


def play(words: Words) -> tuple[str, ...]:
    """VIVA-T3: identical cards first, then a house for each of them."""
    houses = words["houses"].split("+")
    return *(f"hand/{words['card']}" for _ in houses), *(f"house.{house}" for house in houses)


TABLETOP = Tabletop(
    places={
        "hand": Place(Look.HAND, Spot.SEAT),
        "drawn": Place(Look.FAN, Spot.SEAT, part_of="hand"),
        "personal": Place(Look.PILE, Spot.SEAT, rare=True),
        "house": Place(Look.STACKS),
        "block": Place(Look.PILE, tally=Tally(names="colour", tops=True)),
        "stack": Place(Look.PILE),
        "cleared": Place(Look.PILE),
        "box": Place(Look.NONE, Spot.ASIDE),
    },
    taps={
        "play": play,
        "out": ("hand/{card}", "block"),
        "out_own": ("hand/{card}", "personal"),
        "draw": ("stack",),
        "done": ("=done",),
        "block": ("hand/{card}", "block"),
        "try": ("hand/{card}", "=try", "house.{house}"),
        "try_block": ("hand/{card}", "=try", "block"),
    },
    prompt="phase",
    prompts={
        "turn": ("play", "draw"),
        "turn_play": ("play",),
        "turn_last": ("out", "draw"),
        "turn_out": ("out",),
        "turn_last_own": ("out_own", "draw"),
        "turn_out_own": ("out_own",),
        "turn_draw": ("draw",),
        "keep": ("play", "done"),
        "keep_done": ("done",),
    },
    markers=("holder",),
    rounds="rounds",
)
