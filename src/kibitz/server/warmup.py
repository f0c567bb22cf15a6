"""Getting compiled rules ready before the first guest comes."""

import subprocess
import sys
import time

from kibitz.bots.bars import public_chances
from kibitz.bots.inference import Onlooker
from kibitz.bots.levels import Budget, level
from kibitz.bots.review import chances
from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.server.view_json import ViewWriter

PATIENCE = 4.0  # seconds after which the person at the shell hears what takes so long


def warm_game(name: str) -> None:
    """Call all that a table calls, once: what is not compiled yet is compiled, and kept."""
    game = find(name)
    match = Match.new(game, game.identity.seats[0], "warm", {})
    ViewWriter(match, [0])
    for _ in range(2):
        seat = min(match.to_act)
        for bot in ("medium", "hard"):
            action = level(bot).action(match, seat, 1, Onlooker(match), Budget(simulations=8))
        match.play(seat, action)
    public_chances(match)
    chances(match, playouts=2)


def warm_up(games: list[str]) -> None:
    """Make games ready; on a fresh machine they compile in processes of their own."""
    started = time.monotonic()
    for n, name in enumerate(games):
        warm_game(name)
        if time.monotonic() - started > PATIENCE and games[n + 1 :]:
            _compile_beside(games[n + 1 :])
            started = float("inf")


def _compile_beside(games: list[str]) -> None:
    print("Preparing the games; this takes a minute, the first time only.", flush=True)
    working = [
        subprocess.Popen([sys.executable, "-m", "kibitz.server.warmup", *half])
        for half in (games[::2], games[1::2])
        if half
    ]
    for process in working:
        process.wait()


if __name__ == "__main__":
    for wanted in sys.argv[1:]:
        warm_game(wanted)
