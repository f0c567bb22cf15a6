"""Nobody waits: whatever a table asks of the server, its event loop goes on."""

import asyncio
import gc
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kibitz.server.warm import warm_game
from server.guests import play_on, run, serving

MOST = 0.005  # seconds that anything may keep the loop


@pytest.fixture
def turns(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[float, str]]]:
    """How long each turn of the loop took, in processor time of its thread: a machine that is
    busy with other things does not count. As `kibitz serve` does, what is loaded is frozen."""
    found: list[tuple[float, str]] = []
    once: Callable[[Any], None] = asyncio.events.Handle._run

    def timed(handle: Any) -> None:
        started = time.thread_time()
        once(handle)
        found.append((time.thread_time() - started, str(handle)))

    monkeypatch.setattr(asyncio.events.Handle, "_run", timed)
    gc.collect()
    gc.freeze()
    yield found
    gc.unfreeze()


def test_the_loop_is_never_held_up(file: Path, turns: list[tuple[float, str]]) -> None:
    """Not by rules, bots, hints, bars, looking back, reviews or the disk."""
    warm_game("kolpa")

    async def everything_at_once() -> None:
        async with serving(file) as house:
            await house.get("/api/games/kolpa")
            bots = [None, None, "hard", "expert"]
            players = await house.started(people=2, players=4, bots=bots)
            table = players[0].table
            watcher = await house.at(table)
            del turns[:]  # what is made once, at the start, does not count
            await watcher.ask("bars", on=True)
            for n in range(3):
                if any(player.now().get("phase") == "over" for player in players):
                    break
                await play_on(players, random.Random(n), choices=1)
                for player in players:
                    if player.now().get("legal"):
                        await player.ask("hint", on=True)
                await house.get(f"/api/tables/{table}/history")
            for player in players:
                await player.ask("hint", on=False)

    run(everything_at_once())
    assert len(turns) > 300
    late = sorted(turns, reverse=True)[:3]
    assert late[0][0] < MOST, late


def test_a_review_is_made_beside_and_says_how_far_it_is(file: Path) -> None:
    async def asked() -> None:
        async with serving(file) as house:
            players = await house.started(people=2, options={"target": 20})
            table = players[0].table
            status, refused = await house.get(f"/api/tables/{table}/review")
            assert (status, refused["error"]) == (409, "phase")
            await play_on(players, random.Random(1))
            status, found = await house.get(f"/api/tables/{table}/review")
            assert status == 202
            assert 0 <= found["progress"] <= 1
            while status == 202:
                await asyncio.sleep(0.2)
                status, found = await house.get(f"/api/tables/{table}/review")
            assert len(found["moves"]) == len(found["seqs"])
            assert len(found["start"]) == 2
            assert sum(found["moves"][-1]["chances"]) == pytest.approx(1)
            assert set(found["decisive"]) <= {move["number"] for move in found["moves"]}

    run(asked())
