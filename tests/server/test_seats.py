"""Seats: made, taken by a link, given up; by whom they can be taken and by whom not."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from kibitz.server.protocol import VERSION
from server.guests import Data, House, run, serving

QUICK = {"games_offered": ["lantern"]}


def forged(token: str) -> str:
    """The same token with another signature."""
    return token[:-1] + ("A" if token[-1] != "A" else "B")


# ---- making and joining


def test_a_link_seats_a_guest_in_two_actions(file: Path) -> None:
    """The key of the link and a name take a seat, and the token leads to it."""

    async def join() -> None:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern", players=3)
            host = await house.at(made["table"], made["token"])
            assert host.whole["join"] == made["join"]
            taken = await house.sit(made, "Bo")
            guest = await house.at(made["table"], taken["token"])
            assert guest.whole["you"] == taken["seat"] == 1
            await host.guest.hears(lambda f: f["t"] == "seats" and f["seats"][1]["here"])

    run(join())


@pytest.mark.parametrize(
    ("wish", "error"),
    [
        ({"game": "chess"}, "no_game"),
        ({"game": None}, "malformed"),
        ({"game": ["lantern"]}, "malformed"),
        ({"game": "../kolpa"}, "no_game"),
        ({"players": 1}, "bad_option"),
        ({"players": 99}, "bad_option"),
        ({"players": "3"}, "malformed"),
        ({"players": True}, "malformed"),
        ({"players": 2.0}, "malformed"),
        ({"players": None}, "malformed"),
        ({"options": {"rounds": 99}}, "bad_option"),
        ({"options": {"rounds": "many"}}, "bad_option"),
        ({"options": {"rounds": [1]}}, "bad_option"),
        ({"options": {"rounds": None}}, "bad_option"),
        ({"options": {"colour": 1}}, "bad_option"),
        ({"options": []}, "malformed"),
        ({"options": None}, "malformed"),
        ({"bots": "easy"}, "malformed"),
        ({"bots": ["genius"]}, "bad_option"),
        ({"bots": [["easy"]]}, "malformed"),
        ({"bots": [{}]}, "malformed"),
        ({"bots": ["easy"] * 3}, "bad_option"),
        ({"bots": [None] * 9}, "bad_option"),
        ({"seat": 3}, "bad_option"),
        ({"seat": 1, "bots": [None, "easy"]}, "bad_option"),
        ({"seat": "1"}, "malformed"),
        ({"clock": 9}, "bad_option"),
        ({"clock": 601}, "bad_option"),
        ({"clock": "60"}, "malformed"),
        ({"clock": 30.5}, "malformed"),
        ({"clock": True}, "malformed"),
        ({"hints": "yes"}, "malformed"),
        ({"open": 1}, "malformed"),
        ({"name": None}, "malformed"),
        ({"name": "  "}, "bad_name"),
    ],
    ids=str,
)
def test_a_table_that_cannot_be_is_refused(wish: Data, error: str, file: Path) -> None:
    async def make() -> tuple[int, Any]:
        async with serving(file, **QUICK) as house:
            whole = {"game": "lantern", "players": 3, "name": "Ada", **wish}
            return await house.post("/api/tables", whole)

    status, answer = run(make())
    assert (status, answer["error"]) == (404 if error == "no_game" else 400, error)
    assert answer["text"]


NAMES = [
    ("Ada", "Ada"), ("  Ada \n Lovelace ", "Ada Lovelace"), ("x" * 24, "x" * 24),
    ("🃏👩\u200d👩\u200d👧", "🃏👩\u200d👩\u200d👧"), ("<script>", "<script>"),
    ("שלום", "שלום"), ("محمد", "محمد"), ("Zoë", "Zoë"),
    ("a\u0000b\u001bc", "abc"), ("\u202eevil", "evil"), ("', DROP", "', DROP"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "shown"), NAMES, ids=[repr(n) for n, _ in NAMES])
def test_any_name_that_can_be_read_will_do(name: str, shown: str, file: Path) -> None:
    async def sit() -> list[str]:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern", name=name, players=2)
            await house.sit(made, "Somebody else")
            _, about = await house.get(f"/api/tables/{made['table']}")
            return [seat["name"] for seat in about["seats"]]

    assert run(sit()) == [shown, "Somebody else"]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "\u0000\u0007",
        "\u202e\u200b",
        "\u200d \u200d",
        "x" * 25,
        "🃏" * 25,
    ],
)
def test_a_name_that_is_none_is_refused(name: str, file: Path) -> None:
    async def sit() -> None:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern", players=2)
            body = {"name": name, "join": made["join"]}
            status, answer = await house.post(f"/api/tables/{made['table']}/seats", body)
            assert (status, answer["error"]) == (400, "bad_name")
            _, about = await house.get(f"/api/tables/{made['table']}")
            assert about["seats"][1]["kind"] == "empty"

    run(sit())


@pytest.mark.parametrize(
    ("words", "status", "error"),
    [
        ({"join": "wrong"}, 403, "bad_join"),
        ({"join": ""}, 403, "bad_join"),
        ({"join": None}, 400, "malformed"),
        ({"name": 7}, 400, "malformed"),
        ({"name": None}, 400, "malformed"),
        ({"name": ["Bo"]}, 400, "malformed"),
        ({"join": "ключ"}, 403, "bad_join"),
        ({"seat": 0}, 409, "taken"),
        ({"seat": 9}, 400, "malformed"),
        ({"seat": -1}, 400, "malformed"),
        ({"seat": "1"}, 400, "malformed"),
        ({"seat": True}, 400, "malformed"),
        ({"promise": "x" * 64}, 400, "malformed"),
        ({"promise": "a" * 63}, 400, "malformed"),
        ({"promise": "a" * 64 + "\n"}, 400, "malformed"),
        ({"promise": 5}, 400, "malformed"),
    ],
    ids=str,
)
def test_a_seat_is_not_had_so(words: Data, status: int, error: str, file: Path) -> None:
    async def sit() -> tuple[int, Any]:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern", players=2)
            body = {"name": "Bo", "join": made["join"], **words}
            found = await house.post(f"/api/tables/{made['table']}/seats", body)
            _, about = await house.get(f"/api/tables/{made['table']}")
            assert [seat["kind"] for seat in about["seats"]] == ["person", "empty"]
            return found

    found, answer = run(sit())
    assert (found, answer["error"]) == (status, error)


@pytest.mark.parametrize("missing", ["game", "name"])
def test_a_table_needs_a_game_and_a_name(missing: str, file: Path) -> None:
    async def make() -> tuple[int, Any]:
        async with serving(file, **QUICK) as house:
            wish = {"game": "lantern", "name": "Ada"}
            assert (await house.post("/api/tables", wish))[0] == 201
            return await house.post("/api/tables", {k: wish[k] for k in wish if k != missing})

    status, answer = run(make())
    assert (status, answer["error"]) == (400, "malformed")
    assert missing in answer["text"]


def test_no_table_and_a_full_one_are_told_apart(file: Path) -> None:
    async def sit() -> None:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern", players=2, bots=[None, "easy"])
            body = {"name": "Bo", "join": made["join"]}
            status, answer = await house.post(f"/api/tables/{made['table']}/seats", body)
            assert (status, answer["error"]) == (409, "full")
            for path in ("nosuch", "nosuch/history", "nosuch/match", "nosuch/review"):
                status, answer = await house.get(f"/api/tables/{path}")
                assert (status, answer["error"]) == (404, "no_table")
            guest = await house.guest()
            assert (await guest.ask("enter", table="nosuch", version=VERSION))[
                "error"
            ] == "no_table"
            host = await house.at(made["table"], made["token"])
            await host.ask("start")
            status, answer = await house.post(f"/api/tables/{made['table']}/seats", body)
            assert (status, answer["error"]) == (409, "phase")

    run(sit())


def test_of_many_who_want_a_seat_in_the_same_second_one_gets_it(file: Path) -> None:
    async def rush() -> None:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern", players=4)
            path = f"/api/tables/{made['table']}/seats"
            for seat in (2, 3):
                bodies = [
                    {"name": f"{seat} N{n}", "join": made["join"], "seat": seat} for n in range(12)
                ]
                answers = await asyncio.gather(*(house.post(path, body) for body in bodies))
                won = [n for n, (status, _) in enumerate(answers) if status == 201]
                assert len(won) == 1
                lost = [a["error"] for status, a in answers if status != 201]
                assert lost == ["taken"] * 11
                _, about = await house.get(f"/api/tables/{made['table']}")
                assert about["seats"][seat]["name"] == f"{seat} N{won[0]}"
            tail = [house.post(path, {"name": "Z", "join": made["join"]}) for _ in range(5)]
            errors = [a.get("error") for _, a in await asyncio.gather(*tail)]
            assert sorted(errors, key=str) == [None, "full", "full", "full", "full"]

    run(rush())


# ---- tokens


async def errors_of(house: House, table: str, token: str) -> tuple[Any, Any]:
    """What a token gets on the WebSocket and over HTTP."""
    guest = await house.guest()
    entered = await guest.ask("enter", table=table, version=VERSION, token=token)
    _, answer = await house.get(f"/api/tables/{table}/history", token)
    return entered.get("error", entered["t"]), answer.get("error", "ok")


def test_a_token_proves_its_seat_and_no_other(file: Path) -> None:
    async def try_tokens() -> None:
        async with serving(file, **QUICK) as house:
            players = await house.started("lantern", people=2)
            table = players[0].table
            mine = house.server.tables.rooms[table].token_of(1)
            other = await house.make("lantern", players=2)
            assert await errors_of(house, table, mine) == ("table", "ok")
            name, seat, serial, signature = mine.split(".")
            wrong = [
                forged(mine), other["token"], f"{name}.0.{serial}.{signature}",
                f"{name}.{seat}.99.{signature}", "x", "....", "é.ü.ß.x", "a.b.c.d",
                f"{name}.{seat}.{serial}.", "A" * 199,
            ]  # fmt: skip
            for token in wrong:
                assert await errors_of(house, table, token) == ("bad_token", "bad_token"), token

    run(try_tokens())


def test_a_token_is_worth_nothing_after_leaving(file: Path) -> None:
    async def leave() -> None:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern", players=2)
            taken = await house.sit(made, "Bo")
            guest = await house.at(made["table"], taken["token"])
            assert (await guest.ask("leave"))["t"] == "ok"
            assert (await guest.ask("start"))["error"] == "not_seated"
            new = await house.sit(made, "Cy")
            assert new["seat"] == taken["seat"]
            assert (await errors_of(house, made["table"], taken["token"]))[0] == "bad_token"
            assert (await house.at(made["table"], new["token"])).whole["you"] == 1

    run(leave())


def test_who_gave_up_a_seat_sees_it_on_no_connection_any_more(file: Path) -> None:
    """Two windows, one leaves: the other must not look into the hand of whoever sits there next."""

    async def leave_in_one_window() -> None:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern", players=2)
            host = await house.at(made["table"], made["token"])
            taken = await house.sit(made, "Mallory")
            one = await house.at(made["table"], taken["token"])
            two = await house.at(made["table"], taken["token"])
            await one.ask("leave")
            bo = await house.at(made["table"], (await house.sit(made, "Bo"))["token"])
            await host.ask("start")
            whole = await bo.hears("table", phase="playing")
            assert whole["view"]["zones"]["hand.1"]["cards"]
            for window in (one, two):
                seen = await window.hears("table", phase="playing")
                assert seen["you"] is None
                assert "cards" not in seen["view"]["zones"]["hand.1"]
                answer = await window.ask("play", actions=["stop"])
                assert answer["error"] == "not_seated"

    run(leave_in_one_window())
