"""What client and server say to each other, as in docs/protocol.md.

The types of the page are generated from here: `python -m kibitz.server.typescript`.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

VERSION = 1
LONGEST_MESSAGE = 16 * 1024
LONGEST_NAME = 24
LONGEST_CHAT = 500

# PostgreSQL cannot keep a NUL.
Id = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[^\x00]*$")]
TableId = Annotated[str, Meta(max_length=40, pattern=r"^[^\x00]*$")]
Text = Annotated[str, Meta(max_length=100)]
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Actions = Annotated[list[Text], Meta(min_length=1, max_length=40)]


# ---- commands


class Command(Struct, tag_field="do", tag=str.lower, kw_only=True):
    """Something that a client asks for; `id` makes it count once."""

    id: Id


class AtTable(Command):
    """A command for one table."""

    table: TableId


class Enter(AtTable):
    """Come to a table, to a seat or to watch."""

    version: int
    token: Annotated[str, Meta(max_length=200)] | None = None
    have: int | None = None


class Exit(AtTable):
    """No more news from this table."""


class Play(AtTable):
    """One choice: one action, or all its steps."""

    actions: Actions


class Preview(AtTable):
    """What could follow these steps."""

    actions: Actions


class Say(AtTable):
    """Chat."""

    text: str


class Start(AtTable):
    """Deal."""

    contribution: Text | None = None


class Bot(AtTable):
    """Give an empty seat to a bot, or take it away."""

    seat: SeatNumber
    level: Text | None


class Leave(AtTable):
    """Give up the seat, or have a bot play on."""


class Back(AtTable):
    """Take the seat again from the bot."""


class StandIn(AtTable, tag="stand_in"):
    """A bot for somebody who is not there."""

    seat: SeatNumber
    how: Literal["turn", "rest"]


class Rematch(AtTable):
    """The same people again."""


class Hint(AtTable):
    """Ask what the kibitzer thinks."""

    on: bool


class Bars(AtTable):
    """Everyone's chances after each move."""

    on: bool


class Lobby(Command):
    """News of open tables."""

    on: bool


class Ping(Command):
    """Ask whether the server is there."""


AnyCommand = (
    Enter | Exit | Play | Preview | Say | Start | Bot | Leave | Back | StandIn | Rematch | Hint
    | Bars | Lobby | Ping
)  # fmt: skip


# ---- what tables and views are made of


class ZoneData(Struct, frozen=True):
    """A zone as a viewer sees it."""

    size: int
    cards: list[str] | UnsetType = UNSET
    known: list[str] | UnsetType = UNSET


class ViewData(Struct, frozen=True):
    """What a viewer may see."""

    round: int
    due: list[int]
    over: bool
    winners: list[int]
    scores: list[int]
    zones: dict[str, ZoneData]
    fields: dict[str, Any]


class Changes(Struct, frozen=True):
    """What has changed of a view."""

    round: int | UnsetType = UNSET
    due: list[int] | UnsetType = UNSET
    over: bool | UnsetType = UNSET
    winners: list[int] | UnsetType = UNSET
    scores: list[int] | UnsetType = UNSET
    zones: dict[str, ZoneData] | UnsetType = UNSET
    fields: dict[str, Any] | UnsetType = UNSET


class SeatData(Struct, frozen=True):
    """A chair, and who sits on it."""

    kind: Literal["person", "bot", "empty"]
    name: str
    level: str | None
    here: bool
    bot: bool


class Turn(Struct, frozen=True):
    """When a turn began, and what is left of its clock, in milliseconds."""

    at: int
    left: int | None


class ChatLine(Struct, frozen=True):
    """Something said."""

    seq: int
    seat: int | None
    name: str
    text: str
    at: int


class Deal(Struct, frozen=True):
    """What the seed was made of."""

    secret: str
    contributions: list[str | None]


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


class OpinionData(Struct, frozen=True):
    """What the kibitzer thinks of an action."""

    action: str
    chance: float
    error: float
    place: float
    score: float
    visits: int


class Mine(Struct, frozen=True):
    """A match of somebody's who has a token for it."""

    table: str
    seat: int
    game: str
    phase: Literal["gathering", "playing", "over"]
    due: bool
    names: list[str]
    at: int


Line = tuple[int, str, int]  # a seat, an action, the entry it belongs to
NewLine = tuple[int, str]
Sheet = list[list[dict[str, int]]]  # by round, by seat, by part of the score
Phase = Literal["gathering", "playing", "over"]


# ---- frames


class Frame(Struct, tag_field="t", tag=str.lower, kw_only=True):
    """Something that the server says."""


class Ok(Frame):
    """Done."""

    re: str
    seq: int | UnsetType = UNSET
    table: str | UnsetType = UNSET


class No(Frame):
    """Refused, and why."""

    re: str | None
    error: str
    text: str
    rule: str | UnsetType = UNSET
    wait: float | UnsetType = UNSET


class Table(Frame):
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
    held: list[str]
    turn: Turn | None
    log: list[Line]
    chat: list[ChatLine]
    sheet: Sheet
    deal: Deal | None
    rematch: str | None


class Moved(Frame):
    """A choice has been made, and is on disk."""

    table: str
    seq: int
    seat: int
    lines: list[NewLine]
    view: Changes
    turn: Turn
    re: str | UnsetType = UNSET
    by: Literal["clock", "stand_in"] | UnsetType = UNSET
    legal: list[str] | UnsetType = UNSET
    held: list[str] | UnsetType = UNSET
    sheet: list[dict[str, int]] | UnsetType = UNSET
    phase: Phase | UnsetType = UNSET
    deal: Deal | UnsetType = UNSET


class Seats(Frame):
    """Somebody has come, gone, or been replaced."""

    table: str
    seq: int
    phase: Phase
    seats: list[SeatData]


class Said(Frame):
    """Chat."""

    table: str
    seq: int
    seat: int | None
    name: str
    text: str
    at: int


class Previewed(Frame, tag="preview"):
    """What could follow."""

    re: str
    table: str
    view: Changes
    legal: list[str]
    held: list[str]


class Hinted(Frame, tag="hint"):
    """The kibitzer's word."""

    re: str
    table: str
    seq: int
    simulations: int
    opinions: list[OpinionData]
    done: bool


class Barred(Frame, tag="bars"):
    """Everyone's chances."""

    table: str
    seq: int
    chances: list[float]


class LobbyNews(Frame, tag="lobby"):
    """The open tables."""

    tables: list[OpenTable]
    re: str | UnsetType = UNSET


class Again(Frame, tag="rematch"):
    """A rematch, and the seat that is kept for you."""

    table: str
    next: str
    join: str | UnsetType = UNSET
    seat: int | UnsetType = UNSET
    token: str | UnsetType = UNSET


class Bye(Frame):
    """The server stops."""


AnyFrame = (
    Ok | No | Table | Moved | Seats | Said | Previewed | Hinted | Barred | LobbyNews | Again | Bye
)  # fmt: skip


class Refused(Exception):
    """Why a command or a request was not carried out."""

    def __init__(
        self, error: str, text: str, *, rule: str | None = None, wait: float | None = None
    ) -> None:
        super().__init__(text)
        self.error, self.text, self.rule, self.wait = error, text, rule, wait

    def frame(self, re: str | None) -> No:
        """The answer on the WebSocket."""
        return No(
            re=re,
            error=self.error,
            text=self.text,
            rule=UNSET if self.rule is None else self.rule,
            wait=UNSET if self.wait is None else round(self.wait, 1),
        )


encode = msgspec.json.Encoder().encode
decode_command = msgspec.json.Decoder(AnyCommand).decode
decode_frame = msgspec.json.Decoder(AnyFrame).decode
