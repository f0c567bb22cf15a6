"""What a client can ask for on the WebSocket."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

LONGEST_MESSAGE = 16 * 1024
LONGEST_NAME = 24
LONGEST_CHAT = 500

# PostgreSQL cannot keep a NUL.
Id = Annotated[str, Meta(min_length=1, max_length=40, pattern=r"^[^\x00]*$")]
TableId = Annotated[str, Meta(max_length=40, pattern=r"^[^\x00]*$")]
Text = Annotated[str, Meta(max_length=100)]
Hex = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]  # a contribution, or the hash of one
SeatNumber = Annotated[int, Meta(ge=0, le=5)]
Actions = Annotated[list[Text], Meta(min_length=1, max_length=40)]
StepsSoFar = Annotated[list[Text], Meta(max_length=40)]


class Command(Struct, tag_field="do", tag=str.lower, kw_only=True):
    """Something that a client asks for; `id` makes it count once."""

    id: Id


class TableCommand(Command):
    """A command for one table."""

    table: TableId


class Enter(TableCommand):
    """Come to a table, to a seat or to watch."""

    version: int
    token: Annotated[str, Meta(max_length=200)] | None = None
    have: int | None = None


class Exit(TableCommand):
    """No more news from this table."""


class Play(TableCommand):
    """One choice: one action, or all its steps."""

    actions: Actions


class Preview(TableCommand):
    """What could follow these steps."""

    actions: Actions


class NextRound(TableCommand, tag="next_round"):
    """The round is over, and this seat wants to go on."""


class Say(TableCommand):
    """Chat."""

    text: str


class Start(TableCommand):
    """Close the table, and deal."""


class Promise(TableCommand):
    """The hash of what this seat will contribute to the deal."""

    promise: Hex


class Reveal(TableCommand):
    """What this seat has promised to contribute."""

    contribution: Hex


class Bot(TableCommand):
    """Give an empty seat to a bot, or take it away."""

    seat: SeatNumber
    level: Text | None


class Leave(TableCommand):
    """Give up the seat, or have a bot play on."""


class Back(TableCommand):
    """Take the seat again from the bot."""


class StandIn(TableCommand, tag="stand_in"):
    """A bot for somebody who is not there."""

    seat: SeatNumber
    how: Literal["turn", "rest"]


class Undo(TableCommand):
    """Ask to take back the last choice, or agree to it; off: say no, or withdraw it."""

    on: bool


class OfferEnd(TableCommand, tag="offer_end"):
    """Offer to end the match here, or agree to it; off: say no, or withdraw it."""

    on: bool


class Rematch(TableCommand):
    """The same people again."""


class Hint(TableCommand):
    """Ask what the kibitzer thinks of what could follow the steps of a choice in progress."""

    on: bool
    actions: StepsSoFar = []


class Bars(TableCommand):
    """Everyone's chances after each move."""

    on: bool


class Lobby(Command):
    """News of open tables."""

    on: bool


class Ping(Command):
    """Ask whether the server is there."""


AnyCommand = (
    Enter | Exit | Play | Preview | NextRound | Say | Start | Promise | Reveal | Bot | Leave | Back
    | StandIn | Undo | OfferEnd | Rematch | Hint | Bars | Lobby | Ping
)  # fmt: skip
