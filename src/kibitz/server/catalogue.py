"""What the page needs to know of a game before the first card: made once, sent as it is."""

from functools import cache
from importlib import import_module
from typing import Any, cast

from kibitz.art.frame import HEIGHT, WIDTH
from kibitz.art.palette import COLOURS, lettered
from kibitz.art.swatch import swatch
from kibitz.bots.levels import LEVELS
from kibitz.bots.puzzles import read_puzzles
from kibitz.engine.game import Game
from kibitz.engine.options import Choice, Flag, Number, Option
from kibitz.engine.record import Field
from kibitz.engine.tabletop import Tally
from kibitz.engine.zones import Family
from kibitz.games import find
from kibitz.server.protocol import (
    VERSION,
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
    OptionData,
    Rulebook,
    TallyData,
    TurnedData,
    VerbData,
    encode,
)
from kibitz.texts import LANGUAGES
from kibitz.texts.rulebook import read_rulebook

COVER_CARDS = 3


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
        usual=game.identity.usual_players,
        options=[_option(name, option) for name, option in game.identity.options.items()],
        lesson=(game.folder / "lesson.toml").is_file(),
        puzzles=len(read_puzzles(game)),
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
    """A game's zones, actions, events, cards and fields."""
    found = find(name)
    layout, table = found.layout, found.tabletop
    return encode(
        Description(
            name=name,
            version=found.identity.version,
            players=list(found.identity.seats),
            families=[_family(found, family) for family in layout.zones.families.values()],
            verbs=_verbs(found),
            actions=_actions(found),
            events=[
                EventKindData(kind.name, cast(Any, kind.weight.value), kind.gap)
                for kind in found.events.kinds
            ],
            kinds=[KindData(k.code, dict(k.words)) for k in layout.deck.kinds],
            fields={name: _field(field) for name, field in layout.shown.items()},
            prompt=table.prompt,
            prompts={key: list(verbs) for key, verbs in table.prompts.items()},
            facts=list(table.facts),
            markers=list(table.markers),
            figures={
                prompt: [FigureData(f.name, list(f.terms)) for f in figures]
                for prompt, figures in table.figures.items()
            },
            chapters=[ChapterData(c.name, c.verb, list(c.after)) for c in table.chapters],
            goal=table.goal,
            rounds=table.rounds,
            quiet=list(table.quiet),
            tokens=list(table.tokens),
            turned=TurnedData(*table.turned) if table.turned else None,
            swatches=_swatches(found),
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
        part_of=place.part_of,
        tally=_tally(place.tally) if place.tally else None,
        rare=place.rare,
    )


def _tally(tally: Tally) -> TallyData:
    return TallyData(dict(tally.worth), list(tally.by_size), tally.names, tally.tops, tally.every)


def _swatches(game: Game) -> list[str]:
    """The colours that a player can be asked to choose."""
    words = {word for action in game.actions.all for word in action.words.values()}
    return [colour.name for colour in COLOURS if colour.name in words]


def _verbs(game: Game) -> list[VerbData]:
    return [
        VerbData(verb.name, list(verb.words), cast(Any, verb.secrecy.value), verb.continues)
        for verb in game.actions.verbs
    ]


def _actions(game: Game) -> list[ActionData]:
    """Every action that there is; one that names a seat nobody can sit on is left out."""
    order = {verb.name: n for n, verb in enumerate(game.actions.verbs)}
    most = game.identity.seats[-1]
    return [
        ActionData(
            action.text,
            order[action.verb.name],
            list(action.words.values()),
            list(game.tabletop.steps(action)),
        )
        for action in game.actions.all
        if int(action.words.get("seat", 0)) < most
    ]


def _field(field: Field) -> FieldData:
    return FieldData(_kind_of(field), zero_is_none=field.empty == 0)


def _kind_of(field: Field) -> Any:
    if field.is_seat:
        return "seat"
    if field.is_seats:
        return "seats"
    if field.is_kind:
        return "kind"
    if field.words:
        return "word"
    return "flag" if field.high == 1 else "number"


@cache
def texts(name: str, lang: str) -> bytes:
    """A game's words, over those of the table; the name of each card, and what it does."""
    found = find(name)
    kinds = found.layout.deck.kinds
    cards = {kind.code: found.texts.card(lang, kind) for kind in kinds}
    explain = {kind.code: found.texts.explain(lang, kind) for kind in kinds}
    return encode({**found.texts.all(lang), "cards": cards, "explain": explain})


@cache
def rules(name: str, lang: str) -> bytes:
    """A game's rulebook."""
    found = find(name)
    blocks = [
        BlockData(cast(Any, block.kind), block.text, block.id, block.level)
        for block in read_rulebook(found.folder, lang)
    ]
    return encode(Rulebook(found.texts.say(lang, "title"), blocks))


def picture(name: str, code: str, lang: str) -> bytes | None:
    """A card's face, the back, a token or a colour; None: there is no such picture."""
    if code not in pictures(name):
        return None
    return _drawn(name, code, tuple(find(name).texts.letters(lang).items()))


@cache
def pictures(name: str) -> tuple[str, ...]:
    """The names of all pictures of a game, such as `r5`, `back`, `pawn.blue` or `swatch.red`."""
    game = find(name)
    tokens = [
        f"{token}.{word}"
        for token in game.tabletop.tokens
        for word in game.layout.shown[token].words
    ]
    swatches = [f"swatch.{colour}" for colour in _swatches(game)]
    return "back", *game.layout.deck.codes, *tokens, *swatches


@cache
def _drawn(name: str, code: str, letters: tuple[tuple[str, str], ...]) -> bytes:
    """Languages with the same letters share their pictures."""
    art = import_module(f"kibitz.games.{name}.art")
    thing, _, word = code.partition(".")
    with lettered(dict(letters)):
        if code == "back":
            drawn = art.back()
        elif thing == "swatch":
            drawn = swatch(word)
        else:
            drawn = art.token(thing, word) if word else art.face(code)
    return str(drawn).encode()


def prepare(offered: tuple[str, ...], address: str) -> None:
    """Make everything before the first guest asks for it; cards in English, the rest when asked."""
    games(offered, address)
    for name in offered:
        game(name)
        for lang in LANGUAGES:
            texts(name, lang)
            rules(name, lang)
        for code in pictures(name):
            picture(name, code, LANGUAGES[0])
