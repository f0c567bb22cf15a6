"""The rules of Kolpa!, in the order of the rulebook."""

from kibitz.engine.action_list import add, add_each, verb_of
from kibitz.engine.actions import Actions
from kibitz.engine.bits import without
from kibitz.engine.cards import (
    any_card,
    deal,
    draw,
    find,
    from_pile_to_pile,
    gather,
    is_empty,
    kinds_in,
    kinds_on_top,
    put_on,
    size,
    take_off,
    top_kind,
    turn_over,
    worth,
    worth_of_pile,
)  # fmt: skip
from kibitz.engine.chance import below
from kibitz.engine.compiled import NONE, ActionList, State, lookup, rule
from kibitz.engine.events import (
    DREW,
    RESHUFFLED,
    Events,
    Weight,
    report,
    report_draw,
    with_pile,
    with_set,
)  # fmt: skip
from kibitz.engine.record import I1, layout, number, seat, word
from kibitz.engine.rounds import best_seats, count_turn, end_match, end_round, score
from kibitz.engine.seats import next_seat, only
from kibitz.engine.zones import Sight, Zones
from kibitz.games.kolpa.deck import COLOURS, DECK, JOKER, NUMBERS

HAND_SIZE = 5
JOKER_POINTS = 10
MOST_TURNS = 2_000  # KOLPA-E5
MOST_ROUNDS = 100
N_COLOURS, N_NUMBERS = len(COLOURS), len(NUMBERS)

zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True, open_at_end=True)
DRAW = zones.set("draw")
DISCARD = zones.pile("discard")
DISPLAY = zones.pile("display", per_seat=True, parts=COLOURS, looked_through=True)  # KOLPA-E4

IN_DISPLAY, IN_HAND = range(2)
LAYOUT = layout(
    __file__,
    DECK,
    zones,
    shown={
        "target": number(),
        "starter": seat(),
        "called_colour": word(*COLOURS, or_none=True),
        "called_number": number(I1, high=N_NUMBERS - 1, empty=NONE),
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

events = Events()
HAND_EMPTY = events.event("hand_empty", Weight.END)
TOO_LONG = events.event("too_long", Weight.END)

JOKERS = 1 << JOKER
ALL_COLOURS, ALL_NUMBERS = (1 << N_COLOURS) - 1, (1 << N_NUMBERS) - 1
OF_COLOUR = lookup(DECK.kinds_with(colour=colour) for colour in COLOURS)
OF_NUMBER = lookup(DECK.kinds_with(number=str(n)) for n in NUMBERS)
ALIKE = lookup(OF_COLOUR[k // N_NUMBERS] | OF_NUMBER[k % N_NUMBERS] for k in range(JOKER))
POINTS = DECK.by_card(JOKER_POINTS if k == JOKER else k % N_NUMBERS for k in range(JOKER + 1))


# Setting up a round


@rule
def begin_round(s: State) -> None:
    """KOLPA-S1, S3: five cards each, and one that starts the discard pile."""
    s.starter = below(s, s.players) if s.round_no == 1 else next_seat(s, s.starter)
    gather(s, DRAW)
    deal(s, DRAW, HAND, HAND_SIZE)
    put_on(s, any_card(s, DRAW), DRAW, DISCARD)
    while top_kind(s, DISCARD) == JOKER:  # KOLPA-S2
        take_off(s, DISCARD, DRAW)
        put_on(s, any_card(s, DRAW), DRAW, DISCARD)
    announce(s, NONE, NONE)
    s.due = only(s.starter)


# A turn


@rule
def matching(s: State) -> int:
    """KOLPA-T1, J2: the kinds that match the top of the discard pile, or what was announced."""
    if s.called_colour != NONE:
        return OF_COLOUR[s.called_colour]
    if s.called_number != NONE:
        return OF_NUMBER[s.called_number]
    return ALIKE[top_kind(s, DISCARD)]


@rule
def display_pile(seat: int, colour: int) -> int:
    """KOLPA-T3: where a seat's cards of a colour lie."""
    return DISPLAY + N_COLOURS * seat + colour


@rule
def visible(s: State, seat: int) -> int:
    """KOLPA-T3: the kinds on top of a seat's display piles."""
    return kinds_on_top(s, display_pile(seat, 0), N_COLOURS)


@rule
def legal(s: State, me: int, found: ActionList) -> None:
    """KOLPA-T6: exactly one card, and there always is one."""
    hand, fits, shown = kinds_in(s, HAND + me), matching(s), visible(s, me)
    add_each(found, KOL, hand & fits)
    add_each(found, KOL_DISPLAY, shown & fits)
    # KOLPA-T5, J3: what shows and matches has to be answered.
    if shown & fits == 0:
        add_each(found, KOLPA, hand & ~fits & ~JOKERS)  # KOLPA-T4, J4
    if hand & JOKERS:  # KOLPA-J1
        if size(s, HAND + me) == 1:
            add(found, LAST_JOKER)  # KOLPA-E1
        else:  # KOLPA-J2, J3: not what is announced already
            add_each(found, CALL_COLOUR, without(ALL_COLOURS, s.called_colour))
            add_each(found, CALL_NUMBER, without(ALL_NUMBERS, s.called_number))


@rule
def apply(s: State, me: int, action: int) -> None:
    """One card: to the discard pile (Kol!), or to the display (Kolpa!)."""
    verb = verb_of(s, action)
    chosen = action - verb  # the kind of card, or what a joker announces
    if verb == KOLPA:  # KOLPA-T2
        put_on(s, find(s, HAND + me, chosen), HAND + me, display_pile(me, chosen // N_NUMBERS))
        draw_card(s, me)
    elif verb == KOL_DISPLAY:  # KOLPA-T1
        from_pile_to_pile(s, display_pile(me, chosen // N_NUMBERS), DISCARD)
        announce(s, NONE, NONE)
    elif verb == KOL:
        put_on(s, find(s, HAND + me, chosen), HAND + me, DISCARD)
        announce(s, NONE, NONE)
    else:  # KOLPA-J1
        put_on(s, find(s, HAND + me, JOKER), HAND + me, DISCARD)
        colour = chosen if verb == CALL_COLOUR else NONE
        announce(s, colour, chosen if verb == CALL_NUMBER else NONE)
    end_turn(s, me)


@rule
def announce(s: State, colour: int, number: int) -> None:
    """KOLPA-J2, J5: what a joker calls for holds until a card covers it."""
    s.called_colour = colour
    s.called_number = number


@rule
def draw_card(s: State, me: int) -> None:
    """KOLPA-T2, T7: draw one card, if there is any; the discard pile is turned over for it."""
    if is_empty(s, DRAW):  # KOLPA-T7
        turn_over(s, DISCARD, DRAW)
        if not is_empty(s, DRAW):
            report(s, RESHUFFLED, me, size(s, DRAW))
    if not is_empty(s, DRAW):
        report_draw(s, DREW, me, draw(s, DRAW, HAND + me))


# End of a round


@rule
def end_turn(s: State, me: int) -> None:
    """An empty hand ends the round; so do 2,000 turns."""
    if is_empty(s, HAND + me):  # KOLPA-E1
        report(s, HAND_EMPTY, me)
        score_round(s)
    elif count_turn(s) >= MOST_TURNS:  # KOLPA-E5
        report(s, TOO_LONG, me, MOST_TURNS)
        score_round(s)
    else:
        s.due = only(next_seat(s, me))


@rule
def score_round(s: State) -> None:
    """KOLPA-E2, E3: score; the match ends when someone has reached the target."""
    reached = s.round_no == MOST_ROUNDS
    for p in range(s.players):
        score(s, p, IN_DISPLAY, points_in_display(s, p))
        for colour in range(N_COLOURS):
            with_pile(s, display_pile(p, colour))
        score(s, p, IN_HAND, -worth(s, HAND + p, POINTS))
        with_set(s, HAND + p)
        reached = reached or s.total[p] >= s.target
    if reached:  # KOLPA-E3
        end_match(s, best_seats(s, 1))
    else:
        end_round(s)


@rule
def points_in_display(s: State, seat: int) -> int:
    """KOLPA-E2: all cards of the display, covered ones included."""
    points = 0
    for colour in range(N_COLOURS):
        points += worth_of_pile(s, display_pile(seat, colour), POINTS)
    return points
