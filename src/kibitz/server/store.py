"""What is kept: tables, and for each an append-only list of entries.

State is never stored: a table is a fold over its entries. An entry counts once it is on disk, and
two servers cannot both append number n.
"""

import time
from collections.abc import Awaitable, Iterable
from typing import Protocol

from msgspec import Struct

from kibitz.engine.errors import KibitzError
from kibitz.server import deal
from kibitz.server.entries import Entry
from kibitz.server.tokens import new_table_id

_SINCE_1970 = time.time_ns() - time.monotonic_ns()


def now_ms() -> int:
    """Milliseconds since 1970, by a clock that nobody sets: turns neither jump nor stretch."""
    return (_SINCE_1970 + time.monotonic_ns()) // 1_000_000


class StoredTable(Struct, frozen=True):
    """What is fixed when a table is made."""

    id: str
    at: int
    game: str
    rules: int
    players: int
    options: str
    clock: int | None
    hints: bool
    open: bool
    commitment: str
    secret: str


def new_table(
    game: str,
    rules: int,
    players: int,
    options: str,
    clock: int | None,
    hints: bool,
    *,
    is_open: bool,
) -> StoredTable:
    """A table that has just been made, bound to a secret that nobody knows."""
    secret = deal.new_secret()
    return StoredTable(
        id=new_table_id(), at=now_ms(), game=game, rules=rules,
        players=players, options=options, clock=clock, hints=hints, open=is_open,
        commitment=deal.promise(secret), secret=secret,
    )  # fmt: skip


class StoreBusy(Exception):
    """Nothing could be written, or it is not known whether it was."""


class BadStore(KibitzError):
    """A store that cannot be opened."""


class Store(Protocol):
    """Where tables are kept."""

    @property
    def trouble(self) -> str | None:
        """Why nothing can be written now, in one sentence; None if all is well."""
        ...

    async def open(self) -> None:
        """Open, and make what is missing."""
        ...

    async def close(self) -> None:
        """Write what is left, and close."""
        ...

    async def key(self) -> bytes:
        """The key that all servers of this store sign with."""
        ...

    async def add(self, table: StoredTable, entries: Iterable[Entry]) -> None:
        """A new table with its first entries."""
        ...

    def append(self, table: str, entry: Entry) -> Awaitable[bool]:
        """One more entry, on disk when this returns; False if its number is taken."""
        ...

    async def table(self, table: str) -> StoredTable | None:
        """A table, or None."""
        ...

    async def tables_of(self, names: list[str]) -> dict[str, StoredTable]:
        """The tables of these names, as far as there are any."""
        ...

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        """What happened at a table after an entry."""
        ...

    async def seating(self, tables: list[str]) -> dict[str, list[Entry]]:
        """The entries by which people and bots took their seats, and matches began and ended."""
        ...

    async def gathering(self, since: int) -> list[str]:
        """The open tables made since then that have not begun, the newest first."""
        ...

    async def beat(self, server: str) -> list[str]:
        """A server gives a sign of life; which others have done so of late."""
        ...

    async def heads(self, tables: list[str]) -> dict[str, int]:
        """The number of the last entry of each table."""
        ...

    async def ended(self, before: int, most: int) -> list[str]:
        """Tables whose match ended before a time, the oldest first."""
        ...

    async def never_begun(self, before: int, most: int) -> list[str]:
        """Tables made before a time at which no match has begun, the oldest first."""
        ...

    async def delete(self, tables: list[str]) -> None:
        """Delete tables, and all that happened at them."""
        ...

    async def drop_chat(self, before: int, most: int) -> int:
        """Remove chat lines from before a time; how many were found. Their numbers stay."""
        ...

    async def rewrite(self, table: str, entries: Iterable[Entry]) -> None:
        """Let entries say something else, to forget what somebody said or was called."""
        ...
