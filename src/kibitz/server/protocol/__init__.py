"""What client and server say to each other, as in docs/protocol.md: all of it is defined here.

The types of the page are generated from these structs: `python -m kibitz.server.typescript`.
"""

import msgspec
from msgspec import UNSET

from kibitz.server.protocol.catalogue import (
    ActionData,
    BlockData,
    ChapterData,
    Description,
    EventKindData,
    FamilyData,
    FieldData,
    FigureData,
    GameCard,
    Games,
    KindData,
    LessonData,
    LessonMove,
    LessonScene,
    OptionData,
    Preparation,
    PuzzleData,
    Rulebook,
    TallyData,
    TurnedData,
    VerbData,
)
from kibitz.server.protocol.commands import (
    LONGEST_CHAT,
    LONGEST_MESSAGE,
    LONGEST_NAME,
    AnyCommand,
    Back,
    Bars,
    Bot,
    Command,
    Enter,
    Exit,
    Hint,
    Leave,
    Lobby,
    NextRound,
    OfferEnd,
    Ping,
    Play,
    Preview,
    Promise,
    Rematch,
    Reveal,
    Say,
    StandIn,
    Start,
    TableCommand,
    Undo,
)
from kibitz.server.protocol.frames import (
    VERSION,
    AnyFrame,
    BarsFrame,
    ByeFrame,
    Frame,
    HintFrame,
    LobbyFrame,
    MovedFrame,
    NoFrame,
    OkFrame,
    PreviewFrame,
    ReadyFrame,
    RematchFrame,
    SaidFrame,
    SeatsFrame,
    TableFrame,
)
from kibitz.server.protocol.parts import (
    Again,
    Asks,
    By,
    Changes,
    ChatLine,
    Deal,
    EventData,
    Former,
    LineData,
    Note,
    OpenTable,
    Phase,
    Rest,
    SeatData,
    SheetData,
    Turn,
    ViewData,
    ZoneData,
)
from kibitz.server.protocol.requests import (
    Health,
    HistoryData,
    MadeTable,
    Mine,
    MineRequest,
    Moment,
    NewTable,
    Progress,
    RefusalData,
    ReviewData,
    TableInfo,
    TableSettings,
    TakenSeat,
    TakeSeat,
)

__all__ = [
    "LONGEST_CHAT", "LONGEST_MESSAGE", "LONGEST_NAME", "VERSION", "ActionData", "Again",
    "AnyCommand", "AnyFrame", "Asks", "Back", "Bars", "BarsFrame", "BlockData", "Bot", "By",
    "ByeFrame",
    "Changes", "ChapterData", "ChatLine", "Command", "Deal", "Description", "Enter", "EventData",
    "EventKindData", "Exit", "FamilyData", "FieldData", "FigureData", "Former", "Frame", "GameCard",
    "Games", "Health", "Hint", "HintFrame", "HistoryData", "KindData", "Leave", "LessonData",
    "LessonMove", "LessonScene", "LineData", "Lobby", "LobbyFrame", "MadeTable", "Mine",
    "MineRequest", "Moment", "MovedFrame", "NewTable", "NextRound", "NoFrame", "Note", "OfferEnd",
    "OkFrame", "OpenTable", "OptionData", "Phase", "Ping", "Play", "Preparation", "Preview",
    "PreviewFrame", "Progress", "Promise", "PuzzleData", "ReadyFrame", "RefusalData",
    "Refused", "Rematch",
    "RematchFrame", "Rest", "Reveal", "ReviewData", "Rulebook", "SaidFrame", "Say", "SeatData",
    "SeatsFrame", "SheetData", "StandIn", "Start", "TableCommand", "TableFrame", "TableInfo",
    "TableSettings", "TakeSeat", "TakenSeat", "TallyData", "Turn", "TurnedData", "Undo", "VerbData",
    "ViewData", "ZoneData", "decode_command", "decode_frame", "encode",
]  # fmt: skip


class Refused(Exception):
    """Why a command or a request was not carried out."""

    def __init__(
        self, error: str, text: str, *, rule: str | None = None, wait: float | None = None
    ) -> None:
        super().__init__(text)
        self.error, self.text, self.rule, self.wait = error, text, rule, wait

    def frame(self, re: str | None) -> NoFrame:
        """The answer on the WebSocket."""
        data = self.data()
        return NoFrame(re=re, error=data.error, text=data.text, rule=data.rule, wait=data.wait)

    def data(self) -> RefusalData:
        """The answer over HTTP."""
        return RefusalData(
            error=self.error,
            text=self.text,
            rule=UNSET if self.rule is None else self.rule,
            wait=UNSET if self.wait is None else round(self.wait, 1),
        )


encode = msgspec.json.Encoder().encode
decode_command = msgspec.json.Decoder(AnyCommand).decode
decode_frame = msgspec.json.Decoder(AnyFrame).decode
