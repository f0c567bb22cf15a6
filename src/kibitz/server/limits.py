"""How much one connection, or one address, may ask for."""

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
