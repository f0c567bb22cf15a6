"""Kill servers, stores and the bus again and again while people play, and count what is lost.

    PYTHONPATH=tests python tests/server/chaos.py --kills 500
    PYTHONPATH=tests python tests/server/chaos.py --kills 500 --two

Players at tables for four play over the network as fast as they can. At a random moment something
is killed and started again: the server on its SQLite file, or one of two servers, the PostgreSQL
that they share, or the Redis over which they hear of each other. The players come back by
themselves and send again what was not answered. Then the store must hold all that was acknowledged.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from kibitz.server.sqlite import SqliteStore
from server.crowd import SEATS, Crowd, Figures
from server.process import ServerProcess

LONGEST_LIFE = 1.5  # seconds of play from one kill to the next
MOST_STARTS = 5  # of a server, until it runs again
KILLS_BETWEEN_CHECKS = 10  # every acknowledgement is kept until it has been looked up
Tell = Callable[[str], None]


async def chaos(file: Path, kills: int, tables: int, seed: int, told: Tell) -> tuple[Figures, str]:
    """Kill a server so many times; what was found, and the server's log."""
    with ServerProcess(file, games="kolpa") as server:
        crowd = Crowd([server], lambda: SqliteStore(file, alone=False), tables, seed)
        await kill_on(crowd, [lambda: again(server)], kills, told)
        return crowd.figures, server.log()


async def chaos_of_two(kills: int, tables: int, seed: int, told: Tell) -> tuple[Figures, str]:
    """Kill one of two servers, their PostgreSQL or their Redis; what was found, and the logs."""
    from kibitz.server.postgres import PostgresStore
    from server.trouble import place

    async with place(pause_seconds=0.0) as (made, database):
        crowd = Crowd(made.servers, lambda: PostgresStore(database.url()), tables, seed)

        async def store_again() -> None:
            await asyncio.to_thread(database.kill)
            await asyncio.to_thread(database.start)

        async def bus_again() -> None:
            await asyncio.to_thread(made.bus.stop)
            await asyncio.to_thread(made.bus.start)

        one, other = made.servers
        deaths: list[Callable[[], Awaitable[None]]] = [
            lambda: again(one), lambda: again(other), store_again, bus_again,
        ]  # fmt: skip
        await kill_on(crowd, deaths, kills, told)
        return crowd.figures, "".join(server.log() for server in made.servers)


async def again(server: ServerProcess) -> None:
    """Kill a server and start it again; as often as systemd would, if its store does not answer."""
    server.kill()
    await asyncio.sleep(0)  # answers that came before the end are still heard
    for tries in range(1, MOST_STARTS + 1):
        try:
            await asyncio.to_thread(server.start)
            break
        except AssertionError:
            if tries == MOST_STARTS:
                raise


async def kill_on(
    crowd: Crowd, deaths: Sequence[Callable[[], Awaitable[None]]], kills: int, told: Tell
) -> None:
    """One death after the other, while the crowd plays."""
    left: list[Callable[[], Awaitable[None]]] = []
    async with crowd.playing():
        for n in range(1, kills + 1):
            left = left or crowd.rng.sample(deaths, len(deaths))  # each, before any comes again
            await crowd.plays()  # to kill what nobody uses would prove nothing
            await asyncio.sleep(crowd.rng.uniform(0, LONGEST_LIFE))
            await left.pop()()
            crowd.figures.kills += 1
            if n % KILLS_BETWEEN_CHECKS == 0 or n == kills:
                await crowd.check()
                told(str(crowd.figures))
            if not crowd.figures.all_well:
                break
        await crowd.goes_on()


def main() -> int:
    """The long run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--tables", type=int, default=50, help="tables for four")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--two", action="store_true", help="two servers, PostgreSQL and Redis")
    args = parser.parse_args()
    told = lambda text: print(text, flush=True)  # noqa: E731
    with tempfile.TemporaryDirectory() as folder:
        if args.two:
            work = chaos_of_two(args.kills, args.tables, args.seed, told)
        else:
            work = chaos(Path(folder) / "tables.db", args.kills, args.tables, args.seed, told)
        figures, log = asyncio.run(work)
    if "Traceback" in log:
        print(log, file=sys.stderr)
    print(f"{SEATS * args.tables} players: {figures}")
    return 0 if figures.all_well and "Traceback" not in log else 1


if __name__ == "__main__":
    sys.exit(main())
