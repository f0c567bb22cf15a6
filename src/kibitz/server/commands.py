"""What people at a table can ask for. Each command is carried out under the room's lock."""

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Protocol

from kibitz.bots.levels import LEVELS
from kibitz.engine.errors import IllegalAction
from kibitz.engine.match import Match
from kibitz.server import protocol as p
from kibitz.server import store as kinds
from kibitz.server import telling
from kibitz.server.protocol import Refused, encode
from kibitz.server.store import Entry, StoreBusy
from kibitz.server.table import USUAL_LEVEL
from kibitz.server.telling import now_ms

if TYPE_CHECKING:
    from kibitz.server.room import Room

ANSWERED = object()  # what a handler returns whose news were the answer


class Visitor(Protocol):
    """Somebody who is told what happens at a table; `came_as` is the seat it entered with."""

    seat: int | None
    came_as: int | None

    def send(self, frame: bytes) -> None:
        """Tell."""
        ...


def seated(visitor: Visitor) -> int:
    """The seat of somebody who must have one."""
    if visitor.seat is None:
        raise Refused("not_seated", "this needs a seat, and you are watching")
    return visitor.seat


def playing(room: "Room") -> Match:
    """The match, which must have begun and not be over."""
    if room.table.match is None or room.table.phase != "playing":
        raise Refused("phase", f"the match is {room.table.phase}, so this cannot be done now")
    return room.table.match


def gathering(room: "Room", visitor: Visitor) -> None:
    """It must be the host, before the match begins."""
    if seated(visitor) != room.table.host:
        raise Refused("not_host", "only who made the table can do this")
    if room.table.phase != "gathering":
        raise Refused("phase", "the match has begun")


async def _play(room: "Room", visitor: Visitor, command: p.Play, cid: str) -> object:
    """A choice; the news of it answers whoever made it."""
    room.answering = visitor, encode(command.id)
    try:
        await room.choose(seated(visitor), command.actions, cid, None)
    finally:
        answered, room.answering = room.answering is None, None
    return ANSWERED if answered else None


async def _preview(room: "Room", visitor: Visitor, command: p.Preview, cid: str) -> p.Previewed:
    seat, match = seated(visitor), playing(room)
    if seat not in match.to_act:
        raise Refused("not_due", "it is not your turn")
    try:
        after = match.preview(seat, command.actions)
    except IllegalAction as refusal:
        raise Refused("illegal", refusal.reason, rule=refusal.rule) from None
    changes: Any = telling.preview(match, after, seat)
    return p.Previewed(
        re=command.id, table=room.id, view=changes, legal=after.legal(seat),
        held=after.held(seat),
    )  # fmt: skip


async def _say(room: "Room", visitor: Visitor, command: p.Say, cid: str) -> None:
    text = " ".join(command.text.split())
    if not text:
        raise Refused("malformed", "there is nothing in this chat line")
    if len(text) > p.LONGEST_CHAT:
        raise Refused("too_long", f"a chat line has at most {p.LONGEST_CHAT} characters")
    name = "" if visitor.seat is None else room.table.seats[visitor.seat].name
    await room.append(kinds.SAY, visitor.seat, {"name": name, "text": text}, cid)


async def _start(room: "Room", visitor: Visitor, command: p.Start, cid: str) -> None:
    gathering(room, visitor)
    empty = [n for n, seat in enumerate(room.table.seats) if seat.kind == "empty"]
    body: dict[str, Any] = {"bots": {str(n): USUAL_LEVEL for n in empty}}
    if command.contribution:
        body["contribution"] = command.contribution
    await room.append(kinds.START, visitor.seat, body, cid)


async def _bot(room: "Room", visitor: Visitor, command: p.Bot, cid: str) -> None:
    gathering(room, visitor)
    if command.seat >= len(room.table.seats):
        raise Refused("malformed", f"there is no seat {command.seat}")
    if room.table.seats[command.seat].kind == "person":
        raise Refused("taken", "somebody sits there")
    if command.level is not None and command.level not in LEVELS:
        raise Refused("bad_option", f"there is no bot {command.level!r}")
    await room.append(kinds.BOT, command.seat, {"level": command.level}, cid)


async def _leave(room: "Room", visitor: Visitor, command: p.Leave, cid: str) -> None:
    seat = seated(visitor)
    if room.table.phase == "gathering":
        await room.append(kinds.STAND, seat, {}, cid)
    elif room.table.phase == "playing":
        await room.append(kinds.AWAY, seat, {}, cid)


async def _back(room: "Room", visitor: Visitor, command: p.Back, cid: str) -> None:
    seat = seated(visitor)
    if room.table.seats[seat].away:
        await room.append(kinds.BACK, seat, {}, cid)


async def _stand_in(room: "Room", visitor: Visitor, command: p.StandIn, cid: str) -> None:
    seated(visitor)
    match = playing(room)
    if command.seat >= match.players or room.table.seats[command.seat].kind != "person":
        raise Refused("malformed", "nobody can stand in at that seat")
    if room.is_here(command.seat):
        raise Refused("phase", "they are here, so nobody needs to stand in")
    if command.how == "rest":
        await room.append(kinds.AWAY, command.seat, {}, cid)
    elif command.seat in match.to_act:
        actions = await room.around.thinkers.choose(match, command.seat, USUAL_LEVEL)
        await room.choose(command.seat, actions, cid, "stand_in")


async def _rematch(room: "Room", visitor: Visitor, command: p.Rematch, cid: str) -> None:
    seated(visitor)
    if room.table.phase != "over":
        raise Refused("phase", "the match is not over yet")
    if room.table.rematch is None:
        stored, entries = _next_table(room)
        try:
            await room.around.store.add(stored, entries)
        except StoreBusy as error:
            raise Refused("busy", "the server cannot write to its disk now") from error
        await room.append(kinds.REMATCH, visitor.seat, {"next": stored.id}, cid)


def _next_table(room: "Room") -> tuple[kinds.StoredTable, list[Entry]]:
    """The same settings, everyone in their seats."""
    old = room.table.stored
    stored = kinds.new_table(
        old.game, old.rules, old.players, old.options, old.clock, old.hints, False
    )
    entries: list[Entry] = []
    for n, seat in enumerate(room.table.seats):
        kind, body = (
            (kinds.BOT, {"level": seat.level})
            if seat.kind == "bot"
            else (kinds.SIT, {"name": seat.name})
        )
        entries.append(Entry(len(entries) + 1, now_ms(), kind, n, json.dumps(body), None))
    return stored, entries


HANDLERS: dict[type, Callable[["Room", Visitor, Any, str], Awaitable[Any]]] = {
    p.Play: _play, p.Preview: _preview, p.Say: _say, p.Start: _start, p.Bot: _bot,
    p.Leave: _leave, p.Back: _back, p.StandIn: _stand_in, p.Rematch: _rematch,
}  # fmt: skip
