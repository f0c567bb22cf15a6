"""Players who play on over the network whatever happens to servers and stores, and who count.

Every acknowledged command must be in the store, at the number acknowledged, once; the numbers of a
table must have no gap; and its entries must fold.
"""

import asyncio
import contextlib
import json
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from kibitz.server import deal
from kibitz.server.entries import Entry
from kibitz.server.protocol import VERSION
from kibitz.server.store import Store, StoredTable
from kibitz.server.table import Table
from server.process import ServerProcess

SEATS = 4
RETRY_SECONDS = 0.05
PATIENCE = 40.0  # seconds within which every match must go on
LATER = ("busy", "getting_ready")  # refusals after which one asks again
Data = dict[str, Any]


@dataclass
class Figures:
    """What was found."""

    kills: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    gaps: int = 0
    refused: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    stuck: list[str] = field(default_factory=list)

    @property
    def all_well(self) -> bool:
        """Whether nothing was lost."""
        counts = self.lost + self.doubled + self.gaps
        return not counts and not (self.refused or self.broken or self.stuck)

    def __str__(self) -> str:
        text = (
            f"kills {self.kills}, acknowledged {self.acknowledged}, lost {self.lost}, "
            f"doubled {self.doubled}, gaps {self.gaps}"
        )
        for what in ("refused", "broken", "stuck"):
            found = getattr(self, what)
            text += f", {what} {len(found)}" + (f" ({found[0]})" if found else "")
        return text


@dataclass(frozen=True)
class Ack:
    """A command that the server has said yes to."""

    table: str
    cid: str
    seq: int


class Player:
    """Somebody who plays on, whatever happens to the server."""

    def __init__(self, game: "Crowd", table: str, seat: int, token: str) -> None:
        self.game, self.seat = game, seat
        self._server = game.servers[seat % len(game.servers)]
        self.table, self.token = table, token
        self.progress = 0  # how much this player was answered
        self._waiting: Data | None = None  # a command without an answer
        self._last: Data = {}  # the last news of the table
        self._contribution = deal.new_secret()
        self._revealed = ""  # the promise that was kept last
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._count = 0

    async def live(self, session: aiohttp.ClientSession) -> None:
        """Be connected, again and again."""
        while True:
            with contextlib.suppress(aiohttp.ClientError, OSError, asyncio.TimeoutError):
                async with session.ws_connect(self._server.base + "/ws") as socket:
                    self._socket = socket
                    await self._enter()
                    async for message in socket:
                        await self._heard(json.loads(message.data))
            self._socket = None
            await asyncio.sleep(RETRY_SECONDS)

    async def _send(self, command: Data) -> None:
        assert self._socket is not None
        with contextlib.suppress(ConnectionError, aiohttp.ClientError):
            await self._socket.send_str(json.dumps(command))

    async def _enter(self) -> None:
        await self._send({
            "do": "enter", "id": "enter", "table": self.table, "version": VERSION,
            "token": self.token,
        })  # fmt: skip

    async def _command(self, do: str, **words: Any) -> None:
        if self._waiting is None:
            self._count += 1
            id_ = f"{do}-{self._count}"
            self._waiting = {"do": do, "id": id_, "table": self.table, **words}
            await self._send(self._waiting)

    async def _heard(self, frame: Data) -> None:
        kind = frame["t"]
        if kind in ("ok", "moved"):
            self._acknowledged(frame)
        if kind == "no":
            await self._refused(frame)
        elif kind == "ok":
            await self._go_on()
        elif kind == "rematch" and frame["table"] == self.table:
            self.table, self.token = frame["next"], frame["token"]
            self._waiting, self._last, self._contribution = None, {}, deal.new_secret()
            await self._enter()
        elif kind in ("table", "moved") and frame["table"] == self.table:
            self._last = frame
            if kind == "table" and self._waiting is not None:
                await self._send(self._waiting)
            else:
                await self._go_on()
        elif kind == "seats" and frame["table"] == self.table and self._last:
            self._last |= {"phase": frame["phase"], "seats": frame["seats"]}
            await self._go_on()
        elif kind == "ready" and frame["table"] == self.table:
            self._last["rest"] = frame["rest"]

    async def _go_on(self) -> None:
        """Do what is to be done after the last news."""
        legal, phase = self._last.get("legal"), self._last.get("phase")
        rest = self._last.get("rest")
        if legal:
            await self._command("play", actions=[self.game.rng.choice(legal)])
        elif rest and self.seat not in rest["ready"]:
            await self._command("next_round")
        elif phase == "over" and self.seat == 0:
            await self._command("rematch")
        elif phase in ("gathering", "dealing"):
            await self._take_part_in_the_deal(phase)

    async def _take_part_in_the_deal(self, phase: str) -> None:
        mine = deal.promise(self._contribution)
        promised = self._last["seats"][self.seat]["promise"]
        if phase == "gathering" and promised is None:
            await self._command("promise", promise=mine)
        elif phase == "gathering" and self.seat == 0:
            await self._command("start")
        elif phase == "dealing" and promised == mine and self._revealed != mine:
            self._revealed = mine
            await self._command("reveal", contribution=self._contribution)

    def _acknowledged(self, frame: Data) -> None:
        sent = self._waiting
        if sent is not None and frame.get("re") == sent["id"]:
            self._waiting = None
            self.progress += 1
            self.game.acks.append(Ack(sent["table"], f"{self.seat}:{sent['id']}", frame["seq"]))

    async def _refused(self, frame: Data) -> None:
        if frame["error"] in LATER:
            await asyncio.sleep(RETRY_SECONDS)
            if self._waiting is None or frame.get("re") == "enter":
                await self._enter()
            else:
                await self._send(self._waiting)
        elif frame["error"] == "phase" and self._too_late_for_the_deal():
            self._waiting = None
            await self._go_on()
        else:
            self.game.figures.refused.append(f"{frame['error']}: {frame['text']}")

    def _too_late_for_the_deal(self) -> bool:
        """A server that is killed can be away for longer than anyone is waited for."""
        return self._waiting is not None and self._waiting["do"] in ("promise", "reveal")


class Crowd:
    """The players of some tables, those of each spread over the servers."""

    def __init__(
        self, servers: list[ServerProcess], reader: Callable[[], Store], tables: int, seed: int
    ) -> None:
        self.servers, self._reader = servers, reader
        self.rng = random.Random(seed)
        self.players: list[list[Player]] = []
        self.acks: list[Ack] = []
        self.figures = Figures()
        self._tables = tables

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """Everyone sits down and plays."""
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(connector=connector) as session:
            for _ in range(self._tables):
                self.players.append(await self._sit_down(session))
            everyone = [player for party in self.players for player in party]
            lives = [asyncio.create_task(player.live(session)) for player in everyone]
            try:
                yield
            finally:
                for life in lives:
                    life.cancel()
                await asyncio.gather(*lives, return_exceptions=True)

    async def _sit_down(self, session: aiohttp.ClientSession) -> list[Player]:
        url = f"{self.servers[0].base}/api/tables"
        wish = {"game": "kolpa", "players": SEATS, "name": "Player 0", "options": {"target": 200}}
        async with session.post(url, json=wish) as answer:
            made = await answer.json()
        party = [Player(self, made["table"], 0, made["token"])]
        for seat in range(1, SEATS):
            body = {"name": f"Player {seat}", "join": made["join"], "seat": seat}
            async with session.post(f"{url}/{made['table']}/seats", json=body) as answer:
                party.append(Player(self, made["table"], seat, (await answer.json())["token"]))
        return party

    async def check(self) -> None:
        """Look into the store for all that was acknowledged since the last time."""
        acks, self.acks = self.acks, []
        names = {player.table for party in self.players for player in party}
        names |= {ack.table for ack in acks}
        self.figures.acknowledged += len(acks)
        store = self._reader()
        await store.open()
        try:
            for name in sorted(names):
                stored, entries = await store.table(name), await store.entries(name)
                assert stored is not None, f"table {name} is not in the store"
                self._check_table(stored, entries, [ack for ack in acks if ack.table == name])
        finally:
            await store.close()

    def _check_table(self, stored: StoredTable, entries: list[Entry], acks: list[Ack]) -> None:
        found = self.figures
        by_id: dict[str, list[int]] = {}
        for entry in entries:
            if entry.cid is not None:
                by_id.setdefault(entry.cid, []).append(entry.seq)
        found.lost += sum(ack.seq not in by_id.get(ack.cid, []) for ack in acks)
        found.doubled += sum(len(seqs) > 1 for seqs in by_id.values())
        found.gaps += [entry.seq for entry in entries] != list(range(1, len(entries) + 1))
        try:
            table = Table(stored)
            for entry in entries:
                table.fold(entry)
        except Exception as error:  # whatever it is, the match cannot go on
            found.broken.append(f"{stored.id}: {error!r}")

    async def plays(self, patience: float = PATIENCE) -> None:
        """Until as many commands have been answered as there are players."""
        everyone = [player for party in self.players for player in party]
        enough = sum(player.progress for player in everyone) + len(everyone)
        deadline = time.monotonic() + patience
        while sum(player.progress for player in everyone) < enough:
            if time.monotonic() > deadline:
                self.figures.stuck.append("nearly all")
                return
            await asyncio.sleep(0.02)

    async def goes_on(self, patience: float = PATIENCE) -> None:
        """Every table must grow."""
        before = [sum(player.progress for player in party) for party in self.players]
        waiting = list(range(len(self.players)))
        deadline = time.monotonic() + patience
        while waiting and time.monotonic() < deadline:
            await asyncio.sleep(0.1)
            waiting = [
                n for n in waiting if sum(p.progress for p in self.players[n]) < before[n] + SEATS
            ]
        self.figures.stuck += [self.players[n][0].table for n in waiting]
        await self.check()
