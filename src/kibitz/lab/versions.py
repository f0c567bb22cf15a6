"""Whether a change made bots better: those of two versions of Kibitz at one table.

    git worktree add ../before HEAD~1
    python -m kibitz.lab.versions kolpa ../before/src --bot hard --games 100

Two of each sit at a table for four, and each deal is played from all seats. The share is that of
the version that runs this. The other one may play by another name: `--other hard:learned=0`.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kibitz.bots.levels import level
from kibitz.engine.chance import seed_of_move
from kibitz.engine.errors import KibitzError
from kibitz.engine.machine import cores
from kibitz.games import names
from kibitz.lab import visitor
from kibitz.lab.arena import seating
from kibitz.lab.crew import crew, in_order
from kibitz.lab.standings import interval

SEATS = 4
HERE = Path(__file__).parents[2]  # where this version's package is


class Guest:
    """A visitor in a process of its own, from the version whose package is in a folder."""

    def __init__(self, source: Path, bot: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-P", visitor.__file__, bot],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(source)},
        )  # fmt: skip

    def ask(self, name: str, *words: Any) -> Any:
        """What it answers."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps([name, *words]) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # then there is no answer either
        if not (answer := self._process.stdout.readline()):
            raise KibitzError("one of the versions has stopped; what it said is above")
        return json.loads(answer)

    def leave(self) -> None:
        """It has nothing more to do."""
        self._process.kill()
        self._process.communicate()


@contextmanager
def guests(sources: list[Path], bots: list[str]) -> Iterator[list[Guest]]:
    """One of each version."""
    here = [Guest(source, bot) for source, bot in zip(sources, bots, strict=True)]
    try:
        yield here
    finally:
        for guest in here:
            guest.leave()


def play_match(both: list[Guest], game: str, number: int, rotation: int) -> float:
    """A deal in one of its rotations: how much of the victory was the first version's."""
    sitting = seating(SEATS, number, rotation)
    for guest in both:
        guest.ask("new", game, SEATS, f"versions {number}")
    done = 0
    while True:
        dues = [guest.ask("due") for guest in both]
        if dues[0] != dues[1]:
            raise KibitzError(f"the two versions play {game} by different rules: {dues}")
        winners: list[int] | None = dues[0].get("winners")
        if winners is not None:
            return sum(sitting[seat] % 2 == 0 for seat in winners) / len(winners)
        seat = dues[0]["seat"]
        seed, _ = seed_of_move(f"{number}/{rotation}", done)
        action = both[sitting[seat] % 2].ask("choose", seat, seed)
        for guest in both:
            guest.ask("play", seat, action)
        done += 1


def play_deals(sources: list[Path], bots: list[str], game: str, numbers: range) -> list[float]:
    """The first version's share in some deals, each played from all seats."""
    with guests(sources, bots) as both:
        return [
            sum(play_match(both, game, number, r) for r in range(SEATS)) / SEATS
            for number in numbers
        ]


def compare(sources: list[Path], bots: list[str], game: str, games: int) -> list[float]:
    """The first version's share in each deal: one table for each core."""
    deals, tables = -(-games // SEATS), cores()
    jobs = ((sources, bots, game, range(n, deals, tables)) for n in range(min(tables, deals)))
    with crew() as hired:
        return [share for some in in_order(hired.work(play_deals, jobs)) for share in some]


def main() -> None:
    """Print how the two versions did."""
    parser = argparse.ArgumentParser("versions", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("source", type=Path, help="the folder of the other version's package")
    parser.add_argument("--bot", default="hard")
    parser.add_argument("--other", metavar="BOT", help="what the other version plays by")
    parser.add_argument("--games", type=int, default=40)
    words = parser.parse_args()
    if words.games < 1:
        parser.error("--games must be at least 1")
    if words.game not in names():
        parser.error(f"there is no game {words.game}; there are {', '.join(names())}")
    if not (words.source / "kibitz" / "__init__.py").exists():
        parser.error(f"there is no kibitz in {words.source}; the folder that holds it is needed")
    try:
        level(words.bot)
        bots = [words.bot, words.other or words.bot]
        shares = compare([HERE, words.source], bots, words.game, words.games)
    except KibitzError as wrong:
        parser.error(str(wrong))
    low, high = interval(shares, SEATS * len(shares))
    mean = sum(shares) / len(shares)
    print(
        f"{words.game}: {bots[0]} here won {mean:.0%} ({low:.0%} to {high:.0%}) "
        f"of {SEATS * len(shares)} matches against {bots[1]} there"
    )


if __name__ == "__main__":
    main()
