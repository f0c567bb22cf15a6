"""Whatever one guest asks for, others play on; `tests/server/siege.py` is the whole siege."""

import asyncio
from pathlib import Path

from server.process import ServerProcess
from server.siege import GAMES, LIMITS, siege


def test_one_address_that_asks_for_all_it_may_does_not_slow_others_down(file: Path) -> None:
    with ServerProcess(file, games=GAMES, **LIMITS) as server:
        before, during = asyncio.run(siege(server, seconds=4, tables=12))
        assert during.bots[1] <= 2 * before.bots[1]
        assert max(during.moves[0], during.chat[0]) < 1000  # also where tests keep all cores busy
        assert "Traceback" not in server.log()
