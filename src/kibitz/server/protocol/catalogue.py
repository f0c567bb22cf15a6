"""What a page needs to know of the games before the first card."""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from kibitz.bots.claims import Claim
from kibitz.server.protocol.parts import LineData, SheetData, ViewData


class OptionData(Struct, frozen=True):
    """An option of a game."""

    name: str
    kind: Literal["number", "choice", "flag"]
    default: int | str | bool
    low: int | UnsetType = UNSET
    high: int | UnsetType = UNSET
    words: list[str] | UnsetType = UNSET


class GameCard(Struct, frozen=True):
    """A game, for the first screen."""

    name: str
    title: dict[str, str]
    tagline: dict[str, str]
    players: list[int]
    usual: int
    options: list[OptionData]
    cover: list[str]
    lesson: bool  # whether it has one
    puzzles: int  # how many it has


class Games(Struct, frozen=True):
    """The games that a server offers."""

    version: int
    languages: list[str]
    levels: list[str]
    games: list[GameCard]
    address: str | None  # where others reach this server, where that is not where the page is


class TallyData(Struct, frozen=True):
    """What the cards of a zone come to: see `kibitz.engine.tabletop.Tally`."""

    worth: dict[str, int]
    by_size: list[int]
    names: str | None
    tops: bool
    every: str | None


class FigureData(Struct, frozen=True):
    """A number beside a prompt: the sum of its terms."""

    name: str
    terms: list[str]


class ChapterData(Struct, frozen=True):
    """A heading in the log: where a verb is played, or after one of these events."""

    name: str
    verb: str | None
    after: list[str]


class TurnedData(Struct, frozen=True):
    """The field and the word of it that turn all faces round."""

    field: str
    word: str


class FamilyData(Struct, frozen=True):
    """Zones of one name."""

    name: str
    look: Literal["hand", "fan", "pile", "stacks", "row", "trick", "lot", "counter", "none"]
    spot: Literal["seat", "centre", "aside"]
    per_seat: bool
    parts: list[str]
    pile: bool
    looked_through: bool
    part_of: str | None  # a tap on a card of that family can also mean one of this
    tally: TallyData | None
    rare: bool  # no room is kept for it


class VerbData(Struct, frozen=True):
    """Actions of one form: the names of their words, and whether a choice goes on after them."""

    name: str
    words: list[str]
    secrecy: Literal["open", "masked", "sealed"]
    continues: bool


class ActionData(Struct, frozen=True, array_like=True):
    """An action: its text, its verb (by number), its words, and the taps that make it."""

    text: str
    verb: int
    words: list[str]
    taps: list[str]


class EventKindData(Struct, frozen=True):
    """Events of one name: how much they matter, and what their word is called in the texts."""

    name: str
    weight: Literal["detail", "outcome", "score", "end"]
    gap: str


class KindData(Struct, frozen=True):
    """A kind of card, and its words, such as its colour."""

    code: str
    words: dict[str, str]


class FieldData(Struct, frozen=True):
    """What the values of a field are."""

    kind: Literal["number", "flag", "seat", "seats", "word", "kind"]
    zero_is_none: bool  # 0 says that there is nothing to tell


class Description(Struct, frozen=True):
    """All that a page needs to show a game."""

    name: str
    version: int
    players: list[int]
    families: list[FamilyData]
    verbs: list[VerbData]
    actions: list[ActionData]
    events: list[EventKindData]
    kinds: list[KindData]
    fields: dict[str, FieldData]
    prompt: str | None
    prompts: dict[str, list[str]]  # what is asked instead where these verbs are all legal
    facts: list[str]
    markers: list[str]  # fields that name seats: a word stands at each of them
    figures: dict[str, list[FigureData]]
    chapters: list[ChapterData]
    goal: str | None  # the option that says how many points end the match
    rounds: str | None  # the option that says how many rounds there are
    quiet: list[str]  # buttons that do not shine
    tokens: list[str]  # facts that are a thing on the table
    turned: TurnedData | None
    swatches: list[str]  # words that are colours of the cards
    parts: list[str]
    low_wins: bool
    ratio: float


# How far a game is: cards can be dealt, people can play, and bots too.
Prepared = Literal["waiting", "deal", "moves", "bots"]


class Preparation(Struct, frozen=True):
    """Which games are ready."""

    games: dict[str, Prepared]


class BlockData(Struct, frozen=True):
    """A piece of a rulebook."""

    kind: Literal["heading", "text", "step", "rule", "ruling"]
    text: str
    id: str | None
    level: int


class Rulebook(Struct, frozen=True):
    """A game's rulebook."""

    title: str
    blocks: list[BlockData]


class LessonMove(Struct, frozen=True):
    """Something that is done in a lesson, and the table after it."""

    seat: int
    lines: list[LineData]
    view: ViewData
    legal: list[str]
    sheet: SheetData


class LessonScene(Struct, frozen=True):
    """One step of a lesson: what is asked for (`do`), and all that happens then.

    `laid` says that the table was laid out anew. `refused` are wrong tries, by the rule that
    forbids them; `previews` the table after some steps of a choice that goes on, by these steps,
    sorted and joined by ` + `.
    """

    name: str
    laid: bool
    view: ViewData
    legal: list[str]
    light: list[str]
    do: list[str]
    previews: dict[str, LessonMove]
    refused: dict[str, list[str]]
    moves: list[LessonMove]


class LessonData(Struct, frozen=True):
    """A lesson from its first table to its last, and who else sits there."""

    players: int
    names: list[str]  # of all but the pupil
    options: dict[str, Any]
    seat: int  # the pupil's
    scenes: list[LessonScene]


class PuzzleData(Struct, frozen=True):
    """A puzzle: a lesson of one scene, in which the best choice is asked for.

    `chances` are those to win the match after each action; or, where the best is a choice of
    several steps, after each whole choice, written as its steps joined by ` + `, and all beginnings
    have previews. `medium` is what a bot of that level would play, and `claims` say why the best is
    better than that.
    """

    lesson: LessonData
    chances: dict[str, float]
    medium: str
    claims: list[Claim]
