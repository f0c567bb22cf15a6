"""sfc32: a small fast random generator that lives in the state (`s.rng`).

Its four 32-bit words are kept in int64 fields and all arithmetic is on non-negative signed
integers masked to 32 bits, so that compiled and plain Python agree bit for bit.
"""

from hashlib import sha256
from struct import Struct

from kibitz.engine.compiled import State, rule

MASK = 0xFFFFFFFF
_WARM_UP = 12
_HALF = (1 << 63) - 1
_TWO_NUMBERS = Struct(">QQ16x").unpack
_BLOCK = 64  # bytes that SHA-256 takes at a time
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))


@rule
def next32(s: State) -> int:
    """The next 32 random bits."""
    a, b, c, d = s.rng[0], s.rng[1], s.rng[2], s.rng[3]
    t = (a + b + d) & MASK
    s.rng[0] = b ^ (b >> 9)
    s.rng[1] = (c + (c << 3)) & MASK
    s.rng[2] = (((c << 21) & MASK) + (c >> 11) + t) & MASK
    s.rng[3] = (d + 1) & MASK
    return t


@rule
def below(s: State, n: int) -> int:
    """A random integer from 0 to n - 1."""
    return (next32(s) * n) >> 32


@rule
def reseed(s: State, low: int, high: int) -> None:
    """Set the generator from two non-negative 63-bit numbers."""
    s.rng[0] = low & MASK
    s.rng[1] = (low >> 32) & MASK
    s.rng[2] = high & MASK
    s.rng[3] = (high >> 32) & MASK
    for _ in range(_WARM_UP):
        next32(s)


class Luck:
    """The numbers that set the generator before each move of a real match.

    Nobody can foresee a draw from what they saw: the seed is secret, and HMAC-SHA256 gives no
    hint of one move's numbers from another's. What depends on the seed alone is worked out once,
    as RFC 2104 advises: a server asks for every move of every match.
    """

    def __init__(self, seed: str) -> None:
        key = seed.encode()
        key = (sha256(key).digest() if len(key) > _BLOCK else key).ljust(_BLOCK, b"\0")
        self._inner, self._outer = sha256(key.translate(_INNER)), sha256(key.translate(_OUTER))

    def of_move(self, move: int) -> tuple[int, int]:
        """Two numbers for a move."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(b"%d" % move)
        outer.update(inner.digest())
        low, high = _TWO_NUMBERS(outer.digest())
        return low & _HALF, high & _HALF


def seed_of_move(seed: str, move: int) -> tuple[int, int]:
    """The numbers that set the generator before one move."""
    return Luck(seed).of_move(move)
