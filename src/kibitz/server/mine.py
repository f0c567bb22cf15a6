"""The matches of somebody: one look into the store, however many there are.

Only a table that is being played on is opened, to know whose turn it is.
"""

import contextlib

from kibitz.server import entries
from kibitz.server import protocol as p
from kibitz.server.entries import Entry
from kibitz.server.protocol import Phase, Refused
from kibitz.server.table import Table
from kibitz.server.tables import Tables
from kibitz.server.tokens import SeatToken


async def matches_of(tables: Tables, tokens: list[str]) -> list[p.Mine]:
    """The matches that tokens prove a seat at, in their order."""
    services = tables.services
    proven = [seat for seat in map(services.signer.read, tokens) if seat is not None]
    names = list({seat.table for seat in proven})
    stored = await services.store.tables_of(names)
    seating = await services.store.seating(list(stored))
    found = []
    for seat in proven:
        if seat.table in stored:
            table = Table(stored[seat.table])
            table.seat_all(seating[seat.table])
            if table.is_held_by(seat):
                found.append(await _mine(tables, table, seat, seating[seat.table]))
    return found


async def _mine(tables: Tables, table: Table, seat: SeatToken, seating: list[Entry]) -> p.Mine:
    phase, due = _phase(seating), False
    if phase == "playing":
        with contextlib.suppress(Refused):  # it is listed, though it cannot be opened now
            table = (await tables.room(table.id)).table
            phase, due = table.phase, seat.seat in table.due_since
    return p.Mine(
        table=table.id,
        seat=seat.seat,
        game=table.stored.game,
        phase=phase,
        due=due,
        names=[s.name for s in table.seats],
        at=table.stored.at,
    )


def _phase(seating: list[Entry]) -> Phase:
    kinds = {entry.kind for entry in seating}
    if entries.LAST in kinds:
        return "over"
    if entries.START in kinds:
        return "playing"
    return "dealing" if entries.CLOSE in kinds else "gathering"
