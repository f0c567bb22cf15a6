"""The rules of Viva, in the order of the rulebook."""

from itertools import combinations_with_replacement

from kibitz.engine.actions import Actions
from kibitz.engine.bits import lowest
from kibitz.engine.chance import below
from kibitz.engine.compiled import NONE, Moves, State, rule, table
from kibitz.engine.moves import add, add_each
from kibitz.engine.moving import (
    any_card,
    clear_pile,
    draw,
    find_seen,
    gather,
    how_many,
    is_empty,
    kinds,
    move_all,
    put_on,
    see,
    shuffle,
    size,
)  # fmt: skip
from kibitz.engine.record import I1, I4, flag, layout, number, seat, seats, word
from kibitz.engine.standing import crown, next_seat
from kibitz.engine.zones import SEATS, Sight, Zones
from kibitz.games.viva import POCKET
from kibitz.games.viva.cards import COLOURS, COPIES, DECK, PAIRS, POCKET_COPIES

HAND_SIZE = 5
HOUSES = 3
MOST_TURNS = 1_000
CAUGHT_PENALTY = 3
N_KINDS = len(PAIRS)

zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True)
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
        "turns": number(high=MOST_TURNS - 1),
        "tie_break": flag(),
    },
    hidden={  # what play tells of hands, for bots: memory.py
        "lacks": number(I4, SEATS, high=(1 << N_KINDS) - 1),
        "lacked": number(I4, SEATS, high=(1 << N_KINDS) - 1),
        "fresh": number(I1, SEATS),
    },
    parts=("winners_cards",),
)

# VIVA-T3: how identical cards can be spread over the houses; 1+1+2 is two in the first and one in
# the second. A play is one action: in steps, the question for more would tell the others that
# there is one.
SPREADS = tuple(
    houses
    for n in range(1, COPIES + 1)
    for houses in combinations_with_replacement(range(HOUSES), n)
)

actions = Actions(DECK)
PLAY = actions.verb(
    "play",
    "{card}>{houses}",
    houses=("+".join(str(h + 1) for h in spread) for spread in SPREADS),
    card=DECK.codes,
)
OUT = actions.verb("out", "out {card}", card=DECK.codes)
OUT_OWN = actions.verb("out_own", "out own {card}", card=DECK.codes)
DRAW = actions.verb("draw", "draw")
DONE = actions.verb("done", "done")
BLOCK_CARD = actions.verb("block", "block {card}", card=DECK.codes)
TRY = actions.verb("try", "try {card}>{house}", house=("1", "2", "3"), card=DECK.codes)
TRY_BLOCK = actions.verb("try_block", "try {card}>block", card=DECK.codes)

KIND, TWINS, ALL, STRIDE = DECK.kind, DECK.twins, DECK.all, DECK.stride
COLOURS_OF = table(sum(1 << COLOURS.index(c) for c in pair) for pair in PAIRS)
WITH = table(  # for each set of colours, the kinds that show one of them
    sum(1 << k for k in range(N_KINDS) if COLOURS_OF[k] & colours)
    for colours in range(1 << len(COLOURS))
)
SHARING = table(WITH[colours] for colours in COLOURS_OF)  # for each kind, those that fit on it
ANY = (1 << N_KINDS) - 1
CARDS_LAID = table(len(spread) for spread in SPREADS)
HOUSES_USED = table(sum(1 << h for h in set(spread)) for spread in SPREADS)
CARDS_IN_HOUSE = table([spread.count(h) for h in range(HOUSES)] for spread in SPREADS)
NOT_POCKET = table(
    DECK.words(DECK.card(k, c) for k in range(N_KINDS) for c in range(POCKET_COPIES, COPIES))
)


# Setting up a round


@rule
def start(s: State) -> None:
    """VIVA-S3: the first starter is drawn at random, the dealer sits to the right."""
    s.starter = below(s, s.players)
    s.dealer = (s.starter + s.players - 1) % s.players
    s.loser = NONE
    s.round_no = 1
    s.playing = (1 << s.players) - 1
    deal(s)


@rule
def deal(s: State) -> None:
    """VIVA-S1, S2, S4: five cards each, a blocking card, a personal one for the last loser."""
    gather(s, STACK, ALL)
    if s.deck == POCKET:
        for w in range(2):
            s.cards[BOX, w] = NOT_POCKET[w]
            s.cards[STACK, w] &= ~NOT_POCKET[w]
    for p in range(s.players):
        if (s.playing >> p) & 1:
            for _ in range(HAND_SIZE):
                draw(s, STACK, HAND + p)
    turn_up(s, BLOCK)
    s.holder = NONE
    if s.loser != NONE and (s.playing >> s.loser) & 1:  # VIVA-G2: only if they take part
        s.holder = s.loser
        turn_up(s, PERSONAL + s.holder)
    s.first_out = NONE
    s.idle = 0
    s.turns = 0
    s.phase = TURN
    s.due = 1 << s.starter


@rule
def turn_up(s: State, pile: int) -> None:
    """A card from the stack, face up, if there is one."""
    if refill(s):
        put_on(s, any_card(s, STACK), STACK, pile)


@rule
def refill(s: State) -> bool:
    """VIVA-T6: cards cleared so far are shuffled into a new stack; whether there is a card."""
    if is_empty(s, STACK):
        move_all(s, CLEARED, STACK)
        shuffle(s, STACK)
    return not is_empty(s, STACK)


@rule
def draw_cards(s: State, p: int, n: int) -> None:
    """VIVA-T6: so many cards, or what there is."""
    for _ in range(n):
        if refill(s):
            draw(s, STACK, HAND + p)


# A turn


@rule
def barred(s: State, me: int) -> int:
    """VIVA-T5: the kinds that may not go into a house."""
    kinds_barred = 0
    if s.top[BLOCK] != NONE:
        kinds_barred = SHARING[KIND[s.top[BLOCK]]]
    if s.top[PERSONAL + me] != NONE:
        kinds_barred |= SHARING[KIND[s.top[PERSONAL + me]]]
    return kinds_barred


@rule
def fitting(s: State, pile: int) -> int:
    """VIVA-T1, T2: the kinds that fit on a house."""
    card = s.top[pile]
    return ANY if card == NONE else SHARING[KIND[card]]


@rule
def leaving(s: State, pile: int) -> int:
    """VIVA-L1: the kinds that may be laid on a blocking card as the last card."""
    card = s.top[pile]
    return 0 if card == NONE else SHARING[KIND[card]]


@rule
def at_hand(s: State, me: int) -> int:
    """The kinds that a seat may play: those of its hand, or the card just drawn."""
    return kinds(s, DRAWN + me if s.phase == KEEP else HAND + me, STRIDE)


@rule
def has_last_card(s: State, me: int) -> bool:
    """VIVA-L1: whether the seat holds just one card."""
    return size(s, HAND + me) + size(s, DRAWN + me) == 1


@rule
def legal(s: State, me: int, moves: Moves) -> None:
    """What a seat that is due may do."""
    if s.phase == BLOCKING or s.phase == DUTY:
        add_each(moves, BLOCK_CARD, kinds(s, HAND + me, STRIDE))
        return
    last = has_last_card(s, me)
    mine = at_hand(s, me)
    if last:
        add_each(moves, OUT, mine & leaving(s, BLOCK))
        add_each(moves, OUT_OWN, mine & leaving(s, PERSONAL + me))
    else:
        legal_plays(s, me, mine & ~barred(s, me), moves)
    if s.phase == KEEP:
        add(moves, DONE)
    elif moves.count == 0 or not is_empty(s, STACK) or not is_empty(s, CLEARED):  # VIVA-T4
        add(moves, DRAW)
    if s.caught:
        legal_tries(s, me, mine, last, moves)


@rule
def legal_plays(s: State, me: int, mine: int, moves: Moves) -> None:
    """VIVA-T1, T2, T3: cards of one kind into houses on which they fit."""
    for house in range(HOUSES):
        add_each(moves, PLAY + N_KINDS * house, mine & fitting(s, HOUSE + house))
    several = mine & repeated(s, HAND + me) if s.phase == TURN else 0
    while several:
        kind = lowest(several)
        several &= several - 1
        fits = 0
        for house in range(HOUSES):
            fits |= ((fitting(s, HOUSE + house) >> kind) & 1) << house
        most = most_laid(s, me, kind)
        for spread in range(HOUSES, len(SPREADS)):
            if CARDS_LAID[spread] > most:
                break
            if HOUSES_USED[spread] & ~fits == 0:
                add(moves, PLAY + N_KINDS * spread + kind)


@rule
def repeated(s: State, zone: int) -> int:
    """The kinds of which a set holds two or more."""
    once, twice = 0, 0
    for w in range(2):
        for copy in range(COPIES // 2):
            some = (s.cards[zone, w] >> (N_KINDS * copy)) & ANY
            twice |= once & some
            once |= some
    return twice


@rule
def most_laid(s: State, me: int, kind: int) -> int:
    """VIVA-T3, L1: how many cards of a kind may be played at once; one card must be left."""
    if s.phase == KEEP:
        return 1
    return min(how_many(s, HAND + me, kind, TWINS), size(s, HAND + me) - 1)


@rule
def legal_tries(s: State, me: int, mine: int, last: bool, moves: Moves) -> None:
    """VIVA-X1: every card where it is forbidden."""
    none_barred = ANY & ~barred(s, me)
    for house in range(HOUSES):
        allowed = 0 if last else fitting(s, HOUSE + house) & none_barred
        add_each(moves, TRY + N_KINDS * house, mine & ~allowed)
    add_each(moves, TRY_BLOCK, mine & ~leaving(s, BLOCK) if last else mine)


@rule
def apply(s: State, me: int, action: int) -> None:
    """A seat that is due makes a legal action."""
    if action < OUT:
        s.idle = 0
        play(s, me, (action - PLAY) % N_KINDS, (action - PLAY) // N_KINDS)
    elif action == DRAW:
        take_card(s, me)
    elif action == DONE:
        end_turn(s, me)
    elif action < OUT_OWN:
        go_out(s, me, action - OUT, BLOCK)
    elif action < DRAW:
        go_out(s, me, action - OUT_OWN, PERSONAL + me)
    elif action < TRY:
        lay_block(s, me, action - BLOCK_CARD)
    else:
        be_caught(s, me, (action - TRY) % N_KINDS)


@rule
def play(s: State, me: int, kind: int, spread: int) -> None:
    """VIVA-T1, T2, T3: cards of one kind into houses."""
    source = DRAWN + me if s.phase == KEEP else HAND + me
    for house in range(HOUSES):
        for _ in range(CARDS_IN_HOUSE[spread, house]):
            put_on(s, find_seen(s, source, kind, TWINS), source, HOUSE + house)
    if has_viva(s):
        viva(s, me)
    else:
        end_turn(s, me)


@rule
def has_viva(s: State) -> bool:
    """VIVA-V1: whether one colour is on the top cards of all three houses."""
    common = (1 << len(COLOURS)) - 1
    for house in range(HOUSES):
        card = s.top[HOUSE + house]
        common &= 0 if card == NONE else COLOURS_OF[KIND[card]]
    return common != 0


@rule
def take_card(s: State, me: int) -> None:
    """VIVA-T4, T6: draw a card, which may be played at once."""
    if refill(s):
        draw(s, STACK, DRAWN + me)
        s.phase = KEEP
        s.idle = 0
    else:
        s.idle += 1
        end_turn(s, me)


@rule
def end_turn(s: State, me: int) -> None:
    """The drawn card is kept, and the turn passes to the next still in the round (VIVA-L5)."""
    move_all(s, DRAWN + me, HAND + me)
    s.turns += 1
    if s.turns == MOST_TURNS:  # VIVA-G3
        stop_round(s)
        return
    s.due = 1 << next_in(s, me)
    if s.idle == players_in(s):  # VIVA-T6: nobody could ever move again
        s.idle = 0
        clear_table(s)
        s.phase = DUTY
    else:
        s.phase = TURN


@rule
def next_in(s: State, p: int) -> int:
    """VIVA-L5: the next player still in the round."""
    for _ in range(s.players):
        p = next_seat(s, p)
        if (s.playing >> p) & 1:
            return p
    return p


@rule
def previous_in(s: State, p: int) -> int:
    """VIVA-L5: the previous player still in the round."""
    for _ in range(s.players):
        p = p - 1 if p > 0 else s.players - 1
        if (s.playing >> p) & 1:
            return p
    return p


@rule
def players_in(s: State) -> int:
    """How many are still in the round."""
    n = 0
    for p in range(s.players):
        n += (s.playing >> p) & 1
    return n


@rule
def clear_table(s: State) -> None:
    """Houses and blocking card are cleared."""
    for house in range(HOUSES):
        clear_pile(s, HOUSE + house, CLEARED)
    clear_pile(s, BLOCK, CLEARED)


# Viva!


@rule
def viva(s: State, me: int) -> None:
    """VIVA-V1, V2, V5: clear, penalties, a new personal card; then a new blocking card."""
    move_all(s, DRAWN + me, HAND + me)
    clear_table(s)
    if s.holder != NONE:
        clear_pile(s, PERSONAL + s.holder, CLEARED)
    following, previous = next_in(s, me), previous_in(s, me)
    if following != previous:
        draw_cards(s, following, 1)
    draw_cards(s, previous, 2)
    if s.holder == me:
        s.holder = NONE
    elif s.holder != NONE:
        turn_up(s, PERSONAL + s.holder)
    s.phase = BLOCKING


@rule
def lay_block(s: State, me: int, kind: int) -> None:
    """VIVA-V3, V4, L3: a new blocking card; who has no other card draws one."""
    put_on(s, find_seen(s, HAND + me, kind, TWINS), HAND + me, BLOCK)
    if is_empty(s, HAND + me):
        draw_cards(s, me, 1)
    if s.phase == DUTY:
        s.phase = TURN
    else:
        end_turn(s, me)


# The last card


@rule
def go_out(s: State, me: int, kind: int, pile: int) -> None:
    """VIVA-L1, L2: the last card on a blocking card; the table is cleared."""
    put_on(s, find_seen(s, HAND + me, kind, TWINS), HAND + me, pile)
    clear_table(s)
    clear_pile(s, PERSONAL + me, CLEARED)
    if s.holder == me:
        s.holder = NONE
    following = next_in(s, me)
    s.playing &= ~(1 << me)
    s.idle = 0
    if s.first_out == NONE:
        take_winners_card(s, me)
    if s.tie_break or players_in(s) == 1:  # VIVA-L4, G2
        end_round(s, following)
        return
    s.turns += 1
    if s.turns == MOST_TURNS:
        stop_round(s)
        return
    s.phase = DUTY  # VIVA-L3
    s.due = 1 << following


# End of a round, end of the match


@rule
def stop_round(s: State) -> None:
    """VIVA-G3: fewest cards wins, most cards loses, equals by turn order from the starter."""
    first, last = NONE, NONE
    p = s.starter
    for _ in range(s.players):
        if (s.playing >> p) & 1:
            if first == NONE or size(s, HAND + p) < size(s, HAND + first):
                first = p
            if last == NONE or size(s, HAND + p) >= size(s, HAND + last):
                last = p
        p = next_seat(s, p)
    if s.first_out == NONE:
        take_winners_card(s, first)
    end_round(s, last)


@rule
def take_winners_card(s: State, me: int) -> None:
    """VIVA-L2, G2: the first one out wins the round; in a tie-break round, the match."""
    s.first_out = me
    s.total[me] += 1 - s.tie_break


@rule
def end_round(s: State, loser: int) -> None:
    """VIVA-L4, G1, G2: a draw after the last round is broken by one more."""
    for p in range(s.players):
        s.gain[p, 0] = 0
    if s.tie_break:
        s.winners = 1 << s.first_out
        s.over = 1
        s.due = 0
        return
    s.gain[s.first_out, 0] = 1
    s.starter, s.dealer, s.loser = s.first_out, loser, loser  # VIVA-S3
    s.playing = (1 << s.players) - 1
    if s.round_no == s.rounds:
        crown(s, 1)
        if s.winners & (s.winners - 1) == 0:
            return
        begin_tie_break(s)
    s.round_no += 1
    deal(s)


@rule
def begin_tie_break(s: State) -> None:
    """VIVA-G2: only the tied players are dealt in."""
    s.tie_break = 1
    s.playing = s.winners
    s.winners = 0
    s.over = 0
    if not (s.playing >> s.starter) & 1:
        s.starter = next_in(s, s.starter)


# Extra penalty


@rule
def be_caught(s: State, me: int, kind: int) -> None:
    """VIVA-X1: all have seen the card; three cards, and the turn is over."""
    source = DRAWN + me if s.phase == KEEP else HAND + me
    see(s, find_seen(s, source, kind, TWINS))
    move_all(s, DRAWN + me, HAND + me)
    s.idle = 0 if refill(s) else s.idle + 1  # VIVA-T6: neither played nor drawn
    draw_cards(s, me, CAUGHT_PENALTY)
    end_turn(s, me)
