"""How much a server can carry, from the shell."""

import argparse
import json
import sys

from kibitz.engine.errors import KibitzError
from kibitz.server.loadtest import loadtest as measure


def loadtest(args: argparse.Namespace) -> int:
    """Measure a server of our own."""
    if args.tables < 2 or args.seconds <= 0:
        raise KibitzError("give at least two tables and some seconds")

    def told(what: str) -> None:
        print(f"kibitz: {what} …", file=sys.stderr, flush=True)

    found = measure(args.game, args.tables, args.seconds, told)
    if args.json:
        print(json.dumps(found))
    else:
        for name, value in found.items():
            print(f"{name:18} {value}")
    return 0
