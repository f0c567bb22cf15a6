"""Removing somebody's names and chat lines from a store, from the shell."""

import argparse
import asyncio

from kibitz.engine.errors import KibitzError
from kibitz.server.app import make_store
from kibitz.server.forget import forget as remove
from kibitz.server.forget import proven_seat
from kibitz.server.settings import read_settings
from kibitz.server.store import Store, StoreBusy


def forget(args: argparse.Namespace) -> int:
    """Forget whoever has these tokens, or had this seat."""
    by_seat = args.table is not None and args.seat is not None
    if bool(args.tokens) == by_seat or (args.table is None) != (args.seat is None):
        raise KibitzError("say whom to forget: by TOKEN, or by --table and --seat")
    store = make_store(read_settings(args.config, {"store": args.store}), alone=False)
    try:
        names, lines = asyncio.run(_forget(store, args))
    except StoreBusy as error:
        raise KibitzError(str(error)) from None
    print(f"Removed: {names} name{'s' * (names != 1)}, {lines} chat line{'s' * (lines != 1)}.")
    return 0


async def _forget(store: Store, args: argparse.Namespace) -> tuple[int, int]:
    await store.open()
    try:
        if not args.tokens:
            return await remove(store, args.table, args.seat)
        seats = [await proven_seat(store, token) for token in args.tokens]
        removed = [await remove(store, seat.table, seat.seat, seat.serial) for seat in seats]
        return sum(names for names, _ in removed), sum(lines for _, lines in removed)
    finally:
        await store.close()
