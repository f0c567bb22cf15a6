"""What is asked and answered over HTTP, about tables and matches."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from kibitz.bots.review import Reviewed
from kibitz.server.protocol.commands import Hex
from kibitz.server.protocol.parts import Again, Changes, LineData, Phase, SeatData, ViewData


class RefusalData(Struct, frozen=True):
    """A mistake, and what is wrong."""

    error: str
    text: str
    rule: str | UnsetType = UNSET
    wait: float | UnsetType = UNSET


class NewTable(Struct, frozen=True):
    """A table that somebody wants to make. Only game and name are needed."""

    game: str
    name: str
    players: int | UnsetType = UNSET
    options: dict[str, Any] = {}
    bots: list[str | None] = []
    seat: int | None = None
    clock: int | None = None
    hints: bool = True
    open: bool = False
    promise: Hex | None = None
    again: Again | None = None


class MadeTable(Struct, frozen=True):
    """A table that has been made, and its maker's seat."""

    table: str
    seat: int
    token: str
    join: str
    commitment: str


class TakeSeat(Struct, frozen=True):
    """Somebody wants to sit down."""

    name: str
    join: str
    seat: int | None = None
    promise: Hex | None = None


class TakenSeat(Struct, frozen=True):
    """Somebody has sat down."""

    seat: int
    token: str


class TableSettings(Struct, frozen=True):
    """What was agreed when a table was made."""

    options: dict[str, Any]
    clock: int | None
    hints: bool
    open: bool


class TableInfo(Struct, frozen=True):
    """Who sits at a table."""

    table: str
    game: str
    phase: Phase
    players: int
    seats: list[SeatData]
    settings: TableSettings
    commitment: str
    again: Again | None = None


class MineRequest(Struct, frozen=True):
    """Somebody's tokens."""

    tokens: list[str]


class Mine(Struct, frozen=True):
    """A match of somebody's who has a token for it."""

    table: str
    seat: int
    game: str
    phase: Phase
    due: bool
    names: list[str]
    at: int


class Moment(Struct, frozen=True):
    """The table after a choice, or a deal. `number` counts the lines that can be read so far."""

    seq: int
    seat: int | None
    number: int
    lines: list[LineData]
    view: Changes


class HistoryData(Struct, frozen=True):
    """The table after the first deal, what that brought, and everything done since."""

    start: ViewData
    lines: list[LineData]
    moves: list[Moment]


class Progress(Struct, frozen=True):
    """How much of a review is done."""

    progress: float


class ReviewData(Struct, frozen=True):
    """A finished match, gone through; `seqs` has the entry of each line of the log."""

    game: str
    players: int
    winners: list[int]
    scores: list[int]
    start: list[float]
    moves: list[Reviewed]
    decisive: list[int]
    seqs: list[int]


class Health(Struct, frozen=True):
    """Whether all is well; `trouble` says why nothing can be stored now."""

    ok: bool
    version: str
    protocol: int
    bus: bool
    trouble: str | None = None
