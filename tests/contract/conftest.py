"""The contract suite runs over every game found, every player count and every option."""

import pytest

import kibitz
from contract.settings import DEFAULTS, SETTINGS
from kibitz.games import find


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "setting" in metafunc.fixturenames:
        metafunc.parametrize("setting", SETTINGS, ids=str)
    if "default" in metafunc.fixturenames:
        metafunc.parametrize("default", DEFAULTS, ids=str)
    if "game" in metafunc.fixturenames:
        metafunc.parametrize("game", [find(name) for name in kibitz.games()], ids=lambda g: g.name)
