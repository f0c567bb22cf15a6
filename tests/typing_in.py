"""Somebody who answers what the terminal asks."""

import pytest


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Answer every question of the terminal with these lines, then close the input."""
    left = iter(lines)

    def answer(*_: object, **__: object) -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("rich.console.Console.input", answer)
