"""A choice is told when all that came with it has happened, and before anything else is said."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kibitz.server import protocol as p
from kibitz.server.audience import TABLES_AT_ONCE, Audience
from kibitz.server.connection import Connection, Visit
from kibitz.server.protocol import Refused
from server.guests import run
from server.memory import Eyes, Gathering


async def a_table() -> Gathering:
    table = Gathering("lantern", 2)
    await table.begin()
    return table


def told(visitor: Eyes, since: int = 0) -> list[tuple[str, int]]:
    """The kinds and numbers of the frames that a visitor was sent."""
    frames = [p.decode_frame(frame) for frame in visitor.frames[since:]]
    return [(type(frame).__name__, getattr(frame, "seq", 0)) for frame in frames]


async def play_untold(table: Gathering, name: str = "mine") -> tuple[int, Any]:
    """Somebody makes a choice, and the loop has not come to tell anyone."""
    (seat,) = table.match.to_act
    command = p.Play(id=name, table=table.room.id, actions=[table.match.legal(seat)[0]])
    assert await table.room.carry_out(table.seats[seat], command) is None
    return seat, command


def test_a_choice_is_told_once_the_loop_comes_to_it() -> None:
    async def talk() -> None:
        table = await a_table()
        before = [len(visitor.frames) for visitor in table.seats]
        await play_untold(table)
        seq = table.room.table.seq
        assert [len(visitor.frames) for visitor in table.seats] == before
        await asyncio.sleep(0)
        for visitor, n in zip(table.seats, before, strict=True):
            assert told(visitor, n) == [("MovedFrame", seq)]
        table.end()

    run(talk())


def test_two_choices_in_one_turn_of_the_loop_are_told_one_after_the_other() -> None:
    async def talk() -> None:
        table = await a_table()
        before = [len(visitor.frames) for visitor in table.seats]
        first = table.room.table.seq + 1
        await play_untold(table, "first")
        await play_untold(table, "second")
        await asyncio.sleep(0)
        for visitor, n in zip(table.seats, before, strict=True):
            assert told(visitor, n) == [("MovedFrame", first), ("MovedFrame", first + 1)]
        table.end()

    run(talk())


def test_who_comes_meanwhile_sees_it_on_the_table_and_is_not_told_again() -> None:
    async def talk() -> None:
        table = await a_table()
        await play_untold(table)
        seq, newcomer = table.room.table.seq, Eyes()
        await table.room.enter(newcomer, None, "hello", 0)
        await asyncio.sleep(0)
        assert [frame for frame in told(newcomer) if frame[0] != "SeatsFrame"] == [
            ("TableFrame", seq)
        ]
        assert ("MovedFrame", seq) in told(table.seats[0])
        table.end()

    run(talk())


def test_whoever_sends_a_choice_again_hears_of_it_before_the_answer() -> None:
    async def talk() -> None:
        table = await a_table()
        seat, command = await play_untold(table)
        n = len(table.seats[seat].frames)
        answer = await table.room.carry_out(table.seats[seat], command)
        assert answer is not None
        assert told(table.seats[seat], n) == [("MovedFrame", table.room.table.seq)]
        table.end()

    run(talk())


def test_a_refusal_comes_after_what_is_its_reason() -> None:
    async def talk() -> None:
        table = await a_table()
        seat, command = await play_untold(table)
        n = len(table.seats[seat].frames)
        too_late = p.Play(id="too late", table=table.room.id, actions=command.actions)
        with pytest.raises(Refused):
            await table.room.carry_out(table.seats[seat], too_late)
        assert told(table.seats[seat], n) == [("MovedFrame", table.room.table.seq)]
        table.end()

    run(talk())


def test_a_hint_is_refused_after_what_is_its_reason() -> None:
    class Wire:
        def __init__(self) -> None:
            self.frames: list[bytes] = []

        def is_closing(self) -> bool:
            return False

        def write(self, framed: bytes) -> None:
            self.frames.append(framed[framed.index(b"{") :])

    async def talk() -> None:
        table, wire = await a_table(), Wire()
        room = table.room
        tables: Any = SimpleNamespace(services=room.services, lobby_visitors=[])
        connection = Connection(tables, cast(Any, None), 100.0, "an address")
        connection.open(cast(Any, wire))
        (seat,) = table.match.to_act
        visit = Visit(connection, room)
        await room.enter(visit, room.token_of(seat), "hello", 0)
        connection._at[room.id] = visit
        room.services.outbox.empty()
        wire.frames.clear()
        await play_untold(table)
        hint = p.Hint(id="hint", table=room.id, on=True)
        await connection._answer(p.encode(hint).decode())
        room.services.outbox.empty()
        kinds = [type(p.decode_frame(frame)).__name__ for frame in wire.frames]
        assert kinds == ["MovedFrame", "NoFrame"]
        table.end()

    run(talk())


def test_one_table_that_cannot_be_told_keeps_nothing_from_the_others(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def talk() -> None:
        broken, sound = await a_table(), await a_table()
        broken.room.audience._news = sound.room.audience._news
        tell = Audience._tell_moved

        def fail(audience: Audience, *words: Any) -> None:
            if audience is broken.room.audience:
                raise RuntimeError("this table has a fault")
            tell(audience, *words)

        monkeypatch.setattr(Audience, "_tell_moved", fail)
        await play_untold(broken)
        await play_untold(sound)
        await asyncio.sleep(0)
        assert told(sound.seats[0])[-1] == ("MovedFrame", sound.room.table.seq)
        assert "could not be told" in caplog.text
        broken.end()
        sound.end()

    run(talk())


def test_others_get_their_turn_where_much_is_to_be_told() -> None:
    async def talk() -> list[int]:
        table, done = await a_table(), list[int]()
        news: Any = table.room.services.news

        class Teller:
            def tell_news(self) -> None:
                done.append(1)

        for _ in range(2 * TABLES_AT_ONCE):
            news.put(Teller())
        seen = []
        while len(done) < 2 * TABLES_AT_ONCE:
            await asyncio.sleep(0)
            seen.append(len(done))
        table.end()
        return seen

    assert run(talk()) == [TABLES_AT_ONCE, 2 * TABLES_AT_ONCE]
