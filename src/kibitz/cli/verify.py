"""Whether a finished match was dealt and played as promised."""

import argparse
import json
import urllib.error
import urllib.request

import kibitz
from kibitz.cli.files import read_text
from kibitz.engine.errors import KibitzError
from kibitz.server.replay import faults


def verify(args: argparse.Namespace) -> int:
    """Deal and replay a finished match again, and say whether it was fair."""
    text = _fetch(args.source)
    match = kibitz.load(text)
    saved = json.loads(text)
    wrong = faults(saved, match)
    if wrong:
        raise KibitzError(f"this match is not as promised: {'; '.join(wrong)}")
    seats = saved.get("seats") or [f"seat {n}" for n in range(match.players)]
    winners = ", ".join(seats[n] for n in match.winners)
    actions = sum(done.seat is not None for done in match.done)
    print(f"{match.game.identity.title}, {actions} actions: the secret is the one promised,")
    print("the deal follows from it and the players' contributions, and every action is legal.")
    print(f"Won by {winners} with {match.scores} points.")
    return 0


def _fetch(source: str) -> str:
    """A finished match, from a file, or from the link to its table."""
    if not source.startswith(("http://", "https://")):
        return read_text(source)
    base, _, rest = source.partition("/t/")
    table = rest.partition("/")[0].partition("?")[0]
    try:
        with urllib.request.urlopen(f"{base}/api/tables/{table}/match", timeout=20) as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as error:
        reason = json.loads(error.read() or b"{}").get("text", error.reason)
        raise KibitzError(f"the server at {base} says: {reason}") from None
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise KibitzError(f"cannot reach {source}: {getattr(error, 'reason', error)}") from None
