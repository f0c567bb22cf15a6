"""Every command is answered, and counts once, however often it is sent."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import pytest

from kibitz.server.protocol import VERSION
from server.guests import AtTable, Data, House, answer_to, due, run, serving, told
from short import short


async def restarted(file: Path, made: Data, command: Data) -> Data:
    async with serving(file, games_offered=["lantern"]) as house:
        at = await house.at(made["table"], made["token"])
        return await at.guest.ask(**command)


def test_a_command_sent_again_counts_once(file: Path) -> None:
    """On the same connection, on a new one, and after the server has started anew."""

    async def again_and_again() -> None:
        async with serving(file, games_offered=["lantern"]) as house:
            made = await house.make("lantern", players=2, bots=[None, "easy"])
            me = await house.at(made["table"], made["token"])
            start: Data = {"do": "start", "id": "the start", "table": me.table}
            said: Data = {"do": "say", "id": "a word", "table": me.table, "text": "hello"}
            began, spoke = await me.guest.ask(**start), await me.guest.ask(**said)
            await me.guest.hears(lambda f: f.get("legal"))
            action = me.now()["legal"][0]
            play: Data = {"do": "play", "id": "my move", "table": me.table, "actions": [action]}
            played = await me.guest.ask(**play)
            assert [a["t"] for a in (began, spoke, played)] == ["ok", "ok", "moved"]
            played = {"t": "ok", "re": "my move", "seq": played["seq"]}  # once it counts already
            other = await house.at(made["table"], made["token"])
            for at in (me, other):
                assert await at.guest.ask(**start) == began
                assert await at.guest.ask(**said) == spoke
                assert await at.guest.ask(**play) == played
        for command, answer in ((start, began), (said, spoke), (play, played)):
            assert await restarted(file, made, command) == answer
        async with serving(file, games_offered=["lantern"]) as house:
            entries = await house.server.store.entries(made["table"])
            assert sum(e.kind == "say" for e in entries) == 1
            mine = [e for e in entries if e.kind == "play" and e.seat == 0]
            assert [json.loads(e.body)["actions"] for e in mine][:1] == [[action]]
            assert sum(e.cid == "0:my move" for e in entries) == 1

    run(again_and_again())


def test_a_hundred_times_at_once_is_once(file: Path) -> None:
    async def hammer() -> None:
        async with serving(file, games_offered=["lantern"]) as house:
            players = await house.started("lantern", people=2)
            me = due(players)
            token = me.now()["legal"][0]
            command = {"do": "play", "id": "x", "table": me.table, "actions": [token]}
            before = me.now()["seq"]
            for _ in range(100):
                await me.guest.send(command)
            first = await me.guest.hears(lambda f: f.get("re") == "x")
            await me.guest.ask("ping")
            again = [f for f in me.guest.all("ok") if f["re"] == "x"]
            assert (first["t"], first["seq"]) == ("moved", before + 1)
            assert again == [{"t": "ok", "re": "x", "seq": before + 1}] * 99
            assert len(await house.server.store.entries(me.table)) == before + 1

    run(hammer())


COMMANDS: list[Data] = [
    {"do": "ping"}, {"do": "lobby", "on": True}, {"do": "lobby", "on": False},
    {"do": "enter", "version": VERSION}, {"do": "preview", "actions": ["x"]},
    {"do": "play", "actions": ["x"]}, {"do": "next_round"}, {"do": "say", "text": "hi"},
    {"do": "promise", "promise": "a" * 64}, {"do": "promise", "promise": "A"}, {"do": "start"},
    {"do": "reveal", "contribution": "a" * 64}, {"do": "reveal", "contribution": None},
    {"do": "bot", "seat": 1, "level": "easy"}, {"do": "bot", "seat": 5, "level": None},
    {"do": "back"}, {"do": "stand_in", "seat": 1, "how": "turn"},
    {"do": "stand_in", "seat": 1, "how": "rest"}, {"do": "rematch"}, {"do": "hint", "on": True},
    {"do": "hint", "on": False}, {"do": "bars", "on": True}, {"do": "bars", "on": False},
    {"do": "leave"}, {"do": "exit"}, {"do": "dance"}, {"do": None}, {},
]  # fmt: skip


@pytest.mark.parametrize("who", ["player", "watcher", "stranger"])
@pytest.mark.parametrize("phase", ["gathering", "playing"])
def test_every_command_is_answered_within_a_second(who: str, phase: str, file: Path) -> None:
    async def ask_all() -> None:
        async with serving(file, games_offered=["lantern"]) as house:
            made = await house.make("lantern", players=3, bots=[None, "easy", None])
            host = await house.at(made["table"], made["token"])
            if phase == "playing":
                await host.ask("start")
                await host.hears("table", phase="playing")
            guest = await asker(house, made, host, who)
            for n, command in enumerate(COMMANDS):
                async with asyncio.timeout(1.0):
                    words: dict[str, Any] = {"table": made["table"], **command, "id": f"{n}"}
                    await guest.guest.send(words)
                    answer = await guest.guest.hears(answer_to(str(n)))
                assert answer["t"] != "no" or answer["text"]

    run(ask_all())


async def asker(house: House, made: Data, host: AtTable, who: str) -> AtTable:
    if who == "player":
        return host
    if who == "watcher":
        return await house.at(made["table"])
    return AtTable(await house.guest(), made["table"], {})


def test_choices_of_bots_and_people_take_turns_to_the_end(file: Path) -> None:
    async def play() -> None:
        async with serving(file) as house:
            made = await house.make(
                "zocken", players=3, bots=[None, "easy", "easy"], options=short("zocken")
            )
            me = await house.at(made["table"], made["token"])
            await me.ask("start")
            await me.hears("table", phase="playing")
            rng = random.Random(1)
            while me.now().get("phase") != "over":
                seq = me.now()["seq"]
                if me.now().get("legal"):
                    assert (await me.choose(rng))["t"] == "moved"
                await told([me], seq + 1)
            assert me.now()["view"]["winners"]

    run(play())


def test_leaving_counts_once_though_the_seat_is_gone(file: Path) -> None:
    async def left() -> None:
        async with serving(file) as house:
            made = await house.make()
            player = await house.at(made["table"], (await house.sit(made))["token"])
            first = await player.ask("leave", id="bye")
            again = await player.ask("leave", id="bye")
            assert first == again
            assert first["t"] == "ok"

    run(left())
