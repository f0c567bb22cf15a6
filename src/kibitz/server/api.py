"""Tables and matches over HTTP, read from folds: nothing is shown that is not on disk."""

from typing import Any, TypeVar

import msgspec
from aiohttp import web

from kibitz.server import addresses, replay
from kibitz.server import protocol as p
from kibitz.server.limits import Buckets
from kibitz.server.mine import matches_of
from kibitz.server.names import checked_name
from kibitz.server.protocol import Refused
from kibitz.server.readiness import Readiness
from kibitz.server.reviews import Reviews
from kibitz.server.room import Room
from kibitz.server.settings import Settings
from kibitz.server.tables import Tables
from kibitz.server.thinking import Kind, Thinking

SMALL = 4096  # bytes; what is larger is compressed beside the loop
LOOKS_PER_SECOND, LOOKS_AT_ONCE = 2.0, 40.0  # of one address at whole matches
SEATS_PER_TABLE = 4  # that one address may take for each table that it may make
MOST_TOKENS = 100
TABLES = web.AppKey("tables", Tables)

T = TypeVar("T")


def address(request: web.Request, settings: Settings) -> str:
    """Where a request comes from, as limits count it."""
    lines = request.headers.getall("X-Forwarded-For", [])
    return addresses.client(request.remote, lines, addresses.networks(settings.trusted_proxies))


async def read_body(request: web.Request, wanted: type[T]) -> T:
    """The body of a request, checked."""
    try:
        return msgspec.json.decode(await request.read(), type=wanted)
    except msgspec.ValidationError as error:
        raise Refused("malformed", f"this request does not fit: {error}") from None
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise Refused("malformed", f"this is no JSON: {error}") from None


def answer(data: Any, status: int = 200) -> web.Response:
    """Data as JSON; bytes are JSON already."""
    response = web.Response(
        body=data if isinstance(data, bytes) else p.encode(data),
        content_type="application/json",
        status=status,
        headers={"Cache-Control": "no-store"},
        zlib_executor_size=SMALL,
    )
    response.enable_compression()
    return response


class TableApi:
    """What can be asked about tables."""

    def __init__(
        self,
        settings: Settings,
        offered: tuple[str, ...],
        readiness: Readiness,
        thinking: Thinking,
    ) -> None:
        self._settings, self._offered, self._readiness = settings, offered, readiness
        self._thinking, self._reviews = thinking, Reviews(thinking, readiness)
        per_hour = settings.tables_per_hour
        self._new_tables = Buckets(per_hour / 3600, per_hour / 4)
        self._seats = Buckets(SEATS_PER_TABLE * per_hour / 3600, per_hour)
        self._looks = Buckets(LOOKS_PER_SECOND, LOOKS_AT_ONCE)

    def routes(self) -> list[web.RouteDef]:
        """What can be asked for."""
        return [
            web.get("/api/ready", self.ready),
            web.post("/api/tables", self.make_table),
            web.get("/api/tables/{table}", self.about),
            web.post("/api/tables/{table}/seats", self.take_seat),
            web.get("/api/tables/{table}/history", self.history),
            web.get("/api/tables/{table}/match", self.match_file),
            web.get("/api/tables/{table}/review", self.review),
            web.post("/api/mine", self.mine),
        ]

    async def ready(self, request: web.Request) -> web.Response:
        """Which games are ready."""
        return answer(p.Preparation(self._readiness.progress()))

    # ---- tables

    async def make_table(self, request: web.Request) -> web.Response:
        """A new table."""
        wish = await read_body(request, p.NewTable)
        if wish.game not in self._offered:
            raise Refused("no_game", f"this server has {', '.join(self._offered)}")
        self._new_tables.take(address(request, self._settings), "tables")
        return answer(await request.app[TABLES].make(wish), status=201)

    async def about(self, request: web.Request) -> web.Response:
        """Who sits at a table."""
        room = await _room(request)
        table, stored = room.table, room.table.stored
        settings = p.TableSettings(table.options, stored.clock, stored.hints, stored.open)
        return answer(
            p.TableInfo(
                table=table.id,
                game=stored.game,
                phase=table.phase,
                players=stored.players,
                seats=room.audience.seats(),
                settings=settings,
                commitment=stored.commitment,
                again=table.again,
            )
        )

    async def take_seat(self, request: web.Request) -> web.Response:
        """A newcomer sits down."""
        wish = await read_body(request, p.TakeSeat)
        room = await _room(request)
        if not room.services.signer.may_join(room.id, wish.join):
            raise Refused("bad_join", "this is not the key to join this table")
        self._seats.take(address(request, self._settings), "seats")
        if wish.seat is not None and not 0 <= wish.seat < len(room.table.seats):
            raise Refused("malformed", "there is no such seat")
        taken = await room.sit(checked_name(wish.name), wish.seat, wish.promise)
        return answer(p.TakenSeat(taken, room.token_of(taken)), status=201)

    async def mine(self, request: web.Request) -> web.Response:
        """The matches of somebody who has these tokens."""
        tokens = (await read_body(request, p.MineRequest)).tokens
        if len(tokens) > MOST_TOKENS:
            raise Refused("malformed", f"tokens is a list of at most {MOST_TOKENS} texts")
        return answer(await matches_of(request.app[TABLES], tokens))

    # ---- matches

    async def history(self, request: web.Request) -> web.Response:
        """The table after every choice."""
        asker = address(request, self._settings)
        self._looks.take(asker, "looks at whole matches")
        room = await _room(request)
        kind, _, token = request.headers.get("Authorization", "").partition(" ")
        viewer = room.seat_of(token) if kind == "Bearer" else None
        all_open = request.query.get("all") == "1"
        _check_rules(room)
        if room.table.match is None or (all_open and room.table.phase != "over"):
            raise Refused("phase", "the match is not that far yet")
        past = room.table.snapshot()
        return answer(
            await self._thinking.run(
                Kind.LOOK, [asker], lambda: replay.history(past, viewer, all_open=all_open)
            )
        )

    async def match_file(self, request: web.Request) -> web.Response:
        """A finished match, to be replayed, reviewed and verified."""
        asker = address(request, self._settings)
        room = await _finished(request)
        past = room.table.snapshot()
        response = answer(
            await self._thinking.run(Kind.LOOK, [asker], lambda: replay.match_file(past))
        )
        name = f"{room.table.stored.game}-{room.id}.json"
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return response

    async def review(self, request: web.Request) -> web.Response:
        """A finished match as the kibitzer sees it."""
        room = await _finished(request)
        _check_rules(room)
        if room.table.ended:
            raise Refused("no_review", "this match was ended by agreement; there is no review")
        found = self._reviews.ask(room.table, address(request, self._settings))
        if isinstance(found, float):
            return answer(p.Progress(round(found, 3)), status=202)
        return answer(found)


async def _room(request: web.Request) -> Room:
    return await request.app[TABLES].room(request.match_info["table"])


def _check_rules(room: Room) -> None:
    if room.table.former is not None:
        raise Refused("phase", "this match was played by older rules; it can only be read")


async def _finished(request: web.Request) -> Room:
    room = await _room(request)
    if room.table.phase != "over":
        raise Refused("phase", "the match is not over yet")
    return room
