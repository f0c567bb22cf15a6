"""A table without a network or a disk, and visitors who keep all that they are told."""

import asyncio
import itertools
import json
import random
from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.server import deal
from kibitz.server import protocol as p
from kibitz.server.bot_pool import BotPool
from kibitz.server.bus import NoBus
from kibitz.server.decide import FirstDeal
from kibitz.server.entries import BOT, CLOSE, GONE, LAST, SAY, SIT, STAND, START, Entry
from kibitz.server.readiness import Readiness
from kibitz.server.room import Room, Services
from kibitz.server.store import StoreBusy, StoredTable, new_table
from kibitz.server.table import Table
from kibitz.server.thinking import Thinking
from kibitz.server.tokens import Signer
from server.guests import any_of, continues
from short import players_for, short

SEATING = SIT, STAND, BOT, CLOSE, START, LAST


def contribution(seat: int) -> str:
    """What a seat adds to the deal, the same each time."""
    return f"{seat + 1:064x}"


class MemoryStore:
    """Keeps entries in a list; can be told to fail."""

    trouble: str | None = None

    def __init__(self) -> None:
        self.tables: dict[str, StoredTable] = {}
        self.rows: dict[str, list[Entry]] = {}
        self.failing = False

    def _check(self) -> None:
        if self.failing:
            raise StoreBusy("the disk is full")

    async def open(self) -> None: ...

    async def close(self) -> None: ...

    async def key(self) -> bytes:
        return b"a key for tests"

    async def add(self, table: StoredTable, entries: Iterable[Entry]) -> None:
        self._check()
        self.tables[table.id], self.rows[table.id] = table, list(entries)

    async def append(self, table: str, entry: Entry) -> bool:
        self._check()
        rows = self.rows[table]
        if entry.seq != len(rows) + 1:
            return False
        rows.append(entry)
        return True

    async def table(self, table: str) -> StoredTable | None:
        return self.tables.get(table)

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        return self.rows[table][after:]

    async def tables_of(self, names: list[str]) -> dict[str, StoredTable]:
        return {name: self.tables[name] for name in names if name in self.tables}

    async def seating(self, tables: list[str]) -> dict[str, list[Entry]]:
        return {name: [e for e in self.rows.get(name, []) if e.kind in SEATING] for name in tables}

    async def gathering(self, since: int) -> list[str]:
        return []

    async def ended(self, before: int, most: int) -> list[str]:
        return self._where(lambda e: e.kind == LAST and e.at < before)[:most]

    async def never_begun(self, before: int, most: int) -> list[str]:
        begun = self._where(lambda e: e.kind == START)
        old = [name for name, table in self.tables.items() if table.at < before]
        return [name for name in old if name not in begun][:most]

    async def delete(self, tables: list[str]) -> None:
        for name in tables:
            del self.tables[name], self.rows[name]

    async def drop_chat(self, before: int, most: int) -> int:
        found = 0
        for entries in self.rows.values():
            for n, entry in enumerate(entries):
                if entry.kind == SAY and entry.at < before and found < most:
                    entries[n] = replace(entry, kind=GONE, body="{}")
                    found += 1
        return found

    async def rewrite(self, table: str, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self.rows[table][entry.seq - 1] = entry

    def _where(self, holds: Callable[[Entry], bool]) -> list[str]:
        return [name for name, entries in self.rows.items() if any(map(holds, entries))]

    async def beat(self, server: str) -> list[str]:
        return []

    async def heads(self, tables: list[str]) -> dict[str, int]:
        return {table: len(self.rows[table]) for table in tables}


class Eyes:
    """A visitor who keeps every frame."""

    def __init__(self) -> None:
        self.seat: int | None = None
        self.came_as: int | None = None
        self.address, self.key = "127.0.0.1", str(id(self))
        self.frames: list[bytes] = []

    def send(self, frame: bytes) -> None:
        self.frames.append(frame)

    def last(self, *kinds: str) -> dict[str, Any]:
        """The last frame of some kinds."""
        for frame in reversed(self.frames):
            found: dict[str, Any] = json.loads(frame)
            if found["t"] in kinds:
                return found
        raise AssertionError(f"no frame of {kinds}")


class Gathering:
    """A table in memory with somebody at every seat, and one who watches.

    Where the game is not for so many players, as many as come near it sit there.
    """

    def __init__(
        self,
        game: str,
        players: int,
        *,
        clock: int | None = None,
        pause: float = 3600.0,
        store: MemoryStore | None = None,
        **options: Any,
    ) -> None:
        found, players = find(game), players_for(game, players)
        written = found.written(found.settings(players, {**short(game), **options}))
        stored = new_table(
            game, found.identity.version, players, json.dumps(written), clock, True, is_open=False
        )
        # The same each time, and so is the deal.
        name, secret = f"{game}-for-{players}", f"a secret of {game} for {players}"
        stored = replace(stored, id=name, secret=secret, commitment=deal.promise(secret))
        self.store = store or MemoryStore()
        self.store.tables[stored.id], self.store.rows[stored.id] = stored, []
        self.thinking = Thinking()
        self.bots = BotPool(self.thinking)
        signer = Signer(b"a key for tests")
        services = Services(
            self.store, NoBus(), signer, self.bots, Readiness(()), pace=0.0, pause=pause
        )
        self.room = Room(Table(stored), services)
        self.seats = [Eyes() for _ in range(players)]
        self.watcher = Eyes()
        self._ids = itertools.count(1)

    async def begin(self) -> None:
        """All sit down with a promise, one comes to watch, all reveal, and the match begins."""
        for n, eyes in enumerate(self.seats):
            await self.room.sit(f"Guest {n}", n, deal.promise(contribution(n)))
            await self.room.enter(eyes, self.room.token_of(n), f"enter {n}", 0)
        await self.room.enter(self.watcher, None, "watch", 0)
        await self.ask(0, p.Start)
        for n in range(len(self.seats)):
            await self.ask(n, p.Reveal, contribution=contribution(n))
        await self.room.do(None, FirstDeal())

    @property
    def everyone(self) -> list[tuple[int | None, Eyes]]:
        return [*enumerate(self.seats), (None, self.watcher)]

    @property
    def match(self) -> Match:
        match = self.room.table.match
        assert match is not None
        return match

    @property
    def seed(self) -> str:
        """The seed as anyone can make it once the secret is known."""
        stored, texts = self.room.table.stored, [contribution(n) for n in range(len(self.seats))]
        return deal.seed(deal.PROMISED, stored.id, stored.secret, texts)

    async def ask(
        self, seat: int | None, kind: type[p.TableCommand], /, **words: Any
    ) -> dict[str, Any]:
        """A command of a seat, and its answer."""
        visitor = self.watcher if seat is None else self.seats[seat]
        words.setdefault("id", f"c{next(self._ids)}")
        answer = await self.room.carry_out(visitor, kind(table=self.room.id, **words))
        await asyncio.sleep(0)  # what is new is told at the end of a turn of the loop
        found: dict[str, Any] = json.loads(visitor.frames[-1] if answer is None else answer)
        assert found["re"] == words["id"]
        return found

    async def go_on(self) -> None:
        """When a round is over, everyone wants the next."""
        if self.room.table.rests:
            for seat in range(len(self.seats)):
                await self.ask(seat, p.NextRound)

    async def choice(self, rng: random.Random, seat: int | None = None) -> tuple[int, list[str]]:
        """What somebody who is due could choose, found step by step as a client would."""
        await self.go_on()
        seat = rng.choice(sorted(self.match.to_act)) if seat is None else seat
        offer = self.seats[seat].last("table", "moved")
        steps: list[str] = []
        while True:
            steps.append(any_of(offer["legal"], rng))
            if not continues(self.match.game.name, steps[-1]):
                return seat, steps
            offer = await self.ask(seat, p.Preview, actions=steps)

    async def play(self, seat: int, steps: list[str]) -> dict[str, Any]:
        return await self.ask(seat, p.Play, actions=steps)

    def end(self) -> None:
        self.room.close()
        self.thinking.close()
