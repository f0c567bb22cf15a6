"""sfc32: a small fast random generator that lives in the state (`s.rng`).

Its four 32-bit words are kept in int64 fields and all arithmetic is on non-negative signed
integers masked to 32 bits, so that compiled and plain Python agree bit for bit.
"""

import hmac
from struct import unpack_from

from kibitz.engine.compiled import State, rule

MASK = 0xFFFFFFFF
_WARM_UP = 12
_HALF = (1 << 63) - 1


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


def seed_of_move(seed: str, move: int) -> tuple[int, int]:
    """The numbers that set the generator before a move of a real match.

    Nobody can foresee a draw from what they saw: the seed is secret, and HMAC-SHA256 gives no
    hint of one move's numbers from another's.
    """
    digest = hmac.digest(seed.encode(), str(move).encode(), "sha256")
    low, high = unpack_from(">QQ", digest)
    return low & _HALF, high & _HALF
