"""A table as a fold over its entries: who sits where, the match, what was said. No I/O.

`Table.fold` is the only code that changes a table, and only entries on disk are folded. So nobody
can see what is not on disk.
"""

import json
from collections import Counter
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.server import deal, entries
from kibitz.server.entries import Entry
from kibitz.server.former import FormerMatch, is_former
from kibitz.server.protocol import (
    Again,
    Asks,
    By,
    ChatLine,
    Deal,
    LineData,
    Note,
    Phase,
    SeatData,
)
from kibitz.server.store import StoredTable
from kibitz.server.tokens import SeatToken
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
    promise: str | None = None
    contribution: str | None = None
    away: bool = False  # a bot plays for this person
    asks: Asks | None = None

    def data(self, here: bool, grace: int | None) -> SeatData:
        """The seat as everyone may know it."""
        kind: Any = self.kind
        here = here or self.kind == "bot"
        grace = grace if self.kind == "person" else None
        return SeatData(
            kind, self.name, self.level, here, self.away, grace, self.promise, self.asks
        )


@dataclass
class Table:
    """A table, as far as its entries have been read."""

    stored: StoredTable
    seq: int = 0
    seats: list[Seat] = field(default_factory=list)
    match: Match | None = None
    chat: list[ChatLine] = field(default_factory=list)
    rematch: str | None = None
    closed_at: int | None = None  # since when contributions are revealed
    dealt: entries.Started | None = None
    done: dict[str, int] = field(default_factory=dict)  # commands that count already
    tally: Counter[str] = field(default_factory=Counter)  # how many entries there are of each kind
    due_since: dict[int, int] = field(default_factory=dict)
    ready: set[int] = field(default_factory=set)  # who wants to go on to the next round
    rests_since: int = 0  # when the round ended
    line_seq: list[int] = field(default_factory=list)  # the entry of each line of the log
    line_by: dict[int, By] = field(default_factory=dict)  # lines that the player did not choose
    notes: list[LineData] = field(default_factory=list)  # what all have agreed upon
    changed: int = 0  # the entry that last changed the match
    begun: entries.Begun | None = None  # the match that this one comes from
    ended: bool = False  # by agreement, before anybody has won
    is_asking: bool = False  # somebody may be asking the others for something

    def __post_init__(self) -> None:
        self.seats = [Seat() for _ in range(self.stored.players)]
        self.options: dict[str, Any] = json.loads(self.stored.options)
        self._now = 0
        former = is_former(self.stored)
        self.former = FormerMatch(self.stored.rules) if former else None

    @property
    def id(self) -> str:
        """The table's name in links."""
        return self.stored.id

    @property
    def phase(self) -> Phase:
        """Where the table stands."""
        if self.former is not None:
            return "over"
        if self.match is None:
            return "gathering" if self.closed_at is None else "dealing"
        return "over" if self.match.over else "playing"

    @property
    def rests(self) -> bool:
        """Whether a round is over, and the next one has not been dealt."""
        return self.match is not None and self.match.round_over and not self.match.over

    @property
    def host(self) -> int | None:
        """The seat of the person who has been here longest."""
        persons = [(s.serial, n) for n, s in enumerate(self.seats) if s.kind == "person"]
        return min(persons)[1] if persons else None

    @property
    def players_in(self) -> set[int]:
        """The seats of people who play themselves."""
        return {n for n, s in enumerate(self.seats) if s.kind == "person" and not s.away}

    @property
    def awaits_nobody(self) -> bool:
        """Whether somebody wants to go on to the next round, and all others who play do too."""
        return bool(self.ready) and self.players_in <= self.ready

    @property
    def asker(self) -> int | None:
        """The seat that asks the others for something."""
        if not self.is_asking:
            return None
        return next((n for n, s in enumerate(self.seats) if s.asks in ("undo", "end")), None)

    def level_of(self, seat: int) -> str | None:
        """The bot that plays at a seat now, or None for a person."""
        sitting = self.seats[seat]
        return sitting.level or USUAL_LEVEL if sitting.kind == "bot" or sitting.away else None

    @property
    def unrevealed(self) -> list[int]:
        """The seats whose contribution was promised, and has not been revealed."""
        return [n for n, s in enumerate(self.seats) if s.promise and s.contribution is None]

    @property
    def again(self) -> Again | None:
        """The match that this one comes from, as everyone may know it."""
        return None if self.begun is None else Again(self.begun.table, self.begun.at)

    def deal(self) -> Deal | None:
        """What the seed was made of, once the match is over."""
        if self.dealt is None or self.phase != "over":
            return None
        return Deal(
            way=self.dealt.way,
            secret=self.stored.secret,
            promises=[seat.promise for seat in self.seats],
            contributions=[seat.contribution for seat in self.seats],
            left_out=self.dealt.left_out,
            seed=self._seed(self.dealt),
        )

    def snapshot(self) -> "Table":
        """The table as it stands now, for readers in other threads."""
        other = copy(self)
        other.match = None if self.match is None else self.match.copy()
        other.line_seq, other.line_by = self.line_seq.copy(), self.line_by.copy()
        return other

    def is_held_by(self, proven: SeatToken) -> bool:
        """Whether the person who took the seat of a token still has it."""
        if proven.table != self.id or not 0 <= proven.seat < len(self.seats):
            return False
        seat = self.seats[proven.seat]
        return seat.kind == "person" and seat.serial == proven.serial

    def seat_all(self, seating: Iterable[Entry]) -> None:
        """Fold only who sits where, where nothing else of the table is asked for."""
        for entry in seating:
            match entry.kind:
                case entries.CLOSE | entries.START:
                    self._fill_with_bots(entry.read().bots)
                case entries.SIT | entries.STAND | entries.BOT:
                    self._sat(self.seats[self._seat_of(entry)], entry, entry.read())

    def fold(self, entry: Entry, now: int | None = None, after: Match | None = None) -> None:
        """Let an entry have happened, at its time, or now by the clock that measures turns.

        `after` is the match after a choice where it was tried: it need not be played again.
        """
        if entry.seq != self.seq + 1:
            raise ValueError(f"table {self.id}: entry {entry.seq} cannot follow {self.seq}")
        self._now = entry.at if now is None else now
        self._fold(entry, entry.read(), after)
        self.seq = entry.seq
        self.tally[entry.kind] += 1
        if entry.cid is not None:
            self.done[entry.cid] = entry.seq

    def _fold(self, entry: Entry, body: Any, after: Match | None) -> None:
        if self.former is not None and entry.kind in entries.IN_THE_MATCH:
            self.former.fold(entry, body)
            return
        match entry.kind:
            case entries.PLAY | entries.LAST:
                self._played(entry, body, after)
            case entries.DEAL:
                self._match.next_round()
                self._ask_nothing()
                self._happened(entry, None)
            case entries.UNDONE:
                self._undone(entry, body)
            case entries.ASK if body.asks is None:
                self._ask_nothing()
            case entries.READY:
                self.ready.add(self._seat_of(entry))
            case entries.SAY:
                line = ChatLine(entry.seq, entry.seat, body.name, body.text, entry.at)
                self.chat = [*self.chat[1 - CHAT_KEPT :], line]
            case entries.CLOSE:
                self._closed(body.bots)
            case entries.START:
                self._started(entry, body)
            case entries.REMATCH:
                self.rematch = body.next
            case entries.AGAIN:
                self.begun = body
            case entries.GONE:
                pass
            case _:
                self._sat(self.seats[self._seat_of(entry)], entry, body)

    @property
    def _match(self) -> Match:
        assert self.match is not None
        return self.match

    @staticmethod
    def _seat_of(entry: Entry) -> int:
        assert entry.seat is not None
        return entry.seat

    def _sat(self, seat: Seat, entry: Entry, body: Any) -> None:
        match entry.kind:
            case entries.SIT:
                seat.kind, seat.name, seat.serial = "person", body.name, entry.seq
                seat.promise, seat.contribution = body.promise, body.contribution
            case entries.PROMISE:
                seat.promise = body.promise
            case entries.REVEAL:
                seat.contribution = body.contribution
            case entries.BOT if body.level is not None:
                self._seat_bot(seat, body.level)
            case entries.BOT | entries.STAND:
                seat.kind, seat.name, seat.level = "empty", "", None
                seat.promise = seat.contribution = None
            case entries.AWAY | entries.BACK:
                seat.away = entry.kind == entries.AWAY
                if seat.asks == "agree":
                    seat.asks = None
                elif seat.asks:
                    self._ask_nothing()
            case entries.ASK:
                seat.asks, self.is_asking = body.asks, True

    def _seat_bot(self, seat: Seat, level: str) -> None:
        taken = {seat.name for seat in self.seats}
        seat.kind, seat.level = "bot", level
        seat.name = next(name for name in BOT_NAMES if name not in taken)

    def _fill_with_bots(self, bots: dict[str, str]) -> None:
        for n, level in bots.items():
            self._seat_bot(self.seats[int(n)], level)

    def _closed(self, bots: dict[str, str]) -> None:
        self.closed_at = self._now
        self._fill_with_bots(bots)
        for seat in self.seats:
            seat.contribution = None  # what was said before it was promised does not count

    def _started(self, entry: Entry, body: entries.Started) -> None:
        self._fill_with_bots(body.bots)
        if entry.seat is not None and body.contribution:
            self.seats[entry.seat].contribution = body.contribution
        self.dealt, stored = body, self.stored
        if self.former is not None:
            if self.begun is None or self.begun.position is None:
                self.former.fold(entry, body)
            return
        game, seed = find(stored.game), self._seed(body)
        if self.begun is not None and self.begun.position is not None:
            self.match = Match.at(game, self.begun.position, seed)
        else:
            self.match = Match.new(game, stored.players, seed, self.options)
        self._happened(entry, None)

    def _seed(self, body: entries.Started) -> str:
        if self.begun is not None and self.begun.seed is not None:
            return self.begun.seed
        contributions = [seat.contribution for seat in self.seats]
        return deal.seed(body.way, self.id, self.stored.secret, contributions)

    def _ask_nothing(self) -> None:
        if self.is_asking:
            self.is_asking = False
            for seat in self.seats:
                seat.asks = None

    def _undone(self, entry: Entry, body: entries.TakenBack) -> None:
        since = self.line_seq[body.lines]
        self.match = self._match.rewound(body.lines)
        del self.line_seq[body.lines :]
        self.line_by = {n: by for n, by in self.line_by.items() if n < body.lines}
        others = self.players_in - {entry.seat}  # where something had been seen, all of them agreed
        note: Note = "undone_seen" if others else "undone_alone"
        self._note(entry, note if body.seen else "undone", since)
        self._ask_nothing()
        self.due_since = {}
        self._happened(entry, None)

    def _note(self, entry: Entry, note: Note, since: int = 0) -> None:
        self.notes = [*self.notes, LineData(entry.seq, entry.seat, note=note, since=since)]

    def _played(self, entry: Entry, body: entries.Played, after: Match | None) -> None:
        if entry.seat is None:
            self._match.stop()
            self.ended = True
            self._note(entry, "ended")
        elif after is None:
            self._match.play_all(entry.seat, body.actions)
        else:
            self._match.adopt(after)
        # A bot agrees to anything, so what it does withdraws nothing.
        if entry.seat is None or self.level_of(entry.seat) is None:
            self._ask_nothing()
        if body.by is not None:
            for n in range(len(self.line_seq), len(self._match.done)):
                self.line_by[n] = body.by
        self._happened(entry, entry.seat)

    def _happened(self, entry: Entry, acted: int | None) -> None:
        """Note what the match has come to: lines of the log, who is due since when."""
        match, since = self._match, self.due_since
        self.changed = entry.seq
        self.line_seq += [entry.seq] * (len(match.done) - len(self.line_seq))
        self.ready.clear()
        if match.round_over:
            self.rests_since = self._now
        self.due_since = {
            seat: self._now if seat == acted else since.get(seat, self._now)
            for seat in match.to_act
        }
