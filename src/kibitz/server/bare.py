"""What a move costs at the least: a server that only hands it on to four players.

No rules, no store, no views: aiohttp alone, with frames as long as a real table's. Processors
differ, so what a real server costs says more beside this one than in microseconds. `kibitz loadtest
--bare` starts it; it understands only the players of `load.py`.
"""

import json
import socket
from collections import defaultdict
from dataclasses import dataclass, field

from aiohttp import WSMsgType, web

from kibitz.server.event_loop import new_event_loop
from kibitz.server.load import SEATS

LENGTH = 300  # bytes of a frame, as of Kolpa! on average, without what may be played
LEGAL = ',"legal":["play"]'  # for whoever is due


@dataclass
class _Table:
    players: list[web.WebSocketResponse] = field(default_factory=list)
    seq: int = 0


class Bare:
    """The tables, and who is at them."""

    def __init__(self) -> None:
        self._tables: dict[str, _Table] = defaultdict(_Table)
        self.app = web.Application()
        self.app.add_routes([web.get("/ws", self._serve)])

    async def _serve(self, request: web.Request) -> web.WebSocketResponse:
        player = web.WebSocketResponse(compress=False)
        await player.prepare(request)
        async for message in player:
            if message.type is WSMsgType.TEXT:
                said = json.loads(message.data)
                if said["do"] == "play":
                    await self._hand_on(said["table"])
                else:
                    await self._let_in(player, said["table"])
        return player

    async def _let_in(self, player: web.WebSocketResponse, name: str) -> None:
        table = self._tables[name]
        legal = "" if table.players else LEGAL
        table.players.append(player)
        await player.send_str(f'{{"t":"table","table":"{name}"{legal}}}')

    async def _hand_on(self, name: str) -> None:
        table = self._tables[name]
        table.seq += 1
        frame = f'{{"t":"moved","table":"{name}","seq":{table.seq},"view":"'.ljust(LENGTH, ".")
        for seat, player in enumerate(table.players):
            legal = LEGAL if seat == table.seq % SEATS else ""
            await player.send_str(f'{frame}"{legal}}}')


def main() -> None:
    """Serve on any port, and say which."""
    listening = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listening.getsockname()[1]}/", flush=True)
    web.run_app(Bare().app, sock=listening, loop=new_event_loop(), print=None, access_log=None)


if __name__ == "__main__":
    main()
