"""What a page needs to know of the games before the first card."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType


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


class Games(Struct, frozen=True):
    """The games that a server offers."""

    version: int
    languages: list[str]
    levels: list[str]
    games: list[GameCard]
    address: str | None  # where others reach this server, where that is not where the page is


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
