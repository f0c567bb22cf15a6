"""A table as a fold over its entries: who sits where, the match, what was said. No I/O."""

import json
from dataclasses import dataclass, field
from typing import Any

from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.server import deal, store
from kibitz.server.protocol import ChatLine, Deal, Phase, SeatData
from kibitz.server.store import Entry, StoredTable
from kibitz.texts.names import BOT_NAMES

CHAT_KEPT = 200
USUAL_LEVEL = "medium"


@dataclass
class Seat:
    """A chair, and who sits on it. `serial` is the entry by which it was taken."""

    kind: str = "empty"
    name: str = ""
    level: str | None = None
    serial: int = 0
    contribution: str | None = None
    away: bool = False  # a bot plays for this person

    def data(self, here: bool) -> SeatData:
        """The seat as everyone may know it."""
        kind: Any = self.kind
        return SeatData(kind, self.name, self.level, here or self.kind == "bot", self.away)


@dataclass
class Table:
    """A table, as far as its entries have been read."""

    stored: StoredTable
    seq: int = 0
    seats: list[Seat] = field(default_factory=list)
    match: Match | None = None
    chat: list[ChatLine] = field(default_factory=list)
    rematch: str | None = None
    done: dict[str, int] = field(default_factory=dict)  # commands that count already
    due_since: dict[int, int] = field(default_factory=dict)
    line_seq: list[int] = field(default_factory=list)  # the entry of each line of the log
    open_seq: list[int] = field(default_factory=list)  # the entry by which all could read it

    def __post_init__(self) -> None:
        self.seats = [Seat() for _ in range(self.stored.players)]
        self.options: dict[str, Any] = json.loads(self.stored.options)

    @property
    def id(self) -> str:
        """The table's name in links."""
        return self.stored.id

    @property
    def phase(self) -> Phase:
        """Where the table stands."""
        if self.match is None:
            return "gathering"
        return "over" if self.match.over else "playing"

    @property
    def host(self) -> int | None:
        """The seat of the person who has been here longest."""
        persons = [(s.serial, n) for n, s in enumerate(self.seats) if s.kind == "person"]
        return min(persons)[1] if persons else None

    def level_of(self, seat: int) -> str | None:
        """The bot that plays at a seat now, or None for a person."""
        sitting = self.seats[seat]
        return sitting.level or USUAL_LEVEL if sitting.kind == "bot" or sitting.away else None

    def deal(self) -> Deal | None:
        """What the seed was made of, once the match is over."""
        if self.phase != "over":
            return None
        return Deal(self.stored.secret, [seat.contribution for seat in self.seats])

    def fold(self, entry: Entry, *, played: bool = False) -> None:
        """Let an entry have happened; `played` where the match has made its choice already."""
        self._check_next(entry)
        if played:
            self._played(entry, entry.seat or 0, [])
        else:
            self._fold(entry, json.loads(entry.body))
        self.seq = entry.seq
        if entry.cid is not None:
            self.done[entry.cid] = entry.seq

    def _check_next(self, entry: Entry) -> None:
        if entry.seq != self.seq + 1:
            raise ValueError(f"table {self.id}: entry {entry.seq} cannot follow {self.seq}")

    def _fold(self, entry: Entry, body: dict[str, Any]) -> None:
        seat = entry.seat
        if entry.kind in (store.PLAY, store.LAST):
            assert seat is not None
            self._played(entry, seat, body["actions"])
        elif entry.kind == store.SAY:
            self.chat.append(ChatLine(entry.seq, seat, body["name"], body["text"], entry.at))
            del self.chat[:-CHAT_KEPT]
        elif entry.kind == store.START:
            self._start(body, entry)
        elif entry.kind == store.REMATCH:
            self.rematch = body["next"]
        else:
            assert seat is not None
            self._seat(self.seats[seat], entry, body)

    def _seat(self, seat: Seat, entry: Entry, body: dict[str, Any]) -> None:
        if entry.kind == store.SIT:
            seat.kind, seat.name, seat.serial = "person", body["name"], entry.seq
            seat.contribution = body.get("contribution")
        elif entry.kind == store.BOT and body["level"] is not None:
            seat.kind, seat.level = "bot", body["level"]
            seat.name = self._bot_name()
        elif entry.kind in (store.BOT, store.STAND):
            seat.kind, seat.name, seat.level, seat.contribution = "empty", "", None, None
        elif entry.kind in (store.AWAY, store.BACK):
            seat.away = entry.kind == store.AWAY

    def _bot_name(self) -> str:
        taken = {seat.name for seat in self.seats}
        return next(name for name in BOT_NAMES if name not in taken)

    def _start(self, body: dict[str, Any], entry: Entry) -> None:
        for n, level in body["bots"].items():
            self._seat(
                self.seats[int(n)], Entry(0, 0, store.BOT, int(n), "", None), {"level": level}
            )
        if entry.seat is not None and body.get("contribution"):
            self.seats[entry.seat].contribution = body["contribution"]
        stored = self.stored
        seed = deal.seed(stored.secret, [seat.contribution for seat in self.seats])
        self.match = Match.new(find(stored.game), stored.players, seed, self.options)
        self._due(entry.at, None)

    def _played(self, entry: Entry, seat: int, actions: list[str]) -> None:
        match = self.match
        assert match is not None
        if actions:
            match.play_all(seat, actions)
        for _ in range(len(match.log) - len(self.line_seq)):
            self.line_seq.append(entry.seq)
        for _ in range(match.sealed - len(self.open_seq)):
            self.open_seq.append(entry.seq)
        self._due(entry.at, seat)

    def _due(self, at: int, acted: int | None) -> None:
        """Note since when each seat is due; who has acted begins anew."""
        assert self.match is not None
        since = self.due_since
        self.due_since = {
            seat: at if seat == acted else since.get(seat, at) for seat in self.match.to_act
        }
