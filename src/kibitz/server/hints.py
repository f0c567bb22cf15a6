"""Hints for a seat that is due: thought about once for all windows of its player."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace

from kibitz.bots.inference import Onlooker
from kibitz.bots.kibitzer import Thought
from kibitz.engine.errors import IllegalAction
from kibitz.server import protocol as p
from kibitz.server.audience import Visitor
from kibitz.server.bot_pool import BotPool
from kibitz.server.protocol import Refused, encode
from kibitz.server.table import Table
from kibitz.server.thinking import Kind


@dataclass
class Asked:
    """A question, who waits for its answer and under which id, and what is known so far."""

    seat: int
    steps: tuple[str, ...]  # of a choice in progress
    seq: int
    last: Thought
    listeners: dict[Visitor, str] = field(default_factory=dict)


class Hints:
    """The hints of a table."""

    def __init__(
        self,
        table: Table,
        bots: BotPool,
        onlooker: Callable[[], Onlooker],
        bots_ready: Callable[[], Awaitable[None]],
    ) -> None:
        self._table, self._bots = table, bots
        self._onlooker, self._bots_ready = onlooker, bots_ready
        self._asked: dict[tuple[int, tuple[str, ...]], Asked] = {}  # by seat and steps

    def ask(self, visitor: Visitor, re: str, steps: Sequence[str]) -> None:
        """Somebody wants a hint; it comes in frames of its own, the last one `done`."""
        self.call_off(visitor)
        seat, table = visitor.seat, self._table
        if seat is None:
            raise Refused("not_seated", "hints are for a seat that is due")
        if not table.stored.hints:
            raise Refused("no_hints", "this table allows no hints")
        if table.match is None or seat not in table.match.to_act:
            raise Refused("not_due", "it is not your turn")
        question = (seat, tuple(steps))
        asked = self._asked.get(question)
        if asked is None or asked.seq != table.seq:
            try:
                table.match.preview(seat, steps)
            except IllegalAction as refusal:
                raise Refused("illegal", refusal.reason, rule=refusal.rule) from None
            asked = Asked(*question, table.seq, Thought(seat, 0, 0.0, ()))
            self._bots.thinking.begin(Kind.HINT, visitor.address, self._think(asked))
            self._asked[question] = asked
        asked.listeners[visitor] = re
        if asked.last.opinions:
            visitor.send(self._frame(asked, re, done=False))

    def call_off(self, visitor: Visitor) -> None:
        """Somebody wants no hint any more; if nobody does, nobody thinks about it."""
        for asked in self._asked.values():
            if visitor in asked.listeners:
                visitor.send(self._frame(asked, asked.listeners.pop(visitor), done=True))

    async def _think(self, asked: Asked) -> None:
        match = self._table.match
        assert match is not None
        try:
            await self._bots_ready()
            askers = {visitor.address for visitor in asked.listeners}
            if self._table.seq != asked.seq:
                return
            hints = self._bots.hints(match, asked.seat, asked.steps, self._onlooker(), askers)
            while asked.listeners and self._table.seq == asked.seq:
                thought = await anext(hints, None)
                if thought is None:
                    break
                asked.last = thought
                self._tell(asked, done=False)
        finally:
            self._tell(asked, done=True)
            asked.listeners.clear()
            question = (asked.seat, asked.steps)
            if self._asked.get(question) is asked:
                del self._asked[question]

    def _tell(self, asked: Asked, *, done: bool) -> None:
        for visitor, re in asked.listeners.items():
            visitor.send(self._frame(asked, re, done=done))

    def _frame(self, asked: Asked, re: str, *, done: bool) -> bytes:
        opinions = [
            replace(o, chance=round(o.chance, 4), error=round(o.error, 4), place=round(o.place, 3),
                    score=round(o.score, 2))
            for o in asked.last.opinions
        ]  # fmt: skip
        return encode(
            p.HintFrame(
                re=re, table=self._table.id, seq=asked.seq, simulations=asked.last.simulations,
                opinions=opinions, claims=list(asked.last.claims), done=done,
            )
        )  # fmt: skip
