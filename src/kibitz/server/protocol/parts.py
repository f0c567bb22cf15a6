"""What tables and views are made of, on the wire."""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from kibitz.server.protocol.commands import TableId

Phase = Literal["gathering", "dealing", "playing", "over"]
By = Literal["clock", "stand_in"]  # who chose, where it was not the player
Asks = Literal["undo", "end", "agree"]  # what a seat asks the others for, or agrees to
Note = Literal["undone", "undone_seen", "undone_alone", "ended"]  # what all have agreed upon
SheetData = list[list[dict[str, int]]]  # by round, by seat, by part of the score


class ZoneData(Struct, frozen=True):
    """A zone as a viewer sees it."""

    size: int
    cards: list[str] | UnsetType = UNSET
    known: list[str] | UnsetType = UNSET


class ViewData(Struct, frozen=True):
    """What a viewer may see."""

    round: int
    due: list[int]
    round_over: bool
    over: bool
    winners: list[int]
    scores: list[int]
    zones: dict[str, ZoneData]
    fields: dict[str, Any]


class Changes(Struct, frozen=True):
    """What has changed of a view."""

    round: int | UnsetType = UNSET
    due: list[int] | UnsetType = UNSET
    round_over: bool | UnsetType = UNSET
    over: bool | UnsetType = UNSET
    winners: list[int] | UnsetType = UNSET
    scores: list[int] | UnsetType = UNSET
    zones: dict[str, ZoneData] | UnsetType = UNSET
    fields: dict[str, Any] | UnsetType = UNSET


class EventData(Struct, frozen=True, omit_defaults=True):
    """Something that happened in the game's terms, as a viewer may know it."""

    name: str
    seat: int | None = None
    n: int = 0
    other: int | None = None
    word: str | None = None
    cards: tuple[str, ...] = ()
    size: int = 0  # how many cards it is about, seen or not


class LineData(Struct, frozen=True, omit_defaults=True):
    """A line of the log: what a seat did (none: a round was dealt), and what came of it.

    Of an action that was not seen in full there is its verb alone. A `note` is about the match:
    where a move was taken back, all that was done by the entry `since` and later is undone.
    """

    seq: int
    seat: int | None = None
    action: str | None = None
    verb: str | None = None
    by: By | None = None
    events: tuple[EventData, ...] = ()
    note: Note | None = None
    since: int = 0


class SeatData(Struct, frozen=True):
    """A chair, and who sits on it.

    `grace` is for how long nobody can stand in for a player who is not here, in milliseconds.
    """

    kind: Literal["person", "bot", "empty"]
    name: str
    level: str | None
    here: bool
    bot: bool
    grace: int | None
    promise: str | None  # the hash of what this seat contributes to the deal
    asks: Asks | None = None


class Former(Struct, frozen=True):
    """A match of older rules, which can only be read.

    `finished` is whether it had come to its end; who won is not known of very old ones.
    """

    rules: int
    finished: bool
    winners: list[int]
    scores: list[int]


class Turn(Struct, frozen=True):
    """When a turn began, and what is left of its clock, in milliseconds."""

    at: int
    left: int | None


class Rest(Struct, frozen=True):
    """A round is over: who wants to go on, and when the next one is dealt anyway."""

    ready: list[int]
    left: int


class ChatLine(Struct, frozen=True):
    """Something said."""

    seq: int
    seat: int | None
    name: str
    text: str
    at: int


class Deal(Struct, frozen=True):
    """What the seed was made of; `left_out` are seats that did not reveal what they promised."""

    way: str
    secret: str
    promises: list[str | None]
    contributions: list[str | None]
    left_out: list[int]
    seed: str


class Again(Struct, frozen=True):
    """A match that is over: its deal, or how it stood after so many choices and deals."""

    table: TableId
    at: int | None = None


class OpenTable(Struct, frozen=True):
    """A table in the lobby."""

    table: str
    join: str
    game: str
    players: int
    taken: int
    names: list[str]
    clock: int | None
    options: dict[str, Any]
    at: int
