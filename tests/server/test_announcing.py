"""A server tells the others of all its tables again and again, and holds nobody up by it."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from kibitz.server import bus as buses
from kibitz.server import tables as rooms
from kibitz.server.bus import MOST_AT_ONCE, RedisBus, Word
from kibitz.server.tables import ANNOUNCED, Tables
from server.guests import run

TABLES = 1000


class Turns:
    """Counts what is done from one turn of the event loop to the next."""

    def __init__(self) -> None:
        self.done, self.most, self.total = 0, 0, 0

    def do(self, *_: object) -> None:
        self.done += 1
        self.total += 1

    async def count(self) -> None:
        while True:
            self.most, self.done = max(self.most, self.done), 0
            await asyncio.sleep(0)


class Presence:
    """No other server is there, or one has gone that had seat 1 of some tables."""

    def __init__(self, left: list[str]) -> None:
        self.left = left

    async def beat(self) -> dict[str, frozenset[int]]:
        return dict.fromkeys(self.left, frozenset([1]))


def place(turns: Turns, left: list[str]) -> tuple[Any, list[tuple[str, frozenset[int]]]]:
    """So many tables with somebody at seat 0, and who was seen to be gone."""
    seen: list[tuple[str, frozenset[int]]] = []

    def room(name: str) -> Any:
        def see(before: frozenset[int]) -> None:
            turns.do()
            seen.append((name, before))

        audience = SimpleNamespace(connected=lambda: frozenset([0]))
        return SimpleNamespace(
            is_attended=True, announce=turns.do, see_who_is_gone=see, audience=audience
        )

    names = [f"t{n}" for n in range(TABLES)]
    services = SimpleNamespace(presence=Presence(left))
    return SimpleNamespace(rooms={name: room(name) for name in names}, services=services), seen


def announced(place: Any, turns: Turns, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rooms, "ANNOUNCING_SECONDS", 0.02)

    async def work() -> None:
        counting = asyncio.create_task(turns.count())
        await Tables.announce(place)
        await asyncio.sleep(0)
        counting.cancel()

    run(work())


def test_other_servers_are_told_of_all_tables_some_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = Turns()
    made, seen = place(turns, [])
    announced(made, turns, monkeypatch)
    assert turns.total == TABLES
    assert turns.most <= ANNOUNCED
    assert seen == []


def test_players_of_a_server_that_has_gone_are_seen_to_be_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    turns = Turns()
    left = [f"t{n}" for n in range(100)]
    made, seen = place(turns, [*left, "not here"])
    announced(made, turns, monkeypatch)
    assert seen == [(name, frozenset([0, 1])) for name in left]
    assert turns.most <= ANNOUNCED + 1  # the last who are told of, and the first who are gone


def test_the_bus_takes_some_words_at_a_time_and_tells_all(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[list[str]] = []
    monkeypatch.setattr(buses, "BEAT_SECONDS", 0.05)

    class Pipeline:
        def __init__(self) -> None:
            self.texts: list[str] = []

        def publish(self, _: str, text: str) -> None:
            self.texts.append(text)

        async def execute(self) -> None:
            sent.append(self.texts)
            if len(sent) > TABLES:
                raise AssertionError("it goes on for ever")

    async def work() -> None:
        bus = RedisBus("redis://127.0.0.1:1/0")
        bus._redis = SimpleNamespace(pipeline=lambda transaction: Pipeline())
        for n in range(TABLES):
            bus.tell(Word(f"t{n}", 1, "me", frozenset()))
        speaking = asyncio.create_task(bus._speak())
        while not sent or sent[-1] != [""]:  # the beat of a bus that has nothing to tell
            await asyncio.sleep(0.01)
        speaking.cancel()

    run(asyncio.wait_for(work(), 5))
    words = [text for texts in sent for text in texts if text]
    assert words == [f"t{n} 1 me " for n in range(TABLES)]
    assert max(len(texts) for texts in sent) <= MOST_AT_ONCE
