"""The rest after a round: all see it, those who play end it, or the server when it is long."""

import asyncio
import json
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kibitz.server import entries
from kibitz.server import protocol as p
from kibitz.server.bus import NoBus
from kibitz.server.decide import FirstDeal
from kibitz.server.protocol import Refused
from kibitz.server.readiness import Readiness
from kibitz.server.room import Room, Services
from kibitz.server.table import Table
from kibitz.server.tokens import Signer
from server.guests import AtTable, Data, House, run, serving, told
from server.memory import Eyes, Gathering

QUICK = {"games_offered": ["lantern"]}
LONG = 3600.0  # seconds


async def resting(players: int = 3, rounds: int = 2, **words: Any) -> Gathering:
    """A table at which the first round has just ended."""
    gathering = Gathering("lantern", players, rounds=rounds, **words)
    await gathering.begin()
    for seat in range(players):
        await gathering.play(seat, ["stop"])
    assert gathering.room.table.rests
    return gathering


async def until(holds: Callable[[], object], seconds: float = 6.0) -> float:
    """Wait until something holds; how long it took."""
    began = time.monotonic()
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.01)
    return time.monotonic() - began


def services_of(gathering: Gathering, pause: float) -> Services:
    """Those of another server with the same store, which hears of nobody else."""
    signer = Signer(b"a key for tests")
    ready = Readiness(())
    return Services(gathering.store, NoBus(), signer, gathering.bots, ready, pace=0.0, pause=pause)


def kinds(gathering: Gathering) -> list[str]:
    """What has been written since the match began."""
    rows = [entry.kind for entry in gathering.store.rows[gathering.room.id]]
    return rows[rows.index(entries.START) + 1 :]


def deals(gathering: Gathering) -> int:
    return kinds(gathering).count(entries.DEAL)


async def refusal(gathering: Gathering, seat: int | None, **words: Any) -> str:
    """The word for why somebody cannot have the next round; nothing is written."""
    before = gathering.room.table.seq
    with pytest.raises(Refused) as no:
        await gathering.ask(seat, p.NextRound, **words)
    assert gathering.room.table.seq == before
    return no.value.error


# ---- how it looks


def test_when_a_round_ends_everyone_sees_it_and_nobody_is_due() -> None:
    async def look() -> None:
        gathering = await resting()
        for viewer, eyes in gathering.everyone:
            moved = eyes.last("moved")
            assert moved["rest"]["ready"] == []
            assert 0 < moved["rest"]["left"] <= 1000 * LONG
            assert moved["turn"]["left"] is None
            assert moved["sheet"] == gathering.match.sheet[-1]
            assert moved["view"]["round_over"]
            assert moved["view"]["due"] == []
            assert "legal" not in moved
            assert "phase" not in moved
            hands = [moved["view"]["zones"][f"hand.{n}"] for n in range(3) if n != viewer]
            assert all(len(hand["cards"]) == hand["size"] == 3 for hand in hands)
        gathering.end()

    run(look())


def test_all_hear_who_wants_to_go_on_and_then_the_deal() -> None:
    async def go_on() -> None:
        gathering = await resting()
        seq, ready = gathering.room.table.seq, []
        for seat in (2, 0):
            heard = [len(eyes.frames) for _, eyes in gathering.everyone]
            answer = await gathering.ask(seat, p.NextRound, id=f"next {seat}")
            seq += 1
            ready.append(seat)
            assert answer == {"t": "ok", "re": f"next {seat}", "seq": seq}
            for (_, eyes), before in zip(gathering.everyone, heard, strict=True):
                (frame,) = map(json.loads, eyes.frames[before:])
                assert (frame["t"], frame["seq"]) == ("ready", seq)
                assert frame["rest"]["ready"] == sorted(ready)
                assert 0 < frame["rest"]["left"] <= 1000 * LONG
        answer = await gathering.ask(1, p.NextRound, id="next 1")
        assert (answer["t"], answer["re"], answer["seq"]) == ("moved", "next 1", seq + 1)
        for viewer, eyes in gathering.everyone:
            moved = eyes.last("moved")
            assert ("re" in moved) == (viewer == 1)
            assert (moved["seat"], moved["seq"]) == (None, seq + 1)
            assert "rest" not in moved
            assert [line.get("action") for line in moved["lines"]] == [None]
            assert ("legal" in moved) == (viewer in gathering.match.to_act)
            assert (moved["view"]["round"], moved["view"]["round_over"]) == (2, False)
        assert kinds(gathering)[-3:] == [entries.READY, entries.READY, entries.DEAL]
        gathering.end()

    run(go_on())


def test_who_comes_while_a_table_rests_hears_who_is_ready_and_how_long_it_will() -> None:
    async def come() -> None:
        gathering = await resting(pause=5.0)
        await gathering.ask(1, p.NextRound)
        await asyncio.sleep(0.2)
        for token in (None, gathering.room.token_of(0)):
            late = Eyes()
            await gathering.room.enter(late, token, "late", 0)
            rest = late.last("table")["rest"]
            assert rest["ready"] == [1]
            assert 0 < rest["left"] <= 4800
        gathering.end()

    run(come())


# ---- who can end it


def test_nobody_has_the_next_round_before_this_one_is_over() -> None:
    async def ask() -> None:
        gathering = Gathering("lantern", 2)
        for n, eyes in enumerate(gathering.seats):
            await gathering.room.sit(f"Guest {n}", n, None)
            await gathering.room.enter(eyes, gathering.room.token_of(n), "enter", 0)
        assert await refusal(gathering, 0) == "phase"
        await gathering.ask(0, p.Start)
        await gathering.room.do(None, FirstDeal())
        while not gathering.match.over:
            if not gathering.room.table.rests:
                assert await refusal(gathering, 0) == "phase"
            await gathering.play(*await gathering.choice(random.Random(1)))
        assert await refusal(gathering, 1) == "phase"
        gathering.end()

    run(ask())


def test_who_watches_cannot_have_the_next_round() -> None:
    async def ask() -> None:
        gathering = await resting()
        assert await refusal(gathering, None) == "not_seated"
        gathering.end()

    run(ask())


def test_nothing_can_be_played_while_a_table_rests() -> None:
    async def play() -> None:
        gathering = await resting()
        for kind in (p.Play, p.Preview):
            with pytest.raises(Refused) as no:
                await gathering.ask(0, kind, actions=["stop"])
            assert no.value.error == "not_due"
        gathering.end()

    run(play())


def test_to_want_it_twice_is_to_want_it_once() -> None:
    """With the same id, which also counts once in the next rest, or with another."""

    async def insist() -> None:
        gathering = await resting(players=2, rounds=3)
        first = await gathering.ask(0, p.NextRound, id="again")
        assert await gathering.ask(0, p.NextRound, id="again") == first
        assert (await gathering.ask(0, p.NextRound, id="once more"))["t"] == "ok"
        assert kinds(gathering).count(entries.READY) == 1
        dealt = await gathering.ask(1, p.NextRound, id="deal")
        told = {"t": "ok", "re": "deal", "seq": dealt["seq"]}
        assert await gathering.ask(1, p.NextRound, id="deal") == told
        for seat in range(2):
            await gathering.play(seat, ["stop"])
        assert await gathering.ask(0, p.NextRound, id="again") == first
        assert await gathering.ask(1, p.NextRound, id="deal") == told
        assert gathering.room.table.ready == set()
        assert deals(gathering) == 1
        gathering.end()

    run(insist())


def test_who_is_away_is_not_waited_for_until_they_are_back() -> None:
    async def leave() -> None:
        gathering = await resting(players=3, rounds=3)
        await gathering.ask(1, p.Leave)
        await gathering.ask(0, p.NextRound)
        assert gathering.room.table.rests
        await gathering.ask(1, p.Back)
        await gathering.ask(2, p.NextRound)
        assert gathering.room.table.rests
        await gathering.ask(1, p.NextRound)
        assert not gathering.room.table.rests
        gathering.end()

    run(leave())


def test_when_the_last_who_was_waited_for_leaves_it_goes_on() -> None:
    async def leave() -> None:
        gathering = await resting()
        await gathering.ask(0, p.NextRound)
        await gathering.ask(2, p.NextRound)
        await gathering.ask(1, p.Leave)
        assert await until(lambda: not gathering.room.table.rests) < 2
        assert gathering.watcher.last("moved")["seat"] is None
        gathering.end()

    run(leave())


def test_when_a_bot_stands_in_for_who_was_waited_for_it_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("kibitz.server.situation.GRACE", 0)

    async def stand_in() -> None:
        gathering = await resting()
        await gathering.ask(0, p.NextRound)
        gathering.room.exit(gathering.seats[1])
        await gathering.ask(2, p.NextRound)
        assert gathering.room.table.rests
        await gathering.ask(2, p.StandIn, seat=1, how="rest")
        assert await until(lambda: not gathering.room.table.rests) < 2
        gathering.end()

    run(stand_in())


def test_when_all_have_left_those_who_watch_still_see_the_end_of_a_round() -> None:
    """Nobody is waited for then, but nobody has wanted to go on either: the pause is kept."""

    async def leave() -> None:
        gathering = await resting(players=2)
        for seat in range(2):
            await gathering.ask(seat, p.Leave)
        await asyncio.sleep(0.3)
        assert gathering.room.table.rests
        gathering.end()

    run(leave())


def test_bots_are_not_waited_for(file: Path) -> None:
    async def play() -> None:
        async with serving(file, round_pause=LONG, **QUICK) as house:
            wish = {"players": 3, "bots": [None, "easy", "easy"], "options": {"rounds": 2}}
            (me,) = await house.started("lantern", people=1, **wish)
            await at_rest(me)
            dealt = await me.ask("next_round")
            assert (dealt["t"], dealt["seat"]) == ("moved", None)
            assert dealt["view"]["round"] == 2

    run(play())


async def at_rest(me: AtTable) -> Data:
    """Stop as soon as one can, until the round is over; the frame that says so."""
    while not me.now().get("rest"):
        seq = me.seq()
        if me.now().get("legal"):
            await me.ask("play", actions=["stop"])
        else:
            await told([me], seq + 1)
    return me.now()


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
