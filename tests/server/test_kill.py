"""Nothing lost: the server killed, the socket cut, a client that does not listen, a stop."""

import asyncio
import base64
import contextlib
import json
import random
import shutil
import socket
import sqlite3
import time
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from effort import tried
from kibitz.client import Seat
from kibitz.server.entries import PLAY, SAY, Entry
from kibitz.server.protocol import VERSION
from kibitz.server.sqlite import SqliteStore
from kibitz.server.warmup import warm_game
from server.chaos import chaos, chaos_of_two
from server.crowd import Ack, Crowd
from server.guests import AtTable, House, any_of, play_on, run, serving, told
from server.machines import postgres_tools
from server.memory import Gathering
from server.process import ServerProcess


def test_eighty_play_on_while_the_server_is_killed(file: Path) -> None:
    kills = tried(2, 6)
    figures, log = asyncio.run(chaos(file, kills, tables=20, seed=1, told=lambda _: None))
    assert figures.all_well, str(figures)
    assert figures.kills == kills
    assert figures.acknowledged > 100
    assert "Traceback" not in log
    with contextlib.closing(sqlite3.connect(file)) as db:
        played = db.execute("SELECT count(*) FROM entry WHERE kind = ?", (PLAY,)).fetchone()
    assert played[0] > 50  # they have not only sat down


@pytest.mark.skipif(
    not (postgres_tools() and shutil.which("redis-server")), reason="no PostgreSQL, no Redis"
)
def test_two_servers_their_store_and_their_bus_are_killed_and_all_play_on() -> None:
    kills = tried(4, 12)
    figures, log = asyncio.run(chaos_of_two(kills, tables=6, seed=3, told=lambda _: None))
    assert figures.all_well, str(figures)
    assert figures.acknowledged > 50
    assert "Traceback" not in log


def test_a_store_that_loses_or_doubles_would_be_found_out(file: Path) -> None:
    """A test of the test: entries are taken away, changed and repeated behind its back."""

    async def some_match() -> tuple[Any, list[Any]]:
        table = Gathering("kolpa", 4)
        await table.begin()
        for _ in range(8):
            await table.play(*await table.choice(random.Random(1)))
        table.end()
        return table.room.table.stored, table.store.rows[table.room.id]

    stored, entries = run(some_match())
    acks = [Ack(stored.id, entry.cid, entry.seq) for entry in entries if entry.cid]
    assert len(acks) >= 8

    def figures_of(kept: list[Any]) -> Any:
        crowd = Crowd([], lambda: SqliteStore(file), 1, 1)
        crowd._check_table(stored, kept, acks)
        return crowd.figures

    assert figures_of(entries).all_well
    assert figures_of(entries[:-1]).lost == 1
    assert figures_of([*entries[:-2], entries[-1]]).gaps == 1
    again = entries[-1]
    doubled = Entry(again.seq + 1, again.at, SAY, 0, '{"name":"","text":""}', again.cid)
    assert figures_of([*entries, doubled]).doubled == 1
    wrong = Entry(again.seq, again.at, again.kind, again.seat, '{"actions":["x"]}', again.cid)
    assert len(figures_of([*entries[:-1], wrong]).broken) == 1


# ---- the socket cut


def test_a_cut_socket_leads_back_to_the_same_hand_within_two_seconds(file: Path) -> None:
    async def cut() -> None:
        async with (
            serving(file) as house,
            Seat.make(house.base, "kolpa", players=2, bots=[None, "easy"]) as seat,
        ):
            await seat.start()
            rng = random.Random(1)
            cuts = 0
            async for turn in seat.turns():
                if cuts < 3:
                    cuts += 1
                    before = json.loads(json.dumps(seat.state))
                    await cut_off(seat)
                    assert seat.view == before["view"]
                    assert seat.state["legal"] == before["legal"] == turn.legal
                    assert (seat.number, seat.state["seq"]) == (before["you"], before["seq"])
                await seat.play(any_of(turn.legal, rng))
                if cuts == 3:
                    break

    run(cut())


async def cut_off(seat: Seat) -> None:
    """Cut a client's connection, and wait until it is back."""
    was = seat._socket
    assert was is not None
    connection = was._response.connection
    assert connection is not None
    assert connection.transport is not None
    connection.transport.abort()
    async with asyncio.timeout(2.0):
        while seat._socket is was or seat._socket is None:
            await asyncio.sleep(0.01)


def test_a_choice_sent_into_a_cut_socket_counts_once(file: Path) -> None:
    async def cut() -> None:
        async with (
            serving(file) as house,
            Seat.make(house.base, "kolpa", players=2, bots=[None, "easy"]) as seat,
        ):
            await seat.start()
            n = 0
            async for turn in seat.turns():
                playing = asyncio.create_task(seat.play(turn.legal[0]))
                await asyncio.sleep(0)  # sent, and cut before the answer can come
                await cut_off(seat)
                await playing
                n += 1
                if n == 3:
                    break
            entries = await house.server.store.entries(seat.table)
            assert sum(e.cid is not None and e.kind == "play" for e in entries) == 3

    run(cut())


# ---- a slow client


class Deaf:
    """A client that asks and asks, and never reads an answer."""

    def __init__(self, port: int) -> None:
        self.door = socket.socket()
        self.door.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.door.settimeout(5)
        self.door.connect(("127.0.0.1", port))
        key = base64.b64encode(b"0" * 16).decode()
        self.door.sendall(
            f"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def ask_on(self, table: str) -> None:
        text = json.dumps({"do": "enter", "id": "x", "table": table, "version": VERSION}).encode()
        for _ in range(20_000):
            self.door.sendall(b"\x81" + bytes([0x80 | len(text)]) + b"\0\0\0\0" + text)
            time.sleep(0.0005)


def test_who_does_not_listen_is_dropped_and_holds_up_nobody(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.server.connection.MOST_WAITING", 1 << 17)
    warm_game("kolpa")  # compiling takes its time, which nobody else takes

    async def be_deaf(house: House, table: str) -> None:
        deaf = Deaf(int(house.base.rpartition(":")[2]))
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            await asyncio.to_thread(deaf.ask_on, table)
        deaf.door.close()

    async def play() -> None:
        async with serving(file) as house:
            players = await house.started("kolpa", people=2)
            dropping = asyncio.create_task(be_deaf(house, players[0].table))
            rng, slowest = random.Random(1), 0.0
            while not dropping.done():
                began = time.monotonic()
                if not await play_on(players, rng, 1):
                    break
                slowest = max(slowest, time.monotonic() - began)
            await dropping
            assert slowest < 3.0
            assert (await house.at(players[0].table)).whole["seq"] >= players[0].now()["seq"]

    run(play())


# ---- a stop


async def say_bye(server: ServerProcess) -> tuple[str, str]:
    """Somebody plays with bots when the server is stopped; table and token."""
    async with Seat.make(server.base, "kolpa", players=3, bots=[None, "easy", "easy"]) as seat:
        await seat.start()
        async for turn in seat.turns():
            await seat.play(turn.legal[0])
            if seat.state["seq"] > 15:
                break
        async with aiohttp.ClientSession() as session:
            socket = await session.ws_connect(server.base + "/ws")
            stopping = asyncio.create_task(asyncio.to_thread(server.stop))
            assert (await socket.receive_json(timeout=10)) == {"t": "bye"}
            assert (await socket.receive(timeout=10)).type is aiohttp.WSMsgType.CLOSE
            assert socket.close_code == 1001
            assert await stopping == 0
        assert seat.token is not None
        return seat.table, seat.token


async def come_back(server: ServerProcess, table: str, token: str) -> None:
    """The match is where it was, and the bots go on."""
    async with Seat.again(server.base, table, token) as seat:
        before = seat.state["seq"]
        assert before > 15
        rng = random.Random(1)
        async for turn in seat.turns():
            await seat.play(any_of(turn.legal, rng))
        assert seat.over
        assert seat.state["seq"] > before


def test_a_stop_says_bye_and_a_start_goes_on_where_it_was(file: Path) -> None:
    with ServerProcess(file) as server:
        table, token = run(say_bye(server))
        server.start()
        run(come_back(server, table, token))
        assert "Traceback" not in server.log()


def test_a_bot_that_was_thinking_when_the_server_died_thinks_again(file: Path) -> None:
    async def begin(server: ServerProcess) -> tuple[str, str]:
        async with Seat.make(server.base, "kolpa", players=2, bots=[None, "easy"]) as seat:
            await seat.start()
            if seat.state.get("legal"):
                await seat.play("draw" if "draw" in seat.state["legal"] else seat.state["legal"][0])
            assert seat.token is not None
            return seat.table, seat.token

    async def wait(server: ServerProcess, table: str, token: str) -> None:
        async with Seat.again(server.base, table, token) as seat, asyncio.timeout(15):
            async for _ in seat.turns():
                break

    with ServerProcess(file, bot_pace=1) as server:
        table, token = run(begin(server))
        server.kill()
        server.start()
        run(wait(server, table, token))


def test_a_table_read_anew_from_the_store_is_the_same(file: Path) -> None:
    async def look(house: House, table: str, token: str) -> AtTable:
        return await house.at(table, token)

    async def twice() -> None:
        async with serving(file) as house:
            players = await house.started("kiza", people=3)
            await play_on(players, random.Random(1), 25)
            await players[0].ask("say", text="still here?")
            table = players[0].table
            tokens = [house.server.tables.rooms[table].token_of(n) for n in range(3)]
            before = [(await look(house, table, token)).whole for token in tokens]
        async with serving(file) as house:
            after = [(await look(house, table, token)).whole for token in tokens]
        for was, now in zip(before, after, strict=True):
            assert lasting(was) == lasting(now)

    run(twice())


def lasting(whole: dict[str, Any]) -> dict[str, Any]:
    """A table without what passes: who is here, and since when."""
    kept = {k: v for k, v in whole.items() if k not in ("re", "seats", "turn")}
    if kept["rest"] is not None:
        kept["rest"] = kept["rest"]["ready"]
    return kept


@pytest.mark.parametrize("ready", [0, 1])
def test_a_table_that_rests_is_the_same_when_it_is_read_anew(ready: int, file: Path) -> None:
    async def twice() -> None:
        async with serving(file, round_pause=3600) as house:
            players = await house.started("lantern", people=2, options={"rounds": 2})
            while not players[0].now().get("rest"):
                due = next(player for player in players if player.now().get("legal"))
                moved = await due.choose(random.Random(1))
                await told(players, moved["seq"])
            for player in players[:ready]:
                await player.ask("next_round")
            table = players[0].table
            tokens = [house.server.tables.rooms[table].token_of(n) for n in range(2)]
            before = [(await house.at(table, token)).whole for token in tokens]
        async with serving(file, round_pause=3600) as house:
            after = [(await house.at(table, token)).whole for token in tokens]
        assert [lasting(whole) for whole in before] == [lasting(whole) for whole in after]
        assert before[0]["rest"]["ready"] == list(range(ready))

    run(twice())
