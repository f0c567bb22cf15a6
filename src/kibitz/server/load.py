"""Players for a load test: they play at random, and cost as little as they can."""

import asyncio
import base64
import json
import random
import secrets
import time
from typing import Any

from kibitz.engine.errors import KibitzError

SEATS = 4
LEGAL = b'"legal":['
OVER = b'"phase":"over"'


class Player(asyncio.Protocol):
    """One WebSocket, with a seat at one or more tables. Written to cost little."""

    def __init__(self, load: "Load") -> None:
        self.load = load
        self.entered = 0  # tables
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._rest = b""
        self._upgraded = False
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        """Ask for a WebSocket."""
        self.transport = transport
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        transport.write(
            f"GET /ws HTTP/1.1\r\nHost: load\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def connection_lost(self, error: Exception | None) -> None:
        """The connection has ended."""
        self.load.lost += 1
        self.gone.set_result(None)
        if not self.ready.done():
            self.ready.set_exception(KibitzError("the server closed a connection"))

    def send(self, text: bytes) -> None:
        """Write a masked text frame; the mask is zero, which the protocol allows."""
        n = len(text)
        head = b"\x81%c" % (0x80 | n) if n < 126 else b"\x81\xfe" + n.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + text)

    def data_received(self, data: bytes) -> None:
        """Frames come in."""
        data = self._rest + data
        if not self._upgraded:
            end = data.find(b"\r\n\r\n")
            if end < 0:
                self._rest = data
                return
            if b" 101 " not in data[:end]:
                self.ready.set_exception(KibitzError(data[:end].decode(errors="replace")))
                return
            self._upgraded = True
            self.ready.set_result(None)
            data = data[end + 4 :]
        at, size = 0, len(data)
        while size - at >= 2:
            n, start = data[at + 1] & 0x7F, at + 2
            if n == 126:
                n, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif n == 127:
                n, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if size < start + n:
                break
            if data[at] == 0x81:
                self.load.heard(self, data[start : start + n])
            elif data[at] == 0x89:
                self.transport.write(b"\x8a\x80\0\0\0\0")
            at = start + n
        self._rest = data[at:]


class TableLoad:
    """One table, as the generator sees it."""

    __slots__ = ("due", "following", "got", "legal", "name", "sent", "seq")

    def __init__(self, name: str) -> None:
        self.name = name
        self.due: Player | None = None  # who can move
        self.legal: list[bytes] = []
        self.seq = 0
        self.got = 0  # how many players have the last move
        self.sent = 0.0
        self.following: TableLoad | None = None  # where they play when the match is over


class Load:
    """Players at tables."""

    def __init__(self) -> None:
        self.tables: dict[bytes, TableLoad] = {}
        self.moves = self.refused = self.lost = 0
        self.latencies: list[float] = []
        self.at_once = False
        self._ids = 0
        self._rng = random.Random(7)

    def heard(self, player: Player, frame: bytes) -> None:
        """A frame for one player: a whole table, a move, or an answer."""
        if frame.startswith(b'{"t":"moved"'):
            table = self.tables[frame[22:32]]
            seq = int(frame[40 : frame.index(b",", 40)])
            if seq > table.seq:
                table.seq, table.got = seq, 0
            table.got += 1
            self._offered(table, player, frame)
            if table.got == SEATS:
                self.moves += 1
                if table.sent:
                    self.latencies.append(time.perf_counter() - table.sent)
            if self.at_once and table.got == SEATS:
                self._go_on(table, frame)
        elif frame.startswith(b'{"t":"table"'):
            whole = json.loads(frame)
            table = self.tables[whole["table"].encode()]
            player.entered += 1
            self._offered(table, player, frame)
        elif frame.startswith(b'{"t":"no"'):
            self.refused += 1

    def _go_on(self, table: TableLoad, frame: bytes) -> None:
        if table.due is not None:
            self.move(table)
        elif table.following is not None and OVER in frame:
            self.move(table.following)

    def _offered(self, table: TableLoad, player: Player, frame: bytes) -> None:
        at = frame.find(LEGAL)
        if at > 0:
            legal = frame[at + len(LEGAL) : frame.index(b"]", at)]
            table.due, table.legal = player, legal.split(b",")

    def move(self, table: TableLoad) -> None:
        """Whoever is due makes a move at random."""
        player, table.due = table.due, None
        if player is None:
            return
        self._ids += 1
        action = self._rng.choice(table.legal)
        table.sent = time.perf_counter()
        player.send(
            b'{"do":"play","id":"%d","table":"%b","actions":[%b]}'
            % (self._ids, table.name.encode(), action)
        )
