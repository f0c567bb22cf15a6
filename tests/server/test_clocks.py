"""Clocks: when one has run out, a bot chooses."""

import asyncio
import random
import time
from pathlib import Path

import pytest

from server.guests import due, run, serving, until
from server.memory import Gathering


async def at_the_clock() -> tuple[Gathering, int]:
    """A table with a clock of one second, and who is due."""
    gathering = Gathering("lantern", 2, clock=1)
    await gathering.begin()
    return gathering, min(gathering.match.to_act)


def choices(gathering: Gathering) -> int:
    """How many choices have been made."""
    return sum(seat is not None for seat, _ in gathering.match.log)


def test_when_the_clock_has_run_out_a_bot_chooses_once() -> None:
    async def wait() -> None:
        gathering, seat = await at_the_clock()
        turn = gathering.seats[seat].last("table")["turn"]
        assert 0 <= turn["left"] <= 1000
        await until(lambda: choices(gathering))
        assert 1.0 <= time.time() - turn["at"] / 1000 < 4
        moved = gathering.seats[seat].last("moved")
        assert (moved["seat"], moved["by"]) == (seat, "clock")
        assert [line["by"] for line in moved["lines"]] == ["clock"]
        assert not gathering.room.table.seats[seat].away
        gathering.end()

    run(wait())


def test_who_chooses_in_time_is_not_chosen_for() -> None:
    async def hurry() -> None:
        gathering, _ = await at_the_clock()
        rng = random.Random(1)
        for _ in range(4):
            await asyncio.sleep(0.4)
            await gathering.play(*await gathering.choice(rng))
        assert "by" not in gathering.watcher.last("moved")
        assert choices(gathering) == 4
        gathering.end()

    run(hurry())


def test_a_clock_that_runs_out_while_the_disk_is_full_strikes_later() -> None:
    async def wait() -> None:
        gathering, _ = await at_the_clock()
        gathering.store.failing = True
        await asyncio.sleep(1.5)
        assert not choices(gathering)
        gathering.store.failing = False
        await until(lambda: choices(gathering))
        assert gathering.watcher.last("moved")["by"] == "clock"
        gathering.end()

    run(wait())


@pytest.mark.parametrize("jump", [3600, -3600])
def test_a_clock_that_is_set_neither_ends_nor_stretches_a_turn(
    jump: int, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.server.tables.CLOCK", range(1, 60))
    wall = time.time_ns

    async def go() -> None:
        async with serving(file) as house:
            players = await house.started("kolpa", people=2, clock=1)
            me = due(players)
            began = time.monotonic()
            monkeypatch.setattr(time, "time_ns", lambda: wall() + jump * 1_000_000_000)
            moved = await me.hears("moved", by="clock")
            assert moved["seat"] == me.whole["you"]
            assert 0.9 < time.monotonic() - began < 10

    run(go())
