"""The rules of Lantern, in the order of the rulebook."""

from kibitz.games.lantern.deck import DECK

from kibitz.engine.action_list import add, add_each, verb_of
from kibitz.engine.actions import Actions
from kibitz.engine.cards import (
    deal,
    find,
    gather,
    has_top,
    height,
    is_empty,
    kinds_in,
    put_on,
    top_kind,
)
from kibitz.engine.compiled import NONE, ActionList, State, rule
from kibitz.engine.events import Events, Weight, report, with_pile
from kibitz.engine.record import layout, number, seats
from kibitz.engine.rounds import best_seats, end_match, end_round, score
from kibitz.engine.seats import has, next_seat, only
from kibitz.engine.zones import Sight, Zones

zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True, open_at_end=True)
DRAW = zones.set("draw")
TOWER = zones.pile("tower", per_seat=True, looked_through=True)

LAYOUT = layout(__file__, DECK, zones, shown={"rounds": number(), "stopped": seats()})

actions = Actions(DECK)
LAY = actions.verb("lay", "lay {card}", card=DECK.codes)
STOP = actions.verb("stop", "stop")

events = Events()
ALL_STOPPED = events.event("all_stopped", Weight.END)


@rule
def begin_round(s: State) -> None:
    """LANTERN-S1: three cards each, seat 0 begins."""
    gather(s, DRAW)
    deal(s, DRAW, HAND, 3)
    s.stopped = 0
    s.due = only(0)


@rule
def climbing(s: State, me: int) -> int:
    """LANTERN-T2: the kinds that are not lower than the top of a tower."""
    return -1 << top_kind(s, TOWER + me) if has_top(s, TOWER + me) else -1


@rule
def legal(s: State, me: int, found: ActionList) -> None:
    """LANTERN-T1: lay a card, or stop for good."""
    add_each(found, LAY, kinds_in(s, HAND + me) & climbing(s, me))
    add(found, STOP)


@rule
def apply(s: State, me: int, action: int) -> None:
    """LANTERN-T1: lay a card, or stop for good."""
    if verb_of(s, action) == STOP:
        s.stopped |= only(me)
    else:
        put_on(s, find(s, HAND + me, action - LAY), HAND + me, TOWER + me)
    for _ in range(s.players):
        me = next_seat(s, me)
        if not has(s.stopped, me) and not is_empty(s, HAND + me):
            s.due = only(me)
            return
    report(s, ALL_STOPPED, NONE)
    score_round(s)


@rule
def score_round(s: State) -> None:
    """LANTERN-E1, E2: a point for every card of a tower."""
    for p in range(s.players):
        score(s, p, 0, height(s, TOWER + p))
        with_pile(s, TOWER + p)
    if s.round_no == s.rounds:
        end_match(s, best_seats(s, 1))
    else:
        end_round(s)
