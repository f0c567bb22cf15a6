"""Who is connected to other servers, as their words tell."""

import time

from kibitz.server.bus import Word

PRESENCE_SECONDS = 30.0  # for which another server's word counts


class Presence:
    """For each table the seats whose players are at other servers."""

    def __init__(self) -> None:
        self._heard: dict[str, dict[str, tuple[frozenset[int], float]]] = {}

    def heard(self, word: Word) -> None:
        """Another server says who is connected to it."""
        at = self._heard.setdefault(word.table, {})
        at[word.server] = word.here, time.monotonic() + PRESENCE_SECONDS

    def elsewhere(self, table: str) -> frozenset[int]:
        """The seats of a table whose players are connected to other servers."""
        now = time.monotonic()
        at = self._heard.get(table, {}).values()
        return frozenset().union(*(seats for seats, until in at if until > now))

    def forget_old(self) -> None:
        """Forget the tables of which nothing has been heard for a while."""
        self._heard = {name: at for name, at in self._heard.items() if self.elsewhere(name)}
