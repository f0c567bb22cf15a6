"""Whether a finished match was dealt and played as promised."""

import argparse
import json
import re
import urllib.error
import urllib.request
from typing import Any

import kibitz
from kibitz.cli.files import read_text
from kibitz.engine.errors import KibitzError
from kibitz.engine.match import Match
from kibitz.server import deal
from kibitz.server.names import harmless
from kibitz.server.proof import DealRecord, deal_record, faults


def verify(args: argparse.Namespace) -> int:
    """Deal and replay a finished match again, and say whether it was fair, and by what."""
    commitment = _hex("--commitment", args.commitment)
    contribution = _hex("--contribution", args.contribution)
    if commitment is None:
        raise KibitzError(
            "a match alone proves nothing, since it could have been made up afterwards; give what"
            " your page kept from before the deal: --commitment HEX --contribution HEX"
        )
    text = _fetch(args.source)
    match, saved = kibitz.load(text), json.loads(text)
    wrong = faults(saved, match, commitment=commitment, contribution=contribution)
    dealt = deal_record(saved)
    asked = _table_of(args.source)
    if asked is not None and dealt is not None and dealt.table != asked:
        wrong.append("it was dealt at another table than the link names")
    if dealt is None or wrong:
        raise KibitzError(f"this match is not as promised: {'; '.join(wrong)}")
    said = _said(dealt, _names(saved, match), contribution)
    print("\n".join([_result(saved, match), *said, *_agreed(saved, match)]))
    return 0


def _result(saved: dict[str, Any], match: Match) -> str:
    names = _names(saved, match)
    winners = ", ".join(names[n] for n in match.winners)
    actions = sum(done.seat is not None for done in match.done)
    title = match.game.identity.title
    if not match.over:
        return f"{title}, {actions} actions, ended by agreement at {match.scores} points."
    return f"{title}, {actions} actions, won by {winners} with {match.scores} points."


def _names(saved: dict[str, Any], match: Match) -> list[str]:
    said = saved.get("seats")
    names = said if isinstance(said, list) and len(said) == match.players else []
    return [
        (harmless(names[n]) if names and isinstance(names[n], str) else "") or f"seat {n}"
        for n in range(match.players)
    ]


def _said(dealt: DealRecord, names: list[str], contribution: str | None) -> list[str]:
    """What was checked, what was believed, and what could not be checked."""
    checked = ["the secret fits the commitment you kept"]
    if contribution is not None:
        checked.append("your contribution was used")
    if dealt.way == deal.PROMISED:
        checked.append("every contribution fits its promise")
    checked.append("the deal follows from the secret and the contributions")
    checked.append("every action is legal and leads to this result")
    lines = [f"Checked: {'; '.join(checked)}."]
    if dealt.way == deal.PROMISED:
        lines.append(
            "Believed as the file has it: what the others promised. The page compares that with"
            " what it saw before the deal."
        )
    else:
        lines.append("Not checked: in this older match nobody promised their contribution before.")
    if contribution is None:
        lines.append(
            "Not checked: that your contribution was used; give it with --contribution HEX. Without"
            " it the server could have chosen the cards."
        )
    if dealt.left_out:
        left = ", ".join(names[n] for n in dealt.left_out)
        lines.append(f"Left out, for not revealing in time what they promised: {left}.")
    return lines


def _agreed(saved: dict[str, Any], match: Match) -> list[str]:
    """What the players agreed upon, as the file has it: of that nothing can be checked."""
    lines, back = [], saved.get("taken_back")
    if isinstance(back, list) and back:
        times = "once" if len(back) == 1 else f"{len(back)} times"
        lines.append(f"Moves were taken back {times}; this is the match as it stands without them.")
    if not match.over:
        lines.append("Believed as the file has it: that all agreed to end it there.")
    return lines


def _hex(flag: str, text: str | None) -> str | None:
    """A commitment or a contribution as it was typed."""
    if text is None:
        return None
    found = text.strip().lower()
    if not re.fullmatch("[0-9a-f]{64}", found):
        raise KibitzError(
            f"{flag} takes 64 hex digits, as your page shows them at the end of a match"
        )
    return found


def _table_of(source: str) -> str | None:
    """The table that a link names."""
    if not source.startswith(("http://", "https://")):
        return None
    return source.partition("/t/")[2].partition("/")[0].partition("?")[0]


def _fetch(source: str) -> str:
    """A finished match, from a file, or from the link to its table."""
    table = _table_of(source)
    if table is None:
        return read_text(source)
    base = source.partition("/t/")[0]
    try:
        with urllib.request.urlopen(f"{base}/api/tables/{table}/match", timeout=20) as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as error:
        raise KibitzError(f"the server at {base} says: {_reason(error)}") from None
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise KibitzError(f"cannot reach {source}: {getattr(error, 'reason', error)}") from None


def _reason(error: urllib.error.HTTPError) -> str:
    """What a server says, if it is one of ours; a proxy in front of it says it in HTML."""
    try:
        said = json.loads(error.read())["text"]
    except (ValueError, KeyError, TypeError):
        said = error.reason
    return harmless(str(said))
