"""The rules of Ramon Jack Alphonse, in the order of the rulebook."""

from kibitz.engine.actions import Actions
from kibitz.engine.bits import lowest
from kibitz.engine.chance import below
from kibitz.engine.compiled import NONE, Moves, State, rule
from kibitz.engine.deck import NO_CARD
from kibitz.engine.moves import add_each, add_run
from kibitz.engine.moving import draw, find, gather, is_empty, kinds, put_on, stack_on
from kibitz.engine.record import layout, number, seat, word
from kibitz.engine.standing import crown, next_seat
from kibitz.engine.zones import SEATS, Sight, Zones
from kibitz.games.ramon import STANDARD
from kibitz.games.ramon.cards import COLOURS, DECK, NUMBERS

HAND_SIZE = 3
STACKS = 6
MOST_ROUNDS = 100
N_NUMBERS = len(NUMBERS)

zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True)
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

KIND, TWINS, ALL, STRIDE = DECK.kind, DECK.twins, DECK.all, DECK.stride
SHOWS = DECK.by_card((1 << k for k in range(STRIDE)), empty=0)
NUMBER = DECK.by_card((k % N_NUMBERS + 1 for k in range(STRIDE)), empty=0)
ONE_COLOUR = (1 << N_NUMBERS) - 1
HALF = 4  # so many kitties of 15 numbers fit into a word


# Setting up


@rule
def start(s: State) -> None:
    """RAMON-S2: the first starter is drawn at random."""
    s.starter = below(s, s.players)
    s.round_no = 1
    deal(s)


@rule
def deal(s: State) -> None:
    """RAMON-S1, S2: three cards each, out of all 90 shuffled anew."""
    gather(s, DRAW, ALL)
    for p in range(s.players):
        for _ in range(HAND_SIZE):
            draw(s, DRAW, HAND + p)
    s.due = 1 << s.starter


# A turn


@rule
def tops(s: State, p: int) -> int:
    """RAMON-T5: the kinds that a kitty shows."""
    shown = 0
    for stack in range(STACKS):
        shown |= SHOWS[s.top[KITTY + STACKS * p + stack] & NO_CARD]
    return shown


@rule
def legal(s: State, me: int, moves: Moves) -> None:
    """RAMON-T1, T2: any hand card, into any kitty, beside its stacks or onto its own colour."""
    low, high = numbers_shown(s, 0, min(s.players, HALF)), numbers_shown(s, HALF, s.players)
    hand = kinds(s, HAND + me, STRIDE)
    while hand:
        kind = lowest(hand)
        hand &= hand - 1
        add_run(moves, BESIDE + SEATS * kind, s.players)
        colour = kind // N_NUMBERS
        add_each(moves, ONTO + N_NUMBERS * SEATS * kind, low[colour])
        if high[colour]:
            add_each(moves, ONTO + N_NUMBERS * (SEATS * kind + HALF), high[colour])


@rule
def numbers_shown(s: State, first: int, end: int) -> tuple[int, int, int]:
    """The numbers that some kitties show in blue, green and orange, 15 bits a kitty."""
    blue, green, orange = 0, 0, 0
    for p in range(first, end):
        shown, shift = tops(s, p), N_NUMBERS * (p - first)
        blue |= (shown & ONE_COLOUR) << shift
        green |= ((shown >> N_NUMBERS) & ONE_COLOUR) << shift
        orange |= ((shown >> (2 * N_NUMBERS)) & ONE_COLOUR) << shift
    return blue, green, orange


@rule
def apply(s: State, me: int, action: int) -> None:
    """RAMON-T1: lay a card, put equal numbers together, draw."""
    if action < ONTO:
        place, onto = action - BESIDE, 0
    else:
        place, onto = (action - ONTO) // N_NUMBERS, (action - ONTO) % N_NUMBERS + 1
    kind, p = place // SEATS, place % SEATS
    stack, same, stacks = look(s, p, onto, kind % N_NUMBERS + 1)
    put_on(s, find(s, HAND + me, kind, TWINS), HAND + me, stack)
    if same != NONE and same != stack:  # RAMON-T3: what was just played lies on top
        stack_on(s, stack, same)
    elif onto == 0 and stacks == STACKS - 1:  # RAMON-E1: at once, nobody draws
        end_round(s)
        return
    if not is_empty(s, DRAW):  # RAMON-T4
        draw(s, DRAW, HAND + me)
    pass_turn(s, me)


@rule
def look(s: State, p: int, onto: int, played: int) -> tuple[int, int, int]:
    """What a card meets in a kitty.

    The first stack that shows `onto` (0: a free place), one that shows `played` or NONE, and
    how many stacks there are.
    """
    stack, same, stacks = NONE, NONE, 0
    for i in range(KITTY + STACKS * (p + 1) - 1, KITTY + STACKS * p - 1, -1):
        shown = NUMBER[s.top[i] & NO_CARD]
        stack = i if shown == onto else stack
        same = i if shown == played else same
        stacks += int(shown != 0)
    return stack, same, stacks


@rule
def pass_turn(s: State, me: int) -> None:
    """RAMON-T4, E1: to the left, past those without cards; nobody left ends the round."""
    for _ in range(s.players):
        me = next_seat(s, me)
        if not is_empty(s, HAND + me):
            s.due = 1 << me
            return
    end_round(s)


# End of a round


@rule
def end_round(s: State) -> None:
    """RAMON-E2, E3: score; the match ends when someone has reached the target."""
    best = 0
    for p in range(s.players):
        s.gain[p, 0] = points(s, p)
        best = max(best, s.gain[p, 0])
    reached = s.round_no == MOST_ROUNDS  # RAMON-E4
    for p in range(s.players):
        if s.variant != STANDARD and s.gain[p, 0] < best:  # RAMON-V1
            s.gain[p, 0] = 0
        s.total[p] += s.gain[p, 0]
        if s.total[p] >= s.target:
            reached = True
    if reached:
        crown(s, 1)
    else:
        s.round_no += 1
        s.starter = next_seat(s, s.starter)  # RAMON-S2
        deal(s)


@rule
def points(s: State, p: int) -> int:
    """RAMON-E2: the visible numbers, if the kitty shows all three colours."""
    shown = tops(s, p)
    for colour in range(len(COLOURS)):
        if (shown >> (N_NUMBERS * colour)) & ONE_COLOUR == 0:
            return 0
    total = 0
    for stack in range(STACKS):
        total += NUMBER[s.top[KITTY + STACKS * p + stack] & NO_CARD]
    return total
