"""Deals that can be checked: a commitment before the first card, the secret at the end."""

import hashlib
import hmac
import secrets
from collections.abc import Sequence

LONGEST_CONTRIBUTION = 100


def new_secret() -> str:
    """The server's part of a seed."""
    return secrets.token_hex(32)


def commitment(secret: str) -> str:
    """What is published of a secret before the deal: it binds, and tells nothing."""
    return hashlib.sha256(secret.encode()).hexdigest()


def seed(secret: str, contributions: Sequence[str | None]) -> str:
    """The seed that server and players have made together."""
    lines = ["kibitz deal 1", secret, *(text or "" for text in contributions)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def keeps(secret: str, promised: str) -> bool:
    """Whether a secret is the one that was promised."""
    return hmac.compare_digest(commitment(secret), promised)
