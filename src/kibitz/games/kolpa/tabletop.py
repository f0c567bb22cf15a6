"""How Kolpa! lies on the table."""

from kibitz.engine.tabletop import Figure, Look, Place, Spot, Tabletop, Tally
from kibitz.games.kolpa.deck import DECK

# KOLPA-E2: what a card adds to a display, and takes off in hand.
POINTS = Tally({kind.code: int(kind.words.get("number", 10)) for kind in DECK.kinds})

TABLETOP = Tabletop(
    places={
        "hand": Place(Look.HAND, Spot.SEAT, tally=POINTS),
        "display": Place(Look.STACKS, Spot.SEAT, tally=POINTS),
        "draw": Place(Look.PILE),
        "discard": Place(Look.PILE),
    },
    taps={
        "kol": ("hand/{card}", "discard"),
        "kol_display": ("display/{card}", "discard"),
        "kolpa": ("hand/{card}", "display"),
        "call_colour": ("hand/joker", "=colour/{colour}"),
        "call_number": ("hand/joker", "=number/{number}"),
        "last_joker": ("hand/joker", "discard"),
    },
    prompts={
        "turn": ("kolpa", "kol", "call_colour"),
        "turn_no_joker": ("kolpa", "kol"),
        "turn_joker": ("kolpa", "call_colour"),
        "turn_kolpa": ("kolpa",),
        "turn_match": (),  # KOLPA-T5, J3
    },
    facts=("called_colour", "called_number"),
    figures={"turn": (Figure("display", "display"), Figure("hand", "hand"))},
    goal="target",
)
