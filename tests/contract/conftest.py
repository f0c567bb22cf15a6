"""The contract is tried with every game found."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

import kibitz
from effort import tried as this_time
from kibitz.contract import Promise, Subject, each
from kibitz.contract.settings import Setting, settings_of
from kibitz.engine.game import Game
from kibitz.games import find

EFFORT = this_time(0.2, 1.0)  # `kibitz check` has all of it
GAMES: list[Game] = [find(name) for name in kibitz.games()]


def tried(game: Game) -> Iterator[tuple[Promise, Subject]]:
    """Every number of players, each with one of the combinations of options, in turn.

    So each option is tried either way; `kibitz check` tries all combinations with all numbers, and
    with more matches.
    """
    settings = settings_of(game)
    many = len(settings) // len(game.identity.seats)
    chosen = [setting for n, setting in enumerate(settings) if n % many == n // many % many]
    for promise, subject in each(game):
        if not isinstance(subject, Setting):
            yield promise, subject
        elif subject in chosen:
            yield promise, replace(subject, effort=EFFORT)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "subject" in metafunc.fixturenames:
        pairs = [pair for game in GAMES for pair in tried(game)]
        metafunc.parametrize(
            ("promise", "subject"),
            pairs,
            ids=[f"{p.keep.__name__}-{s.name if isinstance(s, Game) else s}" for p, s in pairs],
        )
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", GAMES, ids=lambda g: g.name)
