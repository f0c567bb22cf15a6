"""A table at rest, and what the tests ask of it."""

from typing import Any

import pytest

from kibitz.server import entries
from kibitz.server import protocol as p
from kibitz.server.protocol import Refused
from server.memory import Gathering


async def resting(players: int = 3, rounds: int = 2, **words: Any) -> Gathering:
    """A table at which the first round has just ended."""
    gathering = Gathering("lantern", players, rounds=rounds, **words)
    await gathering.begin()
    for seat in range(players):
        await gathering.play(seat, ["stop"])
    assert gathering.room.table.rests
    return gathering


def kinds(gathering: Gathering) -> list[str]:
    """What has been written since the match began."""
    rows = [entry.kind for entry in gathering.store.rows[gathering.room.id]]
    return rows[rows.index(entries.START) + 1 :]


def deals(gathering: Gathering) -> int:
    return kinds(gathering).count(entries.DEAL)


async def refusal(gathering: Gathering, seat: int | None, **words: Any) -> str:
    """The word for why somebody cannot have the next round; nothing is written."""
    before = gathering.room.table.seq
    with pytest.raises(Refused) as no:
        await gathering.ask(seat, p.NextRound, **words)
    assert gathering.room.table.seq == before
    return no.value.error
