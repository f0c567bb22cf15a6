"""What the server says on the WebSocket."""

from typing import Any

from msgspec import UNSET, Struct, UnsetType

from kibitz.bots.claims import Claim
from kibitz.bots.kibitzer import Opinion
from kibitz.server.protocol.parts import (
    Again,
    By,
    Changes,
    ChatLine,
    Deal,
    Former,
    LineData,
    OpenTable,
    Phase,
    Rest,
    SeatData,
    SheetData,
    Turn,
    ViewData,
)

VERSION = 3


def _tag(name: str) -> str:
    return name.removesuffix("Frame").lower()


class Frame(Struct, tag_field="t", tag=_tag, kw_only=True):
    """Something that the server says."""


class OkFrame(Frame):
    """Done."""

    re: str
    seq: int | UnsetType = UNSET
    table: str | UnsetType = UNSET


class NoFrame(Frame):
    """Refused, and why."""

    re: str | None
    error: str
    text: str
    rule: str | UnsetType = UNSET
    wait: float | UnsetType = UNSET


class TableFrame(Frame):
    """The whole table."""

    re: str
    table: str
    seq: int
    version: int
    game: str
    players: int
    options: dict[str, Any]
    clock: int | None
    hints: bool
    open: bool
    phase: Phase
    you: int | None
    host: bool
    join: str | None
    commitment: str
    seats: list[SeatData]
    view: ViewData | None
    legal: list[str] | None
    turn: Turn | None
    rest: Rest | None
    log: list[LineData]
    chat: list[ChatLine]
    sheet: SheetData
    deal: Deal | None
    rematch: str | None
    former: Former | None
    again: Again | None


class MovedFrame(Frame):
    """A choice has been made, or a round dealt (no seat), and it is on disk."""

    table: str
    seq: int
    seat: int | None
    lines: list[LineData]
    view: Changes
    turn: Turn
    rest: Rest | UnsetType = UNSET
    re: str | UnsetType = UNSET
    by: By | UnsetType = UNSET
    legal: list[str] | UnsetType = UNSET
    sheet: list[dict[str, int]] | UnsetType = UNSET
    phase: Phase | UnsetType = UNSET
    deal: Deal | UnsetType = UNSET


class ReadyFrame(Frame):
    """Somebody wants to go on to the next round."""

    table: str
    seq: int
    rest: Rest


class SeatsFrame(Frame):
    """Somebody has come, gone, or been replaced."""

    table: str
    seq: int
    phase: Phase
    seats: list[SeatData]


class SaidFrame(Frame):
    """Chat."""

    table: str
    seq: int
    seat: int | None
    name: str
    text: str
    at: int


class PreviewFrame(Frame):
    """What could follow."""

    re: str
    table: str
    view: Changes
    legal: list[str]


class HintFrame(Frame):
    """The kibitzer's word."""

    re: str
    table: str
    seq: int
    simulations: int
    opinions: list[Opinion]
    claims: list[Claim]  # why the first is better than the second
    done: bool


class BarsFrame(Frame):
    """Everyone's chances."""

    table: str
    seq: int
    chances: list[float]


class LobbyFrame(Frame):
    """The open tables."""

    tables: list[OpenTable]
    re: str | UnsetType = UNSET


class RematchFrame(Frame):
    """A rematch, and the seat that is kept for you."""

    table: str
    next: str
    join: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    token: str | UnsetType = UNSET


class ByeFrame(Frame):
    """The server stops."""


AnyFrame = (
    OkFrame | NoFrame | TableFrame | MovedFrame | ReadyFrame | SeatsFrame | SaidFrame | PreviewFrame
    | HintFrame | BarsFrame | LobbyFrame | RematchFrame | ByeFrame
)  # fmt: skip
