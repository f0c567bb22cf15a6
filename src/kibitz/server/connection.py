"""One WebSocket: reads commands, answers each, and is told what happens at its tables."""

import asyncio
import contextlib
import logging
import secrets
from typing import Any

import msgspec
from aiohttp import WSMsgType, web

from kibitz.server import protocol as p
from kibitz.server.limits import Bucket
from kibitz.server.protocol import Refused, decode_command, encode
from kibitz.server.room import Room
from kibitz.server.tables import Tables

log = logging.getLogger(__name__)
MOST_WAITING = 1 << 20  # bytes that a slow client may leave unread: a log of 12,000 lines
MOST_UNCHECKED = 1 << 16  # bytes between two looks at how much is unread
MOST_TABLES = 64  # of one connection
MOST_FAULTS = 50  # malformed or too many messages before the connection is closed
HEARTBEAT_SECONDS = 15.0  # between two looks at who is still there
MOST_SILENT = 2  # looks in a row before which nothing was heard: then the client is pinged
PING, PONG = 0x89, 0x8A  # the first byte of such a frame
_ENDED = frozenset([WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED])


class Visit:
    """A connection as a visitor of one table."""

    def __init__(self, connection: "Connection", room: Room) -> None:
        self.connection, self.room = connection, room
        self.seat: int | None = None
        self.came_as: int | None = None
        self.address, self.key = connection.address, connection.key
        self.send = connection.send


class Connection:
    """A client that is connected."""

    def __init__(
        self, tables: Tables, socket: web.WebSocketResponse, rate: float, address: str
    ) -> None:
        self._tables, self._socket = tables, socket
        self._outbox = tables.services.outbox
        self.address = address  # as limits count it
        self.key = secrets.token_hex(4)  # tells connections apart
        self._at: dict[str, Visit] = {}
        self._messages = Bucket(rate, 3 * rate)
        self._faults = 0
        self._unchecked = 0
        self._silent = 0  # how often it was looked whether anything had come since
        self._is_waiting = False  # for what it asked for last

    def open(self, transport: asyncio.Transport) -> None:
        """The handshake is done."""
        self._transport = transport

    def send(self, frame: bytes) -> None:
        """Write a text. Nobody waits for a slow client: it is dropped, and catches up."""
        n = len(frame)
        self._unchecked += n
        if self._unchecked > MOST_UNCHECKED:
            self._unchecked = 0
            if self._transport.get_write_buffer_size() > MOST_WAITING:
                self._transport.abort()
                return
        if n < 126:
            framed = b"\x81%c%b" % (n, frame)
        elif n < 1 << 16:
            framed = b"\x81\x7e%c%c%b" % (n >> 8, n & 0xFF, frame)
        else:
            framed = b"\x81\x7f%b%b" % (n.to_bytes(8, "big"), frame)
        self._outbox.put((self._transport, framed))

    async def serve(self) -> None:
        """Until the client goes."""
        try:
            while True:
                message = await self._socket.receive()
                self._silent = 0
                if message.type is WSMsgType.TEXT:
                    self._is_waiting = True
                    await self._answer(message.data)
                    self._is_waiting = False
                elif message.type is WSMsgType.PING:
                    self._answer_ping(message.data)
                elif message.type in _ENDED:
                    break
                elif message.type is not WSMsgType.PONG:
                    self._fault(None, Refused("malformed", "commands are texts in JSON"))
                if self._faults > MOST_FAULTS:
                    break
        finally:
            self._leave()

    def _answer_ping(self, data: bytes) -> None:
        try:
            self._messages.take("messages")
        except Refused as refused:
            self._fault(None, refused)
        else:
            self._control(PONG, data)

    def check_alive(self) -> None:
        """Ping a client that has been silent for a while; give up one that does not answer."""
        if self._is_waiting:  # for us: what it says meanwhile is heard later
            return
        self._silent += 1
        if self._silent > MOST_SILENT:
            self._transport.abort()
        elif self._silent == MOST_SILENT:
            self._control(PING)

    def _control(self, kind: int, data: bytes = b"") -> None:
        """Write a frame that is no text; such are short."""
        self._outbox.put((self._transport, b"%c%c%b" % (kind, len(data), data)))

    async def say_bye(self) -> None:
        """The server stops."""
        self._tables.services.news.empty()
        with contextlib.suppress(ConnectionError, RuntimeError):
            self.send(encode(p.ByeFrame()))
            self._outbox.empty()
            await self._socket.close(code=1001)

    def _leave(self) -> None:
        self._outbox.empty()
        for at in list(self._at.values()):
            self._exit(at)
        if self in self._tables.lobby_visitors:
            self._tables.lobby_visitors.remove(self)

    def _exit(self, at: Visit) -> None:
        at.room.hints.call_off(at)
        at.room.exit(at)
        self._at.pop(at.room.id, None)

    def _fault(self, re: str | None, refused: Refused) -> None:
        self._faults += 1
        self._refuse(re, refused)

    def _refuse(self, re: str | None, refused: Refused) -> None:
        self._tables.services.on_refused(refused.error)
        self.send(encode(refused.frame(re)))

    async def _answer(self, text: str) -> None:
        command: Any = None
        try:
            self._messages.take("messages")
            if len(text) > p.LONGEST_MESSAGE:
                raise Refused("too_long", f"a message has at most {p.LONGEST_MESSAGE} characters")
            command = decode_command(text)
            if type(command) is p.Play:  # of which there are most
                at = self._visit(command.table)
                answer = await at.room.carry_out(at, command)
            else:
                answer = await self._carry_out(command)
            if answer is not None:
                self.send(answer)
        except (msgspec.DecodeError, RecursionError) as error:
            self._fault(_id_of(text), Refused("malformed", str(error)))
        except Refused as refused:
            re = command.id if command is not None else _id_of(text)
            if refused.error == "too_fast":
                self._faults += 1
            self._refuse(re, refused)
        except Exception:
            # Whatever it was, the client gets an answer, and the log has no secret of the match.
            log.exception("a command of kind %s failed", type(command).__name__)
            self.send(
                encode(p.NoFrame(re=_id_of(text), error="busy", text="the server has a fault"))
            )

    async def _carry_out(self, command: Any) -> bytes | None:
        match command:
            case p.Ping():
                return encode(p.OkFrame(re=command.id))
            case p.Lobby():
                return await self._lobby(command)
            case p.Enter():
                await self._enter(command)
                return None
        at = self._visit(command.table)
        at.room.audience.tell_news()  # an answer, or a refusal, is about what has been told
        match command:
            case p.Exit():
                self._exit(at)
                return encode(p.OkFrame(re=command.id))
            case p.Hint() if command.on:
                at.room.hints.ask(at, command.id, command.actions)
                return None
            case p.Hint():
                at.room.hints.call_off(at)
                return encode(p.OkFrame(re=command.id))
            case p.Bars():
                at.room.bars.watch(at, command.on)
                return encode(p.OkFrame(re=command.id))
        return await at.room.carry_out(at, command)

    def _visit(self, table: str) -> Visit:
        at = self._at.get(table)
        if at is None:
            raise Refused("no_table", "enter this table first")
        return at

    async def _lobby(self, command: p.Lobby) -> bytes:
        if self in self._tables.lobby_visitors:
            self._tables.lobby_visitors.remove(self)
        if not command.on:
            return encode(p.OkFrame(re=command.id))
        self._tables.lobby_visitors.append(self)
        return encode(p.LobbyFrame(re=command.id, tables=await self._tables.lobby()))

    async def _enter(self, command: p.Enter) -> None:
        if command.version != p.VERSION:
            text = f"this server speaks version {p.VERSION}, not {command.version}; reload the page"
            raise Refused("version", text)
        room = await self._tables.room(command.table)
        at = self._at.get(command.table)
        if at is None:
            if len(self._at) >= MOST_TABLES:
                raise Refused("too_fast", f"one connection is at {MOST_TABLES} tables at most")
            at = Visit(self, room)
        await room.enter(at, command.token, command.id, command.have or 0)
        self._at[command.table] = at


def _id_of(text: str) -> str | None:
    """The id of a command that could not be read, if it has one."""
    with contextlib.suppress(msgspec.DecodeError, RecursionError):
        found = msgspec.json.decode(text)
        if isinstance(found, dict) and isinstance(found.get("id"), str):
            return str(found["id"])[:40]
    return None
