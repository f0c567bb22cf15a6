"""How much a server can carry, from the shell."""

import argparse
import asyncio
import json
import sys
import tempfile

from kibitz.engine.errors import KibitzError
from kibitz.server.loadtest import Wish
from kibitz.server.loadtest import loadtest as measure
from kibitz.server.stored import FEWEST, settings_for
from kibitz.server.stored import measure as measure_stored


def loadtest(args: argparse.Namespace) -> int:
    """Measure servers of our own."""
    if args.stored is not None and args.stored < FEWEST:
        raise KibitzError(f"give at least {FEWEST} tables to be stored")

    def told(what: str) -> None:
        print(f"kibitz: {what} …", file=sys.stderr, flush=True)

    if args.stored:
        with tempfile.TemporaryDirectory() as folder:
            settings = settings_for(args.store, folder)
            found = asyncio.run(measure_stored(settings, args.stored, told))
    else:
        wish = Wish(
            args.game, args.tables, args.seconds, args.servers, args.store, args.bus, args.bare
        )
        found = measure(wish, told)
    if args.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name:18} {value}")
    return 0
