"""How much one connection, one seat, or one address may ask for."""

import time
from collections import OrderedDict

from kibitz.server.protocol import Refused

MOST_REMEMBERED = 10_000  # addresses


class Bucket:
    """Lets `burst` things through at once, then `rate` a second."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._left, self._at = burst, time.monotonic()

    def take(self, what: str) -> None:
        """One more; refused where it is too much."""
        now = time.monotonic()
        self._left = min(self.burst, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < 1:
            wait = max(0.1, (1 - self._left) / self.rate)
            raise Refused("too_fast", f"too many {what}; wait {wait:.0f} s", wait=wait)
        self._left -= 1


class Buckets:
    """A bucket for each address; those not seen for long are forgotten first."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._by_address: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, address: str, what: str) -> None:
        """One more from this address."""
        bucket = self._by_address.pop(address, None) or Bucket(self.rate, self.burst)
        self._by_address[address] = bucket
        if len(self._by_address) > MOST_REMEMBERED:
            self._by_address.popitem(last=False)
        bucket.take(what)


class ChatLimits:
    """How much is said: by one seat, by all who watch a table, and from one address anywhere.

    What counts is who speaks, not the connection: anyone can have many of those. Who watches cannot
    use up what those who play may say.
    """

    def __init__(self) -> None:
        self._seats, self._watching = Buckets(0.5, 6), Buckets(1, 12)
        self._addresses = Buckets(2, 30)

    def take(self, table: str, seat: int | None, address: str) -> None:
        """One more line."""
        if seat is None:
            self._seats.take(f"{table} {address}", "chat lines")
            self._watching.take(table, "chat lines of those who watch")
        else:
            self._seats.take(f"{table} {seat}", "chat lines")
        self._addresses.take(address, "chat lines from your address")
