"""What is wrong with a written position."""

from kibitz.engine.compiled import State


def position_error(s: State) -> str | None:
    """What is wrong with a position, or None."""
    if s.due & (s.due - 1) or s.due & s.stopped:
        return "one seat is due that has not stopped"
    return None
