"""The rules of Zocken, in the order of the rulebook."""

from kibitz.engine.actions import Actions, Secrecy
from kibitz.engine.bits import lowest
from kibitz.engine.chance import below
from kibitz.engine.compiled import NONE, Moves, State, rule, table
from kibitz.engine.moves import add, add_each
from kibitz.engine.moving import (
    clear_pile,
    draw,
    find,
    gather,
    how_many,
    is_empty,
    kinds,
    leave_hand,
    pass_secretly,
    put_on,
    size,
    worth,
)  # fmt: skip
from kibitz.engine.record import I1, flag, kind, layout, number, seat, word
from kibitz.engine.standing import crown, next_seat
from kibitz.engine.zones import SEATS, Sight, Zones
from kibitz.games.zocken.cards import CARDS, DECK

DEALT = table([0, 0, 0, 13, 13, 10])  # ZOCKEN-S1, by players
MOST_ROUNDS = 30
MOST_SERIES = 10  # 9 kinds with 4 copies and 3 jokers make no more
LEAST, MOST = 3, 6  # ZOCKEN-T1: cards of a series
DRAWN, GIVEN = 2, 2

zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True)
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

YELLOW, BLUE = range(2)
COLOUR, TURN, LAYING, PLAYING, PASSING, CHOOSING, GIVING = range(7)

LAYOUT = layout(
    __file__,
    DECK,
    zones,
    shown={
        "limit": number(),
        "phase": word("colour", "turn", "series", "play", "pass", "to", "give"),
        "pawn": word("yellow", "blue"),
        "leader": seat(),
        "series_goblin": kind(),
        "taker": seat(),  # of the gift that is being given
        "given": number(I1, high=GIVEN - 1),
        "no_pawn": flag(),  # the colour has not been chosen yet
    },
    parts=("tricks", "hand", "series"),
)

actions = Actions(DECK)
CHOOSE_COLOUR = actions.verb("colour", "colour {colour}", colour=("yellow", "blue"))
LAY_SERIES = actions.verb("series", "series {card}", card=DECK.codes)
DONE = actions.verb("done", "done")
PLAY = actions.verb("play", "play {card}", card=DECK.codes)
PASS = actions.verb("pass", "pass {card}", Secrecy.MASKED, card=DECK.codes)
TO = actions.verb("to", "to {seat}", seat=map(str, range(SEATS)))
GIVE = actions.verb("give", "give {card}", Secrecy.MASKED, card=DECK.codes)

KIND, TWINS, ALL, STRIDE = DECK.kind, DECK.twins, DECK.all, DECK.stride
INDEX = {card.code: k for k, card in enumerate(CARDS)}
TURN_YELLOW, TURN_BLUE = INDEX["yellow"], INDEX["blue"]
PASS_GOBLIN, NEIGHBOUR_DRAWS, GIVE_TWO = INDEX["pass"], INDEX["draw"], INDEX["give"]
NUMBERS = table([card.yellow, card.blue] for card in CARDS)  # ZOCKEN-C4: by the pawn's colour
GOBLINS = sum(1 << k for k, card in enumerate(CARDS) if card.role == "goblin")
JOKERS_FOR = table(  # for each goblin, the kinds of joker that can stand in for it
    sum(1 << j for j, joker in enumerate(CARDS) if card.code in joker.stands_for) for card in CARDS
)
LEFT_OVER = DECK.by_card({"goblin": 1, "special": 2, "joker": 3}[card.role] for card in CARDS)
SERIES_POINTS = table([0, 0, 0, -5, -10, -20, -25])
LIGHT_HATS = table(
    DECK.words(DECK.card(k, n) for k, card in enumerate(CARDS) for n in range(card.light_hats))
)


# Setting up a round


@rule
def start(s: State) -> None:
    """ZOCKEN-S2: the first leader is drawn at random, and chooses the pawn's colour."""
    s.leader = below(s, s.players)
    s.round_no = 1
    s.no_pawn = 1
    deal(s)


@rule
def deal(s: State) -> None:
    """ZOCKEN-S1: 13 cards each, 10 with five players; three play without the light hats."""
    gather(s, DRAW, ALL)
    if s.players == 3:
        for w in range(2):
            s.cards[BOX, w] = LIGHT_HATS[w]
            s.cards[DRAW, w] &= ~LIGHT_HATS[w]
    for p in range(s.players):
        for _ in range(DEALT[s.players]):
            draw(s, DRAW, HAND + p)
    s.series_goblin = NONE
    s.taker = NONE
    s.given = 0
    s.phase = COLOUR if s.no_pawn else TURN
    s.due = 1 << s.leader


# A turn


@rule
def legal(s: State, me: int, moves: Moves) -> None:
    """What the seat that is due may do."""
    if s.phase == COLOUR:
        add(moves, CHOOSE_COLOUR + YELLOW)
        add(moves, CHOOSE_COLOUR + BLUE)
    elif s.phase == TURN:
        hand = kinds(s, HAND + me, STRIDE)
        add_each(moves, PLAY, hand)
        add_each(moves, LAY_SERIES, first_of_series(s, me, hand))
    elif s.phase == LAYING:
        add_each(moves, LAY_SERIES, more_of_series(s, me))
        if series_size(s, me) >= LEAST:
            add(moves, DONE)
    elif s.phase == PLAYING:
        add_each(moves, PLAY, kinds(s, HAND + me, STRIDE))
    elif s.phase == PASSING:
        add_each(moves, PASS, passable(s, me))
    elif s.phase == CHOOSING:
        add_each(moves, TO, others(s, me))
    else:
        add_each(moves, GIVE, kinds(s, HAND + me, STRIDE))


@rule
def first_of_series(s: State, me: int, hand: int) -> int:
    """ZOCKEN-T1: the goblins of which the hand has a series, with a card to spare."""
    if size(s, HAND + me) <= LEAST:
        return 0
    found, goblins = 0, hand & GOBLINS
    while goblins:
        goblin = lowest(goblins)
        goblins &= goblins - 1
        if how_many(s, HAND + me, goblin, TWINS) + jokers_for(s, me, goblin) >= LEAST:
            found |= 1 << goblin
    return found


@rule
def jokers_for(s: State, me: int, goblin: int) -> int:
    """ZOCKEN-C3: how many jokers of the hand can stand in for this goblin."""
    n, jokers = 0, JOKERS_FOR[goblin]
    while jokers:
        n += how_many(s, HAND + me, lowest(jokers), TWINS)
        jokers &= jokers - 1
    return n


@rule
def more_of_series(s: State, me: int) -> int:
    """ZOCKEN-T1: what can be added to the series being laid: six cards at most, one to play."""
    if size(s, HAND + me) < 2 or series_size(s, me) == MOST:
        return 0
    goblin = s.series_goblin
    return kinds(s, HAND + me, STRIDE) & (1 << goblin | JOKERS_FOR[goblin])


@rule
def last_series(s: State, me: int) -> int:
    """The pile of a seat's last series; of none, the place before its first."""
    pile = SERIES + MOST_SERIES * me
    end = pile + MOST_SERIES
    while pile < end and s.top[pile] != NONE:
        pile += 1
    return pile - 1


@rule
def series_size(s: State, me: int) -> int:
    """How many cards the series being laid has."""
    return height(s, last_series(s, me))


@rule
def height(s: State, pile: int) -> int:
    """How many cards a pile has."""
    n, card = 0, s.top[pile]
    while card != NONE:
        n += 1
        card = s.under[card]
    return n


@rule
def passable(s: State, me: int) -> int:
    """ZOCKEN-P2: a goblin; who has none, any other card."""
    hand = kinds(s, HAND + me, STRIDE)
    return hand & GOBLINS if hand & GOBLINS else hand


@rule
def others(s: State, me: int) -> int:
    """All seats but one, as a set."""
    return ((1 << s.players) - 1) & ~(1 << me)


@rule
def apply(s: State, me: int, action: int) -> None:
    """The seat that is due makes a legal action."""
    if action < LAY_SERIES:
        s.pawn = action - CHOOSE_COLOUR
        s.no_pawn = 0
        s.phase = TURN
    elif action < DONE:
        lay_series(s, me, action - LAY_SERIES)
    elif action == DONE:
        s.series_goblin = NONE
        s.phase = PLAYING
    elif action < PASS:
        play(s, me, action - PLAY)
    elif action < TO:
        hand_over(s, me, next_seat(s, me), action - PASS)
        end_turn(s, me)
    elif action < GIVE:
        s.taker = action - TO
        s.phase = GIVING
    else:
        give(s, me, action - GIVE)


@rule
def lay_series(s: State, me: int, kind: int) -> None:
    """ZOCKEN-T1: one more card of a series; the first one says of which goblin."""
    if s.phase == LAYING:
        lay_openly(s, me, kind, last_series(s, me))
    else:
        s.phase = LAYING
        s.series_goblin = kind
        lay_openly(s, me, kind, last_series(s, me) + 1)


@rule
def lay_openly(s: State, me: int, kind: int, pile: int) -> None:
    """A card of the hand goes face up onto a pile."""
    card = find(s, HAND + me, kind, TWINS)
    leave_hand(s, card, HAND + me, TWINS, kind)
    put_on(s, card, HAND + me, pile)


@rule
def play(s: State, me: int, kind: int) -> None:
    """ZOCKEN-T2: one card to the trick, and its effect."""
    lay_openly(s, me, kind, TRICK + me)
    if kind == TURN_YELLOW:  # ZOCKEN-P1
        s.pawn = YELLOW
    elif kind == TURN_BLUE:
        s.pawn = BLUE
    elif kind == NEIGHBOUR_DRAWS:  # ZOCKEN-P3
        for _ in range(min(DRAWN, size(s, DRAW))):
            draw(s, DRAW, HAND + next_seat(s, me))
    elif not is_empty(s, HAND + me):  # ZOCKEN-P2, P4: without cards, nothing is given
        if kind == PASS_GOBLIN:
            s.phase = PASSING
            return
        if kind == GIVE_TWO:
            s.phase = CHOOSING
            return
    end_turn(s, me)


@rule
def hand_over(s: State, me: int, taker: int, kind: int) -> None:
    """ZOCKEN-P2, P4: only giver and taker see the card."""
    pass_secretly(s, find(s, HAND + me, kind, TWINS), me, taker, HAND, TWINS, kind)


@rule
def give(s: State, me: int, kind: int) -> None:
    """ZOCKEN-P4: two cards to the same player; with fewer, what there is."""
    hand_over(s, me, s.taker, kind)
    s.given += 1
    if s.given == GIVEN or is_empty(s, HAND + me):
        s.given = 0
        s.taker = NONE
        end_turn(s, me)


@rule
def end_turn(s: State, me: int) -> None:
    """The next plays to the trick; after the last one somebody takes it."""
    following = next_seat(s, me)
    s.phase = TURN
    s.due = 1 << following
    if following == s.leader:
        end_trick(s, me)


# Who takes the trick


@rule
def times_played(s: State, kind: int) -> int:
    """How many cards of the trick are of this kind."""
    n = 0
    for p in range(s.players):
        n += int(KIND[s.top[TRICK + p]] == kind)
    return n


@rule
def trick_taker(s: State) -> int:
    """ZOCKEN-K1 to K5: the seat that takes the trick, or NONE."""
    taker, best, last = NONE, 0, s.leader
    thrice_seen = 0  # of a kind played three times, how many have come by
    p = s.leader
    for _ in range(s.players):
        kind = KIND[s.top[TRICK + p]]
        alike = times_played(s, kind)
        if alike == 5:  # ZOCKEN-K5
            return NONE
        if alike == 3:
            thrice_seen += 1
        counts = alike == 1 or (alike == 3 and thrice_seen == 3)  # ZOCKEN-K2
        if counts and NUMBERS[kind, s.pawn] >= best:  # ZOCKEN-K3: of equals the last
            taker, best = p, NUMBERS[kind, s.pawn]
        last = p
        p = next_seat(s, p)
    return last if taker == NONE else taker  # ZOCKEN-K4


@rule
def end_trick(s: State, me: int) -> None:
    """ZOCKEN-K5, K6, E1: the cards are taken; an empty hand ends the round."""
    taker = trick_taker(s)
    for p in range(s.players):
        clear_pile(s, TRICK + p, LOST if taker == NONE else TAKEN + taker)
    if taker != NONE:
        s.leader = next_seat(s, taker)
    s.due = 1 << s.leader
    for p in range(s.players):
        if is_empty(s, HAND + p):
            end_round(s)
            return


# Round, score, end


@rule
def end_round(s: State) -> None:
    """ZOCKEN-E2, E3: fewest points win once someone is above the limit."""
    reached = s.round_no == MOST_ROUNDS
    for p in range(s.players):
        s.gain[p, 0] = size(s, TAKEN + p)
        s.gain[p, 1] = worth(s, HAND + p, LEFT_OVER)
        s.gain[p, 2] = series_points(s, p)
        s.total[p] += s.gain[p, 0] + s.gain[p, 1] + s.gain[p, 2]
        if s.total[p] > s.limit:
            reached = True
    if reached:
        crown(s, -1)
    else:
        s.round_no += 1
        deal(s)  # ZOCKEN-S2: who leads is settled by the last trick, the colour stays


@rule
def series_points(s: State, p: int) -> int:
    """ZOCKEN-E2: what a seat's series take off."""
    points = 0
    for pile in range(SERIES + MOST_SERIES * p, SERIES + MOST_SERIES * (p + 1)):
        points += SERIES_POINTS[height(s, pile)]
    return points
