"""What the page needs to know of a game before the first card: made once, sent as it is."""

from functools import cache
from importlib import import_module
from typing import Any

from kibitz.bots.levels import LEVELS
from kibitz.engine.game import Choice, Flag, Game, Number, Option
from kibitz.engine.record import Field
from kibitz.games import find
from kibitz.server.house import USUAL_PLAYERS
from kibitz.server.protocol import VERSION, encode
from kibitz.texts import LANGUAGES
from kibitz.texts.rulebook import read_rulebook

COVER_CARDS = 3


@cache
def games(offered: tuple[str, ...]) -> bytes:
    """The games that a server offers, for the first screen."""
    return encode(
        {
            "version": VERSION,
            "languages": LANGUAGES,
            "levels": [name for name in LEVELS if name != "random"],
            "games": [_card(find(name)) for name in offered],
        }
    )


def _card(game: Game) -> dict[str, Any]:
    seats = list(game.identity.seats)
    codes = game.layout.deck.codes
    return {
        "name": game.name,
        "title": {lang: game.texts.say(lang, "title") for lang in LANGUAGES},
        "tagline": {lang: game.texts.say(lang, "tagline") for lang in LANGUAGES},
        "players": seats,
        "usual": min(max(USUAL_PLAYERS, seats[0]), seats[-1]),
        "options": [_option(name, option) for name, option in game.identity.options.items()],
        "cover": [codes[n * (len(codes) - 1) // (COVER_CARDS - 1)] for n in range(COVER_CARDS)],
    }


def _option(name: str, option: Option) -> dict[str, Any]:
    match option:
        case Number(default, low, high):
            return {"name": name, "kind": "number", "default": default, "low": low, "high": high}
        case Choice(words, default):
            return {"name": name, "kind": "choice", "default": words[default], "words": words}
        case Flag(default):
            return {"name": name, "kind": "flag", "default": bool(default)}


@cache
def game(name: str) -> bytes:
    """A game's zones, verbs, cards and fields."""
    found = find(name)
    layout, table = found.layout, found.table
    return encode(
        {
            "name": name,
            "version": found.identity.version,
            "players": list(found.identity.seats),
            "families": [
                {
                    "name": family.name,
                    "look": table.places[family.name].look.value,
                    "spot": table.places[family.name].spot.value,
                    "per_seat": family.per_seat,
                    "parts": family.parts,
                    "pile": family.is_pile,
                    "looked_through": family.looked_through,
                }
                for family in layout.zones.families.values()
            ],
            "verbs": [
                {
                    "name": verb.name,
                    "template": verb.template,
                    "words": verb.words,
                    "secrecy": verb.secrecy.value,
                    "taps": table.taps[verb.name],
                }
                for verb in found.actions.verbs
            ],
            "kinds": [
                {"code": kind.code, "form": kind.form, "words": kind.words}
                for kind in layout.deck.kinds
            ],
            "fields": {n: {"kind": _kind(field)} for n, field in layout.shown.items()},
            "prompt": table.prompt,
            "facts": table.facts,
            "parts": layout.parts,
            "low_wins": found.identity.low_wins,
            "ratio": round(250 / 350, 3),
        }
    )


def _kind(field: Field) -> str:
    if field.is_seat:
        return "seat"
    if field.is_seats:
        return "seats"
    if field.is_kind:
        return "kind"
    return "word" if field.words else "number"


@cache
def texts(name: str, lang: str) -> bytes:
    """A game's words, over those of the table."""
    return encode(find(name).texts.all(lang))


@cache
def rules(name: str, lang: str) -> bytes:
    """A game's rulebook."""
    found = find(name)
    blocks = read_rulebook(found.folder, lang)
    return encode({"title": found.texts.say(lang, "title"), "blocks": blocks})


@cache
def picture(name: str, code: str) -> bytes | None:
    """The face of a card, or the back."""
    found = find(name)
    art = import_module(f"kibitz.games.{name}.art")
    if code == "back":
        return str(art.back()).encode()
    return str(art.face(code)).encode() if code in found.layout.deck.codes else None
