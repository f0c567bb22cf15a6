"""What the page needs to know of a game before the first card: made once, sent as it is."""

from functools import cache
from importlib import import_module
from typing import Any, Literal, cast

from msgspec import UNSET, Struct, UnsetType

from kibitz.art.frame import HEIGHT, WIDTH
from kibitz.bots.levels import LEVELS
from kibitz.engine.actions import Verb
from kibitz.engine.game import Choice, Flag, Game, Number, Option
from kibitz.engine.record import Field
from kibitz.engine.zones import Family
from kibitz.games import find
from kibitz.server.house import USUAL_PLAYERS
from kibitz.server.protocol import VERSION, encode
from kibitz.texts import LANGUAGES
from kibitz.texts.rulebook import read_rulebook

COVER_CARDS = 3


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


class VerbData(Struct, frozen=True):
    """Actions of one form, and the taps that make them."""

    name: str
    template: str
    words: dict[str, list[str]]
    secrecy: Literal["open", "masked", "sealed"]
    taps: list[str]


class KindData(Struct, frozen=True):
    """A kind of card."""

    code: str
    form: str
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
    kinds: list[KindData]
    fields: dict[str, FieldData]
    prompt: str | None
    facts: list[str]
    parts: list[str]
    low_wins: bool
    ratio: float


class BlockData(Struct, frozen=True):
    """A piece of a rulebook."""

    kind: Literal["heading", "text", "rule", "ruling"]
    text: str
    id: str | None
    level: int


class Rulebook(Struct, frozen=True):
    """A game's rulebook."""

    title: str
    blocks: list[BlockData]


@cache
def games(offered: tuple[str, ...], address: str) -> bytes:
    """The games that a server offers."""
    levels = [name for name in LEVELS if name != "random"]
    cards = [_card(find(name)) for name in offered]
    return encode(Games(VERSION, list(LANGUAGES), levels, cards, address or None))


def _card(game: Game) -> GameCard:
    seats = list(game.identity.seats)
    codes = game.layout.deck.codes
    return GameCard(
        name=game.name,
        title={lang: game.texts.say(lang, "title") for lang in LANGUAGES},
        tagline={lang: game.texts.say(lang, "tagline") for lang in LANGUAGES},
        players=seats,
        usual=min(max(USUAL_PLAYERS, seats[0]), seats[-1]),
        options=[_option(name, option) for name, option in game.identity.options.items()],
        cover=[codes[n * (len(codes) - 1) // (COVER_CARDS - 1)] for n in range(COVER_CARDS)],
    )


def _option(name: str, option: Option) -> OptionData:
    match option:
        case Number(default, low, high):
            return OptionData(name, "number", default, low=low, high=high)
        case Choice(words, default):
            return OptionData(name, "choice", words[default], words=list(words))
        case Flag(default):
            return OptionData(name, "flag", bool(default))


@cache
def game(name: str) -> bytes:
    """A game's zones, verbs, cards and fields."""
    found = find(name)
    layout, table = found.layout, found.tabletop
    return encode(
        Description(
            name=name,
            version=found.identity.version,
            players=list(found.identity.seats),
            families=[_family(found, family) for family in layout.zones.families.values()],
            verbs=[_verb(found, verb) for verb in found.actions.verbs],
            kinds=[KindData(k.code, k.form, dict(k.words)) for k in layout.deck.kinds],
            fields={name: _field(field) for name, field in layout.shown.items()},
            prompt=table.prompt,
            facts=list(table.facts),
            parts=list(layout.parts),
            low_wins=found.identity.low_wins,
            ratio=round(WIDTH / HEIGHT, 3),
        )
    )


def _family(game: Game, family: Family) -> FamilyData:
    place = game.tabletop.places[family.name]
    look: Any = place.look.value
    spot: Any = place.spot.value
    return FamilyData(
        name=family.name,
        look=look,
        spot=spot,
        per_seat=family.per_seat,
        parts=list(family.parts),
        pile=family.is_pile,
        looked_through=family.looked_through,
    )


def _verb(game: Game, verb: Verb) -> VerbData:
    secrecy: Any = verb.secrecy.value
    words = {name: list(values) for name, values in verb.words.items()}
    return VerbData(verb.name, verb.template, words, secrecy, list(game.tabletop.taps[verb.name]))


def _field(field: Field) -> FieldData:
    if field.is_seat:
        return FieldData("seat")
    if field.is_seats:
        return FieldData("seats")
    if field.is_kind:
        return FieldData("kind")
    if field.words:
        return FieldData("word")
    return FieldData("flag" if field.high == 1 else "number")


@cache
def texts(name: str, lang: str) -> bytes:
    """A game's words, over those of the table."""
    return encode(find(name).texts.all(lang))


@cache
def rules(name: str, lang: str) -> bytes:
    """A game's rulebook."""
    found = find(name)
    blocks = [
        BlockData(cast(Any, block.kind), block.text, block.id, block.level)
        for block in read_rulebook(found.folder, lang)
    ]
    return encode(Rulebook(found.texts.say(lang, "title"), blocks))


@cache
def picture(name: str, code: str) -> bytes | None:
    """The face of a card, or the back."""
    found = find(name)
    art = import_module(f"kibitz.games.{name}.art")
    if code == "back":
        return str(art.back()).encode()
    return str(art.face(code)).encode() if code in found.layout.deck.codes else None


def prepare(offered: tuple[str, ...], address: str) -> None:
    """Make everything before the first guest asks for it."""
    games(offered, address)
    for name in offered:
        game(name)
        for lang in LANGUAGES:
            texts(name, lang)
            rules(name, lang)
        for code in ("back", *find(name).layout.deck.codes):
            picture(name, code)
