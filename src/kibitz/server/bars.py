"""Everyone's chances, for those who watch a table and want to see them."""

import contextlib
from collections.abc import Awaitable, Callable

from kibitz.server.audience import Audience, Visitor
from kibitz.server.bot_pool import BotPool
from kibitz.server.protocol import Refused
from kibitz.server.thinking import Kind


class Bars:
    """The bars of a table: thought about once for all who watch, and only while they do."""

    def __init__(
        self, audience: Audience, bots: BotPool, bots_ready: Callable[[], Awaitable[None]]
    ) -> None:
        self._audience, self._bots, self._bots_ready = audience, bots, bots_ready
        self._is_asked = False
        self._known: tuple[int, list[float]] = (0, [])  # since which entry

    def watch(self, visitor: Visitor, on: bool) -> None:
        """Somebody wants to see the bars, or no longer."""
        audience = self._audience
        if on and not audience.may_see_bars(visitor):
            raise Refused("no_hints", "the bars are for those who watch, and play nowhere here")
        if visitor in audience.watching_bars:
            audience.watching_bars.remove(visitor)
        if not on:
            return
        self._ask(visitor)
        audience.watching_bars.append(visitor)
        if self._known[0] == self._now() > 0:
            audience.tell_bars([visitor], self._known[1])

    def renew(self) -> None:
        """Something has happened in the match."""
        for visitor in self._audience.watching_bars[:1]:
            with contextlib.suppress(Refused):  # they have asked for too much: no bars this time
                self._ask(visitor)

    def _now(self) -> int:
        return self._audience.table.changed

    def _ask(self, visitor: Visitor) -> None:
        if self._audience.table.ended:
            return  # nobody has won, and nobody can
        if not self._is_asked and self._known[0] != self._now():
            self._bots.thinking.begin(Kind.BARS, visitor.address, self._think())
            self._is_asked = True

    async def _think(self) -> None:
        audience = self._audience
        try:
            await self._bots_ready()
            while audience.watching_bars and self._known[0] != (now := self._now()):
                assert audience.table.match is not None
                askers = {visitor.address for visitor in audience.watching_bars}
                self._known = now, await self._bots.chances(audience.table.match, askers)
                if now == self._now():
                    audience.tell_bars(audience.watching_bars, self._known[1])
        finally:
            self._is_asked = False
