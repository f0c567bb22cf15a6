"""Forks `kibitz` with all that a server imports, and a game, loaded before.

From the shell that takes a while each time, and tests start many servers. A line on the standard
input says what to do, a line on the standard output answers.
"""

import json
import os
import subprocess
import sys
import threading
import time
from functools import cache
from pathlib import Path
from typing import Any

GAME = "kolpa"
TESTS = Path(__file__).parents[1]


class Forked:
    """A process that was forked, with the ways of a `Popen`."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._code: int | None = None

    def send_signal(self, how: int) -> None:
        """If it has not ended already."""
        if self.poll() is None:
            os.kill(self.pid, how)

    def poll(self, seconds: float = 0.0) -> int | None:
        """Its exit code, if it ends by then."""
        if self._code is None:
            self._code = _ask({"wait": self.pid, "seconds": seconds})
        return self._code

    def wait(self, timeout: float) -> int:
        code = self.poll(timeout)
        if code is None:
            raise TimeoutError(f"process {self.pid} has not ended within {timeout:g} s")
        return code


def fork(words: list[str], env: dict[str, str], out: str, log: str) -> Forked:
    """`kibitz` with these words; what it prints and what it logs goes into files."""
    return Forked(_ask({"words": words, "env": env, "out": out, "log": log}))


_one_at_a_time = threading.Lock()


@cache
def _nursery() -> "subprocess.Popen[str]":
    """It ends when we do, for then its input has ended."""
    path = os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-m", "server.preloaded"], env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
    )  # fmt: skip


def _ask(wish: dict[str, Any]) -> Any:
    with _one_at_a_time:
        nursery = _nursery()
        assert nursery.stdin is not None
        assert nursery.stdout is not None
        nursery.stdin.write(f"{json.dumps(wish)}\n")
        return json.loads(nursery.stdout.readline())


# ---- in the process that forks


def _serve() -> None:
    from kibitz.cli import main, serve  # noqa: F401  what the command imports later
    from kibitz.server.warmup import warm_game

    warm_game(GAME)
    for line in sys.stdin:
        wish = json.loads(line)
        if "wait" in wish:
            answer = _wait(wish["wait"], wish["seconds"])
        elif (answer := os.fork()) == 0:
            _become(wish)
            sys.exit(main(wish["words"]))
        print(json.dumps(answer), flush=True)


def _become(wish: dict[str, Any]) -> None:
    os.environ.clear()
    os.environ.update(wish["env"])
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    for name, number in (("out", 1), ("log", 2)):
        os.dup2(os.open(wish[name], os.O_WRONLY | os.O_APPEND), number)


def _wait(pid: int, seconds: float) -> int | None:
    until = time.monotonic() + seconds
    while True:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > until:
            return None
        time.sleep(0.005)


if __name__ == "__main__":
    _serve()
