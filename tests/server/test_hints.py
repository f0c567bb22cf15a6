"""Hints for those who are due, bars for those who watch."""

import asyncio
import random
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from kibitz.engine.match import Match
from kibitz.server.bot_pool import BotPool
from kibitz.server.protocol import VERSION
from kibitz.server.room import Room
from server.guests import due, run, serving

QUICK = {"games_offered": ["lantern"]}


def test_a_hint_grows_until_it_is_done(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.server.bot_pool.HINT_SECONDS", 0.5)

    async def ask() -> None:
        async with serving(file) as house:
            players = await house.started("kolpa", people=2)
            me = due(players)
            first = await me.ask("hint", on=True, id="why")
            last = await me.hears("hint", done=True)
            assert first["seq"] == last["seq"] == me.now()["seq"]
            assert last["simulations"] >= first["simulations"] > 0
            assert {o["action"] for o in last["opinions"]} <= set(me.now()["legal"])
            other = next(player for player in players if player is not me)
            assert not other.guest.all("hint")

    run(ask())


def test_a_hint_can_be_called_off(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.server.bot_pool.HINT_SECONDS", 30)

    async def ask() -> None:
        async with serving(file) as house:
            me = due(await house.started("kolpa", people=2))
            await me.guest.send({"do": "hint", "id": "why", "table": me.table, "on": True})
            assert (await me.ask("hint", on=False))["t"] == "ok"
            assert (await me.hears("hint", done=True))["re"] == "why"
            again = await me.ask("hint", on=True)
            assert again["t"] == "hint"
            assert (await me.choose(random.Random(1)))["t"] == "moved"
            await me.hears("hint", done=True, re=again["re"])

    run(ask())


def test_a_hint_called_off_before_anything_was_thought_is_answered(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> None:
        ready = asyncio.Event()
        monkeypatch.setattr(Room, "bots_ready", lambda self: ready.wait())
        async with serving(file) as house:
            me = due(await house.started("lantern", people=2))
            await me.guest.send({"do": "hint", "id": "why", "table": me.table, "on": True})
            assert (await me.ask("hint", on=False))["t"] == "ok"
            ready.set()
            hint = await me.hears("hint", done=True)
            assert (hint["re"], hint["opinions"]) == ("why", [])

    run(ask())


def test_a_hint_amid_a_choice_is_about_the_next_step(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.server.bot_pool.HINT_SECONDS", 0.3)

    async def ask() -> None:
        async with serving(file) as house:
            me = due(await house.started("kiza", people=2))
            first = next(text for text in me.now()["legal"] if text.startswith("present"))
            legal = (await me.ask("preview", actions=[first]))["legal"]
            hint = await me.ask("hint", on=True, actions=[first])
            assert hint["opinions"]
            last = await me.hears("hint", done=True, re=hint["re"])
            assert {o["action"] for o in last["opinions"]} <= set(legal)
            assert "ready" in {o["action"] for o in last["opinions"]}
            refused = await me.ask("hint", on=True, actions=[first, first])
            assert (refused["t"], refused["error"]) == ("no", "illegal")

    run(ask())


def test_hints_are_for_those_due_at_tables_that_allow_them(file: Path) -> None:
    async def ask() -> None:
        async with serving(file) as house:
            players = await house.started("lantern", people=2)
            other = next(player for player in players if player is not due(players))
            assert (await other.ask("hint", on=True))["error"] == "not_due"
            watcher = await house.at(other.table)
            assert (await watcher.ask("hint", on=True))["error"] == "not_seated"
            strict = due(await house.started("lantern", people=2, hints=False))
            assert (await strict.ask("hint", on=True))["error"] == "no_hints"

    run(ask())


def test_bars_are_for_those_who_watch(file: Path) -> None:
    async def ask() -> None:
        async with serving(file) as house:
            players = await house.started("lantern", people=2)
            assert (await players[0].ask("bars", on=True))["error"] == "no_hints"
            watcher = await house.at(players[0].table)
            assert (await watcher.ask("bars", on=True))["t"] == "ok"
            first = await watcher.hears("bars")
            assert sum(first["chances"]) == pytest.approx(1, abs=0.01)
            await due(players).choose(random.Random(1))
            assert await watcher.hears("bars", seq=first["seq"] + 1)
            assert not any(player.guest.all("bars") for player in players)

    run(ask())


def test_who_watches_the_bars_and_then_sits_down_sees_them_no_more(file: Path) -> None:
    async def ask() -> None:
        async with serving(file) as house:
            players = await house.started("lantern", people=2)
            table = players[0].table
            token = house.server.tables.rooms[table].token_of(0)
            sly = await house.at(table)
            await sly.ask("bars", on=True)
            await sly.hears("bars")
            await sly.ask("enter", version=VERSION, token=token)
            seq = (await due(players).choose(random.Random(1)))["seq"]
            await sly.hears("moved", seq=seq)
            await asyncio.sleep(0.3)
            assert all(f["seq"] < seq for f in sly.guest.all("bars"))

    run(ask())


def test_bars_are_thought_about_once_for_all_who_ask(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often they are turned on."""
    thoughts = []
    think = BotPool.chances

    async def noted(self: BotPool, match: Match, askers: Collection[str]) -> list[float]:
        thoughts.append(len(match.done))
        return await think(self, match, askers)

    monkeypatch.setattr(BotPool, "chances", noted)

    async def ask() -> None:
        async with serving(file) as house:
            players = await house.started("lantern", people=2)
            watchers = [await house.at(players[0].table) for _ in range(3)]
            for _ in range(20):
                for watcher in watchers:
                    await watcher.ask("bars", on=False)
                    await watcher.ask("bars", on=True)
            for watcher in watchers:
                await watcher.hears("bars")
            assert len(thoughts) == 1

    run(ask())


def test_windows_of_one_player_share_a_hint(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.server.bot_pool.HINT_SECONDS", 0.6)
    thought = []
    think = BotPool.hints

    def noted(self: BotPool, *words: Any) -> Any:
        thought.append(words)
        return think(self, *words)

    monkeypatch.setattr(BotPool, "hints", noted)

    async def ask() -> None:
        async with serving(file) as house:
            me = due(await house.started("kolpa", people=2))
            token = house.server.tables.rooms[me.table].token_of(me.whole["you"])
            other = await house.at(me.table, token)
            assert (await me.ask("hint", on=True, id="one"))["t"] == "hint"
            assert (await other.ask("hint", on=True, id="two"))["t"] == "hint"
            last = await me.hears("hint", done=True, re="one")
            same = await other.hears("hint", done=True, re="two")
            assert (last["simulations"], last["opinions"]) == (
                same["simulations"], same["opinions"],
            )  # fmt: skip
            assert len(thought) == 1

    run(ask())
