"""What is asked of a store, in the SQL that SQLite and PostgreSQL share.

Queries are written for PostgreSQL; `SqliteStore` puts them into its own words.
"""

from collections.abc import Iterable
from typing import Any

import msgspec

from kibitz.server.entries import GONE, LAST, SAY, Entry
from kibitz.server.store import StoredTable

COLUMNS = ", ".join(Entry.__struct_fields__)
# A partial index is found by its own words.
SEATING = "kind IN ('sit', 'stand', 'bot', 'close', 'start', 'last')"
DATED = "kind IN ('say', 'last')"
MOST_GATHERING = 1000


class SqlStore:
    """A store of which one can ask in SQL."""

    async def _ask(self, query: str, *values: object) -> list[Any]:
        """The rows that a query finds."""
        raise NotImplementedError

    async def _change(self, command: str, rows: list[tuple[Any, ...]]) -> None:
        """Carry out a command for each row of values, in one transaction."""
        raise NotImplementedError

    # ---- reading

    async def table(self, table: str) -> StoredTable | None:
        """A table, or None."""
        if "\0" in table:  # which PostgreSQL does not know
            return None
        return (await self.tables_of([table])).get(table)

    async def tables_of(self, names: list[str]) -> dict[str, StoredTable]:
        """The tables of these names, as far as there are any."""
        rows = await self._ask("SELECT * FROM kibitz_match WHERE id = ANY($1)", names)
        return {row[0]: _table(row) for row in rows}

    async def entries(self, table: str, after: int = 0) -> list[Entry]:
        """What happened at a table after an entry."""
        rows = await self._ask(
            f"SELECT {COLUMNS} FROM kibitz_entry WHERE match = $1 AND seq > $2 ORDER BY seq",
            table, after,
        )  # fmt: skip
        return [Entry(*row) for row in rows]

    async def seating(self, tables: list[str]) -> dict[str, list[Entry]]:
        """The entries by which people and bots took their seats, and matches began and ended."""
        found: dict[str, list[Entry]] = {table: [] for table in tables}
        rows = await self._ask(
            f"SELECT match, {COLUMNS} FROM kibitz_entry"
            f" WHERE match = ANY($1) AND {SEATING} ORDER BY match, seq", tables,
        )  # fmt: skip
        for table, *entry in rows:
            found[table].append(Entry(*entry))
        return found

    async def gathering(self, since: int) -> list[str]:
        """The open tables made since then that have not begun, the newest first."""
        rows = await self._ask(
            "SELECT id FROM kibitz_gathering WHERE open AND at >= $1"
            f" ORDER BY at DESC LIMIT {MOST_GATHERING}", since,
        )  # fmt: skip
        return [row[0] for row in rows]

    async def heads(self, tables: list[str]) -> dict[str, int]:
        """The number of the last entry of each table."""
        rows = await self._ask(
            "SELECT match, max(seq) FROM kibitz_entry WHERE match = ANY($1) GROUP BY match", tables
        )
        return {row[0]: row[1] for row in rows}

    # ---- what is old

    async def ended(self, before: int, most: int) -> list[str]:
        """Tables whose match ended before a time, the oldest first."""
        rows = await self._ask(
            f"SELECT match FROM kibitz_entry WHERE {DATED} AND kind = $1 AND at < $2"
            " ORDER BY at LIMIT $3", LAST, before, most,
        )  # fmt: skip
        return [row[0] for row in rows]

    async def never_begun(self, before: int, most: int) -> list[str]:
        """Tables made before a time at which no match has begun, the oldest first."""
        rows = await self._ask(
            "SELECT id FROM kibitz_gathering WHERE at < $1 ORDER BY at LIMIT $2", before, most
        )
        return [row[0] for row in rows]

    async def delete(self, tables: list[str]) -> None:
        """Delete tables, and all that happened at them."""
        await self._change("DELETE FROM kibitz_match WHERE id = $1", [(name,) for name in tables])

    async def drop_chat(self, before: int, most: int) -> int:
        """Remove chat lines from before a time; how many were found. Their numbers stay."""
        rows = await self._ask(
            f"SELECT match, seq FROM kibitz_entry WHERE {DATED} AND kind = $1 AND at < $2"
            " ORDER BY at LIMIT $3", SAY, before, most,
        )  # fmt: skip
        await self._rewrite([(*row, GONE, "{}") for row in rows])
        return len(rows)

    async def rewrite(self, table: str, entries: Iterable[Entry]) -> None:
        """Let entries say something else, to forget what somebody said or was called."""
        await self._rewrite([(table, entry.seq, entry.kind, entry.body) for entry in entries])

    async def _rewrite(self, rows: list[tuple[Any, ...]]) -> None:
        await self._change(
            "UPDATE kibitz_entry SET kind = $3, body = $4 WHERE match = $1 AND seq = $2", rows
        )


def _table(row: Any) -> StoredTable:
    named = dict(zip(StoredTable.__struct_fields__, row, strict=True))
    return msgspec.convert(named, StoredTable, strict=False)
