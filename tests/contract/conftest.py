"""The contract is tried with every game found."""

from collections.abc import Iterator

import pytest

import kibitz
from kibitz.contract import Promise, Subject, each
from kibitz.contract.settings import Setting, settings_of
from kibitz.engine.game import Game
from kibitz.games import find

GAMES: list[Game] = [find(name) for name in kibitz.games()]
MANY = 4  # combinations of options


def tried(game: Game) -> Iterator[tuple[Promise, Subject]]:
    """Where there are many combinations of options, half of them with each number of players.

    Each option is tried either way with every number; `kibitz check` tries all combinations.
    """
    settings = settings_of(game)
    many = len(settings) // len(game.identity.seats)
    left_out = [
        setting
        for n, setting in enumerate(settings)
        if many >= MANY and (setting.players + (n % many).bit_count()) % 2
    ]
    for promise, subject in each(game):
        if not (isinstance(subject, Setting) and subject in left_out):
            yield promise, subject


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
