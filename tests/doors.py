"""How long the doors take from a clean clone with an empty cache.

`python tests/doors.py check dist` times these two. Each target of make gets a clone, a cache and a
store of its own. `play` is timed until a card of one's own has been played.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
USUAL = ("check", "dist", "play", "test")
# Run by the clone's own Python: sits down with a bot, and plays the first card.
FIRST_CARD = """
import asyncio, sys
from kibitz.client import Seat

async def play():
    async with Seat.make(sys.argv[1], "kolpa", players=2, bots=[None, "easy"]) as seat:
        await seat.start()
        async for turn in seat.turns():
            return await seat.play(turn.legal[0])

asyncio.run(play())
"""


def main() -> int:
    """The command; 1 if a target fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=USUAL, metavar="TARGET")
    failed = 0
    for target in parser.parse_args().targets:
        with tempfile.TemporaryDirectory() as folder:
            seconds = timed(target, Path(folder))
        failed += seconds is None
        told = "fails" if seconds is None else f"{seconds:.0f} s"
        print(f"make {target:10} {told}", flush=True)
    return 1 if failed else 0


def timed(target: str, folder: Path) -> float | None:
    """How many seconds a target takes, or None if it fails."""
    clone = folder / "kibitz"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    given = {
        "KIBITZ_CACHE": str(folder / "cache"),
        "KIBITZ_STORE": str(folder / "tables.db"),
        "KIBITZ_PORT": "0",
        "BROWSER": "true",  # the program, which opens nothing
    }
    env = {**os.environ, **given}
    began = time.monotonic()
    if target == "play":
        is_done = plays(clone, env)
    else:
        done = subprocess.run(["make", target], cwd=clone, env=env, stdout=sys.stderr, check=False)
        is_done = done.returncode == 0
    return time.monotonic() - began if is_done else None


def plays(clone: Path, env: dict[str, str]) -> bool:
    """Have `make play` start a server, and play a card there."""
    with subprocess.Popen(
        ["make", "play"], cwd=clone, env=env, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        ready = next((line for line in server.stdout if "http://" in line), None)
        if ready is None:
            return False
        port = ready.split("http://")[1].split("/")[0].rpartition(":")[2]
        words = [str(clone / ".venv/bin/python"), "-c", FIRST_CARD, f"http://127.0.0.1:{port}"]
        played = subprocess.run(words, check=False)
        server.terminate()
    return played.returncode == 0


if __name__ == "__main__":
    sys.exit(main())
