"""Who is connected to other servers: silence alone proves nothing."""

import itertools
from typing import Any

import pytest

from kibitz.server.bus import Word
from kibitz.server.presence import BEAT_SECONDS, NO_TABLE, SILENT_SECONDS, Presence
from kibitz.server.protocol import Refused
from server.guests import run


class Around:
    """A bus, a store and a clock, as a test wants them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_shared = self.is_up = True
        self.alive, self.now = list[str](), 1000.0
        self.told: list[Word] = []
        monkeypatch.setattr("kibitz.server.presence.time.monotonic", lambda: self.now)
        anything: Any = self
        self.presence = Presence("me", anything, anything)

    def tell(self, word: Word) -> None:
        self.told.append(word)

    async def beat(self, server: str) -> list[str]:
        assert server == "me"
        return self.alive

    def pass_time(self, seconds: float, *speaking: str) -> None:
        """Time goes by, with a sign of life of some servers every few seconds."""
        for _ in itertools.takewhile(lambda n: n * BEAT_SECONDS < seconds, itertools.count()):
            self.now += BEAT_SECONDS
            for server in speaking:
                self.presence.heard(Word(NO_TABLE, 0, server, frozenset()))
            run(self.presence.beat())

    def is_sure(self) -> bool:
        try:
            self.presence.check()
        except Refused as refused:
            return refused.error != "busy"
        return True


@pytest.fixture
def around(monkeypatch: pytest.MonkeyPatch) -> Around:
    return Around(monkeypatch)


def says(around: Around, *seats: int) -> None:
    around.presence.heard(Word("table", 1, "other", frozenset(seats)))


def test_a_player_stays_there_as_long_as_their_server_lives(around: Around) -> None:
    around.alive = ["other"]
    says(around, 2)
    around.pass_time(600, "other")
    assert around.presence.elsewhere("table") == {2}
    assert around.is_sure()
    says(around)
    assert around.presence.elsewhere("table") == set()


def test_a_server_that_falls_silent_on_the_bus_alone_keeps_its_players(around: Around) -> None:
    """It may still write moves of theirs into the store."""
    around.alive = ["other"]
    says(around, 2)
    around.pass_time(600)
    assert around.presence.elsewhere("table") == {2}
    assert not around.is_sure()


def test_a_server_that_is_gone_from_the_store_as_well_has_no_players(around: Around) -> None:
    around.alive = ["other"]
    says(around, 2)
    around.pass_time(SILENT_SECONDS, "other")
    around.alive = []
    around.pass_time(BEAT_SECONDS)
    assert around.presence.elsewhere("table") == {2}  # it was heard a moment ago
    around.pass_time(SILENT_SECONDS)
    assert around.presence.elsewhere("table") == set()
    assert around.is_sure()


def test_nothing_is_sure_while_the_bus_is_down_or_the_store_is_not_read(around: Around) -> None:
    run(around.presence.beat())
    assert around.is_sure()
    around.is_up = False
    assert not around.is_sure()
    around.is_up = True
    around.now += SILENT_SECONDS + 1
    assert not around.is_sure()


def test_a_server_that_was_never_heard_makes_nobody_sure(around: Around) -> None:
    around.alive = ["stranger"]
    run(around.presence.beat())
    assert not around.is_sure()
    around.pass_time(BEAT_SECONDS, "stranger")
    assert around.is_sure()


def test_every_beat_is_told(around: Around) -> None:
    around.pass_time(3 * BEAT_SECONDS)
    assert [(word.table, word.server) for word in around.told] == [(NO_TABLE, "me")] * 3


def test_a_server_alone_is_always_sure(around: Around) -> None:
    around.is_shared = around.is_up = False
    assert around.is_sure()


def test_who_was_at_a_server_that_is_forgotten_is_told_once(around: Around) -> None:
    around.alive = ["other", "third"]
    says(around, 2)
    around.presence.heard(Word("table", 1, "third", frozenset([3])))
    around.presence.heard(Word("another", 1, "third", frozenset([0])))
    assert run(around.presence.beat()) == {}
    around.alive = ["third"]
    around.now += SILENT_SECONDS
    around.presence.heard(Word(NO_TABLE, 0, "third", frozenset()))
    assert run(around.presence.beat()) == {"table": {2, 3}}
    assert around.presence.elsewhere("table") == {3}
    assert run(around.presence.beat()) == {}
