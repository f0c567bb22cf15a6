"""The rules of Kolpa!, in the order of the rulebook."""

from kibitz.engine.actions import Actions
from kibitz.engine.chance import below
from kibitz.engine.compiled import NONE, Moves, State, rule, table
from kibitz.engine.deck import NO_CARD
from kibitz.engine.moves import add, add_each
from kibitz.engine.moving import (
    any_card,
    draw,
    find,
    from_pile_to_pile,
    gather,
    is_empty,
    kinds,
    put_on,
    shuffle,
    size,
    take_off,
    worth,
)  # fmt: skip
from kibitz.engine.record import I1, layout, number, seat, word
from kibitz.engine.standing import crown, next_seat
from kibitz.engine.zones import Sight, Zones
from kibitz.games.kolpa.cards import COLOURS, DECK, JOKER, NUMBERS

HAND_SIZE = 5
JOKER_POINTS = 10
MOST_TURNS = 2_000
MOST_ROUNDS = 100
N_COLOURS, N_NUMBERS = len(COLOURS), len(NUMBERS)

zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True)
DRAW = zones.set("draw")
DISCARD = zones.pile("discard")
DISPLAY = zones.pile("display", per_seat=True, parts=COLOURS, looked_through=True)  # KOLPA-E4

LAYOUT = layout(
    __file__,
    DECK,
    zones,
    shown={
        "target": number(),
        "starter": seat(),
        "called_colour": word(*COLOURS, or_none=True),
        "called_number": number(I1, high=N_NUMBERS - 1, empty=NONE),
        "turns": number(high=MOST_TURNS - 1),
    },
    parts=("display", "hand"),
)

actions = Actions(DECK)
KOL = actions.verb("kol", "kol {card}", card=DECK.codes[:JOKER])
KOL_DISPLAY = actions.verb("kol_display", "kol display {card}", card=DECK.codes[:JOKER])
KOLPA = actions.verb("kolpa", "kolpa {card}", card=DECK.codes[:JOKER])
CALL_COLOUR = actions.verb("call_colour", "joker {colour}", colour=COLOURS)
CALL_NUMBER = actions.verb("call_number", "joker {number}", number=map(str, NUMBERS))
LAST_JOKER = actions.verb("last_joker", "joker")

KIND, TWINS, ALL, STRIDE = DECK.kind, DECK.twins, DECK.all, DECK.stride
JOKERS = 1 << JOKER
SHOWS = DECK.by_card((1 << k for k in range(JOKER + 1)), empty=0)
OF_COLOUR = table(sum(1 << (c * N_NUMBERS + n) for n in NUMBERS) for c in range(N_COLOURS))
OF_NUMBER = table(sum(1 << (c * N_NUMBERS + n) for c in range(N_COLOURS)) for n in NUMBERS)
ALIKE = table(OF_COLOUR[k // N_NUMBERS] | OF_NUMBER[k % N_NUMBERS] for k in range(JOKER))
POINTS = DECK.by_card(JOKER_POINTS if k == JOKER else k % N_NUMBERS for k in range(JOKER + 1))


# Setting up


@rule
def start(s: State) -> None:
    """KOLPA-S3: the first starter is drawn at random."""
    s.starter = below(s, s.players)
    s.round_no = 1
    deal(s)


@rule
def deal(s: State) -> None:
    """KOLPA-S1: five cards each, and one that starts the discard pile."""
    gather(s, DRAW, ALL)
    for p in range(s.players):
        for _ in range(HAND_SIZE):
            draw(s, DRAW, HAND + p)
    first = any_card(s, DRAW)
    while KIND[first] == JOKER:  # KOLPA-S2
        first = any_card(s, DRAW)
    put_on(s, first, DRAW, DISCARD)
    s.called_colour = NONE
    s.called_number = NONE
    s.turns = 0
    s.due = 1 << s.starter


# A turn


@rule
def matching(s: State) -> int:
    """KOLPA-T1, J2: the kinds that match the discard's top, or what was announced."""
    if s.called_colour != NONE:
        return OF_COLOUR[s.called_colour]
    if s.called_number != NONE:
        return OF_NUMBER[s.called_number]
    return ALIKE[KIND[s.top[DISCARD]]]


@rule
def tops(s: State, me: int) -> int:
    """KOLPA-T3: the kinds on top of a seat's display piles."""
    shown = 0
    for colour in range(N_COLOURS):
        shown |= SHOWS[s.top[DISPLAY + N_COLOURS * me + colour] & NO_CARD]
    return shown


@rule
def legal(s: State, me: int, moves: Moves) -> None:
    """KOLPA-T6: exactly one card, and there always is one."""
    hand, fits, shown = kinds(s, HAND + me, STRIDE), matching(s), tops(s, me)
    add_each(moves, KOL, hand & fits)
    add_each(moves, KOL_DISPLAY, shown & fits)
    if shown & fits == 0:  # KOLPA-T5, J3
        add_each(moves, KOLPA, hand & ~fits & ~JOKERS)  # KOLPA-T2, T4, J4
    if hand & JOKERS:  # KOLPA-J1
        if size(s, HAND + me) == 1:
            add(moves, LAST_JOKER)  # KOLPA-E1
        else:
            add_each(moves, CALL_COLOUR, (1 << N_COLOURS) - 1)  # KOLPA-J2
            add_each(moves, CALL_NUMBER, (1 << N_NUMBERS) - 1)


@rule
def apply(s: State, me: int, action: int) -> None:
    """One card: to the discard pile (Kol!), or to the display (Kolpa!)."""
    if KOLPA <= action < CALL_COLOUR:  # KOLPA-T2
        kind = action - KOLPA
        put_on(s, hand_card(s, me, kind), HAND + me, DISPLAY + N_COLOURS * me + kind // N_NUMBERS)
        draw_card(s, me)
    elif action < KOL_DISPLAY:  # KOLPA-T1
        discard(s, me, action - KOL)
    elif action < KOLPA:
        from_pile_to_pile(
            s, DISPLAY + N_COLOURS * me + (action - KOL_DISPLAY) // N_NUMBERS, DISCARD
        )
        s.called_colour = NONE
        s.called_number = NONE
    else:  # KOLPA-J1
        discard(s, me, JOKER)
        if action < CALL_NUMBER:  # KOLPA-J2, J5: it holds until a card covers the joker
            s.called_colour = action - CALL_COLOUR
        elif action < LAST_JOKER:
            s.called_number = action - CALL_NUMBER
    end_turn(s, me)


@rule
def hand_card(s: State, me: int, kind: int) -> int:
    """A card of this kind in the hand."""
    return find(s, HAND + me, kind, TWINS)


@rule
def discard(s: State, me: int, kind: int) -> None:
    """KOLPA-T1: a card of the hand covers the discard pile."""
    put_on(s, hand_card(s, me, kind), HAND + me, DISCARD)
    s.called_colour = NONE
    s.called_number = NONE


@rule
def draw_card(s: State, me: int) -> None:
    """KOLPA-T2, T7: draw one card, if there is any."""
    if is_empty(s, DRAW):
        turn_discard_over(s)
    if not is_empty(s, DRAW):
        draw(s, DRAW, HAND + me)


@rule
def turn_discard_over(s: State) -> None:
    """KOLPA-T7: all but the top of the discard pile become the draw pile."""
    top = s.top[DISCARD]
    s.top[DISCARD] = s.under[top]
    while s.top[DISCARD] != NONE:
        take_off(s, DISCARD, DRAW)
    s.top[DISCARD] = top
    s.under[top] = NONE
    shuffle(s, DRAW)


# End of a round


@rule
def end_turn(s: State, me: int) -> None:
    """KOLPA-E1: an empty hand ends the round; KOLPA-E5: so do 2,000 turns."""
    s.turns += 1
    if is_empty(s, HAND + me) or s.turns == MOST_TURNS:
        end_round(s)
    else:
        s.due = 1 << next_seat(s, me)


@rule
def end_round(s: State) -> None:
    """KOLPA-E2, E3: score; the match ends when someone has reached the target."""
    reached = s.round_no == MOST_ROUNDS  # KOLPA-E5
    for p in range(s.players):
        s.gain[p, 0] = points_in_display(s, p)
        s.gain[p, 1] = -worth(s, HAND + p, POINTS)
        s.total[p] += s.gain[p, 0] + s.gain[p, 1]
        if s.total[p] >= s.target:
            reached = True
    if reached:
        crown(s, 1)
    else:
        s.round_no += 1
        s.starter = next_seat(s, s.starter)  # KOLPA-S3
        deal(s)


@rule
def points_in_display(s: State, p: int) -> int:
    """KOLPA-E2: all cards of the display, covered ones included."""
    points = 0
    for colour in range(N_COLOURS):
        card = s.top[DISPLAY + N_COLOURS * p + colour]
        while card != NONE:
            points += POINTS[card]
            card = s.under[card]
    return points
