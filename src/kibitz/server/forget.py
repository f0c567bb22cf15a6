"""Forgetting somebody: the name and the chat lines go, the match stays as it was played."""

from collections.abc import Iterable

import msgspec

from kibitz.engine.errors import KibitzError
from kibitz.server.entries import GONE, SAY, SIT, Entry
from kibitz.server.store import Store
from kibitz.server.tokens import SeatToken, Signer

NO_NAME = "?"


def without(entries: Iterable[Entry], seat: int, serial: int | None) -> list[Entry]:
    """The entries that name or quote those who had a seat, or one of them, saying so no more."""
    changed, sitting = [], 0
    for entry in entries:
        if entry.seat != seat:
            continue
        if entry.kind == SIT:
            sitting = entry.seq
        if serial is not None and serial != sitting:
            continue
        if entry.kind == SIT:
            body = msgspec.json.encode(msgspec.structs.replace(entry.read(), name=NO_NAME))
            changed.append(msgspec.structs.replace(entry, body=body.decode()))
        elif entry.kind == SAY:
            changed.append(msgspec.structs.replace(entry, kind=GONE, body="{}"))
    return changed


async def forget(store: Store, table: str, seat: int, serial: int | None = None) -> tuple[int, int]:
    """Remove the names and chat lines of a seat; how many of each.

    `serial` is the entry by which somebody took the seat; without it, all who ever had it.
    """
    stored = await store.table(table)
    if stored is None:
        raise KibitzError(f"there is no table {table!r} in this store")
    if not 0 <= seat < stored.players:
        raise KibitzError(f"table {table} has the seats 0 to {stored.players - 1}, not {seat}")
    changed = without(await store.entries(table), seat, serial)
    await store.rewrite(table, changed)
    names = sum(entry.kind == SIT for entry in changed)
    return names, len(changed) - names


async def proven_seat(store: Store, token: str) -> SeatToken:
    """The seat that a token proves."""
    seat = Signer(await store.key()).read(token)
    if seat is None:
        raise KibitzError("this token was not made with the key of this store")
    return seat
