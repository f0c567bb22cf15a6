"""Frames wait for each other, and for nothing else."""

import asyncio
from typing import Any, cast

from kibitz.server.outbox import MOST_AT_ONCE, Outbox


class Wire:
    """Stands in for a client's connection; a broken one takes nothing."""

    def __init__(self, is_broken: bool = False) -> None:
        self.is_broken, self.aborted = is_broken, False
        self.written: list[bytes] = []

    def write(self, frame: bytes) -> None:
        if self.is_broken:
            raise RuntimeError("this connection has a fault")
        self.written.append(frame)

    def is_closing(self) -> bool:
        return self.aborted

    def abort(self) -> None:
        self.aborted = True


def put(outbox: Outbox, wire: Wire, frame: bytes) -> None:
    transport: Any = wire
    outbox.put((cast(asyncio.Transport, transport), frame))


def test_frames_are_written_in_order_once_the_loop_comes_to_it() -> None:
    async def talk() -> None:
        outbox, wire = Outbox(), Wire()
        for n in range(3):
            put(outbox, wire, b"%d" % n)
        assert wire.written == []
        await asyncio.sleep(0)
        assert wire.written == [b"0", b"1", b"2"]

    asyncio.run(talk())


def test_others_get_their_turn_where_there_is_much_to_write() -> None:
    async def talk() -> list[int]:
        outbox, wire = Outbox(), Wire()
        for _ in range(3 * MOST_AT_ONCE):
            put(outbox, wire, b"news")
        seen = []
        while len(wire.written) < 3 * MOST_AT_ONCE:
            await asyncio.sleep(0)
            seen.append(len(wire.written))
        return seen

    assert asyncio.run(talk()) == [MOST_AT_ONCE, 2 * MOST_AT_ONCE, 3 * MOST_AT_ONCE]


def test_a_client_with_a_fault_keeps_nothing_from_the_others() -> None:
    async def talk() -> None:
        outbox, broken, wire = Outbox(), Wire(is_broken=True), Wire()
        for n in range(2 * MOST_AT_ONCE):
            put(outbox, broken if n % 100 == 0 else wire, b"news")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        put(outbox, wire, b"later")
        await asyncio.sleep(0)
        assert broken.aborted
        assert len(wire.written) == 2 * MOST_AT_ONCE - 6 + 1
        assert wire.written[-1] == b"later"

    asyncio.run(talk())


def test_who_leaves_is_told_everything_first() -> None:
    async def talk() -> None:
        outbox, wire = Outbox(), Wire()
        put(outbox, wire, b"last words")
        outbox.empty()
        assert wire.written == [b"last words"]
        await asyncio.sleep(0)
        put(outbox, wire, b"and more")
        await asyncio.sleep(0)
        assert wire.written == [b"last words", b"and more"]

    asyncio.run(talk())
