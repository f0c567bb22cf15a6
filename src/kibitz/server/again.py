"""Back to a match that is over: to deal its cards again, or to play on from one of its moments."""

import json
from itertools import groupby

from kibitz.engine.errors import BadPosition
from kibitz.engine.match import Match
from kibitz.server import entries
from kibitz.server import protocol as p
from kibitz.server.protocol import Refused
from kibitz.server.table import Table


def begun(table: Table, again: p.Again) -> entries.Begun:
    """What a new table is to begin with; of a match that goes on nobody may see anything."""
    match = table.match
    if table.phase != "over" or table.former is not None or match is None:
        raise Refused(
            "phase", "only a match that is over, by the rules of today, can be gone back to"
        )
    if again.at is None:
        return entries.Begun(table.id, None, match.seed, match.start)
    return entries.Begun(table.id, again.at, None, _position(table, again.at))


def _position(table: Table, at: int) -> str:
    """How a match stood after so many choices and deals, the first deal not counted."""
    match = table.match
    assert match is not None
    first = len(match.rewound(0).done)
    groups = [len(list(group)) for _, group in groupby(table.line_seq[first:])]
    if not 0 <= at <= len(groups):
        raise Refused("malformed", f"at is from 0 to {len(groups)}, the moments of that match")
    past = match.rewound(first + sum(groups[:at]))
    if past.over:
        raise Refused("phase", "the match is over there; nothing is left to play")
    if past.round_over:
        past.next_round()
    text = past.position()
    try:
        Match.at(match.game, text, match.seed)
    except BadPosition as error:
        raise Refused("phase", f"nobody can take up this position: {error}") from None
    return text


def wish_for(table: Table, wish: p.NewTable) -> p.NewTable:
    """The wish for a table at which a match is gone back to: its game, players and options."""
    stored = table.stored
    if wish.game != stored.game:
        raise Refused("bad_option", f"that was a match of {stored.game}, not of {wish.game}")
    return p.NewTable(
        game=stored.game, name=wish.name, players=stored.players,
        options=json.loads(stored.options), bots=wish.bots, seat=wish.seat, clock=wish.clock,
        hints=wish.hints, open=wish.open, again=wish.again,
    )  # fmt: skip
