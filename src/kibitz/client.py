"""Sit down at a table on the network, as a program.

    async with Seat.join("http://127.0.0.1:8020/t/k3v9x2m7qa/KEY", name="Robo") as seat:
        async for turn in seat.turns():
            await seat.play(random.choice(turn.legal))

A cut connection is taken up again, and a choice counts once, however often it is sent.
"""

import asyncio
import contextlib
import itertools
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import msgspec

from kibitz.engine.errors import KibitzError
from kibitz.server import deal
from kibitz.server.protocol import VERSION

ANSWER_SECONDS = 2.5  # then a command is sent again
RETRY_SECONDS = 0.3
PATIENCE = 60.0  # how long a server may be away
LATER = ("too_fast", "getting_ready")  # refusals after which one tries again


class Refusal(KibitzError):
    """The server has refused something; `error` is its word for the reason."""

    def __init__(self, answer: dict[str, Any]) -> None:
        super().__init__(answer.get("text", "refused"))
        self.error: str = answer.get("error", "refused")
        self.rule: str | None = answer.get("rule")


class Unreachable(KibitzError):
    """The server is not there, or went away for too long."""


@dataclass(frozen=True)
class Turn:
    """It is this seat's turn: what it sees, and what it can do.

    After the actions in `continues` the choice goes on; see `Seat.preview`.
    """

    view: dict[str, Any]
    legal: list[str]
    continues: frozenset[str]


@dataclass
class Seat:
    """A seat at a table, or a place to watch it from."""

    base: str
    table: str
    token: str | None
    number: int | None = None
    contribution: str = field(default_factory=deal.new_secret)  # to the deal
    state: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._prefix = secrets.token_hex(4)
        self._count = itertools.count(1)
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._news = asyncio.Event()
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._promised = asyncio.Event()

    # ---- sitting down

    @classmethod
    @asynccontextmanager
    async def make(
        cls, base: str, game: str, *, name: str = "Robo", **wishes: Any
    ) -> AsyncIterator["Seat"]:
        """Make a table and sit down; `wishes` are as in the protocol (players, bots, …)."""
        base, mine = base.rstrip("/"), deal.new_secret()
        wish = {"game": game, "name": name, "promise": deal.promise(mine), **wishes}
        made = await _post(f"{base}/api/tables", wish)
        async with cls(base, made["table"], made["token"], made["seat"], mine)._open() as at:
            yield at

    @classmethod
    @asynccontextmanager
    async def join(cls, link: str, *, name: str = "Robo") -> AsyncIterator["Seat"]:
        """Take a seat by the link to join a table."""
        base, _, rest = link.partition("/t/")
        table, _, key = rest.partition("/")
        if not key:
            raise KibitzError(f"{link} is no link to join a table; it ends in /t/TABLE/KEY")
        mine = deal.new_secret()
        body = {"name": name, "join": key, "promise": deal.promise(mine)}
        taken = await _post(f"{base}/api/tables/{table}/seats", body)
        async with cls(base, table, taken["token"], taken["seat"], mine)._open() as at:
            yield at

    @classmethod
    @asynccontextmanager
    async def watch(cls, link: str) -> AsyncIterator["Seat"]:
        """Watch a table."""
        base, _, rest = link.partition("/t/")
        async with cls(base, rest.partition("/")[0], None)._open() as at:
            yield at

    @classmethod
    @asynccontextmanager
    async def again(cls, base: str, table: str, token: str) -> AsyncIterator["Seat"]:
        """Come back to a seat by its token."""
        async with cls(base, table, token)._open() as at:
            yield at

    @asynccontextmanager
    async def _open(self) -> AsyncIterator["Seat"]:
        async with aiohttp.ClientSession() as session:
            self._listening = asyncio.create_task(self._listen(session))
            tasks = [self._listening]
            try:
                await self._until(lambda: bool(self.state))
                tasks.insert(0, asyncio.create_task(self._take_part()))
                self._continues = await self._continuing(session)
                yield self
            finally:
                for task in tasks:
                    task.cancel()
                    with contextlib.suppress(asyncio.CancelledError, KibitzError):
                        await task

    async def _continuing(self, session: aiohttp.ClientSession) -> frozenset[str]:
        """The actions of the game after which a choice goes on."""
        about = await self._fetched(session, f"/api/games/{self.state['game']}")
        verbs = about["verbs"]
        return frozenset(text for text, verb, *_ in about["actions"] if verbs[verb]["continues"])

    async def _fetched(self, session: aiohttp.ClientSession, path: str) -> dict[str, Any]:
        """Something that the server has, however often the connection is cut."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while True:
                    with contextlib.suppress(aiohttp.ClientError, OSError):
                        async with session.get(self.base + path) as answer:
                            found: dict[str, Any] = await answer.json(content_type=None)
                            return found
                    await asyncio.sleep(RETRY_SECONDS)
        raise self._unreachable()

    # ---- playing

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.state.get("phase") == "over"

    @property
    def view(self) -> dict[str, Any]:
        """What this seat may see."""
        view: dict[str, Any] = self.state["view"]
        return view

    @property
    def join_link(self) -> str:
        """The link by which others take a seat."""
        return f"{self.base}/t/{self.table}/{self.state['join']}"

    async def turns(self) -> AsyncIterator[Turn]:
        """Each time that this seat is due, until the match is over; rounds go on by themselves."""
        while not self.over:
            if self.state.get("legal"):
                yield self._turn(self.view, self.state["legal"])
            elif self._holds_up_the_next_round():
                try:
                    await self.next_round()
                except Refusal:  # it may have been dealt meanwhile
                    await asyncio.sleep(RETRY_SECONDS)
            else:
                await self._wait()

    def _holds_up_the_next_round(self) -> bool:
        rest = self.state["rest"]
        return rest is not None and self.number is not None and self.number not in rest["ready"]

    async def play(self, *steps: str) -> None:
        """Make a choice: one action, or all its steps."""
        answer = await self.ask("play", actions=list(steps))
        await self._until(lambda: self.state["seq"] >= answer["seq"])

    async def preview(self, *steps: str) -> Turn:
        """What could follow these steps of a choice."""
        answer = await self.ask("preview", actions=list(steps))
        return self._turn(_patched(self.view, answer["view"]), answer["legal"])

    def _turn(self, view: dict[str, Any], legal: list[str]) -> Turn:
        return Turn(view, legal, self._continues & frozenset(legal))

    async def next_round(self) -> None:
        """Go on to the next round; it is dealt when all who play want to."""
        await self.ask("next_round")

    async def start(self) -> None:
        """Deal; empty seats get bots."""
        await self._promised.wait()
        await self.ask("start")
        await self._until(lambda: self.state["phase"] not in ("gathering", "dealing"))

    async def ask(self, do: str, **words: Any) -> dict[str, Any]:
        """Send a command and wait for its answer, however often the connection is cut."""
        id_ = f"{self._prefix}-{next(self._count)}"
        command = {"do": do, "id": id_, "table": self.table, **words}
        while True:
            found = await self._ask(id_, command)
            if found["t"] != "no":
                return found
            if found["error"] not in LATER:
                raise Refusal(found)
            await asyncio.sleep(found.get("wait", 1.0) + 0.1)

    async def _ask(self, id_: str, command: dict[str, Any]) -> dict[str, Any]:
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[id_] = answer
        try:
            async with asyncio.timeout(PATIENCE):
                while not answer.done():
                    if self._socket is not None:
                        with contextlib.suppress(ConnectionError, aiohttp.ClientError):
                            await self._socket.send_str(msgspec.json.encode(command).decode())
                    await self._wait(answer, ANSWER_SECONDS)
        except TimeoutError:
            raise self._unreachable() from None
        finally:
            del self._answers[id_]
        return answer.result()

    # ---- taking part in the deal

    async def _take_part(self) -> None:
        """Promise a contribution, unless it was when sitting down; reveal it when it is time."""
        mine = deal.promise(self.contribution)
        with contextlib.suppress(Refusal):  # then the match begins without it
            if self._phase == "gathering" and self._promise is None:
                await self.ask("promise", promise=mine)
        self._promised.set()
        while self._phase == "gathering":
            await self._wait()
        with contextlib.suppress(Refusal):
            if self._phase == "dealing" and self._promise == mine:
                await self.ask("reveal", contribution=self.contribution)

    @property
    def _phase(self) -> str:
        """Where the table stands, for who sits at it."""
        return "" if self.number is None else self.state["phase"]

    @property
    def _promise(self) -> str | None:
        """The promise that the server has of this seat."""
        assert self.number is not None
        promise: str | None = self.state["seats"][self.number]["promise"]
        return promise

    # ---- listening

    async def _listen(self, session: aiohttp.ClientSession) -> None:
        """Be connected, again and again, until the server has been away for too long."""
        away = time.monotonic()
        while time.monotonic() - away < PATIENCE:
            with contextlib.suppress(aiohttp.ClientError, OSError, asyncio.TimeoutError):
                async with session.ws_connect(
                    f"{self.base}/ws", max_msg_size=1 << 22, heartbeat=30
                ) as socket:
                    await self._enter(socket)
                    self._socket = socket
                    async for message in socket:
                        if message.type is aiohttp.WSMsgType.TEXT:
                            self._heard(msgspec.json.decode(message.data))
            if self._socket is not None:
                self._socket, away = None, time.monotonic()
            await asyncio.sleep(RETRY_SECONDS)
        raise self._unreachable()

    async def _enter(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        command = {
            "do": "enter", "id": f"{self._prefix}-enter", "table": self.table,
            "version": VERSION, "token": self.token,
        }  # fmt: skip
        await socket.send_str(msgspec.json.encode(command).decode())
        while True:
            message = await socket.receive(timeout=10)
            if message.type is not aiohttp.WSMsgType.TEXT:
                raise aiohttp.ClientConnectionError("closed before the table was shown")
            frame = msgspec.json.decode(message.data)
            if frame["t"] == "no" and frame["error"] in LATER:
                raise aiohttp.ClientConnectionError("the table is not ready yet")
            if frame["t"] == "no":
                raise Refusal(frame)
            if frame["t"] == "table":
                self._heard(frame)
                return

    def _heard(self, frame: dict[str, Any]) -> None:
        kind = frame["t"]
        if kind == "table":
            self.state, self.number = frame, frame["you"]
        elif kind == "moved":
            self.state |= {
                "seq": frame["seq"],
                "view": _patched(self.view, frame["view"]),
                "legal": frame.get("legal"),
                "rest": frame.get("rest"),
                "phase": frame.get("phase", self.state["phase"]),
                "deal": frame.get("deal"),
            }
        elif kind in ("seats", "said", "ready"):
            self.state["seq"] = frame["seq"]
            self.state |= {k: frame[k] for k in ("seats", "phase", "rest") if k in frame}
        waiting = self._answers.get(frame.get("re", ""))
        if waiting is not None and not waiting.done():
            waiting.set_result(frame)
        self._news.set()

    async def _until(self, holds: Callable[[], bool]) -> None:
        """Wait for news until something holds."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds():
                    await self._wait()
        except TimeoutError:
            raise self._unreachable() from None

    async def _wait(
        self, answer: "asyncio.Future[dict[str, Any]] | None" = None, seconds: float | None = None
    ) -> None:
        """Wait for news, or for an answer; raise why there can be none any more."""
        self._news.clear()
        news = asyncio.create_task(self._news.wait())
        awaited: set[asyncio.Future[Any]] = {self._listening, news if answer is None else answer}
        await asyncio.wait(awaited, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        news.cancel()
        if self._listening.done():
            self._listening.result()

    def _unreachable(self) -> Unreachable:
        return Unreachable(f"the server at {self.base} does not answer")


def _patched(view: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """A view with what has changed put over it."""
    return {
        **view,
        **changes,
        "zones": {**view["zones"], **changes.get("zones", {})},
        "fields": {**view["fields"], **changes.get("fields", {})},
    }


async def _post(address: str, body: dict[str, Any]) -> dict[str, Any]:
    try:
        async with aiohttp.ClientSession() as session, session.post(address, json=body) as answer:
            found: dict[str, Any] = await answer.json(content_type=None)
            if answer.status >= 400:
                raise Refusal(found)
            return found
    except (aiohttp.ClientError, OSError) as error:
        raise Unreachable(f"cannot reach {address}: {error}") from None
