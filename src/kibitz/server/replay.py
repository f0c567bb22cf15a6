"""Looking back: a match choice by choice, and as a file that anyone can check."""

import json
from itertools import groupby
from typing import Any

from msgspec import Raw

from kibitz.engine.match import Match
from kibitz.engine.visibility import ALL_SEEING, SPECTATOR
from kibitz.server import deal
from kibitz.server.frames import line_data
from kibitz.server.protocol import HistoryData, LineData, Moment, encode
from kibitz.server.table import Table
from kibitz.server.view_json import ViewWriter


def history(table: Table, viewer: int | None, *, all_open: bool = False) -> bytes:
    """The table after every choice, as a viewer saw it then, or with all hands open."""
    match = table.match
    assert match is not None
    past = match.rewound(0)
    reader = ALL_SEEING if all_open else viewer
    writer = ViewWriter(past, [SPECTATOR if reader is None else reader])
    start: Any = Raw(writer.whole(0))
    opening = _told(table, range(len(past.done)), reader)
    number, moves = len(opening), []
    later = range(len(past.done), len(match.done))
    for seq, group in groupby(later, key=table.line_seq.__getitem__):
        numbers = list(group)
        for n in numbers:
            past.repeat(match.done[n].seat, match.done[n].text)
        lines = _told(table, numbers, reader)
        # Only what can be read is counted: how long a sealed choice is stays unsaid.
        number += len(lines)
        view: Any = Raw(b"{%b}" % writer.news()[0])
        moves.append(Moment(seq, match.done[numbers[0]].seat, number, lines, view))
    return encode(HistoryData(start, opening, moves))


def _told(table: Table, numbers: Any, viewer: int | None) -> list[LineData]:
    lines = (line_data(table, n, viewer) for n in numbers)
    return [line for line in lines if line is not None]


def match_file(table: Table) -> bytes:
    """A finished match as a file, with all that is needed to check the deal."""
    match, stored = table.match, table.stored
    assert match is not None
    saved = json.loads(match.save())
    saved["deal"] = {
        "table": table.id,
        "commitment": stored.commitment,
        "secret": stored.secret,
        "contributions": [seat.contribution for seat in table.seats],
    }
    saved["seats"] = [seat.name for seat in table.seats]
    saved["winners"] = match.winners
    saved["scores"] = match.scores
    return json.dumps(saved, ensure_ascii=False, indent=1).encode()


def faults(saved: dict[str, Any], match: Match) -> list[str]:
    """What is wrong with the deal of a finished match; nothing if it was fair.

    `match` is the saved match, replayed: every action has been found legal.
    """
    dealt = saved.get("deal")
    if not isinstance(dealt, dict):
        return ["the file does not say how the deal was made"]
    wrong = []
    secret, contributions = str(dealt.get("secret")), dealt.get("contributions")
    if not deal.keeps(secret, str(dealt.get("commitment"))):
        wrong.append("the secret is not the one that was promised")
    if not isinstance(contributions, list) or deal.seed(secret, contributions) != match.seed:
        wrong.append("the seed is not made of the secret and the players' contributions")
    if saved.get("winners") != match.winners or saved.get("scores") != match.scores:
        wrong.append("the actions lead to another result")
    if not match.over:
        wrong.append("the match is not over")
    return wrong
