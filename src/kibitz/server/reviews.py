"""Reviews of finished matches: made slice by slice for those who ask, and kept for a while."""

import time
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field

from kibitz.bots.review import Review, going_through
from kibitz.engine.match import Match
from kibitz.server.protocol import Refused, ReviewData, encode
from kibitz.server.readiness import Readiness
from kibitz.server.table import Table
from kibitz.server.thinking import Kind, Thinking

MOST_REVIEWS = 200
PATIENCE = 30.0  # seconds after which nobody waits for a review who has not asked again
FAILED_SECONDS = 60.0  # for which a review that failed is not tried again


@dataclass
class Underway:
    """A review that is being made, and who waits for it."""

    progress: float = 0.0
    askers: set[str] = field(default_factory=set)
    asked: float = field(default_factory=time.monotonic)


class Reviews:
    """The reviews of a server."""

    def __init__(self, thinking: Thinking, readiness: Readiness) -> None:
        self._thinking, self._readiness = thinking, readiness
        self._done: OrderedDict[str, bytes] = OrderedDict()
        self._underway: dict[str, Underway] = {}
        self._failed: dict[str, float] = {}

    def ask(self, table: Table, asker: str) -> bytes | float:
        """The review, or how much of it is done."""
        if table.id in self._done:
            return self._done[table.id]
        underway = self._underway.get(table.id)
        if underway is None:
            assert table.match is not None
            if time.monotonic() < self._failed.get(table.id, 0.0):
                raise Refused("busy", "this match could not be gone through; try again in a minute")
            underway = Underway()
            work = self._review(table.id, table.match.copy(), list(table.line_seq), underway)
            self._thinking.begin(Kind.REVIEW, asker, work)
            self._underway[table.id] = underway
        underway.askers.add(asker)
        underway.asked = time.monotonic()
        return underway.progress

    async def _review(
        self, name: str, match: Match, line_seq: list[int], underway: Underway
    ) -> None:
        try:
            await self._readiness.wait(match.game.name, "bots")
            work = self._thinking.stream(
                Kind.REVIEW, underway.askers, lambda: _slices(match, line_seq)
            )
            async for found in work:
                if isinstance(found, bytes):
                    self._keep(name, found)
                elif time.monotonic() - underway.asked > PATIENCE:
                    break
                else:
                    underway.progress = found
        except Exception:
            now = time.monotonic()
            self._failed = {name: until for name, until in self._failed.items() if until > now}
            self._failed[name] = now + FAILED_SECONDS
            raise
        finally:
            del self._underway[name]

    def _keep(self, name: str, found: bytes) -> None:
        self._done[name] = found
        if len(self._done) > MOST_REVIEWS:
            self._done.popitem(last=False)


def _slices(match: Match, line_seq: list[int]) -> Iterator[bytes | float]:
    """How much is done, again and again, and at last the review."""
    for found in going_through(match):
        if isinstance(found, Review):
            yield encode(ReviewData(**found.data(), seqs=line_seq))
        else:
            yield found / len(match.done)
