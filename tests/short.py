"""Matches of any game found, short enough for tests."""

import random
from typing import Any

import kibitz
from kibitz.contract.settings import wander
from kibitz.engine.match import Match
from kibitz.engine.options import Number
from kibitz.games import find

# Every game with three players or with four, in turn.
THREES_AND_FOURS = [(game, 3 + n % 2) for n, game in enumerate(kibitz.games())]
PUBLISHED = ("kiza", "kolpa", "ramon", "viva", "zocken")

_SHORT: dict[str, dict[str, Any]] = {"lantern": {"rounds": 2}}
_ROUNDS: dict[str, dict[str, Any]] = {
    "kiza": {"target": 60}, "kolpa": {"target": 20}, "lantern": {"rounds": 2},
    "ramon": {"target": 100}, "viva": {"rounds": 2}, "zocken": {"limit": 60},
}  # fmt: skip


def short(game: str) -> dict[str, Any]:
    """Options for a short match: small numbers, that is."""
    return _SHORT.get(game) or {name: option.low for name, option in _numbers(game).items()}


def of_some_rounds(game: str) -> dict[str, Any]:
    """Options for a match that has more than one round."""
    middle = {name: (option.low + option.high) // 2 for name, option in _numbers(game).items()}
    return _ROUNDS.get(game, middle)


def _numbers(game: str) -> dict[str, Number]:
    options = find(game).identity.options.items()
    return {name: option for name, option in options if isinstance(option, Number)}


def players_for(game: str, wish: int) -> int:
    """As many players as wished, or as near as the game comes to it."""
    seats = find(game).identity.seats
    return min(max(wish, seats[0]), seats[-1])


def under_way(game: str) -> Match:
    """A match in which somebody has a choice, and others have shown something of their hands."""
    match = kibitz.new(game, players=4, seed=6)
    for n, _ in enumerate(wander(match, random.Random(6), 200)):
        if n > 20 and match.to_act and len(match.legal(min(match.to_act))) > 2:
            break
    assert not match.round_over
    return match
