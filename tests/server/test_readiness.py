"""Games that are not compiled yet: the page is there at once, and nobody waits without need."""

import asyncio
import json
import time
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from kibitz.client import Seat
from kibitz.server import readiness, warmup
from kibitz.server.protocol import VERSION, Refused
from kibitz.server.readiness import Readiness
from server.guests import run, serving
from server.process import ServerProcess

STAGES = ("deal", "moves", "bots")


class Bench(Readiness):
    """Games that take as long as a test wants; nothing is compiled. Keeps what was begun."""

    def __init__(self, games: Iterable[str]) -> None:
        super().__init__(games)
        self.begun: list[tuple[str, str]] = []  # stage, game
        self.hurried: set[str] = set()
        self._allowed = asyncio.Semaphore(0)

    def allow(self, stages: int) -> None:
        """So many stages more come to their end."""
        for _ in range(stages):
            self._allowed.release()

    async def _compile(self, *words: str) -> None:
        stage, game, *when = words
        self.begun.append((stage, game))
        if not when:
            self.hurried.add(game)
        await self._allowed.acquire()


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> type[Bench]:
    """One core, an empty cache, and games that are ready as soon as they are compiled."""
    monkeypatch.setattr(readiness, "cores", lambda: 1)
    monkeypatch.setattr(readiness, "is_compiled", lambda game, stage: False)
    monkeypatch.setattr(readiness, "STAGES", {stage: lambda game: None for stage in STAGES})
    return Bench


async def settle() -> None:
    """Let everything happen that can happen by now."""
    for _ in range(20):
        await asyncio.sleep(0.005)


def test_cards_come_before_moves_and_moves_before_bots(bench: type[Bench]) -> None:
    async def work() -> list[tuple[str, str]]:
        games = bench(["a", "b"])
        games.allow(100)
        await games.run()
        assert games.is_complete
        return games.begun

    assert run(work()) == [(stage, game) for stage in STAGES for game in "ab"]


def test_a_chosen_game_does_not_wait_for_others_and_all_of_it_comes_first(
    bench: type[Bench],
) -> None:
    async def work() -> None:
        games = bench(["a", "b", "c"])
        running = asyncio.create_task(games.run())
        await settle()
        assert games.begun == [("deal", "a")]
        games.want("c")
        await settle()
        assert games.begun == [("deal", "a"), ("deal", "c")]
        assert games.hurried == {"c"}
        games.allow(100)
        await running
        order = [game for _, game in games.begun]
        assert order.index("c") < order.index("b")
        assert [stage for stage, game in games.begun if game == "c"] == list(STAGES)

    run(work())


def test_progress_says_how_far_each_game_is(bench: type[Bench]) -> None:
    async def work() -> None:
        games = bench(["a", "b"])
        games.want("b")
        running = asyncio.create_task(games.run())
        await settle()
        assert games.progress() == {"a": "waiting", "b": "waiting"}
        with pytest.raises(Refused, match="getting ready"):
            games.check("b", "deal")
        waiting = asyncio.create_task(games.wait("b", "deal"))
        games.allow(2)  # whichever comes first, b's first stage is one of them
        await waiting
        assert games.progress()["b"] != "waiting"
        games.check("b", "deal")
        games.allow(100)
        await running
        assert games.progress() == {"a": "bots", "b": "bots"}

    run(work())


def test_a_game_that_cannot_be_made_ready_holds_up_no_other(
    bench: type[Bench], monkeypatch: pytest.MonkeyPatch
) -> None:
    def warm(game: str) -> None:
        if game == "broken":
            raise RuntimeError("no such rules")

    monkeypatch.setattr(readiness, "STAGES", dict.fromkeys(STAGES, warm))

    async def work() -> None:
        games = bench(["broken", "whole"])
        games.allow(100)
        await games.run()
        assert games.is_complete

    run(work())


def test_what_was_not_given_counts_as_ready() -> None:
    Readiness(()).check("kolpa", "bots")


def test_a_table_waits_for_its_game_with_a_plain_message_and_goes_on(
    bench: type[Bench], file: Path
) -> None:
    """People gather meanwhile, chat, and see the cards as soon as they can be dealt."""

    async def work() -> None:
        games = bench(["lantern", "kolpa"])
        async with serving(file, games) as house:
            _, far = await house.get("/api/ready")
            assert far == {"games": {"lantern": "waiting", "kolpa": "waiting"}}
            made = await house.make("kolpa", players=2)
            other = await house.sit(made)
            one, two = [await house.at(made["table"], who["token"]) for who in (made, other)]
            assert (await one.ask("say", text="hello"))["t"] == "ok"
            refused = await one.ask("start")
            assert (refused["t"], refused["error"]) == ("no", "getting_ready")
            assert 0 < refused["wait"] <= 1
            await settle()
            assert "kolpa" in games.hurried
            while not games.is_ready("kolpa", "deal"):
                games.allow(1)
                await settle()
            assert (await one.ask("start"))["t"] == "ok"
            await two.hears("table", phase="playing")
            due = next(player for player in (one, two) if player.now().get("legal"))
            if not games.is_ready("kolpa", "moves"):
                early = await due.ask("play", actions=due.now()["legal"][:1])
                assert early["error"] == "getting_ready"
            games.allow(100)
            await games.wait("kolpa", "bots")
            assert (await due.ask("play", actions=due.now()["legal"][:1]))["t"] == "moved"

    run(work())


def test_a_match_in_the_store_is_read_when_its_game_is_ready(
    bench: type[Bench], file: Path
) -> None:
    async def work() -> None:
        async with serving(file) as house:
            players = await house.started("kolpa")
            table = players[0].table
        games = bench(["kolpa"])
        async with serving(file, games) as house:
            status, refusal = await house.get(f"/api/tables/{table}")
            assert (status, refusal["error"]) == (503, "getting_ready")
            guest = await house.guest()
            answer = await guest.ask("enter", table=table, version=VERSION, token=None)
            assert answer["error"] == "getting_ready"
            games.allow(100)
            await games.wait("kolpa", "bots")
            whole = await guest.ask("enter", table=table, version=VERSION, token=None)
            assert whole["phase"] == "playing"

    run(work())


def test_bots_move_as_soon_as_they_can(bench: type[Bench], file: Path) -> None:
    async def work() -> None:
        games = bench(["kolpa"])
        games.allow(2)
        async with serving(file, games) as house:
            made = await house.make("kolpa", players=2, bots=[None, "easy"])
            await games.wait("kolpa", "moves")
            me = await house.at(made["table"], made["token"])
            assert (await me.ask("start"))["t"] == "ok"
            await me.hears("table", phase="playing")
            if me.now().get("legal"):
                await me.ask("play", actions=me.now()["legal"][:1])
            seq = me.seq()
            await settle()
            assert me.seq() == seq  # the bot is due, and cannot think yet
            games.allow(1)
            await me.guest.hears(lambda frame: frame.get("seq", 0) > seq)

    run(work())


def test_what_is_compiled_is_known_until_a_source_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "rules.py"
    source.write_text("one")
    monkeypatch.setattr(warmup, "CACHE", tmp_path)
    monkeypatch.setattr(warmup, "compiled_sources", lambda folder: [source])
    monkeypatch.setattr(warmup, "STAGES", {stage: lambda game: None for stage in STAGES})
    assert not warmup.is_compiled("kolpa", "deal")
    warmup.main("deal", "kolpa")
    assert warmup.is_compiled("kolpa", "deal")
    assert not warmup.is_compiled("kolpa", "moves")
    source.write_text("another")
    assert not warmup.is_compiled("kolpa", "deal")


def processes_with(mark: str) -> list[str]:
    """The processes whose environment has this in it."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append(folder.name)
        except OSError:  # gone, or not ours
            continue
    return found


def get(address: str) -> Any:
    with urllib.request.urlopen(address, timeout=20) as answer:
        body = answer.read()
        return json.loads(body) if body[:1] in b"{[" else body


def test_the_page_is_there_before_anything_is_compiled(file: Path, tmp_path: Path) -> None:
    """And a match that is started then goes on by itself, on a machine new to Kibitz."""
    cache = tmp_path / "cache"
    with ServerProcess(file, games="lantern", cache=cache) as server:
        assert get(f"{server.base}/api/ready") == {"games": {"lantern": "waiting"}}
        assert b"<html" in get(server.base)
        assert get(f"{server.base}/api/games")["games"][0]["name"] == "lantern"

        async def first_card() -> None:
            async with Seat.make(server.base, "lantern", players=2, bots=[None, "easy"]) as seat:
                await seat.start()
                assert seat.view["zones"]["hand.0"]

        asyncio.run(first_card())
        assert get(f"{server.base}/api/ready")["games"]["lantern"] != "waiting"


def test_a_stopped_server_leaves_no_process_behind(file: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with ServerProcess(file, games="lantern", cache=cache) as server:
        until = time.monotonic() + 20
        while len(processes_with(str(cache))) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        assert len(processes_with(str(cache))) > 1
        assert server.stop() == 0
        until = time.monotonic() + 5
        while processes_with(str(cache)) and time.monotonic() < until:
            time.sleep(0.05)
        assert not processes_with(str(cache))
