"""All tables of a server: opens their rooms, makes new ones, keeps the lobby."""

import asyncio
import contextlib
import json
import time
from typing import Any

from msgspec import UNSET

from kibitz.bots.levels import LEVELS
from kibitz.engine.errors import BadOption, IllegalAction, UnknownGame
from kibitz.games import find
from kibitz.server import entries
from kibitz.server import protocol as p
from kibitz.server.again import begun, wish_for
from kibitz.server.bus import Word
from kibitz.server.entries import Draft
from kibitz.server.names import checked_name
from kibitz.server.presence import BEAT_SECONDS, NO_TABLE
from kibitz.server.protocol import Refused, encode
from kibitz.server.room import Room, Services
from kibitz.server.store import StoreBusy, StoredTable, new_table, now_ms
from kibitz.server.table import Table

CLOCK = range(10, 601)
IDLE_SECONDS = 300  # then a room without visitors is closed; its table is in the store
LOOK_SECONDS = 2.0  # between two looks into the store while the bus is down
LOBBY_HOURS = 2
MOST_LISTED = 100
SLICE = 40  # entries that are folded before others get their turn
ANNOUNCED = 25  # tables of which other servers are told at a time
ANNOUNCING_SECONDS = BEAT_SECONDS / 2  # for which it takes to tell them of all


class Tables:
    """All tables of a server."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.rooms: dict[str, Room] = {}
        self.lobby_visitors: list[Any] = []
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self._idle: dict[str, float] = {}
        self._lobby_due = False
        services.on_lobby = self._lobby_changed

    # ---- rooms

    async def room(self, table: str) -> Room:
        """The room of a table, opened from the store if need be."""
        room = self.rooms.get(table)
        if room is not None:
            return room
        opening = self._opening.get(table)
        if opening is None:
            opening = self._opening[table] = asyncio.create_task(self._open(table))
            opening.add_done_callback(lambda _: self._opening.pop(table, None))
        try:
            return await asyncio.shield(opening)
        finally:
            del opening  # its failure knows this frame, and would come to refer to itself

    async def _open(self, name: str) -> Room:
        try:
            stored = await self.services.store.table(name)
            if stored is None:
                raise Refused("no_table", "there is no such table")
            found = await self.services.store.entries(name)
        except StoreBusy as error:
            raise Refused("busy", "the server cannot read its store now") from error
        table = Table(stored)
        try:
            begun = any(entry.kind in (entries.CLOSE, entries.START) for entry in found)
            if begun and table.former is None:
                self.services.readiness.check(stored.game, "moves")
            for n, entry in enumerate(found, 1):
                table.fold(entry)
                if n % SLICE == 0:
                    await asyncio.sleep(0)
        except (UnknownGame, IllegalAction) as error:
            raise Refused("no_table", f"this table cannot be read: {error}") from None
        # While nobody could play no clock has run.
        table.due_since = dict.fromkeys(table.due_since, now_ms())
        table.rests_since = now_ms()
        if table.closed_at is not None:
            table.closed_at = now_ms()
        room = self.rooms[name] = Room(table, self.services)
        return room

    async def close_empty_rooms(self) -> None:
        """Close rooms that nobody has been in for a while."""
        now = time.monotonic()
        self._idle = {name: since for name, since in self._idle.items() if name in self.rooms}
        for name, room in list(self.rooms.items()):
            if room.is_attended or room.lock.locked():
                self._idle.pop(name, None)
            elif now - self._idle.setdefault(name, now) > IDLE_SECONDS:
                self.let_go(name)
                del self._idle[name]

    def let_go(self, name: str) -> bool:
        """Close a room, so that its table can be deleted; False if somebody is in it."""
        room = self.rooms.get(name)
        if room is not None:
            if room.is_attended or room.lock.locked():
                return False
            room.close()
            del self.rooms[name]
        return name not in self._opening

    def heard(self, word: Word) -> None:
        """Another server has something new for a table; our own word comes back to us too."""
        if word.server == self.services.server:
            return
        room = self.rooms.get(word.table)
        if room is not None:
            room.spawn(room.heard(word))
        else:
            self.services.presence.heard(word)
            if word.table != NO_TABLE:
                self._lobby_changed()

    async def look_around(self) -> None:
        """When the bus or the store is or was down, see what others have written."""
        missed = self.services.bus.missed()
        names = [
            name
            for name, room in self.rooms.items()
            if room.is_attended
            and (missed or room.is_stale)
            and self.services.readiness.is_ready(room.table.stored.game, "moves")
        ]
        if not names:
            return
        for name, seq in (await self.services.store.heads(names)).items():
            room = self.rooms.get(name)
            if room is not None:
                await room.look(seq)
                room.announce()  # others may not have heard of us

    async def announce(self) -> None:
        """Tell other servers who is here, and see which of them are there.

        Some tables at a time: thousands of words at once would hold up the loop here and there.
        """
        attended = [room for room in self.rooms.values() if room.is_attended]
        slices = [attended[n : n + ANNOUNCED] for n in range(0, len(attended), ANNOUNCED)]
        for n, some in enumerate(slices):
            if n > 0:
                await asyncio.sleep(ANNOUNCING_SECONDS / len(slices))
            for room in some:
                room.announce()
        for name, elsewhere in (await self.services.presence.beat()).items():
            room_left = self.rooms.get(name)
            if room_left is not None and room_left.is_attended:
                room_left.see_who_is_gone(room_left.audience.connected() | elsewhere)
                await asyncio.sleep(0)

    # ---- new tables

    async def make(self, wish: p.NewTable) -> p.MadeTable:
        """A new table; its maker sits down where they wish, or at the first seat without a bot."""
        name = checked_name(wish.name)
        source = None
        if wish.again is not None:
            old = (await self.room(wish.again.table)).table
            source, wish = begun(old, wish.again), wish_for(old, wish)
        stored, bots = checked_wish(wish)
        self.services.readiness.want(stored.game)
        seat = _checked_seat(wish.seat, bots)
        drafts = [] if source is None else [Draft(entries.AGAIN, None, source)]
        drafts.append(Draft(entries.SIT, seat, entries.Sat(name, wish.promise)))
        drafts += [
            Draft(entries.BOT, n, entries.BotSeated(bot))
            for n, bot in enumerate(bots)
            if bot is not None
        ]
        first = [draft.entry(n, now_ms(), None) for n, draft in enumerate(drafts, 1)]
        try:
            await self.services.store.add(stored, first)
        except StoreBusy as error:
            raise Refused("busy", "the server cannot write to its disk now") from error
        room = await self.room(stored.id)
        self._lobby_changed()
        join = self.services.signer.join_key(stored.id)
        return p.MadeTable(stored.id, seat, room.token_of(seat), join, stored.commitment)

    # ---- the lobby

    async def lobby(self) -> list[p.OpenTable]:
        """The open tables that wait for people, and at which somebody waits."""
        since = now_ms() - LOBBY_HOURS * 3600_000
        waiting = await self.services.store.gathering(since)
        tables = []
        for name in [name for name in waiting if self._here(name)][:MOST_LISTED]:
            with contextlib.suppress(Refused):
                table = (await self.room(name)).table
                taken = [s for s in table.seats if s.kind != "empty"]
                if table.host is None or len(taken) == len(table.seats):
                    continue
                tables.append(
                    p.OpenTable(
                        table=name,
                        join=self.services.signer.join_key(name),
                        game=table.stored.game,
                        players=table.stored.players,
                        taken=len(taken),
                        names=[s.name for s in taken if s.kind == "person"],
                        clock=table.stored.clock,
                        options=table.options,
                        at=table.stored.at,
                    )
                )
        return tables

    def _here(self, name: str) -> frozenset[int]:
        """The seats of a table whose players are connected, here or to another server."""
        room = self.rooms.get(name)
        return room.audience.here() if room else self.services.presence.elsewhere(name)

    def _lobby_changed(self) -> None:
        if self.lobby_visitors and not self._lobby_due:
            self._lobby_due = True
            asyncio.get_running_loop().call_later(0.1, self._tell_lobby)

    def _tell_lobby(self) -> None:
        self._lobby_due = False
        self._telling = asyncio.create_task(self._send_lobby())

    async def _send_lobby(self) -> None:
        with contextlib.suppress(StoreBusy):
            frame = encode(p.LobbyFrame(tables=await self.lobby()))
            for visitor in list(self.lobby_visitors):
                visitor.send(frame)


def checked_wish(wish: p.NewTable) -> tuple[StoredTable, list[str | None]]:
    """The table that somebody wants to make, and the bots at its seats."""
    try:
        game = find(wish.game)
        players = game.identity.usual_players if wish.players is UNSET else wish.players
        settings = game.settings(players, wish.options)
    except UnknownGame as error:
        raise Refused("no_game", str(error)) from None
    except BadOption as error:
        raise Refused("bad_option", str(error)) from None
    if wish.clock is not None and wish.clock not in CLOCK:
        raise Refused("bad_option", f"a clock is {CLOCK[0]} to {CLOCK[-1]} seconds, or null")
    stored = new_table(
        game.name,
        game.identity.version,
        players,
        json.dumps(game.written(settings)),
        wish.clock,
        wish.hints,
        is_open=wish.open,
    )
    return stored, _checked_bots(wish.bots, players)


def _checked_bots(bots: list[str | None], players: int) -> list[str | None]:
    if len(bots) > players:
        raise Refused("bad_option", "bots is a list with a level, or null, for each seat")
    for bot in bots:
        if bot is not None and bot not in LEVELS:
            raise Refused("bad_option", f"there is no bot {bot!r}; there are {', '.join(LEVELS)}")
    levels = [*bots, *[None] * (players - len(bots))]
    if None not in levels:
        raise Refused("bad_option", "leave a seat for yourself")
    return levels


def _checked_seat(seat: int | None, bots: list[str | None]) -> int:
    """Where the maker of a table sits down."""
    free = [n for n, bot in enumerate(bots) if bot is None]
    if seat is not None and seat not in free:
        choice = " or ".join(map(str, free))
        raise Refused("bad_option", f"seat is {choice}, a seat without a bot, or null")
    return free[0] if seat is None else seat
