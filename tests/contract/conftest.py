"""The contract is tried with every game found."""

import pytest

import kibitz
from kibitz.contract import each
from kibitz.engine.game import Game
from kibitz.games import find

GAMES: list[Game] = [find(name) for name in kibitz.games()]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "subject" in metafunc.fixturenames:
        pairs = [pair for game in GAMES for pair in each(game)]
        metafunc.parametrize(
            ("promise", "subject"),
            pairs,
            ids=[f"{p.keep.__name__}-{s.name if isinstance(s, Game) else s}" for p, s in pairs],
        )
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", GAMES, ids=lambda g: g.name)
