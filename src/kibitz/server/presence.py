"""Which other servers there are, and who is connected to them.

Servers tell each other over the bus who is connected to them, and the store that they are alive.
That one is silent tells nothing of its players: it may be the bus. So a player is gone when the
server says so, or when that server is gone from the store as well.
"""

import time

from kibitz.server.bus import Bus, Word
from kibitz.server.protocol import Refused
from kibitz.server.store import Store

BEAT_SECONDS = 5.0  # between two signs of life
SILENT_SECONDS = 3 * BEAT_SECONDS  # after which one cannot be sure of a server's players
NO_TABLE = "-"
NOBODY: frozenset[int] = frozenset()


class Presence:
    """For each table the seats whose players are at other servers."""

    def __init__(self, server: str, bus: Bus, store: Store) -> None:
        self._server, self._bus, self._store = server, bus, store
        self._here: dict[str, dict[str, frozenset[int]]] = {}  # by table and server
        self._heard: dict[str, float] = {}  # when a server last said anything
        self._alive: set[str] = set()  # by the store
        self._looked = 0.0  # when the store was last asked

    async def beat(self) -> dict[str, frozenset[int]]:
        """Give a sign of life, and see who else does; forget those who do not.

        Returns for each table that a forgotten server had players of who was elsewhere until now.
        """
        self._bus.tell(Word(NO_TABLE, 0, self._server, frozenset()))
        self._alive = set(await self._store.beat(self._server))
        self._looked = time.monotonic()
        forgotten = {server for server in self._heard if not self._is_there(server)}
        if not forgotten:
            return {}
        for server in forgotten:
            del self._heard[server]
        left = {
            table: self.elsewhere(table)
            for table, at in self._here.items()
            if at.keys() & forgotten
        }
        for table in left:
            at = self._here.pop(table)
            if kept := {server: at[server] for server in at.keys() - forgotten}:
                self._here[table] = kept
        return left

    def heard(self, word: Word) -> None:
        """Another server says who is connected to it."""
        self._heard[word.server] = time.monotonic()
        if word.table == NO_TABLE:
            return
        if word.here:
            self._here.setdefault(word.table, {})[word.server] = word.here
        elif (at := self._here.get(word.table)) is not None:
            at.pop(word.server, None)
            if not at:
                del self._here[word.table]

    def elsewhere(self, table: str) -> frozenset[int]:
        """The seats of a table whose players are connected to other servers."""
        at = self._here.get(table)
        return frozenset().union(*at.values()) if at else NOBODY

    def check(self) -> None:
        """Refuse what depends on nobody being connected elsewhere, unless that is certain."""
        if self._bus.is_shared and not self._is_sure():
            text = "it cannot be told now who is connected to other servers; try again soon"
            raise Refused("busy", text, wait=BEAT_SECONDS)

    def _is_sure(self) -> bool:
        now = time.monotonic()
        silent = [s for s in self._alive if now - self._heard.get(s, 0.0) > SILENT_SECONDS]
        return self._bus.is_up and now - self._looked < SILENT_SECONDS and not silent

    def _is_there(self, server: str) -> bool:
        return server in self._alive or time.monotonic() - self._heard[server] < SILENT_SECONDS
