"""The rules of Ramon Jack Alphonse, in the order of the rulebook."""

from kibitz.engine.action_list import add_each, add_run, verb_of
from kibitz.engine.actions import Actions
from kibitz.engine.bits import count, lowest, without
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
    top_kind,
)  # fmt: skip
from kibitz.engine.chance import below
from kibitz.engine.compiled import NONE, ActionList, State, inlined, rule
from kibitz.engine.deck import NO_CARD
from kibitz.engine.events import DREW, Events, Weight, report, report_draw, with_pile
from kibitz.engine.record import I8, layout, number, seat, word
from kibitz.engine.rounds import best_seats, end_match, end_round, score
from kibitz.engine.seats import next_seat, only
from kibitz.engine.zones import SEATS, Sight, Zones
from kibitz.games.ramon import STANDARD
from kibitz.games.ramon.deck import COLOURS, DECK, NUMBERS

HAND_SIZE = 3
STACKS = 6
MOST_ROUNDS = 100  # RAMON-E4
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
    derived={"showing": number(I8, SEATS)},  # RAMON-T5: the kinds that each kitty shows
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
EVERY_COLOUR = sum(1 << (N_NUMBERS * colour) for colour in range(N_COLOURS))
HALF = 4  # so many kitties of 15 numbers fit into a word


# Setting up a round


@rule
def begin_round(s: State) -> None:
    """RAMON-S1, S2: three cards each, out of all 90 shuffled anew."""
    s.starter = below(s, s.players) if s.round_no == 1 else next_seat(s, s.starter)
    gather(s, DRAW)
    derive(s)
    deal(s, DRAW, HAND, HAND_SIZE)
    s.due = only(s.starter)


@rule
def derive(s: State) -> None:
    """What each kitty shows, by the cards on its stacks."""
    for p in range(SEATS):
        s.showing[p] = kinds_on_top(s, first_stack(p), STACKS)


# A turn


@rule
def first_stack(seat: int) -> int:
    """Where a seat's kitty begins."""
    return KITTY + STACKS * seat


@rule
def of_colour(shown: int, colour: int) -> int:
    """The numbers of a colour among some kinds, as a set."""
    return (shown >> (N_NUMBERS * colour)) & ONE_COLOUR


@inlined
def legal(s: State, me: int, found: ActionList) -> None:
    """RAMON-T1, T2: any hand card, into any kitty, beside its stacks or onto its own colour."""
    low, high = numbers_shown(s, 0, HALF), numbers_shown(s, HALF, SEATS)
    hand = kinds_in(s, HAND + me)
    while hand:
        kind = lowest(hand)
        hand &= hand - 1
        add_run(found, BESIDE + SEATS * kind, s.players)
        colour = kind // N_NUMBERS
        add_each(found, ONTO + N_NUMBERS * SEATS * kind, low[colour])
        if high[colour]:
            add_each(found, ONTO + N_NUMBERS * (SEATS * kind + HALF), high[colour])


@inlined
def numbers_shown(s: State, first: int, end: int) -> tuple[int, int, int]:
    """The numbers that some kitties show in blue, green and orange, 15 bits a kitty."""
    blue, green, orange = 0, 0, 0
    for p in range(first, end):
        shown, shift = s.showing[p], N_NUMBERS * (p - first)
        blue |= of_colour(shown, 0) << shift
        green |= of_colour(shown, 1) << shift
        orange |= of_colour(shown, 2) << shift
    return blue, green, orange


@inlined
def apply(s: State, me: int, action: int) -> None:
    """RAMON-T1: lay a card, put equal numbers together, draw."""
    kind, p, covered = taken_apart(s, action)
    stack = stack_showing(s, p, covered)
    equal = without(s.showing[p], covered) & (EVERY_COLOUR << (kind % N_NUMBERS))
    other = stack_showing(s, p, lowest(equal)) if equal else NONE
    put_on(s, find(s, HAND + me, kind), HAND + me, stack)
    s.showing[p] = shown_after(s.showing[p], kind, covered)
    if equal:  # RAMON-T3: what was just played lies on top
        stack_on(s, stack, other)
        report(s, MERGED, p, kind % N_NUMBERS + 1)
    elif count(s.showing[p]) == STACKS:  # RAMON-E1: at once, nobody draws
        report(s, SIX_STACKS, me, 0, p)
        score_round(s)
        return
    if not is_empty(s, DRAW):  # RAMON-T4
        report_draw(s, DREW, me, draw(s, DRAW, HAND + me))
    pass_turn(s, me)


@rule
def taken_apart(s: State, action: int) -> tuple[int, int, int]:
    """The kind of card that is laid, in whose kitty, and the kind that it covers (NONE: beside)."""
    if verb_of(s, action) == BESIDE:
        return (action - BESIDE) // SEATS, (action - BESIDE) % SEATS, NONE
    place, number = (action - ONTO) // N_NUMBERS, (action - ONTO) % N_NUMBERS
    kind = place // SEATS
    return kind, place % SEATS, kind - kind % N_NUMBERS + number  # RAMON-T2: its own colour


@rule
def shown_after(shown: int, kind: int, covered: int) -> int:
    """RAMON-T3, T5: what a kitty shows once a card has been laid in it."""
    return without(shown, covered) & ~(EVERY_COLOUR << (kind % N_NUMBERS)) | 1 << kind


@inlined
def stack_showing(s: State, seat: int, kind: int) -> int:
    """The first stack of a kitty that shows a kind; of NONE, a free place."""
    found, first = NONE, first_stack(seat)
    for stack in range(first + STACKS - 1, first - 1, -1):
        found = stack if top_kind(s, stack) == kind else found
    return found


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
    reached = s.round_no == MOST_ROUNDS
    for p in range(s.players):
        score_kitty(s, p, best)
        reached = reached or s.total[p] >= s.target
    if reached:  # RAMON-E3
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
    elif beaten:  # RAMON-V1
        report(s, NOT_BEST, p, scored)


@rule
def missing_colour(s: State, seat: int) -> int:
    """RAMON-E2: a colour that a kitty does not show, or NONE."""
    for colour in range(N_COLOURS):
        if of_colour(s.showing[seat], colour) == 0:
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
