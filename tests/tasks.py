"""Work for crews: found by their processes and nodes, as tests are not."""

import os
import time
from pathlib import Path

from kibitz.engine.errors import BadOption
from kibitz.lab.arena import Contest, Played, play_match


def first_waits(n: int, heard: str) -> int:
    """The first job is not done before the result of another has been heard."""
    while n == 0 and not Path(heard).exists():
        time.sleep(0.01)
    return n * n


def fail(n: int) -> int:
    raise BadOption(f"{n} is no good")


def slow_match(contest: Contest, number: int, rotation: int, log: str) -> Played:
    """A match that takes its time; the log says which process has played it."""
    time.sleep(0.06)
    with Path(log).open("a") as file:
        file.write(f"{os.getppid()}\n")
    return play_match(contest, number, rotation)
