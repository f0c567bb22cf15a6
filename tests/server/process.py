"""A server in a process of its own, as one starts it from the shell, to be stopped or killed."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

from kibitz.client import Seat

START_SECONDS = 60.0
NO_LIMITS = {
    "KIBITZ_BOT_PACE": "0",
    "KIBITZ_CONNECTIONS_PER_ADDRESS": "100000",
    "KIBITZ_MESSAGES_PER_SECOND": "1000000",
    "KIBITZ_TABLES_PER_HOUR": "10000000",
}


class ServerProcess:
    """`kibitz serve` on a store; it keeps its port when it is started again."""

    def __init__(self, store: Path | str, *, games: str = "kolpa", **settings: Any) -> None:
        self.store, self.port = str(store), 0
        named = {f"KIBITZ_{name.upper()}": str(value) for name, value in settings.items()}
        self._env = {**os.environ, **NO_LIMITS, "KIBITZ_GAMES_OFFERED": games, **named}
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115  closed on exit
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Until it says that it is ready."""
        words = ["serve", "--port", str(self.port), "--store", self.store]
        process = self._process = subprocess.Popen(
            [sys.executable, "-m", "kibitz.cli", *words],
            env=self._env, stdout=subprocess.PIPE, stderr=self._log, text=True,
        )  # fmt: skip
        assert process.stdout is not None
        impatience = threading.Timer(START_SECONDS, process.kill)
        impatience.start()
        ready = next((line for line in process.stdout if "http://" in line), None)
        impatience.cancel()
        if ready is None:
            raise AssertionError(f"the server did not start: {self.log()}")
        self.port = int(ready.split("http://")[1].split("/")[0].rpartition(":")[2])

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def log(self) -> str:
        """What the server has logged, over all its lives."""
        self._log.seek(0)
        return self._log.read()

    def kill(self) -> None:
        """End it in the middle of whatever it does."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to stop; its exit code."""
        return self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        process.send_signal(how)
        code = process.wait(30)
        assert process.stdout is not None
        process.stdout.close()
        return code

    def __enter__(self) -> "ServerProcess":
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.kill()
        self._log.close()

    async def played(self, game: str) -> tuple[str, Seat]:
        """Play a match with a bot to its end; the table, and who played."""
        rng = random.Random(1)
        async with Seat.make(self.base, game, players=2, bots=[None, "easy"]) as seat:
            await seat.start()
            async for turn in seat.turns():
                await seat.play(rng.choice(turn.legal))
            assert seat.over
            return seat.table, seat
