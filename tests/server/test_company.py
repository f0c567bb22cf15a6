"""Company at the table: chat, clocks, those who leave and come back, hints, another match."""

import asyncio
import itertools
import random
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from kibitz.bots.inference import Onlooker
from kibitz.engine.match import Match
from kibitz.server import protocol as p
from kibitz.server.bot_pool import BotPool
from kibitz.server.entries import LAST, PLAY, SAY, Draft, Entry, Spoken
from kibitz.server.protocol import Refused
from kibitz.server.sqlite import SqliteStore
from kibitz.server.store import StoreBusy
from server.guests import AtTable, Data, play_on, run, serving
from server.memory import Gathering, MemoryStore
from short import short

QUICK = {"games_offered": ["lantern"]}


def due(players: list[AtTable]) -> AtTable:
    return next(player for player in players if player.now().get("legal"))


# ---- chat


def test_what_is_said_is_heard_by_all_and_kept(file: Path) -> None:
    text = "Zoë 🃏 שלום <b>&amp;"

    async def talk() -> None:
        async with serving(file, **QUICK) as house:
            players = await house.started("lantern", people=2)
            watcher = await house.at(players[0].table)
            await players[1].ask("say", text=f"  {text}\n ")
            for at in (*players, watcher):
                said = await at.hears("said")
                assert (said["seat"], said["name"], said["text"]) == (1, "Guest 1", text)
            await watcher.ask("say", text="from the side")
            assert (await players[0].hears("said", seat=None))["text"] == "from the side"
            late = await house.at(players[0].table)
            assert [line["text"] for line in late.whole["chat"]] == [text, "from the side"]

    run(talk())


@pytest.mark.parametrize(
    ("text", "error"),
    [("x" * 501, "too_long"), ("", "malformed"), (" \n\t ", "malformed"), ("🃏" * 501, "too_long")],
)
def test_a_chat_line_has_its_limits(text: str, error: str, file: Path) -> None:
    async def talk() -> None:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern")
            me = await house.at(made["table"], made["token"])
            answer = await me.ask("say", text=text)
            assert (answer["t"], answer["error"]) == ("no", error)
            assert (await me.ask("say", text="x" * 500))["t"] == "ok"

    run(talk())


def test_who_chats_too_fast_is_told_how_long_to_wait(file: Path) -> None:
    async def talk() -> None:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern")
            me = await house.at(made["table"], made["token"])
            answers = [await me.ask("say", text=f"line {n}") for n in range(8)]
            kinds = [answer["t"] for answer in answers]
            assert kinds == ["ok"] * 6 + ["no"] * 2
            assert answers[-1]["error"] == "too_fast"
            assert 0 < answers[-1]["wait"] <= 4
            assert (await me.ask("ping"))["t"] == "ok"

    run(talk())


# ---- clocks


async def at_the_clock() -> tuple[Gathering, int]:
    """A table with a clock of one second, and who is due."""
    gathering = Gathering("lantern", 2, clock=1)
    await gathering.begin()
    return gathering, min(gathering.match.to_act)


def choices(gathering: Gathering) -> int:
    """How many choices have been made."""
    return sum(seat is not None for seat, _ in gathering.match.log)


async def until(holds: Callable[[], object], seconds: float = 6.0) -> None:
    """Wait until something holds."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.02)


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


# ---- leaving and coming back


def test_a_bot_plays_for_who_leaves_until_they_are_back(file: Path) -> None:
    async def go() -> None:
        async with serving(file) as house:
            players = await house.started("kolpa", people=2)
            me, other = players
            assert (await me.ask("leave"))["t"] == "ok"
            await other.guest.hears(lambda f: f["t"] == "seats" and f["seats"][0]["bot"])
            rng = random.Random(1)
            await play_on([other], rng, 5)
            chosen = [e for e in await house.server.store.entries(me.table) if e.kind == "play"]
            assert sum(e.seat == 0 and e.cid is None for e in chosen) >= 4
            assert (await me.ask("back"))["t"] == "ok"
            await play_on(players, rng, 6)
            assert not (await house.at(me.table)).whole["seats"][0]["bot"]

    run(go())


def test_others_choose_for_who_is_not_there(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.server.situation.GRACE", 500)

    async def go() -> None:
        async with serving(file) as house:
            players = await house.started("kolpa", people=2)
            absent = due(players)
            here = next(player for player in players if player is not absent)
            seat = absent.whole["you"]
            here_now = await here.ask("stand_in", seat=seat, how="turn")
            assert here_now["error"] == "phase"
            await absent.guest.leaves()
            await here.guest.hears(lambda f: f["t"] == "seats" and not f["seats"][seat]["here"])
            early = await here.ask("stand_in", seat=seat, how="turn")
            assert (early["error"], 0 < early["wait"] <= 0.5) == ("phase", True)
            shown = here.guest.all("seats")[-1]["seats"]
            assert (0 < shown[seat]["grace"] <= 500, shown[1 - seat]["grace"]) == (True, None)
            await asyncio.sleep(early["wait"] + 0.05)
            assert (await here.ask("stand_in", seat=seat, how="turn"))["t"] == "ok"
            moved = await here.hears("moved")
            assert (moved["seat"], moved["by"]) == (seat, "stand_in")
            assert (await here.ask("stand_in", seat=seat, how="rest"))["t"] == "ok"
            await play_on([here], random.Random(1), 5)
            token = house.server.tables.rooms[here.table].token_of(seat)
            back = await house.at(here.table, token)
            assert back.whole["seats"][seat]["bot"]
            assert (await back.ask("back"))["t"] == "ok"
            await back.guest.hears(lambda f: f["t"] == "seats" and not f["seats"][seat]["bot"])

    run(go())


@pytest.mark.parametrize(("seat", "error"), [(1, "malformed"), (4, "malformed"), (0, "phase")])
def test_nobody_stands_in_for_bots_nor_for_who_is_here(seat: int, error: str, file: Path) -> None:
    async def go() -> None:
        async with serving(file, **QUICK) as house:
            (me,) = await house.started("lantern", people=1, players=2, bots=[None, "easy"])
            assert (await me.ask("stand_in", seat=seat, how="rest"))["error"] == error

    run(go())


# ---- bots


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


# ---- another match


def test_a_rematch_keeps_everyone_in_their_seats(file: Path) -> None:
    async def again() -> None:
        async with serving(file) as house:
            players = await house.started(
                "lantern", people=2, players=3, bots=[None, "hard", None], options=short("lantern")
            )
            assert (await players[0].ask("rematch"))["error"] == "phase"
            await play_on(players, random.Random(1))
            watcher = await house.at(players[0].table)
            assert (await watcher.ask("rematch"))["error"] == "not_seated"
            answers = [await player.ask("rematch") for player in players]
            assert answers[0]["table"] == answers[1]["table"] != players[0].table
            for player, seat in zip(players, (0, 2), strict=True):
                kept: Data = await player.hears("rematch")
                assert (kept["next"], kept["seat"]) == (answers[0]["table"], seat)
                there = await house.at(kept["next"], kept["token"])
                assert there.whole["you"] == seat
                kinds = [s["kind"] for s in there.whole["seats"]]
                assert kinds == ["person", "bot", "person"]
                assert there.whole["options"] == players[0].whole["options"]
                assert there.whole["host"] is (seat == 0)
            told = await watcher.hears("rematch")
            assert "token" not in told
            late = await house.at(players[0].table)
            assert late.whole["rematch"] == answers[0]["table"]

    run(again())


def test_a_rematch_on_a_full_disk_is_refused_and_made_later() -> None:
    async def again() -> None:
        gathering = Gathering("lantern", 2)
        await gathering.begin()
        while not gathering.match.over:
            await gathering.play(*await gathering.choice(random.Random(1)))
        gathering.store.failing = True
        with pytest.raises(Refused) as no:
            await gathering.ask(0, p.Rematch)
        assert no.value.error == "busy"
        gathering.store.failing = False
        assert (await gathering.ask(0, p.Rematch))["table"] in gathering.store.tables
        gathering.end()

    run(again())


# ---- a reload, and clocks that are set


def test_a_reload_gives_nobody_the_chance_to_stand_in(file: Path) -> None:
    """Again and again, as one who is impatient would."""

    async def go() -> None:
        async with serving(file) as house:
            players = await house.started("kolpa", people=2)
            me = due(players)
            other = next(player for player in players if player is not me)
            seat, token = (
                me.whole["you"],
                house.server.tables.rooms[me.table].token_of(me.whole["you"]),
            )
            for _ in range(5):
                await me.guest.leaves()
                for how in ("turn", "rest"):
                    refused = await other.ask("stand_in", seat=seat, how=how)
                    assert refused["error"] == "phase"
                me = await house.at(me.table, token)
            assert not other.guest.all("moved")

    run(go())


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
