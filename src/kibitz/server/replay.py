"""Looking back: a match choice by choice, and as a file that anyone can check."""

import json
from itertools import groupby
from typing import Any

from msgspec import Raw

from kibitz.engine.log import DEAL
from kibitz.engine.save import write_save
from kibitz.engine.visibility import ALL_SEEING, SPECTATOR
from kibitz.server.frames import lines_of
from kibitz.server.proof import AGREEMENT
from kibitz.server.protocol import HistoryData, Moment, Refused, encode
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
    opening = lines_of(table, range(len(past.done)), reader)
    number, moves = len(opening), []
    later = range(len(past.done), len(match.done))
    for seq, group in groupby(later, key=table.line_seq.__getitem__):
        numbers = list(group)
        for n in numbers:
            past.repeat(match.done[n].seat, match.done[n].text)
        lines = lines_of(table, numbers, reader)
        # Only what can be read is counted: how long a sealed choice is stays unsaid.
        number += len(lines)
        view: Any = Raw(writer.news()[0])
        moves.append(Moment(seq, match.done[numbers[0]].seat, number, lines, view))
    return encode(HistoryData(start, opening, moves))


def match_file(table: Table) -> bytes:
    """A finished match as a file, with all that is needed to check the deal."""
    dealt = table.deal()
    if dealt is None:
        raise Refused("phase", "the match was never dealt")
    saved, winners, scores = _saved(table, dealt.seed)
    saved["deal"] = {
        "way": dealt.way,
        "table": table.id,
        "commitment": table.stored.commitment,
        "secret": dealt.secret,
        "promises": dealt.promises,
        "contributions": dealt.contributions,
        "left_out": dealt.left_out,
    }
    if table.begun is not None:
        saved["deal"]["again"] = table.begun.table
    saved["seats"] = [seat.name for seat in table.seats]
    saved["winners"] = winners
    saved["scores"] = scores
    if table.ended:
        saved["ended"] = AGREEMENT
    back = [note for note in table.notes if note.note != "ended"]
    if back:
        saved["taken_back"] = [{"seat": note.seat, "seen": note.note != "undone"} for note in back]
    return json.dumps(saved, ensure_ascii=False, indent=1).encode()


def _saved(table: Table, seed: str) -> tuple[dict[str, Any], list[int], list[int]]:
    """A match as it is saved, who won, and the scores."""
    if table.match is not None:
        return json.loads(table.match.save()), table.match.winners, table.match.scores
    stored, former = table.stored, table.former
    assert former is not None
    head = {
        "game": stored.game, "rules": stored.rules, "players": stored.players,
        "options": table.options, "seed": seed,
    }  # fmt: skip
    log = [(line.seat, line.action or DEAL) for line in former.lines]
    told = former.data()
    return json.loads(write_save(head, log)), told.winners, told.scores
