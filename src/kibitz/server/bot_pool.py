"""What bots and the kibitzer think, in threads, so that the table never waits for them.

A bot and a hint are given a world sampled from what a seat may know. Chances for spectators are
taken from worlds redealt for a spectator.
"""

import secrets
from collections.abc import AsyncIterator, Collection, Iterator, Sequence

from kibitz.bots.bars import public_chances
from kibitz.bots.inference import Onlooker
from kibitz.bots.kibitzer import Thought, explained, think
from kibitz.bots.levels import Budget, Level, level
from kibitz.engine.match import Match
from kibitz.server.thinking import Kind, Thinking

HINT_SECONDS = 3.0


class BotPool:
    """Those who think, for all tables of a server."""

    def __init__(self, thinking: Thinking) -> None:
        self.thinking = thinking

    async def choose(
        self, match: Match, seat: int, name: str, onlooker: Onlooker, askers: Collection[str]
    ) -> list[str]:
        """A bot's choice for a seat, all its steps."""
        known = match.in_world(match.sample_world(seat))
        steps = self.thinking.stream(
            Kind.MOVE, askers, lambda: _choice(known, seat, level(name), onlooker)
        )
        return [step async for step in steps if step is not None]

    async def chances(self, match: Match, askers: Collection[str]) -> list[float]:
        """Everyone's chances, as somebody sees them who watches."""
        copy = match.copy()
        return await self.thinking.run(Kind.BARS, askers, lambda: public_chances(copy))

    def hints(
        self,
        match: Match,
        seat: int,
        steps: Sequence[str],
        onlooker: Onlooker,
        askers: Collection[str],
    ) -> AsyncIterator[Thought]:
        """What the kibitzer thinks of a seat's next step, better and better."""
        known = match.in_world(match.sample_world(seat))
        after = match.preview(seat, steps)

        def thoughts() -> Iterator[Thought]:
            beliefs = onlooker.beliefs(known, seat)  # what was not made public tells nobody more
            return explained(after, think(after, seat, HINT_SECONDS, beliefs=beliefs), beliefs)

        return self.thinking.stream(Kind.HINT, askers, thoughts)


def _choice(known: Match, seat: int, bot: Level, onlooker: Onlooker) -> Iterator[str | None]:
    """Step by step, with None between slices of thinking.

    All steps together take no longer than one that is alone may take.
    """
    beliefs, actions = onlooker.beliefs(known, seat), known.game.actions
    left = None if bot.budget is None else bot.budget.seconds
    while True:
        may_go_on = any(actions.all[n].verb.continues for n in known.legal_numbers(seat))
        budget = None
        if left is not None:
            budget = Budget(seconds=left / 2 if may_go_on else left)
            left /= 2
        world, seed = known.sample_world(seat), secrets.randbits(60)
        for number in bot.choosing(known.game, world, seat, seed, budget, beliefs):
            yield None if number is None else actions.write(number)
        assert number is not None
        if not actions.all[number].verb.continues:
            return
        known.play(seat, actions.write(number))
