"""A match of older rules: it cannot be played on, but what was done, and how it ended, is kept."""

from dataclasses import dataclass, field
from typing import Any

from kibitz.engine.errors import UnknownGame
from kibitz.games import find
from kibitz.server import entries
from kibitz.server.entries import Entry
from kibitz.server.protocol import Former, LineData
from kibitz.server.store import StoredTable


def is_former(stored: StoredTable) -> bool:
    """Whether a table was made for rules that have been changed since."""
    try:
        return find(stored.game).identity.version != stored.rules
    except UnknownGame:
        return False


@dataclass
class FormerMatch:
    """What can be read of a match without its rules."""

    rules: int
    lines: list[LineData] = field(default_factory=list)
    is_over: bool = False
    result: entries.Result | None = None

    def fold(self, entry: Entry, body: Any) -> None:
        """A round was dealt, or a choice was made."""
        if entry.kind in (entries.START, entries.DEAL):
            self.lines.append(LineData(entry.seq))
            return
        if entry.kind == entries.UNDONE:
            del self.lines[body.lines :]
            return
        self.lines += [LineData(entry.seq, entry.seat, text, by=body.by) for text in body.actions]
        if entry.kind == entries.LAST:
            self.is_over, self.result = True, body.result

    def data(self) -> Former:
        """As a client is told."""
        winners, scores = (self.result.winners, self.result.scores) if self.result else ([], [])
        return Former(self.rules, self.is_over, winners, scores)
