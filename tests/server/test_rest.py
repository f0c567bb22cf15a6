"""The rest after a round: all see it, and those who play end it."""

import asyncio
import json
import random
from pathlib import Path

import pytest

from kibitz.server import entries
from kibitz.server import protocol as p
from kibitz.server.decide import FirstDeal
from kibitz.server.protocol import Refused
from server.guests import AtTable, Data, run, serving, told, until
from server.memory import Eyes, Gathering
from server.resting import deals, kinds, refusal, resting

QUICK = {"games_offered": ["lantern"]}
LONG = 3600.0  # seconds


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
