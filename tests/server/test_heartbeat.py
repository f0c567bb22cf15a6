"""Signs of life: who has gone without a word is noticed, who is only silent stays."""

import asyncio
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import WSMsgType

from kibitz.server.connection import MOST_FAULTS, MOST_SILENT
from kibitz.server.protocol import VERSION
from server.guests import House, run, serving, until


async def heartbeat(house: House) -> None:
    """What the server does every few seconds."""
    await house.server._check_alive()


def is_there(house: House) -> bool:
    return bool(house.server._clients)


def test_who_does_not_answer_a_ping_is_dropped_and_their_seat_is_empty(file: Path) -> None:
    async def gone() -> None:
        async with serving(file) as house:
            made = await house.make()
            await house.sit(made)
            player = await house.at(made["table"], made["token"])
            silent = await house.session.ws_connect(house.base + "/ws", autoping=False)
            asked = {"do": "enter", "id": "e", "table": made["table"], "version": VERSION}
            await silent.send_json(asked)
            await silent.receive()
            for _ in range(MOST_SILENT):
                await player.ask("say", text="here")
                await heartbeat(house)
                assert len(house.server._clients) == 2
            while (message := await silent.receive()).type is not WSMsgType.PING:
                assert message.type is WSMsgType.TEXT
            await player.ask("say", text="still here")
            await heartbeat(house)
            await until(lambda: len(house.server._clients) == 1)
            room = house.server.tables.rooms[made["table"]]
            assert [visitor.seat for visitor in room.audience.visitors] == [0]

    run(gone())


def test_who_answers_pings_stays_though_they_say_nothing(file: Path) -> None:
    async def silence() -> None:
        async with serving(file) as house:
            guest = await house.guest()  # whose library answers by itself
            for _ in range(4 * MOST_SILENT):
                await heartbeat(house)
                await guest.socket.ping(b"")  # answered after what came before it
                assert (await guest.ask("ping"))["t"] == "ok"
                await heartbeat(house)
            assert is_there(house)

    run(silence())


def test_who_waits_for_a_slow_answer_is_not_taken_for_gone(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What such a client says meanwhile is read after its answer."""

    async def slow() -> None:
        async with serving(file) as house:
            goes_on = asyncio.Event()

            async def lobby() -> list[object]:
                await goes_on.wait()
                return []

            monkeypatch.setattr(house.server.tables, "lobby", lobby)
            guest = await house.guest()
            asking = asyncio.create_task(guest.ask("lobby", on=True))
            await until(lambda: any(client._is_waiting for client in house.server._clients))
            for _ in range(2 * MOST_SILENT):
                await heartbeat(house)
            goes_on.set()
            assert (await asking)["t"] == "lobby"
            assert (await guest.ask("ping"))["t"] == "ok"

    run(slow())


async def answer(socket: aiohttp.ClientWebSocketResponse, kind: WSMsgType) -> Any:
    while (message := await socket.receive()).type is not kind:
        assert message.type is WSMsgType.TEXT
    return message.data


def test_a_ping_is_answered_with_what_it_said(file: Path) -> None:
    async def pinged() -> None:
        async with serving(file) as house:
            socket = await house.session.ws_connect(house.base + "/ws", autoping=False)
            for said in (b"", b"hello", 125 * b"x"):
                await socket.ping(said)
                assert bytes(await answer(socket, WSMsgType.PONG)) == said
            await socket.close()

    run(pinged())


def test_pings_without_end_are_shown_the_door(file: Path) -> None:
    async def flood() -> list[WSMsgType]:
        async with serving(file, messages_per_second=10.0) as house:
            socket = await house.session.ws_connect(house.base + "/ws", autoping=False)
            for _ in range(40 + MOST_FAULTS):
                await socket.ping(b"again")
            return [message.type async for message in socket]  # to its end

    heard = run(flood())
    assert heard.count(WSMsgType.TEXT) == MOST_FAULTS + 1
    assert 30 <= heard.count(WSMsgType.PONG) < 40
