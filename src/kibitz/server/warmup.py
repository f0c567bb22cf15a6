"""Calling all that a table calls, once: what is not compiled yet is compiled, and kept on disk.

`python -m kibitz.server.warmup STAGE GAME` does so in a process of its own.
"""

import hashlib
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from llvmlite import binding

from kibitz.bots.bars import public_chances
from kibitz.bots.claims import Comparison
from kibitz.bots.inference import Onlooker
from kibitz.bots.levels import Budget, level
from kibitz.bots.review import chances
from kibitz.engine.compiled import CACHE, compiled_sources
from kibitz.engine.machine import step_back
from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.server.view_json import ViewWriter

Stage = Literal["deal", "moves", "bots"]
LATER = "later"  # as a third word: others go first


def warm_deal(name: str) -> None:
    """What it takes to put cards on the table and to say what can be done."""
    match = _dealt(name)
    ViewWriter(match, [0])
    match.legal(min(match.to_act))


def warm_moves(name: str) -> None:
    """What people need to play."""
    match = _dealt(name)
    seat = min(match.to_act)
    match.sample_world(seat)
    match.play(seat, match.legal(seat)[0])


def warm_bots(name: str) -> None:
    """What bots and the kibitzer need to think."""
    match = _dealt(name)
    for _ in range(2):
        seat = min(match.to_act)
        for bot in ("medium", "hard"):
            action = level(bot).action(match, seat, 1, Onlooker(match), Budget(simulations=8))
        match.play(seat, action)
    seat = min(match.to_act)
    action = match.legal(seat)[0]
    Comparison(match, seat, action, action, worlds=2)
    public_chances(match)
    chances(match, playouts=2)


STAGES: Mapping[Stage, Callable[[str], None]] = {
    "deal": warm_deal,
    "moves": warm_moves,
    "bots": warm_bots,
}


def warm_game(name: str) -> None:
    """All of it, here and now."""
    for warm in STAGES.values():
        warm(name)


def _dealt(name: str) -> Match:
    game = find(name)
    return Match.new(game, game.identity.seats[0], "warm", {})


def is_compiled(name: str, stage: Stage) -> bool:
    """Whether this stage was compiled before, from the same files for the same processor."""
    return CACHE is not None and _note(CACHE, name, stage).exists()


def _note(cache: Path, name: str, stage: Stage) -> Path:
    """A file that is there when a stage has been compiled.

    Its name is made of all by which numba tells whether compiled code is still good.
    """
    digest = hashlib.sha256(binding.get_host_cpu_name().encode())
    for file in compiled_sources(find(name).folder):
        digest.update(f"{file} {file.stat().st_mtime_ns} {file.stat().st_size}\n".encode())
    return cache / f"{name}-{stage}-{digest.hexdigest()[:12]}"


def main(stage: Stage, name: str, *when: str) -> None:
    """Compile one stage of a game, and note that it is done."""
    if LATER in when:
        step_back()
    STAGES[stage](name)
    if CACHE is not None:
        _note(CACHE, name, stage).touch()


if __name__ == "__main__":
    main(*sys.argv[1:])  # type: ignore[arg-type]  # started by nobody but the server
