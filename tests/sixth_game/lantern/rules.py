"""The rules of Lantern, in the order of the rulebook."""

from kibitz.games.lantern.cards import DECK

from kibitz.engine.actions import Actions
from kibitz.engine.compiled import NONE, Moves, State, rule
from kibitz.engine.moves import add, add_each
from kibitz.engine.moving import draw, find, gather, is_empty, kinds, put_on
from kibitz.engine.record import layout, number, seats
from kibitz.engine.standing import crown, next_seat
from kibitz.engine.zones import Sight, Zones

zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True)
DRAW = zones.set("draw")
TOWER = zones.pile("tower", per_seat=True)

LAYOUT = layout(__file__, DECK, zones, shown={"rounds": number(), "stopped": seats()})

actions = Actions(DECK)
LAY = actions.verb("lay", "lay {card}", card=DECK.codes)
STOP = actions.verb("stop", "stop")

KIND, TWINS, ALL, STRIDE = DECK.kind, DECK.twins, DECK.all, DECK.stride


@rule
def start(s: State) -> None:
    """LANTERN-S1: seat 0 begins."""
    s.round_no = 1
    deal(s)


@rule
def deal(s: State) -> None:
    """LANTERN-S1: three cards each."""
    gather(s, DRAW, ALL)
    for p in range(s.players):
        for _ in range(3):
            draw(s, DRAW, HAND + p)
    s.stopped = 0
    s.due = 1


@rule
def climbing(s: State, me: int) -> int:
    """LANTERN-T2: the kinds that are not lower than the top of a tower."""
    top = s.top[TOWER + me]
    return -1 if top == NONE else -1 << KIND[top]


@rule
def legal(s: State, me: int, moves: Moves) -> None:
    """LANTERN-T1: lay a card, or stop for good."""
    add_each(moves, LAY, kinds(s, HAND + me, STRIDE) & climbing(s, me))
    add(moves, STOP)


@rule
def apply(s: State, me: int, action: int) -> None:
    """LANTERN-T1: lay a card, or stop for good."""
    if action == STOP:
        s.stopped |= 1 << me
    else:
        put_on(s, find(s, HAND + me, action - LAY, TWINS), HAND + me, TOWER + me)
    for _ in range(s.players):
        me = next_seat(s, me)
        if not (s.stopped >> me) & 1 and not is_empty(s, HAND + me):
            s.due = 1 << me
            return
    end_round(s)


@rule
def end_round(s: State) -> None:
    """LANTERN-E1, E2: a point for every card of a tower."""
    for p in range(s.players):
        s.gain[p, 0] = 0
        card = s.top[TOWER + p]
        while card != NONE:
            s.gain[p, 0] += 1
            card = s.under[card]
        s.total[p] += s.gain[p, 0]
    if s.round_no == s.rounds:
        crown(s, 1)
    else:
        s.round_no += 1
        deal(s)
