"""Nothing is seen that is not on disk, on no path, whatever the store does.

A match is played on a store that delays, fails before or after it has written, and loses races to
another server, at every step. Meanwhile somebody looks at everything that a server shows, and
compares it with what lies on disk at that moment.
"""

import asyncio
import contextlib
import itertools
import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import pytest
from aiohttp.test_utils import TestServer

from effort import tried
from kibitz.server import entries
from kibitz.server import protocol as p
from kibitz.server.app import Server
from kibitz.server.entries import Draft, Entry
from kibitz.server.protocol import VERSION, encode
from kibitz.server.room import Room
from kibitz.server.settings import Settings
from kibitz.server.store import StoreBusy, StoredTable, now_ms
from kibitz.server.table import Table
from server.guests import GENEROUS, Guest, any_of, continues, run
from server.memory import MemoryStore
from server.test_frames import in_words_of_the_protocol, patched
from short import short

Data = dict[str, Any]
SLOW = 0.012  # seconds; much longer than a frame takes on this machine's own network
LOOKS = (
    "frame moved", "frame table", "frame hint", "frame bars", "lobby", "about", "history", "mine",
    "match", "all",
)  # fmt: skip
TRICKS = ("well", "late", "refuse", "unsure", "race")


class Trickster(MemoryStore):
    """Plays a trick with every entry. What `rows` holds is on disk."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.rng = random.Random(seed)
        self.played: Counter[str] = Counter()

    def _trick(self) -> str:
        trick = self.rng.choices(TRICKS, (4, 2, 1, 1, 1))[0]
        self.played[trick] += 1
        return trick

    async def add(self, table: StoredTable, first: Iterable[Entry]) -> None:
        await asyncio.sleep(SLOW)
        await super().add(table, first)

    async def append(self, table: str, entry: Entry) -> bool:
        trick = self._trick()
        if trick == "unsure" and entry.kind == entries.SIT:
            trick = "late"  # a newcomer has no id by which to ask whether it sits
        if trick != "well":
            await asyncio.sleep(SLOW)
        if trick == "refuse":
            raise StoreBusy("the disk is full")
        if trick == "race":
            chat = Draft(entries.SAY, None, entries.Spoken("", "from another server"))
            await super().append(table, chat.entry(entry.seq, now_ms(), None))
            await asyncio.sleep(SLOW)
        written = await super().append(table, entry)
        if trick == "unsure":
            await asyncio.sleep(SLOW)
            raise StoreBusy("no answer came back")
        return written

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        if self.rng.random() < 0.1:
            raise StoreBusy("the disk does not answer")
        return await super().entries(table, after)

    async def gathering(self, since: int) -> list[str]:
        return [name for name in self.rows if self.phase(name) == "gathering"]

    def phase(self, table: str) -> str:
        """Where a table stands by what is on disk."""
        kinds = {entry.kind for entry in self.rows[table]}
        if entries.LAST in kinds:
            return "over"
        if entries.START in kinds:
            return "playing"
        return "dealing" if entries.CLOSE in kinds else "gathering"


class Watcher:
    """Looks at everything, all the time, and notes what was not on disk."""

    def __init__(self, store: Trickster, base: str, session: aiohttp.ClientSession) -> None:
        self.store, self.base, self.session = store, base, session
        self.looks: Counter[str] = Counter()
        self.wrong: list[str] = []

    def check(self, what: str, holds: bool, seen: object) -> None:
        self.looks[what] += 1
        if not holds:
            self.wrong.append(f"{what}: {seen}")

    def frame(self, frame: Data) -> None:
        """Every frame, as it comes in: its number is on disk, and so is its phase."""
        for listed in frame.get("tables", ()):
            sat = {"", *self._names(listed["table"])}
            self.check("lobby", set(listed["names"]) <= sat, (listed, sat))
        table = frame.get("table")
        if table not in self.store.rows:
            return
        on_disk = len(self.store.rows[table])
        self.check(f"frame {frame['t']}", frame.get("seq", 0) <= on_disk, (frame, on_disk))
        if "phase" in frame:
            told, true = frame["phase"], self.store.phase(table)
            self.check("phase of a frame", is_not_ahead(told, true), (told, true))
        if frame.get("deal"):
            self.check("deal of a frame", self.store.phase(table) == "over", frame["seq"])

    def _names(self, table: str) -> set[str]:
        """Who has sat at a table by what is on disk."""
        return {e.read().name for e in self.store.rows[table] if e.kind == entries.SIT}

    async def look(self, made: Data, tokens: list[str]) -> None:
        """What is asked for over HTTP, again and again."""
        table = made["table"]
        paths = {
            "about": f"/api/tables/{table}", "match": f"/api/tables/{table}/match",
            "review": f"/api/tables/{table}/review", "history": f"/api/tables/{table}/history",
            "all": f"/api/tables/{table}/history?all=1",
        }  # fmt: skip
        for n in itertools.count():
            name = list(paths)[n % len(paths)]
            with contextlib.suppress(aiohttp.ClientError):
                async with self.session.get(self.base + paths[name]) as answer:
                    self._answered(name, table, answer.status, await answer.json())
            if n % 5 == 0:
                with contextlib.suppress(aiohttp.ClientError):
                    body = {"tokens": tokens}
                    async with self.session.post(self.base + "/api/mine", json=body) as answer:
                        for mine in await answer.json() if answer.status == 200 else ():
                            told, true = mine["phase"], self.store.phase(mine["table"])
                            self.check("mine", is_not_ahead(told, true), (told, true))
            await asyncio.sleep(SLOW / 3)

    def _answered(self, name: str, table: str, status: int, body: Data) -> None:
        true, on_disk = self.store.phase(table), len(self.store.rows[table])
        if status in (200, 202) and name in ("match", "review", "all"):
            self.check(name, true == "over", (status, true))
        if status == 200 and name == "about":
            self.check(name, is_not_ahead(body["phase"], true), (body["phase"], true))
        if status == 200 and name in ("history", "all"):
            last = max((move["seq"] for move in body["moves"]), default=0)
            self.check(name, last <= on_disk, (last, on_disk))


def is_not_ahead(told: str, true: str) -> bool:
    order = ["gathering", "dealing", "playing", "over"]
    return order.index(told) <= order.index(true)


class Player(Guest):
    """A guest that shows everything to a watcher, and knows the table by frames alone."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, watcher: Watcher) -> None:
        self.watcher = watcher
        self.view: Data = {}
        self.views: dict[int, Data] = {}  # by the number of the entry
        self.now: Data = {}
        super().__init__(socket)

    async def _read(self) -> None:
        async for message in self.socket:
            frame = json.loads(message.data)
            self.watcher.frame(frame)
            self.frames.append(message.data.encode())
            if frame["t"] == "table" and frame["view"]:
                self.view = frame["view"]
                self._note(frame)
            elif frame["t"] == "moved" and frame["seq"] == self.now["seq"] + 1:
                self.view = patched(self.view, frame["view"])
                self._note(frame)
            elif frame["t"] == "moved":
                raise AssertionError("a move was told out of its order")
            elif "seq" in frame and self.now and frame["t"] != "bars":
                self.now["seq"] = max(self.now["seq"], frame["seq"])
            self._news.set()

    def _note(self, frame: Data) -> None:
        self.views[frame["seq"]] = self.view
        self.now = {"phase": "playing", **frame}

    async def insist(self, do: str, **words: Any) -> Data:
        """Ask again, with the same id, until the store has done it."""
        words.setdefault("id", f"{id(self)}.{next(self._ids)}")
        while True:
            answer = await self.ask(do, **words)
            if answer["t"] != "no" or answer["error"] != "busy":
                return answer
            self.frames.clear()


@asynccontextmanager
async def tricky_table(
    game: str, seed: int
) -> AsyncIterator[tuple[Trickster, Watcher, list[Player], Data]]:
    """A server on a tricky store; two people, one bot and a spectator at a table."""
    server = Server(Settings(store=":unused:", **GENEROUS))
    store = server.store = Trickster(seed)
    async with TestServer(server.app) as at, aiohttp.ClientSession() as session:
        base = str(at.make_url("")).rstrip("/")
        watcher = Watcher(store, base, session)

        async def post(path: str, body: Data) -> Data:
            while True:
                async with session.post(base + path, json=body) as answer:
                    if answer.status == 201:
                        return dict(await answer.json())
                    assert answer.status == 503, await answer.text()

        options = short(game)
        wish = {"game": game, "name": "Ada", "players": 3, "options": options, "open": True}
        made = await post("/api/tables", {**wish, "bots": [None, "easy"]})

        async def enters(token: str | None) -> Player:
            player = Player(await session.ws_connect(base + "/ws"), watcher)
            entered = await player.insist(
                "enter", table=made["table"], version=VERSION, token=token
            )
            assert entered["t"] == "table"
            return player

        players = [await enters(made["token"])]
        in_the_lobby = Player(await session.ws_connect(base + "/ws"), watcher)
        await in_the_lobby.insist("lobby", on=True)
        taken = await post(
            f"/api/tables/{made['table']}/seats", {"name": "Bo", "join": made["join"]}
        )
        tokens = [made["token"], taken["token"]]
        looking = asyncio.create_task(watcher.look(made, tokens))
        players += [await enters(token) for token in (taken["token"], None)]
        await players[2].insist("bars", table=made["table"], on=True)
        assert (await players[0].insist("start", table=made["table"]))["t"] == "ok"
        try:
            yield store, watcher, players, made
        finally:
            looking.cancel()


async def play(player: Player, game: str, table: str, seed: int) -> None:
    """Choose at random whenever it is this player's turn, until the match is over."""
    rng, choices = random.Random(seed), itertools.count()
    while player.now.get("phase") != "over":
        if player.now.get("rest"):
            await player.ask("next_round", table=table)
        elif player.now.get("legal"):
            if next(choices) % 5 == 0:
                await player.ask("hint", table=table, on=True)
            steps = await choice(player, game, table, rng)
            if steps:
                await player.ask("play", table=table, actions=steps)
        await asyncio.sleep(SLOW / 4)


async def choice(player: Player, game: str, table: str, rng: random.Random) -> list[str]:
    """A choice, step by step; nothing if the store does not let it look, or it was made before."""
    legal, steps = player.now.get("legal"), []
    while legal:
        steps.append(any_of(legal, rng))
        if not continues(game, steps[-1]):
            return steps
        answer = await player.ask("preview", table=table, actions=steps)
        if answer["t"] == "no":
            return []
        legal = answer["legal"]
    return []


@pytest.mark.parametrize("seed", range(tried(1, 5)))
@pytest.mark.parametrize("game", ["kolpa", "kiza", "zocken", "lantern"])
def test_nothing_is_seen_that_is_not_on_disk(
    game: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.server.api.LOOKS_AT_ONCE", 1e6)  # it may look as often as it likes

    async def watch() -> tuple[Trickster, Watcher, list[Player], Data]:
        async with tricky_table(game, seed) as (store, watcher, players, made):
            table = made["table"]
            async with asyncio.timeout(60):
                await asyncio.gather(
                    *(play(player, game, table, n) for n, player in enumerate(players[:2]))
                )
                while players[2].now.get("phase") != "over":
                    await asyncio.sleep(SLOW)
            with contextlib.suppress(asyncio.TimeoutError):  # a last look at everything
                async with asyncio.timeout(20):
                    while not all(watcher.looks[what] for what in LOOKS):
                        await asyncio.sleep(SLOW)
            return store, watcher, players, made

    store, watcher, players, made = run(watch())
    assert watcher.wrong == []
    assert all(store.played[trick] for trick in TRICKS), store.played
    for what in LOOKS:
        assert watcher.looks[what], watcher.looks
    folded = Table(store.tables[made["table"]])
    for entry in store.rows[made["table"]]:
        folded.fold(entry)
        for viewer, player in zip((0, 2, None), players, strict=True):
            if entry.seq in player.views:
                assert folded.match is not None
                seen = in_words_of_the_protocol(folded.match, viewer)
                assert player.views[entry.seq] == seen, (entry, viewer)
    assert folded.phase == "over"
    counted = [entry.cid for entry in store.rows[made["table"]] if entry.cid]
    assert len(counted) == len(set(counted)), "a command counted twice"


def test_a_server_that_tells_before_it_writes_would_be_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    append = Room._append

    async def told_first(self: Room, draft: Draft, cid: str | None) -> Entry | None:
        ahead = self.table.seq + 1
        for visitor in self.audience.visitors:
            visitor.send(encode(p.OkFrame(re="", seq=ahead, table=self.id)))
        return await append(self, draft, cid)

    monkeypatch.setattr(Room, "_append", told_first)

    async def watch() -> list[str]:
        async with tricky_table("lantern", 0) as (_, watcher, players, made):
            async with asyncio.timeout(30):
                while not watcher.wrong:
                    await players[0].ask("say", table=made["table"], text="hello")
            return watcher.wrong

    assert "frame ok" in run(watch())[0]
