"""What becomes of a command: an entry to be written, nothing, or a refusal.

`decide` is a pure function. It changes no table: it plays on a copy, and whatever it decides counts
only once it is on disk and has been folded.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kibitz.bots.levels import LEVELS
from kibitz.engine.errors import IllegalAction, UnfinishedChoice
from kibitz.server import asking, deal, entries
from kibitz.server import protocol as p
from kibitz.server.entries import Draft
from kibitz.server.names import harmless, told_apart
from kibitz.server.protocol import By, Refused
from kibitz.server.situation import Situation, due, playing, seated
from kibitz.server.table import USUAL_LEVEL, Table

MOST_CHAT = 1000  # lines of a table
MOST_COMING_AND_GOING = 1000  # entries of a table
MOST_ASKED = 1000  # questions, answers, and moves taken back
REVEAL_MS = 3000  # for which a closed table waits for contributions


# ---- what the server itself asks for


@dataclass(frozen=True)
class Sit:
    """A newcomer wants a seat, or any."""

    name: str
    seat: int | None
    promise: str | None


@dataclass(frozen=True)
class FirstDeal:
    """All have revealed what they promised, or have been waited for long enough."""


@dataclass(frozen=True)
class BotChoice:
    """A bot has made up its mind; `by` says for whom, where the seat is not its own."""

    seat: int
    actions: list[str]
    by: By | None = None


@dataclass(frozen=True)
class PauseOver:
    """A table has rested long enough, or who was still waited for has left."""


@dataclass(frozen=True)
class MakeRematch:
    """A table for the next match has been prepared."""

    next: str


def decide(table: Table, seat: int | None, command: Any, situation: Situation) -> Draft | None:
    """The entry that a command of a seat (None: somebody who watches) leads to; None: nothing."""
    draft = _DECISIONS[type(command)](table, seat, command, situation)
    if draft is not None:
        _check_space(table, draft.kind)
    return draft


def _check_space(table: Table, kind: str) -> None:
    """Refuse one too many of what people could do without end; a match itself has an end."""
    if kind == entries.SAY and table.tally[kind] >= MOST_CHAT:
        raise Refused("too_many", f"a table holds at most {MOST_CHAT} chat lines")
    if kind in entries.COMING_AND_GOING:
        found = sum(table.tally[kind] for kind in entries.COMING_AND_GOING)
        if found >= MOST_COMING_AND_GOING:
            raise Refused("too_many", "people have come to this table and gone too often")
    asks = entries.ASK, entries.UNDONE
    if kind in asks and sum(table.tally[kind] for kind in asks) >= MOST_ASKED:
        raise Refused("too_many", "too much has been asked for at this table")


def _hosting(table: Table, seat: int | None) -> None:
    if seated(seat) != table.host:
        raise Refused("not_host", "only who made the table can do this")
    if table.phase != "gathering":
        raise Refused("phase", "the match has begun")


# ---- gathering


def _sit(table: Table, _: int | None, command: Sit, situation: Situation) -> Draft:
    if table.phase != "gathering":
        raise Refused("phase", "the match has begun; you can watch it")
    free = [n for n, seat in enumerate(table.seats) if seat.kind == "empty"]
    if not free:
        raise Refused("full", "all seats are taken")
    if command.seat is not None and command.seat not in free:
        raise Refused("taken", "this seat is taken")
    chosen = free[0] if command.seat is None else command.seat
    name = told_apart(command.name, [seat.name for seat in table.seats])
    promise = command.promise if table.begun is None else None  # the deal is known already
    return Draft(entries.SIT, chosen, entries.Sat(name, promise))


def _promise(
    table: Table, seat: int | None, command: p.Promise, situation: Situation
) -> Draft | None:
    """Once for each sitting: who could promise again could choose after having seen the others."""
    promised = table.seats[seated(seat)].promise
    if promised == command.promise or table.begun is not None:
        return None
    if table.phase != "gathering":
        raise Refused("phase", "the table is closed, so nothing more can be promised")
    if promised is not None:
        raise Refused("promise", "this seat has promised another contribution already")
    return Draft(entries.PROMISE, seat, entries.Promised(command.promise))


def _start(table: Table, seat: int | None, command: p.Start, situation: Situation) -> Draft:
    _hosting(table, seat)
    empty = [str(n) for n, chair in enumerate(table.seats) if chair.kind == "empty"]
    return Draft(entries.CLOSE, seat, entries.Closed(dict.fromkeys(empty, USUAL_LEVEL)))


def _reveal(
    table: Table, seat: int | None, command: p.Reveal, situation: Situation
) -> Draft | None:
    chair = table.seats[seated(seat)]
    if chair.contribution == command.contribution:
        return None
    if table.phase != "dealing":
        raise Refused(
            "phase", "contributions are revealed when the table is closed, until the deal"
        )
    if chair.promise is None or not deal.keeps(command.contribution, chair.promise):
        raise Refused("promise", "this is not the contribution that this seat has promised")
    return Draft(entries.REVEAL, seat, entries.Revealed(command.contribution))


def reveal_left(table: Table, now: int) -> int:
    """For how many milliseconds contributions are still waited for."""
    waited_for = [n for n in table.unrevealed if not table.seats[n].away]
    waited = now - (table.closed_at or 0)
    return max(0, REVEAL_MS - waited) if waited_for and waited >= 0 else 0


def _first_deal(
    table: Table, _: int | None, command: FirstDeal, situation: Situation
) -> Draft | None:
    if table.phase != "dealing" or reveal_left(table, situation.now):
        return None
    way = deal.PROMISED if table.begun is None else deal.CHOSEN
    return Draft(entries.START, None, entries.Started(way, table.unrevealed))


def _bot(table: Table, seat: int | None, command: p.Bot, situation: Situation) -> Draft:
    _hosting(table, seat)
    if command.seat >= len(table.seats):
        raise Refused("malformed", f"there is no seat {command.seat}")
    if table.seats[command.seat].kind == "person":
        raise Refused("taken", "somebody sits there")
    if command.level is not None and command.level not in LEVELS:
        raise Refused("bad_option", f"there is no bot {command.level!r}")
    return Draft(entries.BOT, command.seat, entries.BotSeated(command.level))


def _leave(table: Table, seat: int | None, command: p.Leave, situation: Situation) -> Draft | None:
    chair = seated(seat)
    if table.phase == "gathering":
        return Draft(entries.STAND, chair)
    if table.phase != "over" and not table.seats[chair].away:
        return Draft(entries.AWAY, chair)
    return None


def _back(table: Table, seat: int | None, command: p.Back, situation: Situation) -> Draft | None:
    return Draft(entries.BACK, seat) if table.seats[seated(seat)].away else None


# ---- playing


def _play(table: Table, seat: int | None, command: p.Play, situation: Situation) -> Draft:
    return _choice(table, seated(seat), command.actions, None)


def _bot_choice(
    table: Table, _: int | None, command: BotChoice, situation: Situation
) -> Draft | None:
    """A bot thinks a while: what it was asked for may no longer be wanted."""
    seat = command.seat
    if table.match is None or seat not in table.match.to_act:
        return None
    if command.by is None and table.level_of(seat) is None:
        return None  # the player has come back
    if command.by == "clock" and time_left(table, seat, situation.now) != 0:
        return None
    if command.by == "stand_in":
        check_stand_in(table, seat, situation)
    return _choice(table, seat, command.actions, command.by)


def time_left(table: Table, seat: int, now: int) -> int | None:
    """What is left of a seat's clock, in milliseconds; None: there is no clock, or it stands."""
    clock = table.stored.clock
    if clock is None or seat not in table.due_since:
        return None
    return max(0, table.due_since[seat] + 1000 * clock - now)


def _choice(table: Table, seat: int, actions: list[str], by: By | None) -> Draft:
    try:
        after = due(table, seat).try_choice(seat, actions)
    except UnfinishedChoice as refusal:
        raise Refused("unfinished", refusal.reason) from None
    except IllegalAction as refusal:
        raise Refused("illegal", refusal.reason, rule=refusal.rule) from None
    if not after.over:
        return Draft(entries.PLAY, seat, entries.Played(actions, by), after)
    sheet = [*due(table, seat).sheet, *after.sheet]
    result = entries.Result(after.winners, after.scores, sheet)
    return Draft(entries.LAST, seat, entries.Played(actions, by, result), after)


def _next_round(
    table: Table, seat: int | None, command: p.NextRound, situation: Situation
) -> Draft | None:
    chair = seated(seat)
    if not table.rests:
        raise Refused("phase", "the next round is dealt when this one is over")
    if table.players_in <= table.ready | {chair}:
        return Draft(entries.DEAL)
    return None if chair in table.ready else Draft(entries.READY, chair)


def _pause_over(
    table: Table, _: int | None, command: PauseOver, situation: Situation
) -> Draft | None:
    rested = situation.now - table.rests_since
    is_over = rested >= situation.pause or table.awaits_nobody
    return Draft(entries.DEAL) if table.rests and is_over else None


def _stand_in(
    table: Table, seat: int | None, command: p.StandIn, situation: Situation
) -> Draft | None:
    seated(seat)
    playing(table)
    check_stand_in(table, command.seat, situation)
    if command.how == "rest" and not table.seats[command.seat].away:
        return Draft(entries.AWAY, command.seat)
    return None


def check_stand_in(table: Table, absent: int, situation: Situation) -> None:
    """Refuse to replace somebody who is there."""
    if absent >= len(table.seats) or table.seats[absent].kind != "person":
        raise Refused("malformed", "nobody can stand in at that seat")
    if absent in situation.here:
        raise Refused("phase", "they are here, so nobody needs to stand in")
    wait = situation.grace(absent) / 1000
    if wait:
        raise Refused("phase", f"they may come back; wait {wait:.0f} s", wait=wait)


# ---- at any time


def _say(table: Table, seat: int | None, command: p.Say, situation: Situation) -> Draft:
    text = harmless(command.text)
    if not text:
        raise Refused("malformed", "there is nothing in this chat line")
    if len(text) > p.LONGEST_CHAT:
        raise Refused("too_long", f"a chat line has at most {p.LONGEST_CHAT} characters")
    name = "" if seat is None else table.seats[seat].name
    return Draft(entries.SAY, seat, entries.Spoken(name, text))


def _rematch(
    table: Table, seat: int | None, command: MakeRematch, situation: Situation
) -> Draft | None:
    check_rematch(table, seat)
    if table.rematch is not None:
        return None
    return Draft(entries.REMATCH, seat, entries.Followed(command.next))


def check_rematch(table: Table, seat: int | None) -> None:
    """Refuse a rematch to who watches, and before the match is over."""
    seated(seat)
    if table.phase != "over":
        raise Refused("phase", "the match is not over yet")


_DECISIONS: dict[type, Callable[[Table, int | None, Any, Situation], Draft | None]] = {
    Sit: _sit, p.Promise: _promise, p.Start: _start, p.Reveal: _reveal, FirstDeal: _first_deal,
    p.Bot: _bot, p.Leave: _leave, p.Back: _back, p.Play: _play,
    BotChoice: _bot_choice, p.NextRound: _next_round, PauseOver: _pause_over, p.StandIn: _stand_in,
    p.Undo: asking.undo, p.OfferEnd: asking.offer_end, p.Say: _say, MakeRematch: _rematch,
}  # fmt: skip
