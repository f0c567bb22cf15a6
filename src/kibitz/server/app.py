"""The server: what is asked for over HTTP, and the door to the WebSocket."""

import asyncio
import contextlib
import hashlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web

from kibitz.engine.errors import KibitzError, UnknownGame
from kibitz.games import find, names
from kibitz.server import describe, finished
from kibitz.server import protocol as p
from kibitz.server.bus import Bus, NoBus, RedisBus
from kibitz.server.connection import Connection
from kibitz.server.deal import LONGEST_CONTRIBUTION
from kibitz.server.finished import Reviews
from kibitz.server.house import House, checked_name
from kibitz.server.limits import Buckets
from kibitz.server.metrics import Metrics
from kibitz.server.protocol import LONGEST_MESSAGE, Refused
from kibitz.server.room import Room, Surroundings
from kibitz.server.settings import Settings
from kibitz.server.sqlite import SqliteStore
from kibitz.server.store import Store, StoreBusy
from kibitz.server.thinking import Thinkers
from kibitz.server.tokens import Signer
from kibitz.texts import LANGUAGES

log = logging.getLogger(__name__)
PAGE = Path(__file__).parent / "page"
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
    "origin": 403, "not_seated": 403, "full": 409, "taken": 409, "phase": 409, "too_long": 413,
    "too_fast": 429, "busy": 503,
}  # fmt: skip
SMALL = 4096  # bytes; what is larger is compressed beside the loop
LOOKS_PER_SECOND, LOOKS_AT_ONCE = 2.0, 40.0  # of one address at whole matches
FOREVER = {"Cache-Control": "public, max-age=31536000, immutable"}
FRESH = {"Cache-Control": "no-cache"}
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def make_store(settings: Settings) -> Store:
    """The store that the settings name."""
    if not settings.store.startswith(("postgresql://", "postgres://")):
        return SqliteStore(settings.store_file)
    try:
        from kibitz.server.postgres import PostgresStore  # noqa: PLC0415  needs asyncpg
    except ImportError:
        raise KibitzError("PostgreSQL needs more: pip install 'kibitz[many]'") from None
    return PostgresStore(settings.store)


def make_bus(settings: Settings) -> Bus:
    """The bus that the settings name."""
    if not settings.bus:
        return NoBus()
    try:
        return RedisBus(settings.bus)
    except ImportError:
        raise KibitzError("Redis needs more: pip install 'kibitz[many]'") from None
    except ValueError:
        raise KibitzError(f"a bus is redis://HOST:PORT, not {settings.bus!r}") from None


class Server:
    """One server process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.store = make_store(settings)
        self.bus = make_bus(settings)
        self.offered = tuple(settings.games_offered) or tuple(names())
        self.metrics = Metrics()
        self.thinkers = Thinkers()
        self.reviews = Reviews()
        self.sockets: set[web.WebSocketResponse] = set()
        self.addresses: dict[str, int] = {}
        self.new_tables = Buckets(settings.tables_per_hour / 3600, settings.tables_per_hour / 4)
        self.looks = Buckets(LOOKS_PER_SECOND, LOOKS_AT_ONCE)
        self.app = web.Application(middlewares=[self._guard], client_max_size=LONGEST_MESSAGE)
        self.app.cleanup_ctx.append(self._run)
        self.app.on_shutdown.append(self._say_bye)
        self._routes()

    def _routes(self) -> None:
        self.app.add_routes([
            web.get("/ws", self.socket),
            web.get("/health", self.health),
            web.get("/metrics", self.figures),
            web.get("/api/games", self.games),
            web.get("/api/games/{game}", self.game),
            web.get("/api/games/{game}/texts/{lang}", self.texts),
            web.get("/api/games/{game}/rules/{lang}", self.rules),
            web.get("/art/{game}/{code}.svg", self.art),
            web.post("/api/tables", self.make_table),
            web.get("/api/tables/{table}", self.about),
            web.post("/api/tables/{table}/seats", self.take_seat),
            web.get("/api/tables/{table}/history", self.history),
            web.get("/api/tables/{table}/match", self.match_file),
            web.get("/api/tables/{table}/review", self.review),
            web.post("/api/mine", self.mine),
            web.get("/{path:.*}", self.page),
        ])  # fmt: skip

    # ---- from start to stop

    async def _run(self, _: web.Application) -> AsyncIterator[None]:
        await self.store.open()
        self.signer = Signer(await self.store.key())
        around = Surroundings(
            self.store, self.bus, self.signer, self.thinkers, self.settings.bot_pace
        )
        around.moved = self.metrics.moves.inc
        self.house = House(around)
        self.metrics.rooms.set_function(lambda: len(self.house.rooms))
        await self.bus.open(self.house.heard)
        works = [self.house.sweep(), self.house.look_around(), self.metrics.watch_the_loop()]
        if self.settings.bus:
            works.append(self.house.announce())
        beside = [asyncio.create_task(work) for work in works]
        yield
        for task in beside:
            task.cancel()
        for room in self.house.rooms.values():
            room.close()
        self.thinkers.close()
        self.reviews.close()
        await self.bus.close()
        await self.store.close()

    async def _say_bye(self, _: web.Application) -> None:
        for socket in list(self.sockets):
            with contextlib.suppress(ConnectionError, RuntimeError):
                await socket.send_str('{"t":"bye"}')
                await socket.close(code=1001)

    # ---- every request

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refusals become 4xx with a reason; every answer carries the safety headers."""
        try:
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
        self.metrics.refused.labels(refused.error).inc()
        body: dict[str, Any] = {"error": refused.error, "text": refused.text}
        if refused.wait is not None:
            body["wait"] = round(refused.wait, 1)
        status = STATUS.get(refused.error, 400)
        return web.json_response(body, status=status)

    def _address(self, request: web.Request) -> str:
        if self.settings.behind_proxy:
            forwarded = request.headers.get("X-Forwarded-For", "")
            if forwarded:
                return forwarded.split(",")[-1].strip()
        return request.remote or "?"

    async def _body(self, request: web.Request) -> dict[str, Any]:
        try:
            body = msgspec.json.decode(await request.read())
        except (msgspec.DecodeError, RecursionError) as error:
            raise Refused("malformed", f"this is no JSON: {error}") from None
        if not isinstance(body, dict):
            raise Refused("malformed", "send a JSON object")
        return body

    # ---- the WebSocket

    async def socket(self, request: web.Request) -> web.StreamResponse:
        """The door to the tables."""
        if request.headers.get("Upgrade", "").lower() != "websocket":
            raise Refused("malformed", "this address speaks WebSocket alone")
        self._check_origin(request)
        address = self._address(request)
        if self.addresses.get(address, 0) >= self.settings.connections_per_address:
            raise Refused("too_fast", "too many connections from your address", wait=10)
        # Four bytes a character at most; what is still longer closes the connection.
        size = 4 * LONGEST_MESSAGE
        socket = web.WebSocketResponse(max_msg_size=size, compress=False, heartbeat=30.0)
        await socket.prepare(request)
        transport: Any = request.transport
        if transport is None:  # gone already
            return socket
        self.addresses[address] = self.addresses.get(address, 0) + 1
        self.sockets.add(socket)
        self.metrics.connections.inc()
        connection = Connection(self.house, socket, self.settings.messages_per_second)
        connection.open(transport)
        try:
            await connection.serve()
        finally:
            self.metrics.connections.dec()
            self.sockets.discard(socket)
            self.addresses[address] -= 1
            if not self.addresses[address]:
                del self.addresses[address]
        return socket

    def _check_origin(self, request: web.Request) -> None:
        """A page of another site must not use a visitor's seat."""
        origin = request.headers.get("Origin")
        if origin is None or origin in self.settings.origins:
            return
        if origin.partition("://")[2] != request.host:
            raise Refused("origin", "only pages of this server may connect")

    # ---- games

    def _made(
        self, request: web.Request, body: bytes, kind: str = "application/json"
    ) -> web.Response:
        """Something that changes with the server alone: the browser need not fetch it twice."""
        tag = f'"{hashlib.sha256(body).hexdigest()[:16]}"'
        headers = {**FRESH, "ETag": tag}
        if request.headers.get("If-None-Match") == tag:
            return web.Response(status=304, headers=headers)
        response = web.Response(
            body=body, content_type=kind, headers=headers, zlib_executor_size=SMALL
        )
        response.enable_compression()
        return response

    async def games(self, request: web.Request) -> web.Response:
        """All games."""
        return self._made(request, describe.games(self.offered, self.settings.address))

    async def game(self, request: web.Request) -> web.Response:
        """One game's description."""
        return self._made(request, describe.game(find(request.match_info["game"]).name))

    async def texts(self, request: web.Request) -> web.Response:
        """A game's words."""
        game, lang = self._game_and_language(request)
        return self._made(request, describe.texts(game, lang))

    async def rules(self, request: web.Request) -> web.Response:
        """A game's rulebook."""
        game, lang = self._game_and_language(request)
        return self._made(request, describe.rules(game, lang))

    def _game_and_language(self, request: web.Request) -> tuple[str, str]:
        game, lang = request.match_info["game"], request.match_info["lang"]
        if lang not in LANGUAGES:
            raise Refused("not_found", f"the languages are {', '.join(LANGUAGES)}")
        return find(game).name, lang

    async def art(self, request: web.Request) -> web.Response:
        """A card."""
        game, code = find(request.match_info["game"]).name, request.match_info["code"]
        drawn = describe.picture(game, code)
        if drawn is None:
            raise Refused("not_found", f"{game} has no card {code!r}")
        return self._made(request, drawn, "image/svg+xml")

    # ---- tables

    async def _room(self, request: web.Request) -> Room:
        return await self.house.room(request.match_info["table"])

    async def make_table(self, request: web.Request) -> web.Response:
        """A new table."""
        wish = await self._body(request)
        if wish.get("game") not in self.offered:
            raise Refused("no_game", f"this server has {', '.join(self.offered)}")
        self.new_tables.take(self._address(request), "tables")
        return _json(await self.house.make(wish), status=201)

    async def about(self, request: web.Request) -> web.Response:
        """Who sits at a table."""
        room = await self._room(request)
        table, stored = room.table, room.table.stored
        return _json(
            {
                "table": table.id,
                "game": stored.game,
                "phase": table.phase,
                "players": stored.players,
                "seats": room.seats(),
                "settings": {
                    "options": table.options,
                    "clock": stored.clock,
                    "hints": stored.hints,
                    "open": stored.open,
                },
                "commitment": stored.commitment,
            }
        )

    async def take_seat(self, request: web.Request) -> web.Response:
        """A newcomer sits down."""
        body = await self._body(request)
        room = await self._room(request)
        join, seat = body.get("join"), body.get("seat")
        if not isinstance(join, str) or not self.signer.may_join(room.id, join):
            raise Refused("bad_join", "this is not the key to join this table")
        if seat is not None and (type(seat) is not int or not 0 <= seat < len(room.table.seats)):
            raise Refused("malformed", "there is no such seat")
        contribution = body.get("contribution")
        if contribution is not None and (
            not isinstance(contribution, str) or len(contribution) > LONGEST_CONTRIBUTION
        ):
            raise Refused("malformed", "a contribution is a text of at most 100 characters")
        taken = await room.sit(checked_name(body.get("name")), seat, contribution)
        return _json({"seat": taken, "token": room.token_of(taken)}, status=201)

    def _viewer(self, request: web.Request, room: Room) -> int | None:
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        return room.seat_of(token) if kind == "Bearer" else None

    async def history(self, request: web.Request) -> web.Response:
        """The table after every move."""
        self.looks.take(self._address(request), "looks at whole matches")
        room = await self._room(request)
        viewer = self._viewer(request, room)
        all_open = request.query.get("all") == "1"
        if room.table.match is None or (all_open and room.table.phase != "over"):
            raise Refused("phase", "the match is not that far yet")
        async with room.lock:
            body = await asyncio.to_thread(finished.history, room.table, viewer, all_open=all_open)
        return _raw(body)

    async def _finished(self, request: web.Request) -> Room:
        room = await self._room(request)
        if room.table.phase != "over":
            raise Refused("phase", "the match is not over yet")
        return room

    async def match_file(self, request: web.Request) -> web.Response:
        """A finished match, to be replayed, reviewed and verified."""
        room = await self._finished(request)
        response = _raw(await asyncio.to_thread(finished.match_file, room.table))
        name = f"{room.table.stored.game}-{room.id}.json"
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    async def review(self, request: web.Request) -> web.Response:
        """A finished match as the kibitzer sees it."""
        room = await self._finished(request)
        found = self.reviews.ask(room.table)
        if isinstance(found, float):
            return _json({"progress": round(found, 3)}, status=202)
        return _raw(found)

    async def mine(self, request: web.Request) -> web.Response:
        """The matches of somebody who has these tokens."""
        tokens = (await self._body(request)).get("tokens")
        if not isinstance(tokens, list) or len(tokens) > 100:
            raise Refused("malformed", "tokens is a list of at most 100 texts")
        found = []
        for token in tokens:
            proven = self.signer.read(token) if isinstance(token, str) else None
            if proven is None:
                continue
            with contextlib.suppress(Refused):
                room = await self.house.room(proven.table)
                seat, table = room.seat_of(token), room.table
                found.append(
                    p.Mine(
                        table=table.id,
                        seat=seat,
                        game=table.stored.game,
                        phase=table.phase,
                        due=seat in table.due_since,
                        names=[s.name for s in table.seats],
                        at=table.stored.at,
                    )
                )
        return _json(found)

    # ---- the rest

    async def health(self, request: web.Request) -> web.Response:
        """Whether all is well."""
        await self.store.heads(["-"])
        return _json(
            {"ok": True, "version": version("kibitz"), "protocol": p.VERSION, "bus": self.bus.is_up}
        )

    async def figures(self, request: web.Request) -> web.Response:
        """Figures for Prometheus."""
        return web.Response(body=self.metrics.text(), content_type="text/plain")

    async def page(self, request: web.Request) -> web.StreamResponse:
        """The page, or one of its files."""
        path = request.match_info["path"]
        file = _file_of_page(path)
        if file is not None:
            headers = FOREVER if path.startswith("assets/") else FRESH
            return self._file(request, file, headers)
        if path.startswith(("api/", "art/", "assets/")) or "." in path.rpartition("/")[2]:
            raise Refused("not_found", "there is nothing at this address")
        if not (PAGE / "index.html").is_file():
            raise Refused("not_found", "the page has not been built; run `make web`")
        return self._file(request, PAGE / "index.html", FRESH)

    def _file(self, request: web.Request, file: Path, headers: dict[str, str]) -> web.Response:
        kind = _KINDS.get(file.suffix, "application/octet-stream")
        response = self._made(request, file.read_bytes(), kind)
        response.headers.update(headers)
        return response


_KINDS = {
    ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
    ".json": "application/json", ".webmanifest": "application/manifest+json", ".png": "image/png",
}  # fmt: skip


def _file_of_page(path: str) -> Path | None:
    try:
        file = (PAGE / path).resolve()
        return file if path and file.is_file() and file.is_relative_to(PAGE) else None
    except (OSError, ValueError):  # no name that a file could have
        return None


def _json(data: Any, status: int = 200) -> web.Response:
    return _raw(p.encode(data), status)


def _raw(body: bytes, status: int = 200) -> web.Response:
    response = web.Response(
        body=body,
        content_type="application/json",
        status=status,
        headers={"Cache-Control": "no-store"},
        zlib_executor_size=SMALL,
    )
    response.enable_compression()
    return response
