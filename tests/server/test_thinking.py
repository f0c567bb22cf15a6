"""Thinking is shared fairly: who asks for much does not keep others waiting."""

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import pytest

from kibitz.server.protocol import Refused
from kibitz.server.thinking import MOST_OPEN, Kind, Thinking
from server.guests import run


@pytest.fixture
def one() -> Iterator[Thinking]:
    """A single thread, so that the order is seen."""
    thinking = Thinking(threads=1)
    yield thinking
    thinking.close()


class Busy:
    """Work that lasts until it is let go."""

    def __init__(self) -> None:
        self.begun, self.go = threading.Event(), threading.Event()

    def __call__(self) -> None:
        self.begun.set()
        assert self.go.wait(10)

    async def begins(self) -> None:
        assert await asyncio.to_thread(self.begun.wait, 5)


async def in_order(
    thinking: Thinking, first: str, questions: list[tuple[str, Kind, str]]
) -> list[str]:
    """The order in which questions are answered that all wait for the same thread."""
    busy, order = Busy(), list[str]()

    def noting(name: str) -> Callable[[], None]:
        return lambda: order.append(name)

    waiting = [asyncio.create_task(thinking.run(Kind.MOVE, [first], busy))]
    await busy.begins()
    for name, kind, asker in questions:
        waiting.append(asyncio.create_task(thinking.run(kind, [asker], noting(name))))
        await asyncio.sleep(0)
    busy.go.set()
    await asyncio.gather(*waiting)
    return order


def test_bots_come_first_then_hints_looks_bars_and_reviews(one: Thinking) -> None:
    questions = [(kind.name, kind, "a") for kind in reversed(Kind)]
    order = run(in_order(one, "a", questions))
    assert order == ["MOVE", "HINT", "LOOK", "BARS", "REVIEW"]


def test_who_has_used_less_comes_first(one: Thinking) -> None:
    """Though the other has asked before, and often."""

    async def ask() -> list[str]:
        await one.run(Kind.MOVE, ["greedy"], lambda: time.sleep(0.05))
        many = [(f"greedy {n}", Kind.MOVE, "greedy") for n in range(5)]
        return await in_order(one, "greedy", [*many, ("modest", Kind.MOVE, "modest")])

    assert run(ask())[0] == "modest"


def test_what_several_wait_for_is_charged_to_who_has_used_least(one: Thinking) -> None:
    async def ask() -> list[str]:
        await one.run(Kind.MOVE, ["greedy"], lambda: time.sleep(0.05))
        busy, order = Busy(), list[str]()
        first = asyncio.create_task(one.run(Kind.MOVE, ["greedy"], busy))
        await busy.begins()
        alone = one.run(Kind.MOVE, ["greedy"], lambda: order.append("alone"))
        shared = one.run(Kind.MOVE, ["greedy", "modest"], lambda: order.append("shared"))
        waiting = [asyncio.create_task(alone), asyncio.create_task(shared)]
        await asyncio.sleep(0)
        busy.go.set()
        await asyncio.gather(first, *waiting)
        return order

    assert run(ask()) == ["shared", "alone"]


def test_what_nobody_waits_for_is_dropped(one: Thinking) -> None:
    async def ask() -> list[str]:
        busy, done = Busy(), list[str]()
        first = asyncio.create_task(one.run(Kind.MOVE, ["a"], busy))
        await busy.begins()
        dropped = asyncio.create_task(one.run(Kind.MOVE, ["a"], lambda: done.append("dropped")))
        wanted = asyncio.create_task(one.run(Kind.MOVE, ["a"], lambda: done.append("wanted")))
        await asyncio.sleep(0)
        dropped.cancel()
        await asyncio.sleep(0)
        busy.go.set()
        await asyncio.gather(first, wanted)
        return done

    assert run(ask()) == ["wanted"]


def test_a_fault_reaches_who_asked_and_nobody_else(one: Thinking) -> None:
    async def ask() -> None:
        with pytest.raises(ZeroDivisionError):
            await one.run(Kind.MOVE, ["a"], lambda: 1 // 0)
        assert await one.run(Kind.MOVE, ["a"], lambda: 2) == 2

    run(ask())


def test_long_work_lets_others_in_between(one: Thinking) -> None:
    async def ask() -> None:
        order: list[str] = []

        def slices() -> Iterator[int]:
            for n in range(5000):
                time.sleep(0.001)
                order.append("slice")
                yield n
                if "move" in order:
                    return

        def move() -> "asyncio.Task[None]":
            return asyncio.create_task(one.run(Kind.MOVE, ["b"], lambda: order.append("move")))

        moving = [move() async for n in one.stream(Kind.REVIEW, ["a"], slices) if n == 0]
        await asyncio.gather(*moving)
        assert order[0] == "slice"
        assert len(order) < 5000, "the move did not have to wait for the end"

    run(ask())


def test_an_address_has_few_questions_open_at_a_time(
    one: Thinking, caplog: pytest.LogCaptureFixture
) -> None:
    async def ask() -> None:
        over = asyncio.Event()

        async def wait() -> None:
            await over.wait()

        async def fail() -> None:
            raise ZeroDivisionError

        def begin(asker: str, work: Coroutine[Any, Any, None]) -> None:
            one.begin(Kind.HINT, asker, work)

        for _ in range(MOST_OPEN[Kind.HINT]):
            begin("a", wait())
        with pytest.raises(Refused, match="too many at once"):
            begin("a", wait())
        begin("b", fail())
        over.set()
        await asyncio.sleep(0.01)
        begin("a", wait())
        await asyncio.sleep(0)
        assert "thinking failed: hint" in caplog.text

    run(ask())
