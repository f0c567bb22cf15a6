"""The rules of Zocken, in the order of the rulebook."""

from kibitz.engine.action_list import add, add_each, add_run, verb_of
from kibitz.engine.actions import Actions, Secrecy
from kibitz.engine.cards import (
    at_least,
    clear_pile,
    deal,
    draw,
    find,
    gather,
    has_top,
    height,
    is_empty,
    kinds_in,
    lay_openly,
    move_some,
    one_more,
    size,
    tally,
    top_kind,
    worth,
)
from kibitz.engine.chance import below
from kibitz.engine.compiled import NONE, ActionList, State, lookup, rule
from kibitz.engine.events import DREW, Events, Weight, report, report_draw, with_pile, with_set
from kibitz.engine.gifts import pass_secretly
from kibitz.engine.record import I1, kind, layout, number, seat, word
from kibitz.engine.rounds import best_seats, end_match, end_round, score
from kibitz.engine.seats import next_seat, only, others, previous_seat
from kibitz.engine.zones import SEATS, Sight, Zones
from kibitz.games.zocken.deck import CARDS, DECK

HAND_SIZE, SMALL_HAND = 13, 10  # ZOCKEN-S1: small with five players
MOST_ROUNDS = 30
MOST_SERIES = 10  # 9 kinds with 4 copies and 3 jokers make no more
LEAST, MOST = 3, 6  # ZOCKEN-T1: cards of a series
DRAWN, GIVEN = 2, 2

zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True, open_at_end=True)
TAKEN = zones.set("taken", per_seat=True)  # ZOCKEN-E1: face down, but all have seen the cards
LOST = zones.set("lost")  # ZOCKEN-K5
BOX = zones.set("box", Sight.EVERYONE)  # ZOCKEN-S1: the light hats
DRAW = zones.set("draw")
TRICK = zones.pile("trick", per_seat=True)
SERIES = zones.pile(
    "series",
    per_seat=True,
    parts=tuple(str(n) for n in range(1, MOST_SERIES + 1)),
    looked_through=True,
)

COLOURS = ("yellow", "blue")
YELLOW, BLUE = range(2)
COLOUR, TURN, LAYING, PLAYING, PASSING, CHOOSING, GIVING = range(7)
BY_TRICKS, BY_HAND, BY_SERIES = range(3)
LAYOUT = layout(
    __file__,
    DECK,
    zones,
    shown={
        "limit": number(),
        "phase": word("colour", "turn", "series", "play", "pass", "to", "give"),
        "pawn": word(*COLOURS),
        "leader": seat(),
        "series_goblin": kind(),
        "taker": seat(),  # of the gift that is being given
        "given": number(I1, high=GIVEN - 1),
    },
    parts=("tricks", "hand", "series"),
)

actions = Actions(DECK)
CHOOSE_COLOUR = actions.verb("colour", "colour {colour}", colour=COLOURS)
LAY_SERIES = actions.verb("series", "series {card}", continues=True, card=DECK.codes)
DONE = actions.verb("done", "done")
PLAY = actions.verb("play", "play {card}", card=DECK.codes)
PASS = actions.verb("pass", "pass {card}", Secrecy.MASKED, card=DECK.codes)
TO = actions.verb("to", "to {seat}", continues=True, seat=map(str, range(SEATS)))
GIVE = actions.verb("give", "give {card}", Secrecy.MASKED, continues=True, card=DECK.codes)
GIVE_LAST = actions.verb("give_last", "give last {card}", Secrecy.MASKED, card=DECK.codes)

events = Events()
PAWN_TURNED = events.event("pawn_turned", Weight.OUTCOME, colour=COLOURS)
SERIES_LAID = events.event("series_laid", Weight.OUTCOME)
HIGHEST_TAKES = events.event("highest_takes", Weight.OUTCOME)
LAST_EQUAL_TAKES = events.event("last_equal_takes", Weight.OUTCOME)
NOTHING_COUNTS = events.event("nothing_counts", Weight.OUTCOME)
TRICK_LOST = events.event("trick_lost", Weight.OUTCOME)
HAND_EMPTY = events.event("hand_empty", Weight.END)

N_KINDS = len(CARDS)
INDEX = {card.code: k for k, card in enumerate(CARDS)}
TURN_YELLOW, TURN_BLUE = INDEX["yellow"], INDEX["blue"]
PASS_GOBLIN, NEIGHBOUR_DRAWS, GIVE_TWO = INDEX["pass"], INDEX["draw"], INDEX["give"]
NUMBERS = lookup([card.yellow, card.blue] for card in CARDS)  # ZOCKEN-C4: by the pawn's colour
GOBLINS = DECK.kinds_with(form="goblin")
FIRST_JOKER = min(k for k, card in enumerate(CARDS) if card.role == "joker")
STANDS_FOR = lookup(  # for each joker, the goblins that it can stand in for
    sum(1 << INDEX[goblin] for goblin in card.stands_for) for card in CARDS
)
JOKERS_FOR = lookup(  # for each goblin, the jokers that can stand in for it
    sum(1 << j for j, joker in enumerate(CARDS) if card.code in joker.stands_for) for card in CARDS
)
LEFT_OVER = DECK.by_card({"goblin": 1, "special": 2, "joker": 3}[card.role] for card in CARDS)
SERIES_POINTS = lookup([0, 0, 0, -5, -10, -20, -25])
LIGHT_HATS = lookup(
    DECK.words(DECK.card(k, n) for k, card in enumerate(CARDS) for n in range(card.light_hats))
)


# Setting up a round


@rule
def begin_round(s: State) -> None:
    """ZOCKEN-S1, S2: 13 cards each, 10 with five players; three play without the light hats.

    The first leader of the match is drawn at random, and chooses the pawn's colour. Later the last
    trick has settled who leads, and the colour stays.
    """
    if s.round_no == 1:
        s.leader = below(s, s.players)
    gather(s, DRAW)
    if s.players == 3:
        move_some(s, DRAW, BOX, LIGHT_HATS)
    deal(s, DRAW, HAND, SMALL_HAND if s.players == 5 else HAND_SIZE)
    s.phase = COLOUR if s.round_no == 1 else TURN
    s.due = only(s.leader)


# A turn


@rule
def legal(s: State, me: int, found: ActionList) -> None:
    """What the seat that is due may do."""
    hand = kinds_in(s, HAND + me)
    if s.phase == TURN:
        add_each(found, PLAY, hand)
        add_each(found, LAY_SERIES, first_of_series(s, me, hand))
    elif s.phase == PLAYING:
        add_each(found, PLAY, hand)
    elif s.phase == LAYING:
        add_each(found, LAY_SERIES, more_of_series(s, me))
        if series_size(s, me) >= LEAST:
            add(found, DONE)
    elif s.phase == PASSING:
        add_each(found, PASS, passable(hand))
    elif s.phase == CHOOSING:
        add_each(found, TO, others(s, me))
    elif s.phase == GIVING:
        add_each(found, GIVE_LAST if gives_last(s, me) else GIVE, hand)
    else:
        add_run(found, CHOOSE_COLOUR, len(COLOURS))


@rule
def first_of_series(s: State, me: int, hand: int) -> int:
    """ZOCKEN-T1: the goblins of which the hand has a series, with a card to spare."""
    if size(s, HAND + me) <= LEAST:
        return 0
    counts = tally(s, HAND + me)
    for joker in range(FIRST_JOKER, N_KINDS):  # ZOCKEN-C3: it stands for several
        counts = one_more(counts, STANDS_FOR[joker] if (hand >> joker) & 1 else 0)
    return hand & GOBLINS & at_least(counts, LEAST)


@rule
def more_of_series(s: State, me: int) -> int:
    """ZOCKEN-T1: what can be added to the series being laid: six cards at most, one to play."""
    if size(s, HAND + me) < 2 or series_size(s, me) == MOST:
        return 0
    return kinds_in(s, HAND + me) & (1 << s.series_goblin | JOKERS_FOR[s.series_goblin])


@rule
def last_series(s: State, me: int) -> int:
    """The pile of a seat's last series; of none, the place before its first."""
    pile = SERIES + MOST_SERIES * me
    end = pile + MOST_SERIES
    while pile < end and has_top(s, pile):
        pile += 1
    return pile - 1


@rule
def series_size(s: State, me: int) -> int:
    """How many cards the series being laid has."""
    return height(s, last_series(s, me))


@rule
def passable(hand: int) -> int:
    """ZOCKEN-P2: a goblin; who has none, any other card."""
    return hand & GOBLINS if hand & GOBLINS else hand


@rule
def gives_last(s: State, me: int) -> bool:
    """ZOCKEN-P4: whether the next card given is the last one: the second, or all there is."""
    return s.given == GIVEN - 1 or size(s, HAND + me) == 1


@rule
def apply(s: State, me: int, action: int) -> None:
    """The seat that is due makes a legal action."""
    verb = verb_of(s, action)
    chosen = action - verb  # the kind of card, the colour or the seat
    if verb == PLAY:
        play(s, me, chosen)
    elif verb == LAY_SERIES:
        lay_series(s, me, chosen)
    elif verb == DONE:
        end_series(s, me)
    elif verb == PASS:
        hand_over(s, me, next_seat(s, me), chosen)
        end_turn(s, me)
    elif verb == TO:
        s.taker = chosen
        s.phase = GIVING
    elif verb == GIVE:
        hand_over(s, me, s.taker, chosen)
        s.given += 1
    elif verb == GIVE_LAST:
        hand_over(s, me, s.taker, chosen)
        s.given = 0
        s.taker = NONE
        end_turn(s, me)
    else:
        s.pawn = chosen
        s.phase = TURN


@rule
def lay_series(s: State, me: int, kind: int) -> None:
    """ZOCKEN-T1: one more card of a series; the first one says of which goblin."""
    pile = last_series(s, me)
    if s.phase == TURN:
        s.phase = LAYING
        s.series_goblin = kind
        pile += 1
    lay_openly(s, kind, HAND + me, pile)


@rule
def end_series(s: State, me: int) -> None:
    """ZOCKEN-T1: the series is complete."""
    report(s, SERIES_LAID, me, series_size(s, me))
    with_pile(s, last_series(s, me))
    s.series_goblin = NONE
    s.phase = PLAYING


# Special cards


@rule
def play(s: State, me: int, kind: int) -> None:
    """ZOCKEN-T2: one card to the trick, and its effect."""
    lay_openly(s, kind, HAND + me, TRICK + me)
    if kind == TURN_YELLOW:  # ZOCKEN-P1
        turn_pawn(s, me, YELLOW)
    elif kind == TURN_BLUE:
        turn_pawn(s, me, BLUE)
    elif kind == NEIGHBOUR_DRAWS:  # ZOCKEN-P3
        left = next_seat(s, me)
        for _ in range(min(DRAWN, size(s, DRAW))):
            report_draw(s, DREW, left, draw(s, DRAW, HAND + left))
    elif not is_empty(s, HAND + me):  # without cards, nothing is given
        if kind == PASS_GOBLIN:  # ZOCKEN-P2
            s.phase = PASSING
            return
        if kind == GIVE_TWO:  # ZOCKEN-P4
            s.phase = CHOOSING
            return
    end_turn(s, me)


@rule
def turn_pawn(s: State, me: int, colour: int) -> None:
    """ZOCKEN-P1: the pawn shows this side."""
    if s.pawn != colour:
        s.pawn = colour
        report(s, PAWN_TURNED, me, 0, colour)


@rule
def hand_over(s: State, me: int, taker: int, kind: int) -> None:
    """ZOCKEN-P2, P4: only giver and taker see the card."""
    pass_secretly(s, find(s, HAND + me, kind), me, taker, HAND)


@rule
def end_turn(s: State, me: int) -> None:
    """The next plays to the trick; after the last one somebody takes it."""
    following = next_seat(s, me)
    s.phase = TURN
    s.due = only(following)
    if following == s.leader:
        end_trick(s)


# Who takes the trick


@rule
def counting(s: State) -> int:
    """ZOCKEN-K1, K2, K5: the kinds that count: those played an odd number of times, but not five.

    Of three identical cards only the last counts; as the last of equals does anyway (ZOCKEN-K3),
    they need not be told apart here.
    """
    played, odd = 0, 0
    for p in range(s.players):
        kind = 1 << top_kind(s, TRICK + p)
        played |= kind
        odd ^= kind
    return 0 if s.players == 5 and played & (played - 1) == 0 else odd


@rule
def trick_taker(s: State) -> tuple[int, int]:
    """ZOCKEN-K3, K4, K5: the seat that takes the trick, or NONE, and why: the event to report."""
    kinds, taker, best, why = counting(s), NONE, 0, NOTHING_COUNTS
    p = s.leader
    for _ in range(s.players):
        kind = top_kind(s, TRICK + p)
        number = NUMBERS[kind, s.pawn]
        if (kinds >> kind) & 1 and number >= best:  # ZOCKEN-K3: of equals the last
            why = LAST_EQUAL_TAKES if number == best else HIGHEST_TAKES
            taker, best = p, number
        p = next_seat(s, p)
    if taker != NONE:
        return taker, why
    if s.players == 5:  # ZOCKEN-K5: of five, only five identical cards leave none that counts
        return NONE, TRICK_LOST
    return previous_seat(s, s.leader), NOTHING_COUNTS  # ZOCKEN-K4: whoever played last


@rule
def end_trick(s: State) -> None:
    """ZOCKEN-K5, K6, E1: the cards are taken; an empty hand ends the round."""
    taker, why = trick_taker(s)
    value = 0 if taker == NONE else NUMBERS[top_kind(s, TRICK + taker), s.pawn]
    report(s, why, taker, value)
    for p in range(s.players):
        with_pile(s, TRICK + p)
        clear_pile(s, TRICK + p, LOST if taker == NONE else TAKEN + taker)
    if taker != NONE:
        s.leader = next_seat(s, taker)
    s.due = only(s.leader)
    is_over = False
    for p in range(s.players):
        if is_empty(s, HAND + p):
            report(s, HAND_EMPTY, p)
            is_over = True
    if is_over:
        score_round(s)


# Round, score, end


@rule
def score_round(s: State) -> None:
    """ZOCKEN-E2, E3: fewest points win once someone is above the limit."""
    reached = s.round_no == MOST_ROUNDS
    for p in range(s.players):
        score(s, p, BY_TRICKS, size(s, TAKEN + p))
        with_set(s, TAKEN + p)
        score(s, p, BY_HAND, worth(s, HAND + p, LEFT_OVER))
        with_set(s, HAND + p)
        score(s, p, BY_SERIES, series_points(s, p))
        for n in range(MOST_SERIES):
            with_pile(s, SERIES + MOST_SERIES * p + n)
        reached = reached or s.total[p] > s.limit
    if reached:  # ZOCKEN-E3
        end_match(s, best_seats(s, -1))
    else:
        end_round(s)


@rule
def series_points(s: State, p: int) -> int:
    """ZOCKEN-E2: what a seat's series take off."""
    points = 0
    for pile in range(SERIES + MOST_SERIES * p, SERIES + MOST_SERIES * (p + 1)):
        points += SERIES_POINTS[height(s, pile)]
    return points
