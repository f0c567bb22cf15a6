"""Deals that nobody can choose: promised before the first card, shown at the end.

The server promises a secret, every browser a contribution, each by its hash. When the seats are
fixed the contributions are revealed, and the seed is made of them all.
"""

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence

# How the contributions came: said openly, as before version 3 of the protocol; or promised first.
OPEN, PROMISED = "kibitz deal 1", "kibitz deal 2"
# The deal, or the position, of a match that was over: known before, so nobody contributes.
CHOSEN = "kibitz deal chosen"


def new_secret() -> str:
    """The server's part of a seed, or a player's: 64 hex digits that nobody can guess."""
    return secrets.token_hex(32)


def promise(secret: str) -> str:
    """What is shown of a secret before the deal: it binds, and tells nothing."""
    return hashlib.sha256(secret.encode()).hexdigest()


def keeps(secret: str, promised: str) -> bool:
    """Whether a secret is the one that was promised."""
    return hmac.compare_digest(promise(secret).encode(), promised.encode())


def seed(way: str, table: str, secret: str, contributions: Sequence[str | None]) -> str:
    """The seed that server and players have made together."""
    if way == OPEN:
        text = "\n".join([OPEN, secret, *(said or "" for said in contributions)])
    else:
        text = json.dumps([way, table, secret, list(contributions)], separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
