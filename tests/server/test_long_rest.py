"""A rest that is long: the server ends it, also over several lives and several servers."""

import asyncio
import json
from pathlib import Path

import pytest

from kibitz.server import entries
from kibitz.server import protocol as p
from kibitz.server.bus import NoBus
from kibitz.server.protocol import Refused
from kibitz.server.readiness import Readiness
from kibitz.server.room import Room, Services
from kibitz.server.table import Table
from kibitz.server.tokens import Signer
from server.guests import Data, House, run, serving, until
from server.memory import Eyes, Gathering
from server.resting import deals, refusal, resting

QUICK = {"games_offered": ["lantern"]}
LONG = 3600.0  # seconds


def services_of(gathering: Gathering, pause: float) -> Services:
    """Those of another server with the same store, which hears of nobody else."""
    signer = Signer(b"a key for tests")
    ready = Readiness(())
    return Services(gathering.store, NoBus(), signer, gathering.bots, ready, pace=0.0, pause=pause)


# ---- when it is long


def test_the_next_round_is_dealt_when_the_pause_is_over_and_not_before() -> None:
    async def wait() -> None:
        gathering = await resting(pause=0.5)
        ended = gathering.store.rows[gathering.room.id][-1].at
        await gathering.ask(0, p.NextRound)
        await until(lambda: not gathering.room.table.rests)
        dealt = gathering.store.rows[gathering.room.id][-1]
        assert (dealt.kind, dealt.seat, dealt.cid) == (entries.DEAL, None, None)
        assert 500 <= dealt.at - ended < 2500
        for _, eyes in gathering.everyone:
            moved = eyes.last("moved")
            assert (moved["seat"], moved["seq"]) == (None, dealt.seq)
            assert "re" not in moved
        await asyncio.sleep(0.7)
        assert deals(gathering) == 1
        gathering.end()

    run(wait())


def test_a_pause_that_ends_while_the_disk_is_full_ends_later() -> None:
    async def wait() -> None:
        gathering = await resting(pause=0.3)
        gathering.store.failing = True
        await asyncio.sleep(0.6)
        assert gathering.room.table.rests
        gathering.store.failing = False
        await until(lambda: not gathering.room.table.rests)
        assert deals(gathering) == 1
        gathering.end()

    run(wait())


def test_a_wish_to_go_on_that_the_disk_refuses_has_not_been_made() -> None:
    async def ask() -> None:
        gathering = await resting(players=2)
        gathering.store.failing = True
        for seat in range(2):
            assert await refusal(gathering, seat, id=f"next {seat}") == "busy"
        assert gathering.room.table.ready == set()
        gathering.store.failing = False
        assert (await gathering.ask(1, p.NextRound, id="next 1"))["t"] == "ok"
        assert (await gathering.ask(0, p.NextRound, id="next 0"))["t"] == "moved"
        gathering.end()

    run(ask())


def test_who_comes_back_after_the_pause_finds_the_next_round() -> None:
    async def wait() -> None:
        gathering = await resting(pause=0.2)
        for _, eyes in gathering.everyone:
            gathering.room.exit(eyes)
        await asyncio.sleep(0.4)
        await gathering.room.enter(gathering.watcher, None, "back", 0)
        await until(lambda: not gathering.room.table.rests)
        assert deals(gathering) == 1
        gathering.end()

    run(wait())


def test_who_comes_first_to_a_table_that_has_rested_too_long_sees_it_go_on() -> None:
    async def come() -> None:
        gathering = await resting(pause=LONG)
        table = Table(gathering.room.table.stored)
        for entry in gathering.store.rows[table.id]:
            table.fold(entry)
        table.rests_since -= 1000
        services = services_of(gathering, pause=0.5)
        room, eyes = Room(table, services), Eyes()
        await asyncio.sleep(0.2)
        assert table.rests
        await room.enter(eyes, None, "watch", 0)
        assert eyes.last("table")["rest"] == {"ready": [], "left": 0}
        await until(lambda: not table.rests)
        gathering.end()
        room.close()

    run(come())


def test_no_clock_runs_while_a_table_rests() -> None:
    async def wait() -> None:
        gathering = await resting(players=2, clock=1)
        await asyncio.sleep(1.4)
        assert gathering.room.table.rests
        await gathering.go_on()
        turn = gathering.seats[0].last("moved")["turn"]
        assert 500 < turn["left"] <= 1000
        assert "by" not in gathering.seats[0].last("moved")
        gathering.end()

    run(wait())


# ---- over several lives, and several servers


def test_who_was_ready_is_so_after_the_server_has_started_anew(file: Path) -> None:
    async def begin(house: House) -> tuple[str, list[str], Data]:
        players = await house.started("lantern", people=2, options={"rounds": 2})
        for player in players:
            await player.guest.hears(lambda f: f.get("legal"))
            await player.ask("play", actions=["stop"])
        answer = await players[1].ask("next_round", id="mine")
        assert answer["t"] == "ok"
        table = players[0].table
        return table, [house.server.tables.rooms[table].token_of(n) for n in range(2)], answer

    async def twice() -> None:
        async with serving(file, round_pause=LONG, **QUICK) as house:
            table, tokens, answer = await begin(house)
        async with serving(file, round_pause=LONG, **QUICK) as house:
            players = [await house.at(table, token) for token in tokens]
            for player in players:
                assert player.whole["rest"]["ready"] == [1]
                assert player.whole["rest"]["left"] > 900 * LONG  # the rest begins anew
            assert await players[1].ask("next_round", id="mine") == answer
            dealt = await players[0].ask("next_round")
            assert (dealt["t"], dealt["view"]["round"]) == ("moved", 2)

    run(twice())


async def second_room(gathering: Gathering, pause: float) -> tuple[Room, Eyes]:
    """The same table at another server, with somebody who watches there."""
    table = Table(gathering.room.table.stored)
    for entry in gathering.store.rows[table.id]:
        table.fold(entry)
    room, eyes = Room(table, services_of(gathering, pause)), Eyes()
    await room.enter(eyes, None, "watch", 0)
    return room, eyes


def test_two_servers_agree_on_who_is_ready_and_deal_once() -> None:
    """Neither hears of the other but by the store."""

    async def go_on() -> None:
        gathering = await resting(players=2)
        other, eyes = await second_room(gathering, LONG)
        there = Eyes()
        await other.enter(there, other.token_of(1), "enter", 0)
        await gathering.ask(0, p.NextRound)
        await other.carry_out(there, p.NextRound(id="there", table=other.id))
        assert deals(gathering) == 1
        await gathering.room.look(other.table.seq)
        told = [gathering.watcher, eyes]
        assert [json.loads(e.frames[-1])["seq"] for e in told] == [other.table.seq] * 2
        assert [e.last("ready")["rest"]["ready"] for e in told] == [[0], [0]]
        assert [e.last("moved")["view"]["round"] for e in told] == [2, 2]
        assert gathering.match.log == (other.table.match and other.table.match.log)
        gathering.end()
        other.close()

    run(go_on())


def test_two_servers_that_find_the_pause_over_deal_once() -> None:
    async def wait() -> None:
        gathering = await resting(players=2, rounds=3, pause=0.3)
        other, eyes = await second_room(gathering, 0.3)
        await until(lambda: not gathering.room.table.rests and not other.table.rests)
        await asyncio.sleep(0.5)
        assert deals(gathering) == 1
        assert eyes.last("moved")["seq"] == gathering.watcher.last("moved")["seq"]
        gathering.end()
        other.close()

    run(wait())


def test_who_wants_to_go_on_when_another_server_has_dealt_is_told_so() -> None:
    async def ask() -> None:
        gathering = await resting(players=2)
        other, _ = await second_room(gathering, 0.0)
        await until(lambda: not other.table.rests)
        with pytest.raises(Refused) as no:
            await gathering.ask(0, p.NextRound)
        assert no.value.error == "phase"
        assert not gathering.room.table.rests
        assert gathering.watcher.last("moved")["seq"] == other.table.seq
        gathering.end()
        other.close()

    run(ask())
