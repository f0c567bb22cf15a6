"""What the tests ask of Kiza."""

from kibitz.engine.match import Match


def worth(*codes: str) -> int:
    return sum(int(code[2:]) for code in codes)


def present(match: Match, *choices: str) -> None:
    """Each seat in turn presents its cards and is ready."""
    for seat, choice in enumerate(choices):
        for card in choice.split():
            match.play(seat, f"present {card}")
        match.play(seat, "ready")
