"""The server: from start to stop, what every request goes through, and the WebSocket."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.metadata import version
from typing import Any

from aiohttp import web

from kibitz.engine.errors import KibitzError, UnknownGame
from kibitz.games import names
from kibitz.server import catalogue
from kibitz.server import protocol as p
from kibitz.server.api import TABLES, TableApi, address, answer
from kibitz.server.bot_pool import BotPool
from kibitz.server.bus import Bus, NoBus, RedisBus
from kibitz.server.connection import HEARTBEAT_SECONDS, Connection
from kibitz.server.event_loop import every, start
from kibitz.server.metrics import PATH, Metrics
from kibitz.server.presence import BEAT_SECONDS
from kibitz.server.protocol import LONGEST_MESSAGE, Refused
from kibitz.server.readiness import Readiness
from kibitz.server.retention import SWEEP_SECONDS, Retention
from kibitz.server.room import Services
from kibitz.server.settings import Settings
from kibitz.server.sqlite import SqliteStore
from kibitz.server.static import Static
from kibitz.server.store import Store, StoreBusy
from kibitz.server.tables import IDLE_SECONDS, LOOK_SECONDS, Tables
from kibitz.server.thinking import Thinking
from kibitz.server.tokens import Signer

SAFETY = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; object-src 'none';"
    " base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    "Server": "kibitz",
}
STATUS = {
    "no_table": 404, "no_game": 404, "not_found": 404, "bad_token": 403, "bad_join": 403,
    "origin": 403, "not_seated": 403, "full": 409, "taken": 409, "phase": 409, "no_review": 409,
    "too_long": 413,
    "encoding": 415, "too_fast": 429, "busy": 503, "getting_ready": 503,
}  # fmt: skip
BYE_SECONDS = 1.0  # in which clients may say good-bye
CHECKED_AT_ONCE = 100  # connections, before others get their turn
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def make_store(settings: Settings, *, alone: bool = True) -> Store:
    """The store that the settings name; `alone` is a server, not a command beside it."""
    if not settings.store.startswith(("postgresql://", "postgres://")):
        return SqliteStore(settings.store_file, alone=alone)
    from kibitz.server.postgres import PostgresStore  # noqa: PLC0415  needs asyncpg

    return PostgresStore(settings.store)


def make_bus(settings: Settings) -> Bus:
    """The bus that the settings name."""
    if not settings.bus:
        return NoBus()
    try:
        return RedisBus(settings.bus)
    except ValueError:
        raise KibitzError(f"a bus is redis://HOST:PORT, not {settings.bus!r}") from None


class Server:
    """One server process."""

    def __init__(self, settings: Settings, readiness: Readiness | None = None) -> None:
        self.settings = settings
        self.readiness = readiness or Readiness(())  # games are compiled when they are first played
        self.store = make_store(settings)
        self.bus = make_bus(settings)
        self.offered = tuple(settings.games_offered) or tuple(names())
        self.metrics = Metrics()
        self.thinking = Thinking()
        self.bots = BotPool(self.thinking)
        self.api = TableApi(settings, self.offered, self.readiness, self.thinking)
        self._clients: set[Connection] = set()
        self._connections: dict[str, int] = {}  # by address
        self.app = web.Application(
            middlewares=[self._guard],
            client_max_size=LONGEST_MESSAGE,
            # Small bodies that unpack to large ones would keep the loop busy.
            handler_args={"auto_decompress": False},
        )
        self.app.cleanup_ctx.append(self._run)
        self.app.on_shutdown.append(self._say_bye)
        self.app.add_routes([
            web.get("/ws", self.socket),
            web.get("/health", self.health),
            web.get(PATH, self.figures),
            *self.api.routes(),
            *Static(self.offered, settings.address, self.readiness).routes(),
        ])  # fmt: skip

    @property
    def tables(self) -> Tables:
        """All tables, once the server has started."""
        return self.app[TABLES]

    # ---- from start to stop

    async def _run(self, app: web.Application) -> AsyncIterator[None]:
        await self.metrics.open(self.settings.metrics)
        try:
            await self.store.open()
        except BaseException:
            await self.metrics.close()
            raise
        services = Services(
            self.store,
            self.bus,
            Signer(await self.store.key()),
            self.bots,
            self.readiness,
            pace=self.settings.bot_pace,
            pause=self.settings.round_pause,
            on_move=self.metrics.moves.made,
            on_written=self.metrics.moves.written,
            on_refused=self.metrics.refuse,
        )
        tables = app[TABLES] = Tables(services)
        self._show_figures(tables)
        await self.bus.open(tables.heard)
        works = [
            every(IDLE_SECONDS / 10, tables.close_empty_rooms),
            every(LOOK_SECONDS, tables.look_around),
            every(HEARTBEAT_SECONDS, self._check_alive),
            every(SWEEP_SECONDS, Retention(self.store, self.settings, tables.let_go).sweep),
            self.metrics.watch_the_loop(),
            self.readiness.run(),
            asyncio.to_thread(catalogue.prepare, self.offered, self.settings.address),
        ]
        if self.settings.bus:
            works.append(every(BEAT_SECONDS, tables.announce))
        beside = [start(work) for work in works]
        yield
        for task in beside:
            task.cancel()
        await asyncio.gather(*beside, return_exceptions=True)
        for room in tables.rooms.values():
            room.stop()
        await asyncio.to_thread(self.thinking.close)
        await self.bus.close()
        await self.store.close()
        await self.metrics.close()

    def _show_figures(self, tables: Tables) -> None:
        self.metrics.rooms.set_function(lambda: len(tables.rooms))
        self.metrics.thinking.set_function(self.thinking.waiting)
        self.metrics.store_up.set_function(lambda: self.store.trouble is None)
        self.metrics.bus_up.set_function(lambda: self.bus.is_up)

    async def _say_bye(self, _: web.Application) -> None:
        """To everyone at once: who does not answer is not waited for long."""
        if self._clients:
            byes = [asyncio.create_task(client.say_bye()) for client in self._clients]
            await asyncio.wait(byes, timeout=BYE_SECONDS)

    async def _check_alive(self) -> None:
        """Notice who has gone without a word; a few at a time, as each may be sent a ping."""
        for n, client in enumerate(list(self._clients), 1):
            client.check_alive()
            if n % CHECKED_AT_ONCE == 0:
                await asyncio.sleep(0)

    # ---- every request

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refusals become 4xx with a reason; every answer carries the safety headers."""
        try:
            if request.method == "POST":
                self._check_origin(request)
                self._check_encoding(request)
            response = await handler(request)
        except Refused as refused:
            response = self._refusal(refused)
        except StoreBusy:
            response = self._refusal(Refused("busy", "the server cannot read its store now"))
        except UnknownGame as error:
            response = self._refusal(Refused("no_game", str(error)))
        except web.HTTPRequestEntityTooLarge:
            response = self._refusal(Refused("too_long", "this request is too large"))
        except web.HTTPException as error:
            response = self._refusal(Refused("not_found", error.reason))
            response.set_status(error.status)
        if not response.prepared:
            response.headers.update(SAFETY)
        return response

    def _refusal(self, refused: Refused) -> web.Response:
        self.metrics.refuse(refused.error)
        return answer(refused.data(), STATUS.get(refused.error, 400))

    # ---- the WebSocket

    async def socket(self, request: web.Request) -> web.StreamResponse:
        """The door to the tables."""
        if request.headers.get("Upgrade", "").lower() != "websocket":
            raise Refused("malformed", "this address speaks WebSocket alone")
        self._check_origin(request)
        where = address(request, self.settings)
        if self._connections.get(where, 0) >= self.settings.connections_per_address:
            raise Refused("too_fast", "too many connections from your address", wait=10)
        # Four bytes a character at most; what is still longer closes the connection.
        size = 4 * LONGEST_MESSAGE
        # A heartbeat of aiohttp's costs each message, and leaves a cycle to the garbage collector.
        socket = web.WebSocketResponse(max_msg_size=size, compress=False, autoping=False)
        await socket.prepare(request)
        transport: Any = request.transport
        if transport is None:  # gone already
            return socket
        self._connections[where] = self._connections.get(where, 0) + 1
        self.metrics.connections.inc()
        rate = self.settings.messages_per_second
        client = Connection(self.tables, socket, rate, where)
        client.open(transport)
        self._clients.add(client)
        try:
            await client.serve()
        finally:
            self.metrics.connections.dec()
            self._clients.discard(client)
            self._connections[where] -= 1
            if not self._connections[where]:
                del self._connections[where]
        return socket

    def _check_origin(self, request: web.Request) -> None:
        """A page of another site must not use a visitor's seat."""
        origin = request.headers.get("Origin")
        if origin is None or origin in self.settings.origins:
            return
        if origin.partition("://")[2] != request.host:
            raise Refused("origin", "only pages of this server may do this")

    @staticmethod
    def _check_encoding(request: web.Request) -> None:
        if request.headers.get("Content-Encoding", "identity").lower() != "identity":
            raise Refused("encoding", "send the body as it is, without Content-Encoding")

    # ---- for the person who runs it

    async def health(self, request: web.Request) -> web.Response:
        """Whether all is well, or what is not."""
        trouble = self.store.trouble
        if trouble is None:
            try:
                await self.store.heads(["-"])
            except StoreBusy as error:
                trouble = str(error)
        found = p.Health(trouble is None, version("kibitz"), p.VERSION, self.bus.is_up, trouble)
        return answer(found, 200 if trouble is None else 503)

    async def figures(self, request: web.Request) -> web.Response:
        """Figures for Prometheus."""
        return self.metrics.checked_answer(request, self.settings.metrics_token)
