"""Kibitz: a card table for published card games.

>>> import kibitz
>>> match = kibitz.new("kolpa", players=3, seed=7)
>>> len(match.legal(min(match.to_act))) > 0
True
"""

from kibitz import games as _games
from kibitz.bots.kibitzer import Opinion, Thought, think
from kibitz.bots.review import Review, review
from kibitz.engine.errors import (
    BadOption,
    BadPosition,
    BadSave,
    IllegalAction,
    KibitzError,
    UnknownGame,
)
from kibitz.engine.log import Event, Line
from kibitz.engine.match import Match
from kibitz.engine.view import View, ZoneView

__all__ = [
    "BadOption",
    "BadPosition",
    "BadSave",
    "Event",
    "IllegalAction",
    "KibitzError",
    "Line",
    "Match",
    "Opinion",
    "Review",
    "Thought",
    "UnknownGame",
    "View",
    "ZoneView",
    "games",
    "load",
    "new",
    "position",
    "review",
    "think",
]


def games() -> list[str]:
    """The names of the games found."""
    return _games.names()


def new(game: str, *, players: int, seed: int | str | None = None, **options: object) -> Match:
    """A new match. Without a seed the deal is secret and never comes again."""
    return Match.new(_games.find(game), players, seed, options)


def load(text: str) -> Match:
    """A saved match, replayed to the state in which it was saved."""
    return Match.load(text, _games.find)


def position(game: str, text: str, *, seed: int | str | None = None) -> Match:
    """A match from a written position."""
    return Match.at(_games.find(game), text, seed)
