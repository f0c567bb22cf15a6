"""What the players must agree upon: to take back a move, to end the match.

One thing is asked for at a time. Who asks says so, the others agree or say no; when all agree, it
happens. Bots agree to anything, and a move of a person withdraws what was asked.
"""

from kibitz.engine.match import Match
from kibitz.engine.view import faces_seen
from kibitz.server import entries
from kibitz.server import protocol as p
from kibitz.server.entries import Draft
from kibitz.server.protocol import Asks, Refused
from kibitz.server.situation import Situation, playing, seated
from kibitz.server.table import Table


def undo(table: Table, seat: int | None, command: p.Undo, situation: Situation) -> Draft | None:
    """Take back the last choice of who asks, where all agree."""
    chair = seated(seat)
    playing(table)
    if not command.on:
        return _no(table, chair, "undo")
    asker = _asker(table, chair, "undo")
    back = taken_back(table, asker)
    absent = table.players_in - _reachable(table, situation) - {asker}
    if back.seen and absent:
        raise Refused(
            "revealed",
            "others have acted, or something hidden has been seen since; for that all must agree,"
            " and not all are here",
        )
    if _all_agree(table, chair, situation):
        return Draft(entries.UNDONE, asker, back)
    return _asked(table, chair, "undo")


def offer_end(
    table: Table, seat: int | None, command: p.OfferEnd, situation: Situation
) -> Draft | None:
    """End the match where it stands, where all agree; nobody wins."""
    chair = seated(seat)
    match = playing(table)
    if not command.on:
        return _no(table, chair, "end")
    _asker(table, chair, "end")
    if _all_agree(table, chair, situation):
        result = entries.Result([], match.scores, match.sheet)
        return Draft(entries.LAST, None, entries.Played([], None, result))
    return _asked(table, chair, "end")


def taken_back(table: Table, seat: int) -> entries.TakenBack:
    """To where the match goes back when a seat takes back its last choice."""
    match = playing(table)
    last = max((n for n, done in enumerate(match.done) if done.seat == seat), default=None)
    if last is None:
        raise Refused("phase", "you have made no choice that could be taken back")
    lines = table.line_seq.index(table.line_seq[last])
    acted = any(done.seat != seat for done in match.done[lines:])
    return entries.TakenBack(lines, acted or _has_shown(match, lines, seat))


def _has_shown(match: Match, lines: int, seat: int) -> bool:
    """Whether anybody has seen a card since that neither they nor the seat itself knew of."""
    before = match.rewound(lines)
    own = faces_seen(match.game, before.state, seat)
    return any(
        faces_seen(match.game, match.state, viewer)
        - faces_seen(match.game, before.state, viewer)
        - own
        for viewer in (*range(match.players), None)
    )


def _reachable(table: Table, situation: Situation) -> set[int]:
    """The people who play and are here, or have just gone and may come back."""
    return {n for n in table.players_in if n in situation.here or situation.grace(n)}


def _asker(table: Table, seat: int, what: Asks) -> int:
    """Who asks for something: the first to do so; the others agree."""
    if seat not in table.players_in:
        raise Refused("phase", "a bot plays for you; take your seat again first")
    asker = table.asker
    if asker is not None and table.seats[asker].asks != what:
        raise Refused("phase", "somebody asks for something else; answer that first")
    return seat if asker is None else asker


def _all_agree(table: Table, seat: int, situation: Situation) -> bool:
    agreed = {n for n, chair in enumerate(table.seats) if chair.asks} | {seat}
    return _reachable(table, situation) <= agreed


def _asked(table: Table, seat: int, what: Asks) -> Draft | None:
    if table.seats[seat].asks is not None:
        return None
    return Draft(entries.ASK, seat, entries.Asked(what if table.asker is None else "agree"))


def _no(table: Table, seat: int, what: Asks) -> Draft | None:
    asker = table.asker
    if asker is None or table.seats[asker].asks != what:
        return None
    return Draft(entries.ASK, seat, entries.Asked(None))
