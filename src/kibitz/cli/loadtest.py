"""How much a server can carry, from the shell."""

import argparse
import json
import sys

from kibitz.server.loadtest import Wish
from kibitz.server.loadtest import loadtest as measure


def loadtest(args: argparse.Namespace) -> int:
    """Measure servers of our own."""

    def told(what: str) -> None:
        print(f"kibitz: {what} …", file=sys.stderr, flush=True)

    wish = Wish(args.game, args.tables, args.seconds, args.servers, args.store, args.bus)
    found = measure(wish, told)
    if args.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name:18} {value}")
    return 0
