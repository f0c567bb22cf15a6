"""Bots at a table: they think once about each choice, and go on after trouble."""

import asyncio
import itertools
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from kibitz.bots.inference import Onlooker
from kibitz.engine.match import Match
from kibitz.server import protocol as p
from kibitz.server.bot_pool import BotPool
from kibitz.server.entries import LAST, PLAY, SAY, Draft, Entry, Spoken
from kibitz.server.sqlite import SqliteStore
from kibitz.server.store import StoreBusy
from server.guests import play_on, run, serving, until
from server.memory import Gathering, MemoryStore


@pytest.fixture
def thoughts(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """What bots think about: for which seat, after how many lines of the log."""
    thoughts: list[tuple[int, int]] = []
    choose = BotPool.choose

    async def noted(
        self: BotPool, match: Match, seat: int, name: str, onlooker: Onlooker, askers: Any
    ) -> list[str]:
        thoughts.append((seat, len(match.log)))
        return await choose(self, match, seat, name, onlooker, askers)

    monkeypatch.setattr(BotPool, "choose", noted)
    return thoughts


def test_a_bot_thinks_once_about_each_of_its_choices(
    file: Path, thoughts: list[tuple[int, int]]
) -> None:
    """Also when it is its turn again: a choice made for an earlier table would be a wrong one."""

    async def play() -> None:
        async with serving(file) as house:
            wish = {"players": 3, "bots": [None, "easy", "easy"], "options": {"limit": 40}}
            (me,) = await house.started("zocken", people=1, **wish)
            await play_on([me], random.Random(1))
            entries = await house.server.store.entries(me.table)
            bots = [e for e in entries if e.kind in ("play", "last") and e.seat != 0]
            again = [a for a, b in pairwise(entries) if a.seat == b.seat and a in bots]
            assert again
            assert len(thoughts) == len(set(thoughts)) == len(bots)

    run(play())


class Rivalled(MemoryStore):
    """Another server says something before every other choice of a bot can be written."""

    def __init__(self) -> None:
        super().__init__()
        self._lose = itertools.cycle([True, False])

    async def append(self, table: str, entry: Entry) -> bool:
        if entry.cid is None and entry.kind in (PLAY, LAST) and next(self._lose):
            chat = Draft(SAY, None, Spoken("", "from another server"))
            assert await super().append(table, chat.entry(entry.seq, entry.at, None))
        return await super().append(table, entry)


def test_a_bot_thinks_once_though_another_server_is_faster(
    thoughts: list[tuple[int, int]], caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        gathering = Gathering("zocken", 3, store=Rivalled(), limit=40)
        await gathering.begin()
        for seat in (1, 2):
            await gathering.ask(seat, p.Leave)
        rng = random.Random(1)

        def is_awaited() -> bool:
            return gathering.room.table.rests or 0 in gathering.match.to_act

        while not gathering.match.over:
            if gathering.room.table.rests:
                await gathering.ask(0, p.NextRound)
            elif 0 in gathering.match.to_act:
                await gathering.play(*await gathering.choice(rng, 0))
            else:
                await until(lambda: gathering.match.over or is_awaited())
        made = [e for e in gathering.store.rows[gathering.room.id] if e.kind in (PLAY, LAST)]
        bots = [entry for entry in made if entry.cid is None]
        gathering.end()
        assert len(bots) > 10
        assert len(thoughts) == len(set(thoughts)) == len(bots)

    run(play())
    assert "never retrieved" not in caplog.text


def test_bots_go_on_when_the_disk_has_room_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with serving(file, bot_pace=0.05) as house:
            wish = {"players": 2, "bots": [None, "easy"]}
            (me,) = await house.started("kolpa", people=1, **wish)
            await play_on([me], random.Random(1), 1)
            append = SqliteStore.append

            async def full(self: SqliteStore, table: str, entry: Entry) -> bool:
                if entry.cid is None:
                    raise StoreBusy("the disk is full")
                return await append(self, table, entry)

            with monkeypatch.context() as patch:
                patch.setattr(SqliteStore, "append", full)
                if me.now().get("legal"):
                    await me.choose(random.Random(1))
                await asyncio.sleep(0.3)
                assert not me.now().get("legal")
            await play_on([me], random.Random(1), 3)

    run(play())


def test_a_bot_that_fails_is_asked_again_and_the_log_says_so(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Its table goes on."""
    monkeypatch.setattr("kibitz.server.turns.AFTER_A_FAULT", 0.05)
    choose, failed = BotPool.choose, itertools.count()

    async def sometimes(self: BotPool, *words: Any) -> list[str]:
        if next(failed) < 2:
            raise ZeroDivisionError("a fault of the bot")
        return await choose(self, *words)

    monkeypatch.setattr(BotPool, "choose", sometimes)

    async def play() -> None:
        async with serving(file) as house:
            (me,) = await house.started("lantern", people=1, players=2, bots=[None, "easy"])
            await play_on([me], random.Random(1))
            assert me.now()["phase"] == "over"
            assert caplog.text.count("a bot's turn failed") == 2

    run(play())
