"""Company at the table: chat, those who leave and come back, another match."""

import asyncio
import random
from pathlib import Path

import pytest

from kibitz.server import protocol as p
from kibitz.server.protocol import Refused
from server.guests import Data, due, play_on, run, serving
from server.memory import Gathering
from short import short

QUICK = {"games_offered": ["lantern"]}


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
