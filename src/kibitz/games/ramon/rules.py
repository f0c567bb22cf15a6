"""The rules of Ramon Jack Alphonse, in the order of the rulebook."""

from kibitz.engine.action_list import add_each, add_run, verb_of
from kibitz.engine.actions import Actions
from kibitz.engine.bits import lowest
from kibitz.engine.cards import (
    deal,
    draw,
    find,
    gather,
    is_empty,
    kinds_in,
    kinds_on_top,
    put_on,
    stack_on,
)  # fmt: skip
from kibitz.engine.chance import below
from kibitz.engine.compiled import NONE, ActionList, State, rule
from kibitz.engine.deck import NO_CARD
from kibitz.engine.events import DREW, Events, Weight, report, report_draw, with_pile
from kibitz.engine.record import layout, number, seat, word
from kibitz.engine.rounds import best_seats, end_match, end_round, score
from kibitz.engine.seats import next_seat, only
from kibitz.engine.zones import SEATS, Sight, Zones
from kibitz.games.ramon import STANDARD
from kibitz.games.ramon.deck import COLOURS, DECK, NUMBERS

HAND_SIZE = 3
STACKS = 6
MOST_ROUNDS = 100
N_NUMBERS, N_COLOURS = len(NUMBERS), len(COLOURS)

zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True, open_at_end=True)
DRAW = zones.set("draw")
KITTY = zones.pile("kitty", per_seat=True, parts=tuple("abcdef"))  # RAMON-E4: tops show

LAYOUT = layout(
    __file__,
    DECK,
    zones,
    shown={"variant": word("standard", "thick-skinned"), "target": number(), "starter": seat()},
    parts=("kitty",),
)

actions = Actions(DECK)
SEAT_WORDS = tuple(map(str, range(SEATS)))
BESIDE = actions.verb("beside", "{card}>{seat}", card=DECK.codes, seat=SEAT_WORDS)
ONTO = actions.verb(
    "onto", "{card}>{seat}:{number}", card=DECK.codes, seat=SEAT_WORDS, number=map(str, NUMBERS)
)

events = Events()
MERGED = events.event("merged")
SIX_STACKS = events.event("six_stacks", Weight.END)
CARDS_GONE = events.event("cards_gone", Weight.END)
LACKS_COLOUR = events.event("lacks_colour", Weight.SCORE, colour=COLOURS)
NOT_BEST = events.event("not_best", Weight.SCORE)

NUMBER = DECK.by_card((k % N_NUMBERS + 1 for k in range(len(DECK.kinds))), empty=0)
ONE_COLOUR = (1 << N_NUMBERS) - 1
HALF = 4  # so many kitties of 15 numbers fit into a word


# Setting up a round


@rule
def begin_round(s: State) -> None:
    """RAMON-S1, S2: three cards each, out of all 90 shuffled anew."""
    s.starter = below(s, s.players) if s.round_no == 1 else next_seat(s, s.starter)
    gather(s, DRAW)
    deal(s, DRAW, HAND, HAND_SIZE)
    s.due = only(s.starter)


# A turn


@rule
def first_stack(seat: int) -> int:
    """Where a seat's kitty begins."""
    return KITTY + STACKS * seat


@rule
def visible(s: State, seat: int) -> int:
    """RAMON-T5: the kinds that a kitty shows."""
    return kinds_on_top(s, first_stack(seat), STACKS)


@rule
def of_colour(shown: int, colour: int) -> int:
    """The numbers of a colour among some kinds, as a set."""
    return (shown >> (N_NUMBERS * colour)) & ONE_COLOUR


@rule
def legal(s: State, me: int, found: ActionList) -> None:
    """RAMON-T1, T2: any hand card, into any kitty, beside its stacks or onto its own colour."""
    low, high = numbers_shown(s, 0, min(s.players, HALF)), numbers_shown(s, HALF, s.players)
    hand = kinds_in(s, HAND + me)
    while hand:
        kind = lowest(hand)
        hand &= hand - 1
        add_run(found, BESIDE + SEATS * kind, s.players)
        colour = kind // N_NUMBERS
        add_each(found, ONTO + N_NUMBERS * SEATS * kind, low[colour])
        if high[colour]:
            add_each(found, ONTO + N_NUMBERS * (SEATS * kind + HALF), high[colour])


@rule
def numbers_shown(s: State, first: int, end: int) -> tuple[int, int, int]:
    """The numbers that some kitties show in blue, green and orange, 15 bits a kitty."""
    blue, green, orange = 0, 0, 0
    for p in range(first, end):
        shown, shift = visible(s, p), N_NUMBERS * (p - first)
        blue |= of_colour(shown, 0) << shift
        green |= of_colour(shown, 1) << shift
        orange |= of_colour(shown, 2) << shift
    return blue, green, orange


@rule
def apply(s: State, me: int, action: int) -> None:
    """RAMON-T1: lay a card, put equal numbers together, draw."""
    kind, p, onto = taken_apart(s, action)
    stack, same, stacks = look(s, p, onto, kind % N_NUMBERS + 1)
    put_on(s, find(s, HAND + me, kind), HAND + me, stack)
    if same != NONE and same != stack:  # RAMON-T3: what was just played lies on top
        stack_on(s, stack, same)
        report(s, MERGED, p, kind % N_NUMBERS + 1)
    elif onto == 0 and stacks == STACKS - 1:  # RAMON-E1: at once, nobody draws
        report(s, SIX_STACKS, me, 0, p)
        score_round(s)
        return
    if not is_empty(s, DRAW):  # RAMON-T4
        report_draw(s, DREW, me, draw(s, DRAW, HAND + me))
    pass_turn(s, me)


@rule
def taken_apart(s: State, action: int) -> tuple[int, int, int]:
    """The kind of card that is laid, whose kitty, and onto which number (0: beside)."""
    if verb_of(s, action) == BESIDE:
        place, onto = action - BESIDE, 0
    else:
        place, onto = (action - ONTO) // N_NUMBERS, (action - ONTO) % N_NUMBERS + 1
    return place // SEATS, place % SEATS, onto


@rule
def look(s: State, seat: int, onto: int, played: int) -> tuple[int, int, int]:
    """What a card meets in a kitty.

    The first stack that shows `onto` (0: a free place), one that shows `played` or NONE, and how
    many stacks there are.
    """
    stack, same, stacks = NONE, NONE, 0
    first = first_stack(seat)
    for i in range(first + STACKS - 1, first - 1, -1):
        shown = NUMBER[s.top[i] & NO_CARD]
        stack = i if shown == onto else stack
        same = i if shown == played else same
        stacks += int(shown != 0)
    return stack, same, stacks


@rule
def pass_turn(s: State, me: int) -> None:
    """RAMON-T4, E1: to the left, past those without cards; nobody left ends the round."""
    seat = me
    for _ in range(s.players):
        seat = next_seat(s, seat)
        if not is_empty(s, HAND + seat):
            s.due = only(seat)
            return
    report(s, CARDS_GONE, me)
    score_round(s)


# End of a round


@rule
def score_round(s: State) -> None:
    """RAMON-E2, E3: score; the match ends when someone has reached the target."""
    best = 0
    for p in range(s.players):
        best = max(best, points(s, p))
    reached = s.round_no == MOST_ROUNDS  # RAMON-E4
    for p in range(s.players):
        score_kitty(s, p, best)
        reached = reached or s.total[p] >= s.target
    if reached:
        end_match(s, best_seats(s, 1))
    else:
        end_round(s)


@rule
def score_kitty(s: State, p: int, best: int) -> None:
    """RAMON-E2, V1: a kitty's points; thick-skinned players record the best ones only."""
    scored = points(s, p)
    beaten = s.variant != STANDARD and scored < best
    score(s, p, 0, 0 if beaten else scored)
    for stack in range(STACKS):
        with_pile(s, first_stack(p) + stack, 1)
    if scored == 0:
        report(s, LACKS_COLOUR, p, 0, missing_colour(s, p))
    elif beaten:
        report(s, NOT_BEST, p, scored)


@rule
def missing_colour(s: State, seat: int) -> int:
    """RAMON-E2: a colour that a kitty does not show, or NONE."""
    shown = visible(s, seat)
    for colour in range(N_COLOURS):
        if of_colour(shown, colour) == 0:
            return colour
    return NONE


@rule
def points(s: State, seat: int) -> int:
    """RAMON-E2: the visible numbers, if the kitty shows all three colours."""
    if missing_colour(s, seat) != NONE:
        return 0
    total = 0
    for stack in range(STACKS):
        total += NUMBER[s.top[first_stack(seat) + stack] & NO_CARD]
    return total
