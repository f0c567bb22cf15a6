"""What can happen at a table, as it is stored.

An entry has a kind, a seat, and a body that says the rest. What people say and do, their coming and
going, and each dealt round are entries; a table is nothing but a fold over them.
"""

from typing import Any

import msgspec
from msgspec import Struct

from kibitz.engine.match import Match
from kibitz.server.deal import OPEN
from kibitz.server.protocol import Asks, By, SheetData

# CLOSE fixes the seats, START deals the first cards, LAST is the choice that ended the match. Cards
# are dealt by nobody's seat. Where LAST has no seat and no choice all agreed to end the match. GONE
# was a chat line, until somebody or time had it removed. ASK: somebody asks for what others must
# agree to, agrees, or says no. UNDONE: the match went back to before a choice. AGAIN: cards and all
# else come from a match that is over.
SIT, STAND, BOT, PROMISE, CLOSE, REVEAL, START = (
    "sit", "stand", "bot", "promise", "close", "reveal", "start",
)  # fmt: skip
PLAY, LAST, READY, DEAL, AWAY, BACK, SAY, REMATCH, GONE, ASK, UNDONE = (
    "play", "last", "ready", "deal", "away", "back", "say", "rematch", "gone", "ask", "undone",
)  # fmt: skip
AGAIN = "again"
IN_THE_MATCH = PLAY, LAST, DEAL, UNDONE
COMING_AND_GOING = SIT, STAND, BOT, PROMISE, AWAY, BACK


class Entry(Struct, frozen=True):
    """Something that happened at a table. `cid` is the id of the command, `body` is JSON."""

    seq: int
    at: int
    kind: str
    seat: int | None
    body: str
    cid: str | None

    def read(self) -> Any:
        """The body as the struct of its kind."""
        return _DECODERS[self.kind].decode(self.body)


class Nothing(Struct, frozen=True):
    """The kind and the seat say it all."""


class Sat(Struct, frozen=True):
    """Somebody took a seat."""

    name: str
    promise: str | None = None
    contribution: str | None = None  # before contributions were promised


class BotSeated(Struct, frozen=True):
    """A seat was given to a bot, or taken from it."""

    level: str | None


class Promised(Struct, frozen=True):
    """The hash of a contribution."""

    promise: str


class Closed(Struct, frozen=True):
    """The seats are fixed; the empty ones were given to bots."""

    bots: dict[str, str] = {}


class Revealed(Struct, frozen=True):
    """A contribution that had been promised."""

    contribution: str


class Started(Struct, frozen=True, omit_defaults=True):
    """The first cards were dealt; `left_out` are the seats that did not keep their promise.

    Where contributions were not promised, the table was not closed before: then the empty seats
    were given to bots now, and the host contributed last.
    """

    way: str = OPEN
    left_out: list[int] = []
    bots: dict[str, str] = {}
    contribution: str | None = None


class Result(Struct, frozen=True):
    """How a match ended: to be read when its rules have long been changed."""

    winners: list[int]
    scores: list[int]
    sheet: SheetData


class Played(Struct, frozen=True, omit_defaults=True):
    """A choice was made; the last one says how the match ended."""

    actions: list[str]
    by: By | None = None
    result: Result | None = None


class Asked(Struct, frozen=True):
    """Somebody asked for something, or agreed; None: said no, or withdrew it."""

    asks: Asks | None


class TakenBack(Struct, frozen=True, omit_defaults=True):
    """The match went back to so many lines of its log.

    `seen`: others had acted since, or something hidden or random had been seen, and all agreed.
    """

    lines: int
    seen: bool = False


class Begun(Struct, frozen=True, omit_defaults=True):
    """The match begins with what was dealt in another, or with how that stood.

    `at` counts choices and deals. Without a seed the luck to come is that of this table.
    """

    table: str
    at: int | None = None
    seed: str | None = None
    position: str | None = None


class Spoken(Struct, frozen=True):
    """Somebody said something."""

    name: str
    text: str


class Followed(Struct, frozen=True):
    """A rematch was made."""

    next: str


BODIES: dict[str, type[Struct]] = {
    SIT: Sat, STAND: Nothing, BOT: BotSeated, PROMISE: Promised, CLOSE: Closed, REVEAL: Revealed,
    START: Started, PLAY: Played, LAST: Played, READY: Nothing, DEAL: Nothing, AWAY: Nothing,
    BACK: Nothing, SAY: Spoken, REMATCH: Followed, GONE: Nothing, ASK: Asked,
    UNDONE: TakenBack, AGAIN: Begun,
}  # fmt: skip
_DECODERS = {kind: msgspec.json.Decoder(body) for kind, body in BODIES.items()}


class Draft(Struct, frozen=True):
    """An entry that has been decided upon, and not yet been written.

    `after` is the match after a choice, as it was tried.
    """

    kind: str
    seat: int | None = None
    body: Struct = Nothing()
    after: Match | None = None

    def entry(self, seq: int, at: int, cid: str | None) -> Entry:
        """The entry, with its number and time."""
        body = msgspec.json.encode(self.body).decode()
        return Entry(seq, at, self.kind, self.seat, body, cid)
