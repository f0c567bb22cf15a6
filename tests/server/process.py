"""A server in a process of its own, as one starts it from the shell, to be stopped or killed."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from kibitz.client import Seat
from server.preloaded import GAME, Forked, fork

START_SECONDS = 60.0
NO_LIMITS = {
    "KIBITZ_BOT_PACE": "0",
    "KIBITZ_CONNECTIONS_PER_ADDRESS": "100000",
    "KIBITZ_MESSAGES_PER_SECOND": "1000000",
    "KIBITZ_TABLES_PER_HOUR": "10000000",
}


class ServerProcess:
    """`kibitz serve` on a store; it keeps its port when it is started again."""

    def __init__(self, store: Path | str, *, games: str = GAME, **settings: Any) -> None:
        self.store, self.port = str(store), 0
        named = {f"KIBITZ_{name.upper()}": str(value) for name, value in settings.items()}
        self._env = {**os.environ, **NO_LIMITS, "KIBITZ_GAMES_OFFERED": games, **named}
        self._forks = games == GAME and "cache" not in settings
        self._out = tempfile.NamedTemporaryFile("a+")  # noqa: SIM115  closed on exit, as is the log
        self._log = tempfile.NamedTemporaryFile("a+")  # noqa: SIM115
        self._process: subprocess.Popen[str] | Forked | None = None

    def start(self) -> None:
        """Until it says that it is ready."""
        words = ["serve", "--port", str(self.port), "--store", self.store]
        self._out.truncate(0)
        process: subprocess.Popen[str] | Forked
        if self._forks:
            process = fork(words, self._env, self._out.name, self._log.name)
        else:
            process = subprocess.Popen(
                [sys.executable, "-m", "kibitz.cli", *words],
                env=self._env, stdout=self._out, stderr=self._log, text=True,
            )  # fmt: skip
        self._process = process
        until = time.monotonic() + START_SECONDS
        while "http://" not in (said := Path(self._out.name).read_text()) or said[-1] != "\n":
            if time.monotonic() > until or process.poll() is not None:
                raise AssertionError(f"the server did not start: {self.log()}")
            time.sleep(0.01)
        self.port = int(said.split("http://")[1].split("/")[0].rpartition(":")[2])

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
        return process.wait(30)

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
        self._out.close()
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
