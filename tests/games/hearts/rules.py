"""The rules of Hearts, in the order of the rulebook."""

from kibitz.games.hearts.deck import DECK, RANKS, SUITS

from kibitz.engine.action_list import add, add_each, verb_of
from kibitz.engine.actions import Actions, Secrecy
from kibitz.engine.cards import (
    clear_pile,
    deal,
    draw,
    find,
    gather,
    holds,
    is_empty,
    kinds_in,
    lay_openly,
    move,
    see,
    size,
    top_kind,
    worth,
    worth_of_pile,
)
from kibitz.engine.compiled import NONE, ActionList, State, lookup, rule
from kibitz.engine.events import Events, Weight, report, with_card, with_pile
from kibitz.engine.gifts import exchange
from kibitz.engine.record import flag, layout, number, seat, word
from kibitz.engine.rounds import best_seats, end_match, end_round, score
from kibitz.engine.seats import everyone, has, next_seat, only
from kibitz.engine.tricks import following, trick_taker
from kibitz.engine.zones import Sight, Zones

HAND_SIZE = 13
PASSED = 3
ALL_POINTS = 26

zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True, open_at_end=True)
GIFT = zones.set("gift", Sight.OWNER, per_seat=True, hidden_in="hand")  # HEARTS-P1
TAKEN = zones.set("taken", per_seat=True)  # HEARTS-T5: face down, but all have seen the cards
TRICK = zones.pile("trick", per_seat=True)

PASS, PLAY = range(2)
LEFT, RIGHT, ACROSS, KEEP = range(4)
BY_CARDS, BY_MOON = range(2)
LAYOUT = layout(
    __file__,
    DECK,
    zones,
    shown={
        "limit": number(),
        "phase": word("pass", "play"),
        "direction": word("left", "right", "across", "keep"),
        "leader": seat(),
        "broken": flag(),  # HEARTS-T4: a heart has been played
    },
    parts=("cards", "moon"),
)

actions = Actions(DECK)
PASS_CARD = actions.verb("pass", "pass {card}", Secrecy.SEALED, continues=True, card=DECK.codes)
READY = actions.verb("ready", "ready")
PLAY_CARD = actions.verb("play", "play {card}", card=DECK.codes)

events = Events()
LEADS = events.event("leads")
HEARTS_BROKEN = events.event("hearts_broken")
TAKES = events.event("takes", Weight.OUTCOME)
MOON = events.event("moon", Weight.END)

N_KINDS, N_RANKS = len(DECK.kinds), len(RANKS)  # one card of each kind: both have one number
SUIT = lookup(DECK.kinds_with(suit=suit) for suit in SUITS)
HEARTS = DECK.kinds_with(suit="hearts")
QUEEN = DECK.index["sq"]
NO_TRUMPS = 0
PENALTIES = HEARTS | 1 << QUEEN
TWO_OF_CLUBS = DECK.card(DECK.index["c2"])
POINTS = DECK.by_card(13 if k == QUEEN else HEARTS >> k & 1 for k in range(N_KINDS))  # HEARTS-E1
STEP = lookup([1, 3, 2, 0])  # by direction


# Setting up a round


@rule
def begin_round(s: State) -> None:
    """HEARTS-S1, P1: all cards are dealt; then three are passed on, but not in every fourth round.

    A deck that is dealt out needs no place of its own: it is taken up where tricks lie.
    """
    gather(s, TAKEN)
    deal(s, TAKEN, HAND, HAND_SIZE)
    s.leader = NONE
    s.broken = 0
    s.direction = (s.round_no - 1) % 4
    s.phase = PASS
    s.due = everyone(s)
    if s.direction == KEEP:
        begin_play(s)


# Passing


@rule
def be_ready(s: State, me: int) -> None:
    """HEARTS-P1, P2: when all have chosen, the cards change hands at once."""
    s.due &= ~only(me)
    if s.due == 0:
        exchange(s, GIFT, HAND, STEP[s.direction])
        begin_play(s)


@rule
def redeal_choice(s: State, me: int) -> None:
    """HEARTS-P1: which cards a seat has chosen, nobody else knows."""
    if s.phase == PASS and not has(s.due, me):
        for _ in range(PASSED):
            draw(s, HAND + me, GIFT + me)


# Tricks


@rule
def begin_play(s: State) -> None:
    """HEARTS-T1: who holds the two of clubs leads, so everyone knows who does."""
    for p in range(s.players):
        if holds(s, HAND + p, TWO_OF_CLUBS):
            s.leader = p
    see(s, TWO_OF_CLUBS)
    report(s, LEADS, s.leader)
    with_card(s, TWO_OF_CLUBS)
    s.phase = PLAY
    s.due = only(s.leader)


@rule
def is_first_trick(s: State) -> bool:
    """Whether no trick has been taken yet."""
    taken = 0
    for p in range(s.players):
        taken += size(s, TAKEN + p)
    return taken == 0


@rule
def suit_led(s: State) -> int:
    """HEARTS-T2: the suit that is to be followed, as a set of kinds."""
    return SUIT[top_kind(s, TRICK + s.leader) // N_RANKS]


@rule
def leads(s: State, me: int) -> int:
    """HEARTS-T1, T4: the two of clubs; later hearts only if broken, or if there is nothing else."""
    hand = kinds_in(s, HAND + me)
    if is_first_trick(s):
        return hand & (1 << TWO_OF_CLUBS)
    return hand if s.broken or hand & ~HEARTS == 0 else hand & ~HEARTS


@rule
def follows(s: State, me: int) -> int:
    """HEARTS-T2, T3: the suit led; who has none, any card, but no penalty to the first trick."""
    kinds = following(s, HAND + me, suit_led(s))
    harmless = kinds & ~PENALTIES
    return harmless if is_first_trick(s) and harmless else kinds


@rule
def legal(s: State, me: int, found: ActionList) -> None:
    """What a seat that is due may do."""
    if s.phase == PLAY:
        add_each(found, PLAY_CARD, leads(s, me) if me == s.leader else follows(s, me))
    elif size(s, GIFT + me) < PASSED:
        add_each(found, PASS_CARD, kinds_in(s, HAND + me))
    else:
        add(found, READY)


@rule
def apply(s: State, me: int, action: int) -> None:
    """A seat that is due makes a legal action."""
    verb = verb_of(s, action)
    if verb == PASS_CARD:
        move(s, find(s, HAND + me, action - PASS_CARD), HAND + me, GIFT + me)
    elif verb == READY:
        be_ready(s, me)
    else:
        play(s, me, action - PLAY_CARD)


@rule
def play(s: State, me: int, kind: int) -> None:
    """HEARTS-T2, T4: a card to the trick; the first heart breaks them."""
    lay_openly(s, kind, HAND + me, TRICK + me)
    if (HEARTS >> kind) & 1 and not s.broken:
        s.broken = 1
        report(s, HEARTS_BROKEN, me)
    s.due = only(next_seat(s, me))
    if next_seat(s, me) == s.leader:
        end_trick(s)


@rule
def end_trick(s: State) -> None:
    """HEARTS-T5: the highest card of the suit led takes the trick, and its taker leads.

    With the last card the round ends.
    """
    taker, points = trick_taker(s, TRICK, s.leader, suit_led(s), NO_TRUMPS), 0
    for p in range(s.players):
        points += worth_of_pile(s, TRICK + p, POINTS)
    report(s, TAKES, taker, points)
    for p in range(s.players):
        with_pile(s, TRICK + p)
        clear_pile(s, TRICK + p, TAKEN + taker)
    s.leader = taker
    s.due = only(taker)
    if is_empty(s, HAND + taker):
        score_round(s)


# Score, end


@rule
def score_round(s: State) -> None:
    """HEARTS-E1, E2, E3: fewest points win once somebody has reached the limit."""
    shooter, reached = NONE, False
    for p in range(s.players):
        if worth(s, TAKEN + p, POINTS) == ALL_POINTS:
            shooter = p
            report(s, MOON, p)
    for p in range(s.players):
        if shooter == NONE:
            score(s, p, BY_CARDS, worth(s, TAKEN + p, POINTS))
            with_penalties(s, p)
        else:
            score(s, p, BY_MOON, 0 if p == shooter else ALL_POINTS)
        reached = reached or s.total[p] >= s.limit
    if reached:
        end_match(s, best_seats(s, -1))
    else:
        end_round(s)


@rule
def with_penalties(s: State, p: int) -> None:
    """The score just reported comes from these cards."""
    for card in range(N_KINDS):
        if (PENALTIES >> card) & 1 and holds(s, TAKEN + p, card):
            with_card(s, card)
