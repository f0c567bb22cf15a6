"""A server in this process, and guests who talk to it over the network."""

import asyncio
import itertools
import json
import random
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
from aiohttp.test_utils import TestServer

from kibitz.games import find
from kibitz.server.app import Server
from kibitz.server.protocol import VERSION
from kibitz.server.readiness import Readiness
from kibitz.server.settings import Settings

T = TypeVar("T")
Data = dict[str, Any]
PATIENCE = 20.0  # seconds; long enough for a machine that has other things to do
GENEROUS: Data = {
    "bot_pace": 0.0,
    "round_pause": 0.0,
    "tables_per_hour": 1e7,
    "metrics_token": "figures",
    "messages_per_second": 1e6,
    "connections_per_address": 1000,
}


def run(work: Coroutine[Any, Any, T]) -> T:
    """Do something asynchronous, to its end and no longer than a test may take."""

    async def bounded() -> T:
        async with asyncio.timeout(100):
            return await work

    return asyncio.run(bounded())


async def until(holds: Callable[..., object], seconds: float = PATIENCE) -> float:
    """Wait until something holds; how long it took."""
    began = time.monotonic()
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.01)
    return time.monotonic() - began


def continues(game: str, text: str) -> bool:
    """Whether a choice goes on after an action."""
    actions = find(game).actions
    return actions.all[actions.read(text) or 0].verb.continues


def any_of(legal: list[str], rng: random.Random) -> str:
    """An action at random, rather one that names something: who only draws gets nowhere."""
    telling = [action for action in legal if " " in action or ">" in action]
    return rng.choice(telling if telling and rng.random() < 0.7 else legal)


def answer_to(re: str | None) -> Callable[[Data], bool]:
    """Whether a frame answers a command."""
    return lambda frame: "re" in frame and frame["re"] == re


class Guest:
    """Somebody with one WebSocket: sends what you like, and keeps all that comes."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.frames: list[bytes] = []
        self.closed: int | None = None
        self._news = asyncio.Event()
        self._ids = itertools.count(1)
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self.socket:
            self.frames.append(message.data.encode())
            self._news.set()
        self.closed = self.socket.close_code
        self._news.set()

    async def send(self, command: Data) -> None:
        await self.socket.send_str(json.dumps(command))

    async def ask(self, do: str, **words: Any) -> Data:
        """A command, and the frame that answers it."""
        words.setdefault("id", f"{id(self) % 9973}.{next(self._ids)}")
        seen = len(self.frames)
        await self.send({"do": do, **words})
        return await self.hears(answer_to(words["id"]), seen)

    async def hears(self, wanted: Callable[[Data], object], since: int = 0) -> Data:
        """The first frame of a kind, now or later."""
        async with asyncio.timeout(PATIENCE):
            while True:
                self._news.clear()
                for frame in self.frames[since:]:
                    found: Data = json.loads(frame)
                    if wanted(found):
                        return found
                since = len(self.frames)
                if self.closed is not None:
                    raise ConnectionError(f"closed with {self.closed}")
                await self._news.wait()

    async def is_closed(self) -> int | None:
        """Wait until the server closes; the code."""
        async with asyncio.timeout(PATIENCE):
            while self.closed is None:
                self._news.clear()
                await self._news.wait()
        return self.closed

    def all(self, kind: str) -> list[Data]:
        return [f for f in map(json.loads, self.frames) if f["t"] == kind]

    async def leaves(self) -> None:
        await self.socket.close()
        await self._reading


class AtTable:
    """A guest at one table, who knows what it has been told of it."""

    def __init__(self, guest: Guest, table: str, whole: Data) -> None:
        self.guest, self.table, self.whole = guest, table, whole

    async def ask(self, do: str, **words: Any) -> Data:
        return await self.guest.ask(do, table=self.table, **words)

    async def hears(self, kind: str, **having: Any) -> Data:
        """A frame of a kind with these values."""
        wanted = {"t": kind, **having}
        return await self.guest.hears(lambda f: all(f.get(k) == v for k, v in wanted.items()))

    def now(self) -> Data:
        """What this guest was told last of its choices."""
        last: Data = {}
        for frame in map(json.loads, self.guest.frames):
            if frame["t"] in ("table", "moved") and frame.get("table") == self.table:
                last = {"phase": "playing", **frame}
        return last

    def seq(self) -> int:
        """The last entry that this guest was told of."""
        return max(int(json.loads(frame).get("seq", 0)) for frame in self.guest.frames)

    async def choose(self, rng: random.Random) -> Data:
        """One choice at random, step by step, sent whole."""
        steps: list[str] = []
        offer = self.now()
        while True:
            steps.append(any_of(offer["legal"], rng))
            if not continues(self.whole["game"], steps[-1]):
                return await self.ask("play", actions=steps)
            offer = await self.ask("preview", actions=steps)


class House:
    """A server, and the way to it."""

    def __init__(self, server: Server, base: str, session: aiohttp.ClientSession) -> None:
        self.server, self.base, self.session = server, base, session

    async def get(self, path: str, token: str | None = None, **options: Any) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with self.session.get(self.base + path, headers=headers, **options) as answer:
            body = await answer.text()
            return answer.status, json.loads(body) if body[:1] in ("{", "[") else body

    async def figures(self) -> str:
        """What the server counts."""
        return str((await self.get("/metrics", str(GENEROUS["metrics_token"])))[1])

    async def post(self, path: str, body: Any) -> tuple[int, Any]:
        data = body if isinstance(body, bytes) else json.dumps(body)
        async with self.session.post(self.base + path, data=data) as answer:
            return answer.status, await answer.json(content_type=None)

    async def make(self, game: str = "kolpa", name: str = "Ada", **wish: Any) -> Data:
        status, made = await self.post("/api/tables", {"game": game, "name": name, **wish})
        assert status == 201, made
        return dict(made)

    async def sit(self, made: Data, name: str = "Bo", **words: Any) -> Data:
        body = {"name": name, "join": made["join"], **words}
        status, taken = await self.post(f"/api/tables/{made['table']}/seats", body)
        assert status == 201, taken
        return dict(taken)

    async def guest(self, **options: Any) -> Guest:
        return Guest(await self.session.ws_connect(self.base + "/ws", **options))

    async def at(self, table: str, token: str | None = None) -> AtTable:
        """A new guest, come to a table."""
        guest = await self.guest()
        whole = await guest.ask("enter", table=table, version=VERSION, token=token)
        assert whole["t"] == "table", whole
        return AtTable(guest, table, whole)

    async def started(self, game: str = "kolpa", people: int = 2, **wish: Any) -> list[AtTable]:
        """A match that has begun, with people at all seats, or at those without a bot."""
        made = await self.make(game, players=wish.pop("players", people), **wish)
        tokens = [made["token"]]
        for n in range(1, people):
            tokens.append((await self.sit(made, f"Guest {n}"))["token"])
        players = [await self.at(made["table"], token) for token in tokens]
        assert (await players[0].ask("start"))["t"] == "ok"
        for player in players:
            await player.hears("table", phase="playing")
        return players


def due(players: list[AtTable]) -> AtTable:
    """One of them who is to act."""
    return next(player for player in players if player.now().get("legal"))


async def play_on(players: list[AtTable], rng: random.Random, choices: int = 100_000) -> int:
    """Let people choose at random, until the match is over or so many choices are made."""
    made = 0
    while made < choices:
        seq = max(player.seq() for player in players)
        await told(players, seq)
        if any(player.now().get("phase") == "over" for player in players):
            break
        due = [player for player in players if player.now().get("legal")]
        if not due:
            await told(players, seq + 1)
            continue
        answer = await rng.choice(due).choose(rng)
        assert answer["t"] == "moved", answer
        made += 1
        await told(players, answer["seq"])
    return made


async def told(players: list[AtTable], seq: int) -> None:
    """Wait until all have been told of an entry."""
    for player in players:
        await player.guest.hears(lambda f: f.get("seq", 0) >= seq)


@asynccontextmanager
async def serving(
    file: Path, readiness: Readiness | None = None, /, **settings: Any
) -> AsyncIterator[House]:
    """A server on a store in a file, as long as the block lasts."""
    server = Server(Settings(store=str(file), **{**GENEROUS, **settings}), readiness)
    async with TestServer(server.app) as at, aiohttp.ClientSession() as session:
        yield House(server, str(at.make_url("")).rstrip("/"), session)
