"""How long a bot takes tells nothing of its cards."""

import asyncio
import random
import selectors
from collections.abc import Iterator
from typing import Any

import pytest

import kibitz
from kibitz.bots.inference import Onlooker
from kibitz.bots.levels import LEVELS, Budget, Level
from kibitz.server.bot_pool import _choice
from kibitz.server.situation import Situation
from kibitz.server.turns import Turns, pace_after

TURNS = 400


class Hurried(selectors.DefaultSelector):
    """Where a loop would wait, time passes at once."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        assert timeout is not None, "all wait for something that will not come"
        self.now += timeout
        return super().select(0)


class HurriedLoop(asyncio.SelectorEventLoop):
    """A loop with a time of its own."""

    def __init__(self) -> None:
        self.waits = Hurried()
        super().__init__(self.waits)

    def time(self) -> float:
        return self.waits.now


class BotTable:
    """A table at which a bot is always due, and thinks for as long as it is told."""

    def __init__(self, level: str, thinks: float) -> None:
        self.level, self.thinks = level, thinks
        self.table: Any = self
        self.match: Any = self
        self.phase = "playing"
        self.over, self.to_act, self.is_attended, self.players = False, {0}, True, 2
        self.rests, self.due_since, self.stored = False, dict[int, int](), self
        self.clock, self.id = None, "table"
        self.onlooker: Any = None
        self.askers = ("here",)
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def level_of(self, seat: int) -> str | None:
        return self.level if seat == 0 else None

    def situation(self) -> Situation:
        return Situation(0)

    async def bots_ready(self) -> None:
        pass

    async def choose(self, *_: object) -> list[str]:
        await asyncio.sleep(self.thinks)
        return ["pass"]

    async def do(self, seat: int | None, command: Any) -> None:
        self.is_attended = False
        self.done.set_result(None)

    def spawn(self, work: Any) -> "asyncio.Task[None]":
        return asyncio.create_task(work)


def answers(level: str, thinks: float, by_bots: int = 0) -> list[float]:
    """After how long a bot has moved, in seconds, turn by turn; so many moves were bots' before."""

    async def play() -> list[float]:
        loop, found = asyncio.get_running_loop(), []
        for _ in range(TURNS):
            table = BotTable(level, thinks)
            bots: Any = table
            began = loop.time()
            turns = Turns(table, bots, 1.0)
            turns._by_bots = by_bots
            turns.go_on()
            await table.done
            found.append(loop.time() - began)
        return found

    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        return runner.run(play())


def distance(some: list[float], others: list[float]) -> float:
    """The statistic of Kolmogorov and Smirnov: how far two distributions are apart at most."""
    at = sorted(some + others)
    return max(abs(_share(some, t) - _share(others, t)) for t in at)


def _share(times: list[float], until: float) -> float:
    return sum(t <= until for t in times) / len(times)


@pytest.mark.parametrize("by_bots", [0, 12, 400])
@pytest.mark.parametrize("level", sorted(LEVELS))
def test_a_bots_pause_does_not_tell_how_much_it_had_to_think(level: str, by_bots: int) -> None:
    """A forced move, and a choice that takes all the time a bot may have, look alike."""
    random.seed(5)
    budget = LEVELS[level].budget
    longest = 0.02 if budget is None else budget.seconds or 0.0
    forced, hard = answers(level, 0.0, by_bots), answers(level, longest, by_bots)
    assert min(forced) > (0.15 if by_bots else 0.5)
    assert distance(forced, hard) < 1.95 * (2 / TURNS) ** 0.5  # one in a thousand by chance


def test_bots_are_quicker_while_no_person_is_awaited_for_long() -> None:
    random.seed(5)
    assert min(answers("medium", 0.0, by_bots=6)) >= 0.6  # three turns of both
    late = answers("medium", 0.0, by_bots=400)
    assert 0.15 < min(late) < max(late) < 0.4
    paces = [pace_after(n, players=4) for n in range(40)]
    assert paces[:13] == [1.0] * 13
    assert sorted(paces, reverse=True) == paces
    assert paces[-1] == 0.3


def test_a_person_who_is_due_slows_bots_down_again() -> None:
    async def meet() -> int:
        table: Any = BotTable("medium", 0.0)
        turns = Turns(table, table, 1.0)
        turns._by_bots = 400
        table.to_act = {1}
        turns.go_on()
        return turns._by_bots

    with asyncio.Runner(loop_factory=HurriedLoop) as runner:
        assert runner.run(meet()) == 0


def test_the_distance_sees_a_bot_that_answers_forced_moves_at_once() -> None:
    """The measure itself: what the pause is to prevent would be seen."""
    random.seed(5)
    forced = [random.uniform(0.6, 1.2) for _ in range(TURNS)]
    hard = [max(1.0, random.uniform(0.6, 1.2)) for _ in range(TURNS)]
    assert distance(forced, hard) > 1.95 * (2 / TURNS) ** 0.5


def test_when_thinking_takes_longer_the_pause_grows_by_slots() -> None:
    """On a busy machine, too, only the load is told."""
    random.seed(5)
    usual = answers("easy", 0.0)
    random.seed(5)
    late = answers("easy", 1.3)
    assert {round(t - u, 6) for t, u in zip(late, usual, strict=True)} == {0.5, 1.0}


@pytest.mark.parametrize("game", ["kiza", "zocken"])
def test_all_steps_of_a_choice_share_the_time_of_one(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So a bot with much to lay takes no longer than one with little."""
    spent: list[float] = []
    choosing: Any = Level.choosing

    def noted(self: Level, *words: Any) -> Iterator[int | None]:
        *known, budget, beliefs = words
        spent.append(budget.seconds)
        found: Iterator[int | None] = choosing(self, *known, Budget(simulations=20), beliefs)
        return found

    monkeypatch.setattr(Level, "choosing", noted)
    rng, longest = random.Random(3), 0
    match = kibitz.new(game, players=3, seed=4)
    for _ in range(40):
        if match.round_over:
            break
        seat = rng.choice(sorted(match.to_act))
        spent.clear()
        thoughts = _choice(match.copy(), seat, LEVELS["expert"], Onlooker(match))
        steps = [step for step in thoughts if step is not None]
        match.play_all(seat, steps)
        assert sum(spent) <= 1.0
        assert len(spent) == len(steps)
        longest = max(longest, len(steps))
    assert longest > 1
