"""What Viva is played with: zones, fields, actions, events, and tables of the cards."""

from kibitz.engine.actions import Actions
from kibitz.engine.compiled import lookup
from kibitz.engine.events import Events, Weight, Witnesses
from kibitz.engine.record import flag, layout, number, seat, seats, word
from kibitz.engine.zones import Sight, Zones
from kibitz.games.viva.deck import COLOURS, COPIES, DECK, PAIRS, POCKET_COPIES
from kibitz.games.viva.spreads import TEXTS

N_KINDS = len(PAIRS)

zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True, open_at_end=True)
DRAWN = zones.set("drawn", Sight.OWNER, per_seat=True)  # VIVA-T4: may be played at once
BOX = zones.set("box", Sight.EVERYONE)  # VIVA-C1: what the pocket deck does not have
CLEARED = zones.set("cleared")
STACK = zones.set("stack")
HOUSE = zones.pile("house", parts=("1", "2", "3"))
BLOCK = zones.pile("block")
PERSONAL = zones.pile("personal", per_seat=True)

TURN, KEEP, BLOCKING, DUTY = range(4)
LAYOUT = layout(
    __file__,
    DECK,
    zones,
    shown={
        "deck": word("regular", "pocket"),
        "rounds": number(),
        "caught": flag(),
        "phase": word("turn", "keep", "blocking", "duty"),
        "starter": seat(),
        "dealer": seat(),
        "playing": seats(),  # those still in the round
        "first_out": seat(),
        "loser": seat(),  # of the last round
        "holder": seat(),  # VIVA-S4: who has a personal blocking card
        "idle": number(),  # VIVA-T6: turns in a row with neither a play nor a draw
        "tie_break": flag(),
    },
    parts=("winners_cards",),
)

actions = Actions(DECK)
PLAY = actions.verb("play", "{card}>{houses}", houses=TEXTS, card=DECK.codes)
OUT = actions.verb("out", "out {card}", card=DECK.codes)
OUT_OWN = actions.verb("out_own", "out own {card}", card=DECK.codes)
DRAW = actions.verb("draw", "draw")
DONE = actions.verb("done", "done")
BLOCK_CARD = actions.verb("block", "block {card}", card=DECK.codes)
TRY = actions.verb("try", "try {card}>{house}", house=("1", "2", "3"), card=DECK.codes)
TRY_BLOCK = actions.verb("try_block", "try {card}>block", card=DECK.codes)

events = Events()
VIVA = events.event("viva", Weight.OUTCOME, colour=COLOURS)
PENALTY = events.event("penalty", Weight.DETAIL, Witnesses.SEAT)
PERSONAL_CARD = events.event("personal_card")
STUCK = events.event("stuck", Weight.OUTCOME)
CAUGHT = events.event("was_caught", Weight.OUTCOME)
FIRST_OUT = events.event("first_out", Weight.END)
ALSO_OUT = events.event("also_out", Weight.OUTCOME)
LOST = events.event("lost", Weight.END)
FEWEST_CARDS = events.event("fewest_cards", Weight.END)
MOST_CARDS = events.event("most_cards", Weight.END)
TOO_LONG = events.event("too_long", Weight.END)
DRAWN_MATCH = events.event("drawn_match", Weight.END)

ALL_COLOURS, ALL_KINDS = (1 << len(COLOURS)) - 1, (1 << N_KINDS) - 1
COLOURS_OF = lookup(sum(1 << COLOURS.index(c) for c in pair) for pair in PAIRS)
SHARING = lookup(  # for each kind, those that have a colour in common with it
    sum(1 << k for k in range(N_KINDS) if COLOURS_OF[k] & colours) for colours in COLOURS_OF
)
SHARING_WITH = DECK.by_card(SHARING, empty=0)  # the same by the card, or none, on top of a pile
FITTING_ON = DECK.by_card(SHARING, empty=ALL_KINDS)  # any card fits where there is none
NOT_POCKET = lookup(
    DECK.words(DECK.card(k, c) for k in range(N_KINDS) for c in range(POCKET_COPIES, COPIES))
)
