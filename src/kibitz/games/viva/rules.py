"""The rules of Viva, in the order of the rulebook; what a seat may do stands in plays.py."""

from kibitz.engine.action_list import verb_of
from kibitz.engine.bits import lowest
from kibitz.engine.cards import (
    any_card,
    clear_pile,
    draw,
    find_seen,
    gather,
    has_top,
    is_empty,
    move_all,
    move_some,
    put_on,
    see,
    shuffle,
    size,
    top_kind,
)
from kibitz.engine.chance import below
from kibitz.engine.compiled import NONE, State, rule
from kibitz.engine.events import DREW, RESHUFFLED, report, report_draw, with_card, with_pile
from kibitz.engine.rounds import best_seats, count_turn, end_match, end_round, score
from kibitz.engine.seats import (
    everyone,
    has,
    how_many_seats,
    next_among,
    next_seat,
    only,
    previous_among,
    previous_seat,
)
from kibitz.games.viva import POCKET
from kibitz.games.viva.components import (
    ALL_COLOURS,
    ALSO_OUT,
    BLOCK,
    BLOCK_CARD,
    BLOCKING,
    BOX,
    CAUGHT,
    CLEARED,
    COLOURS_OF,
    DONE,
    DRAW,
    DRAWN,
    DRAWN_MATCH,
    DUTY,
    FEWEST_CARDS,
    FIRST_OUT,
    HAND,
    HOUSE,
    KEEP,
    LAYOUT,
    LOST,
    MOST_CARDS,
    N_KINDS,
    NOT_POCKET,
    OUT,
    OUT_OWN,
    PENALTY,
    PERSONAL,
    PERSONAL_CARD,
    PLAY,
    STACK,
    STUCK,
    TOO_LONG,
    TURN,
    VIVA,
    actions,
    events,
)
from kibitz.games.viva.plays import legal, source
from kibitz.games.viva.spreads import CARDS_IN_HOUSE, HOUSES

__all__ = ["LAYOUT", "actions", "apply", "begin_round", "events", "legal"]

HAND_SIZE = 5
MOST_TURNS = 1_000
CAUGHT_PENALTY = 3


# Setting up a round


@rule
def begin_round(s: State) -> None:
    """VIVA-S1, S2, S3, S4: five cards each, a blocking card, a personal one for the last loser."""
    if s.round_no == 1:
        s.starter = below(s, s.players)
        s.dealer = previous_seat(s, s.starter)
        s.playing = everyone(s)
    gather(s, STACK)
    if s.deck == POCKET:
        move_some(s, STACK, BOX, NOT_POCKET)
    for p in range(s.players):
        if has(s.playing, p):
            for _ in range(HAND_SIZE):
                draw(s, STACK, HAND + p)
    turn_up(s, BLOCK)
    s.holder = NONE
    if s.loser != NONE and has(s.playing, s.loser):  # VIVA-S4: only if they take part
        s.holder = s.loser
        turn_up_personal(s)
    s.first_out = NONE
    s.idle = 0
    s.phase = TURN
    s.due = only(s.starter)


@rule
def turn_up(s: State, pile: int) -> None:
    """A card from the stack, face up, if there is one."""
    if refill(s):
        put_on(s, any_card(s, STACK), STACK, pile)


@rule
def turn_up_personal(s: State) -> None:
    """VIVA-S4, V5: a personal blocking card for its holder."""
    turn_up(s, PERSONAL + s.holder)
    report(s, PERSONAL_CARD, s.holder)
    with_pile(s, PERSONAL + s.holder)


@rule
def refill(s: State) -> bool:
    """VIVA-T6: cards cleared so far are shuffled into a new stack; whether there is a card."""
    if is_empty(s, STACK) and not is_empty(s, CLEARED):
        move_all(s, CLEARED, STACK)
        shuffle(s, STACK)
        report(s, RESHUFFLED, NONE, size(s, STACK))
    return not is_empty(s, STACK)


@rule
def draw_cards(s: State, p: int, n: int, event: int) -> None:
    """VIVA-T6: so many cards, or what there is."""
    for _ in range(n):
        if refill(s):
            report_draw(s, event, p, draw(s, STACK, HAND + p))


# A turn


@rule
def apply(s: State, me: int, action: int) -> None:
    """A seat that is due makes a legal action."""
    verb = verb_of(s, action)
    kind = (action - verb) % N_KINDS
    if verb == PLAY:
        play(s, me, kind, (action - PLAY) // N_KINDS)
    elif verb == DRAW:
        take_card(s, me)
    elif verb == DONE:
        end_turn(s, me)
    elif verb == OUT or verb == OUT_OWN:  # no matter which: both are cleared at once
        go_out(s, me, kind)
    elif verb == BLOCK_CARD:
        lay_block(s, me, kind)
    else:
        be_caught(s, me, kind)


@rule
def play(s: State, me: int, kind: int, spread: int) -> None:
    """VIVA-T1, T2, T3: cards of one kind into houses."""
    s.idle = 0
    zone = source(s, me)
    for house in range(HOUSES):
        for _ in range(CARDS_IN_HOUSE[spread, house]):
            put_on(s, find_seen(s, zone, kind), zone, HOUSE + house)
    common = common_colours(s)
    if common:  # VIVA-V1
        viva(s, me, lowest(common))
    else:
        end_turn(s, me)


@rule
def common_colours(s: State) -> int:
    """VIVA-V1: the colours that are on the top cards of all three houses."""
    common = ALL_COLOURS
    for house in range(HOUSES):
        common &= COLOURS_OF[top_kind(s, HOUSE + house)] if has_top(s, HOUSE + house) else 0
    return common


@rule
def take_card(s: State, me: int) -> None:
    """VIVA-T4, T6: draw a card, which may be played at once."""
    if refill(s):
        report_draw(s, DREW, me, draw(s, STACK, DRAWN + me))
        s.phase = KEEP
        s.idle = 0
    else:
        s.idle += 1
        end_turn(s, me)


@rule
def end_turn(s: State, me: int) -> None:
    """The drawn card is kept, and the turn passes to the next still in the round (VIVA-L5)."""
    move_all(s, DRAWN + me, HAND + me)
    following = next_among(s, s.playing, me)
    if count_turn(s) >= MOST_TURNS:  # VIVA-G3
        stop_round(s)
        return
    s.due = only(following)
    s.phase = TURN
    if s.idle == how_many_seats(s.playing):  # VIVA-T6: nobody could ever move again
        s.idle = 0
        report(s, STUCK, following)
        clear_table(s)
        s.phase = DUTY


@rule
def clear_table(s: State) -> None:
    """Houses and blocking card are cleared."""
    for house in range(HOUSES):
        clear_pile(s, HOUSE + house, CLEARED)
    clear_pile(s, BLOCK, CLEARED)


# Viva!


@rule
def viva(s: State, me: int, colour: int) -> None:
    """VIVA-V1, V2, V5: clear, penalties, a new personal card; then a new blocking card."""
    report(s, VIVA, me, 0, colour)
    clear_table(s)
    if s.holder != NONE:
        clear_pile(s, PERSONAL + s.holder, CLEARED)
    following, previous = next_among(s, s.playing, me), previous_among(s, s.playing, me)
    if following != previous:
        draw_cards(s, following, 1, PENALTY)
    draw_cards(s, previous, 2, PENALTY)
    if s.holder == me:
        s.holder = NONE
    elif s.holder != NONE:
        turn_up_personal(s)
    s.phase = BLOCKING


@rule
def lay_block(s: State, me: int, kind: int) -> None:
    """VIVA-V3, V4, L3: a new blocking card; who has no other card draws one."""
    put_on(s, find_seen(s, HAND + me, kind), HAND + me, BLOCK)
    if is_empty(s, HAND + me):
        draw_cards(s, me, 1, DREW)
    if s.phase == DUTY:
        s.phase = TURN
    else:
        end_turn(s, me)


# The last card


@rule
def go_out(s: State, me: int, kind: int) -> None:
    """VIVA-L1, L2: the last card on a blocking card; the table is cleared."""
    put_on(s, find_seen(s, HAND + me, kind), HAND + me, BLOCK)
    clear_table(s)
    clear_pile(s, PERSONAL + me, CLEARED)
    if s.holder == me:
        s.holder = NONE
    following = next_among(s, s.playing, me)
    s.playing &= ~only(me)
    if s.first_out == NONE:
        take_winners_card(s, me, FIRST_OUT)
    else:
        report(s, ALSO_OUT, me)
    if s.tie_break or how_many_seats(s.playing) == 1:  # VIVA-L4
        finish_round(s, following, LOST)
    elif count_turn(s) >= MOST_TURNS:
        stop_round(s)
    else:  # VIVA-L3
        s.phase = DUTY
        s.due = only(following)


# The game


@rule
def stop_round(s: State) -> None:
    """VIVA-G3: fewest cards wins, most cards loses, equals by turn order from the starter."""
    report(s, TOO_LONG, NONE, MOST_TURNS)
    first, last = NONE, NONE
    p = s.starter
    for _ in range(s.players):
        if has(s.playing, p):
            if first == NONE or size(s, HAND + p) < size(s, HAND + first):
                first = p
            if last == NONE or size(s, HAND + p) >= size(s, HAND + last):
                last = p
        p = next_seat(s, p)
    if s.first_out == NONE:
        take_winners_card(s, first, FEWEST_CARDS)
    finish_round(s, last, MOST_CARDS)


@rule
def take_winners_card(s: State, me: int, why: int) -> None:
    """VIVA-L2, G2: the first one out wins the round; in a tie-break round, the match."""
    s.first_out = me
    report(s, why, me)
    if not s.tie_break:
        score(s, me, 0, 1)


@rule
def finish_round(s: State, loser: int, why: int) -> None:
    """VIVA-L4, S3, G1, G2: a draw after the last round is decided by one more."""
    if s.tie_break:
        end_match(s, only(s.first_out))
        return
    report(s, why, loser)
    s.starter, s.dealer, s.loser = s.first_out, loser, loser
    s.playing = everyone(s)
    best = best_seats(s, 1)
    if s.round_no < s.rounds:
        end_round(s)
    elif how_many_seats(best) == 1:
        end_match(s, best)
    else:  # VIVA-G2: only the tied players are dealt in
        report(s, DRAWN_MATCH, NONE)
        s.tie_break = 1
        s.playing = best
        if not has(best, s.starter):
            s.starter = next_among(s, best, s.starter)
        end_round(s)


# Extra penalty


@rule
def be_caught(s: State, me: int, kind: int) -> None:
    """VIVA-X1: all have seen the card; three cards, and the turn is over."""
    card = find_seen(s, source(s, me), kind)
    see(s, card)
    report(s, CAUGHT, me)
    with_card(s, card)
    s.idle = s.idle + 1 if s.phase == TURN and not refill(s) else 0  # VIVA-T6: nor drawn
    draw_cards(s, me, CAUGHT_PENALTY, PENALTY)
    end_turn(s, me)
