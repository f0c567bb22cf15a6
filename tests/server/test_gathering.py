"""Before the match: the host, bots at seats, the lobby, and what is mine."""

import asyncio
import random
from pathlib import Path
from typing import Any

from server.guests import AtTable, Data, House, play_on, run, serving

QUICK = {"games_offered": ["lantern"]}


def forged(token: str) -> str:
    """The same token with another signature."""
    return token[:-1] + ("A" if token[-1] != "A" else "B")


async def gathered(house: House, **wish: Any) -> tuple[Data, AtTable, AtTable]:
    made = await house.make("lantern", players=4, **wish)
    guest = await house.sit(made, "Bo")
    return (
        made,
        await house.at(made["table"], made["token"]),
        await house.at(made["table"], guest["token"]),
    )


def test_the_host_alone_begins_and_seats_bots(file: Path) -> None:
    async def gather() -> None:
        async with serving(file, **QUICK) as house:
            made, host, guest = await gathered(house)
            watcher = await house.at(made["table"])
            assert (host.whole["host"], guest.whole["host"]) == (True, False)
            for at, error in ((guest, "not_host"), (watcher, "not_seated")):
                assert (await at.ask("start"))["error"] == error
                assert (await at.ask("bot", seat=2, level="easy"))["error"] == error
            assert (await host.ask("bot", seat=1, level="easy"))["error"] == "taken"
            assert (await host.ask("bot", seat=2, level="genius"))["error"] == "bad_option"
            assert (await host.ask("bot", seat=5, level="easy"))["error"] == "malformed"
            assert (await host.ask("bot", seat=2, level="easy"))["t"] == "ok"
            assert (await host.ask("bot", seat=3, level="hard"))["t"] == "ok"
            assert (await host.ask("bot", seat=3, level=None))["t"] == "ok"
            assert (await host.ask("start"))["t"] == "ok"
            seats = (await guest.hears("table", phase="playing"))["seats"]
            assert [s["kind"] for s in seats] == ["person", "person", "bot", "bot"]
            assert len({s["name"] for s in seats}) == 4
            assert (await host.ask("start"))["error"] == "phase"
            assert (await host.ask("bot", seat=2, level=None))["error"] == "phase"

    run(gather())


def test_when_the_host_leaves_the_next_one_is_host(file: Path) -> None:
    async def gather() -> None:
        async with serving(file, **QUICK) as house:
            _, host, guest = await gathered(house)
            await host.ask("leave")
            assert (await guest.ask("start"))["t"] == "ok"

    run(gather())


# ---- the lobby, and what is mine


def test_the_lobby_shows_open_tables_as_they_come_and_go(file: Path) -> None:
    async def look() -> None:
        async with serving(file, **QUICK) as house:
            visitor = await house.guest()
            assert (await visitor.ask("lobby", on=True))["tables"] == []
            await house.make("lantern", name="Shy")
            made = await house.make("lantern", players=3, open=True, options={"rounds": 2})

            def news(taken: int) -> Any:
                return lambda f: f["t"] == "lobby" and [t["taken"] for t in f["tables"]] == [taken]

            host = await house.at(made["table"], made["token"])
            (table,) = (await visitor.hears(news(1)))["tables"]
            assert (table["names"], table["players"]) == (["Ada"], 3)
            assert (table["options"], table["game"]) == ({"rounds": 2}, "lantern")
            await house.sit({"table": table["table"], "join": table["join"]}, "Bo")
            await visitor.hears(news(2))
            await host.ask("start")
            seen = len(visitor.frames)
            await visitor.hears(lambda f: f["t"] == "lobby" and not f["tables"], seen - 1)
            await visitor.ask("lobby", on=False)
            heard = len(visitor.frames)
            await house.make("lantern", open=True)
            await asyncio.sleep(0.3)
            assert len(visitor.frames) == heard

    run(look())


def test_the_lobby_lists_a_table_only_while_somebody_who_sits_there_is_connected(
    file: Path,
) -> None:
    async def look() -> None:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern", players=3, open=True)
            visitor = await house.guest()
            await house.at(made["table"])  # who only watches does not count
            assert (await visitor.ask("lobby", on=True))["tables"] == []
            host = await house.at(made["table"], made["token"])
            await visitor.hears(lambda f: f["t"] == "lobby" and len(f["tables"]) == 1)
            seen = len(visitor.frames)
            await host.guest.leaves()
            await visitor.hears(lambda f: f["t"] == "lobby" and not f["tables"], seen)

    run(look())


def test_my_matches_open_no_room_but_those_that_are_played(file: Path) -> None:
    async def look() -> None:
        async with serving(file, **QUICK) as house:
            made = [await house.make("lantern", players=2) for _ in range(5)]
            await house.sit(made[0], "Bo")
            done = await house.started("lantern", people=1, players=2, bots=[None, "easy"])
            playing = await house.started("lantern", people=2)
            rooms = house.server.tables.rooms
            tokens = [m["token"] for m in made]
            tokens += [rooms[at[0].table].token_of(0) for at in (done, playing)]
            await play_on(done, random.Random(1))
            status, before = await house.post("/api/mine", {"tokens": tokens})
        async with serving(file, **QUICK) as house:  # nothing is in memory now
            status, mine = await house.post("/api/mine", {"tokens": tokens})
            assert (status, mine) == (200, before)
            assert mine[0]["names"] == ["Ada", "Bo"]
            assert [m["phase"] for m in mine] == ["gathering"] * 5 + ["over", "playing"]
            assert list(house.server.tables.rooms) == [playing[0].table]

    run(look())


def test_who_gave_up_a_seat_has_no_match_there(file: Path) -> None:
    async def look() -> None:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern", players=2)
            guest = await house.sit(made, "Bo")
            at = await house.at(made["table"], guest["token"])
            assert (await at.ask("leave"))["t"] == "ok"
            assert (await house.post("/api/mine", {"tokens": [guest["token"]]}))[1] == []
            await house.sit(made, "Cy")
            assert (await house.post("/api/mine", {"tokens": [guest["token"]]}))[1] == []

    run(look())


def test_my_matches_are_those_of_my_tokens(file: Path) -> None:
    async def look() -> None:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern", players=2)
            players = await house.started("lantern", people=2)
            done = await house.started("lantern", people=2)
            await play_on(done, random.Random(1))
            rooms = house.server.tables.rooms
            tokens = [made["token"], *(rooms[p[0].table].token_of(1) for p in (players, done))]
            asked = [*tokens, forged(tokens[0]), "x", ""]
            status, mine = await house.post("/api/mine", {"tokens": asked})
            assert status == 200
            assert [m["phase"] for m in mine] == ["gathering", "playing", "over"]
            assert [m["seat"] for m in mine] == [0, 1, 1]
            assert mine[1]["due"] is bool(players[1].now().get("legal"))
            wrong_ones = [{}, {"tokens": "x"}, {"tokens": ["x"] * 101}, {"tokens": [*tokens, 5]},
                          {"tokens": [*tokens, None]}]  # fmt: skip
            for wrong in wrong_ones:
                assert (await house.post("/api/mine", wrong))[1]["error"] == "malformed"

    run(look())
