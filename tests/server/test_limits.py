"""Too much of anything is refused with a wait, and others do not feel it; and the figures."""

import asyncio
import itertools
import json
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from kibitz.engine.errors import KibitzError
from kibitz.server import audience
from kibitz.server import protocol as p
from kibitz.server.connection import MOST_FAULTS
from kibitz.server.decide import FirstDeal, Sit, decide
from kibitz.server.protocol import VERSION, Refused
from kibitz.server.settings import read_settings
from kibitz.server.store import StoreBusy
from server.guests import GENEROUS, Data, Guest, House, run, serving, told
from server.test_decide import fold, new, situation

QUICK: Data = {"games_offered": ["lantern"]}


async def flood(guest: Guest, message: str, most: int = 2000) -> int | None:
    """Send without end; the code by which the server closes."""
    for _ in range(most):
        if guest.socket.closed:
            break
        try:
            await guest.socket.send_str(message)
        except ConnectionError:
            break
        await asyncio.sleep(0)
    return await guest.is_closed()


def test_flooding_is_told_to_wait_and_then_shown_the_door(file: Path) -> None:
    async def send() -> None:
        async with serving(file, messages_per_second=20, **QUICK) as house:
            quiet = await house.guest()
            guest = await house.guest()
            await flood(guest, '{"do": "ping", "id": "1"}')
            refusals = guest.all("no")
            assert len(guest.all("ok")) >= 60
            assert MOST_FAULTS <= len(refusals) <= MOST_FAULTS + 1
            assert {f["error"] for f in refusals} == {"too_fast"}
            assert all(0 < f["wait"] < 1 and f["re"] == "1" for f in refusals)
            assert (await quiet.ask("ping"))["t"] == "ok"

    run(send())


def test_nonsense_without_end_is_shown_the_door(file: Path) -> None:
    async def send() -> None:
        async with serving(file, **QUICK) as house:
            guest = await house.guest()
            await flood(guest, "nonsense")
            assert len(guest.all("no")) == MOST_FAULTS + 1

    run(send())


def test_one_address_has_so_many_connections_and_tables(file: Path) -> None:
    async def ask() -> None:
        limits = {"connections_per_address": 3, "tables_per_hour": 8}
        async with serving(file, **{**GENEROUS, **QUICK, **limits}) as house:
            guests = [await house.guest() for _ in range(3)]
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await house.guest()
            assert refused.value.status == 429
            await guests[0].leaves()
            await house_has(house, 2)
            await house.guest()
            wish = {"game": "lantern", "name": "Ada"}
            answers = [await house.post("/api/tables", wish) for _ in range(3)]
            assert [status for status, _ in answers] == [201, 201, 429]
            assert answers[-1][1]["error"] == "too_fast"
            assert 0 < answers[-1][1]["wait"] <= 450

    run(ask())


async def house_has(house: House, connections: int) -> None:
    async with asyncio.timeout(5):
        while f"kibitz_connections {connections:.1f}" not in await house.figures():
            await asyncio.sleep(0.01)


PROXIES = ["127.0.0.1", "10.1.0.0/16"]


@pytest.mark.parametrize(
    ("trusted", "lines", "together"),
    [
        ([], ["8.8.8.{n}"], True),
        (["10.0.0.1"], ["8.8.8.{n}"], True),
        (PROXIES, ["8.8.8.{n}"], False),
        (PROXIES, ["9.9.9.9, 8.8.8.{n}"], False),
        (PROXIES, ["8.8.8.{n}, 9.9.9.9"], True),
        (PROXIES, ["8.8.8.{n}, 10.1.2.3"], False),
        (PROXIES, ["8.8.8.{n}", "9.9.9.9"], True),
        (PROXIES, ["9.9.9.9", "8.8.8.{n}, 10.1.2.3"], False),
        (PROXIES, ["2001:db8::{n}"], True),
        (PROXIES, ["2001:db8:0:{n}::1"], False),
        (PROXIES, ["[2001:db8:0:{n}::1]:4711"], False),
        (PROXIES, ["8.8.8.8:100{n}"], True),
        (PROXIES, ["::ffff:8.8.8.{n}"], False),
        (PROXIES, ["8.8.8.{n}, nonsense"], True),
    ],
)
def test_limits_count_who_asks_and_believe_the_proxies_that_are_trusted(
    trusted: list[str], lines: list[str], together: bool, file: Path
) -> None:
    async def ask() -> list[int]:
        settings = {"tables_per_hour": 4, "trusted_proxies": trusted}
        async with serving(file, **settings, **QUICK) as house:
            found = []
            for n in range(3):
                body = json.dumps({"game": "lantern", "name": "Ada"})
                headers = [("X-Forwarded-For", line.format(n=n)) for line in lines]
                url = house.base + "/api/tables"
                async with house.session.post(url, data=body, headers=headers) as answer:
                    found.append(answer.status)
            return found

    assert run(ask()) == ([201, 429, 429] if together else [201] * 3)


def test_a_proxy_that_is_no_address_is_refused_in_one_line() -> None:
    with pytest.raises(KibitzError, match=r"a setting is wrong: 'my proxy' does not appear to be"):
        read_settings(None, {"trusted_proxies": ["my proxy"]})


def test_one_connection_is_at_so_many_tables(file: Path) -> None:
    async def enter() -> None:
        async with serving(file, **QUICK) as house:
            guest = await house.guest()
            for n in range(65):
                made = await house.make("lantern")
                answer = await guest.ask("enter", table=made["table"], version=VERSION)
                assert answer["t"] == ("table" if n < 64 else "no")
            assert answer["error"] == "too_fast"
            assert (await guest.ask("enter", table=made["table"], version=VERSION))["t"] == "no"

    run(enter())


def test_one_address_takes_so_many_seats(file: Path) -> None:
    async def ask() -> None:
        async with serving(file, **{**GENEROUS, **QUICK, "tables_per_hour": 4}) as house:
            made = await house.make("lantern", players=2)
            host = await house.at(made["table"], made["token"])
            body = {"name": "Bo", "join": made["join"]}
            found = []
            for _ in range(5):
                status, taken = await house.post(f"/api/tables/{made['table']}/seats", body)
                found.append(status)
                if status == 201:
                    await (await house.at(made["table"], taken["token"])).ask("leave")
            assert found == [201] * 4 + [429]
            assert (await host.ask("start"))["t"] == "ok"

    run(ask())


# ---- what a table holds


def test_a_seat_has_one_chat_however_many_connections(file: Path) -> None:
    async def talk() -> None:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern", players=2)
            tabs = [await house.at(made["table"], made["token"]) for _ in range(4)]
            answers = [await tab.ask("say", text="hello") for tab in tabs for _ in range(3)]
            refused = [answer for answer in answers if answer["t"] == "no"]
            assert len(refused) >= 5
            assert {answer["error"] for answer in refused} == {"too_fast"}
            assert all(answer["wait"] > 0 for answer in refused)
            other = await house.at(made["table"], (await house.sit(made))["token"])
            assert (await other.ask("say", text="and I"))["t"] == "ok"

    run(talk())


def test_who_watches_cannot_talk_the_players_down(file: Path) -> None:
    async def talk() -> None:
        async with serving(file, trusted_proxies=["127.0.0.1"], **QUICK) as house:
            made = await house.make("lantern", players=2)
            said = []
            for n in range(10):  # each from an address of its own
                guest = await house.guest(headers={"X-Forwarded-For": f"8.8.8.{n}"})
                await guest.ask("enter", table=made["table"], version=VERSION)
                said += [await guest.ask("say", table=made["table"], text="x") for _ in range(3)]
            assert 12 <= sum(answer["t"] == "ok" for answer in said) < 20
            player = await house.at(made["table"], made["token"])
            assert (await player.ask("say", text="hello"))["t"] == "ok"

    run(talk())


def test_one_address_does_not_talk_everywhere(file: Path) -> None:
    async def talk() -> None:
        async with serving(file, **QUICK) as house:
            answers = []
            for _ in range(10):
                made = await house.make("lantern", players=2)
                host = await house.at(made["table"], made["token"])
                answers += [await host.ask("say", text="buy") for _ in range(6)]
            assert 30 <= sum(answer["t"] == "ok" for answer in answers) < 45

    run(talk())


def test_two_who_watch_may_use_the_same_ids(file: Path) -> None:
    async def talk() -> None:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern", players=2)
            one, two = [await house.at(made["table"]) for _ in range(2)]
            for at, text in ((one, "from one"), (two, "from two"), (one, "from one")):
                assert (await at.ask("say", id="1", text=text))["t"] == "ok"
            await told([one, two], 3)
            assert [line["text"] for line in two.guest.all("said")] == ["from one", "from two"]

    run(talk())


def test_a_table_holds_so_many_who_watch_and_windows_of_a_seat(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audience, "MOST_WATCHING", 3)
    monkeypatch.setattr(audience, "MOST_OF_A_SEAT", 2)

    async def come() -> None:
        async with serving(file, **QUICK) as house:
            made = await house.make("lantern", players=2)
            for token, most in ((None, 3), (made["token"], 2)):
                there = [await house.at(made["table"], token) for _ in range(most)]
                late = await house.guest()
                enter = {"table": made["table"], "version": VERSION, "token": token}
                assert (await late.ask("enter", **enter))["error"] == "too_many"
                assert (await there[0].guest.ask("enter", **enter))["t"] == "table", "it is there"
                await there[0].guest.leaves()
                await until_entered(late, enter)
            other = await house.sit(made)
            assert (await house.at(made["table"], other["token"])).whole["you"] == 1

    run(come())


async def until_entered(guest: Guest, enter: Data) -> None:
    async with asyncio.timeout(5):
        while (await guest.ask("enter", **enter))["t"] != "table":
            await asyncio.sleep(0.02)


@pytest.mark.parametrize(
    ("most", "asked"),
    [
        ("MOST_CHAT", [p.Say(id="1", table="t", text="x")]),
        ("MOST_COMING_AND_GOING", [Sit("Cy", 1, None), p.Leave(id="1", table="t")]),
    ],
)
def test_a_table_holds_so_many_entries_and_the_match_goes_on(
    most: str, asked: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"kibitz.server.decide.{most}", 20)
    table = new("lantern", 2)
    fold(table, decide(table, None, Sit("Ada", None, None), situation()))

    def without_end() -> None:
        for command in itertools.cycle(asked):
            seat = None if isinstance(command, Sit) else 1
            fold(table, decide(table, seat, command, situation()))

    with pytest.raises(Refused) as why:
        without_end()
    assert why.value.error == "too_many"
    assert 20 <= table.seq <= 22
    fold(table, decide(table, 0, p.Start(id="2", table="t"), situation()))
    fold(table, decide(table, None, FirstDeal(), situation()))
    fold(table, decide(table, 0, p.Play(id="3", table="t", actions=["stop"]), situation()))


def test_a_second_tab_of_a_player_gets_no_bars_where_hints_are_not_allowed(file: Path) -> None:
    async def look() -> None:
        async with serving(file, trusted_proxies=["127.0.0.1"], **QUICK) as house:
            wish: Data = {"bots": [None, "easy"], "hints": False, "options": {"rounds": 3}}
            made = await house.make("lantern", players=2, **wish)
            enter = {"table": made["table"], "version": VERSION}
            early = await house.guest(headers={"X-Forwarded-For": "8.8.8.8"})
            await early.ask("enter", **enter)
            assert (await early.ask("bars", table=made["table"], on=True))["t"] == "ok"
            player = await house.guest(headers={"X-Forwarded-For": "8.8.8.8"})
            await player.ask("enter", token=made["token"], **enter)
            friend = await house.guest(headers={"X-Forwarded-For": "8.8.4.4"})
            await friend.ask("enter", **enter)
            assert (await friend.ask("bars", table=made["table"], on=True))["t"] == "ok"
            await player.ask("start", table=made["table"])
            await player.hears(lambda f: f.get("legal"))
            await player.ask("play", table=made["table"], actions=["stop"])
            await friend.hears(lambda f: f["t"] == "bars")
            assert not early.all("bars")
            late = await house.guest(headers={"X-Forwarded-For": "8.8.8.8"})
            await late.ask("enter", **enter)
            refused = await late.ask("bars", table=made["table"], on=True)
            assert refused["error"] == "no_hints"

    run(look())


# ---- for the person who runs it


def test_health_is_well_or_says_that_the_store_is_not(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask() -> None:
        async with serving(file, **QUICK) as house:
            status, health = await house.get("/health")
            assert (status, health["ok"]) == (200, True)

            async def fail(*_: object) -> None:
                raise StoreBusy("the disk is full")

            monkeypatch.setattr(house.server.store, "heads", fail)
            status, health = await house.get("/health")
            assert (status, health["ok"], health["trouble"]) == (503, False, "the disk is full")

    run(ask())
