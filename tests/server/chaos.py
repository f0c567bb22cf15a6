"""Kill the server again and again while people play, and count what is lost.

    PYTHONPATH=tests python tests/server/chaos.py --kills 1000

Players at tables for four play over the network as fast as they can. The server is killed at a
random moment and started again on the same port and store; the players come back by themselves and
send again what was not answered. Then all that was acknowledged must be in the store.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from kibitz.server.sqlite import SqliteStore
from server.crowd import SEATS, Crowd, Figures
from server.process import ServerProcess

LONGEST_LIFE = 1.5  # seconds from one start to the next kill
KILLS_BETWEEN_CHECKS = 10  # every acknowledgement is kept until it has been looked up


async def chaos(
    file: Path, kills: int, tables: int, seed: int, told: Callable[[str], None]
) -> tuple[Figures, str]:
    """Kill a server so many times; what was found, and the server's log."""
    with ServerProcess(file, games="kolpa") as server:
        crowd = Crowd([server], lambda: SqliteStore(file, alone=False), tables, seed)
        async with crowd.playing():
            for n in range(1, kills + 1):
                await asyncio.sleep(crowd.rng.uniform(0, LONGEST_LIFE))
                server.kill()
                await asyncio.sleep(0)  # answers that came before the end are still heard
                await asyncio.to_thread(server.start)
                crowd.figures.kills += 1
                if n % KILLS_BETWEEN_CHECKS == 0 or n == kills:
                    await crowd.check()
                    told(str(crowd.figures))
                if not crowd.figures.all_well:
                    break
            await crowd.goes_on()
        return crowd.figures, server.log()


def main() -> int:
    """The long run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=50, help="tables for four")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tables.db"
        told = lambda text: print(text, flush=True)  # noqa: E731
        figures, log = asyncio.run(chaos(file, args.kills, args.tables, args.seed, told))
    if "Traceback" in log:
        print(log, file=sys.stderr)
    print(f"{SEATS * args.tables} players: {figures}")
    return 0 if figures.all_well and "Traceback" not in log else 1


if __name__ == "__main__":
    sys.exit(main())
