"""Proofs that a seat is yours, and keys to join: signed, so that nothing of them is stored."""

import base64
import hashlib
import hmac
import secrets
from dataclasses import dataclass

_ALPHABET = "23456789abcdefghjkmnpqrstuvwxyz"  # no letter that is read as another


def new_table_id() -> str:
    """The name of a table, as it stands in links."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(10))


@dataclass(frozen=True)
class SeatToken:
    """A seat of a table; `serial` is the number of the entry by which it was taken."""

    table: str
    seat: int
    serial: int


class Signer:
    """Signs with the key that all servers of one store share."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def _sign(self, text: str) -> str:
        digest = hmac.digest(self._key, text.encode(), hashlib.sha256)[:18]
        return base64.urlsafe_b64encode(digest).decode()

    def join_key(self, table: str) -> str:
        """The key in the link to join a table."""
        return self._sign(f"join {table}")[:12]

    def may_join(self, table: str, key: str) -> bool:
        """Whether a key is the one to join this table."""
        return hmac.compare_digest(self.join_key(table).encode(), key.encode())

    def token(self, seat: SeatToken) -> str:
        """A seat's token."""
        text = f"{seat.table}.{seat.seat}.{seat.serial}"
        return f"{text}.{self._sign(text)}"

    def read(self, token: str) -> SeatToken | None:
        """The seat that a token proves, or None for a forged one."""
        text, _, signature = token.rpartition(".")
        if not token.isascii() or not hmac.compare_digest(
            self._sign(text).encode(), signature.encode()
        ):
            return None
        table, seat, serial = text.split(".")
        return SeatToken(table, int(seat), int(serial))
