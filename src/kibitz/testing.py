"""What tests of games ask of a match, over and over."""

import kibitz
from kibitz.engine.match import Match


def cards(match: Match, zone: str, seat: int | None = None) -> list[str]:
    """The cards that a seat, or a spectator, can look at in a zone."""
    return list(match.view(seat).zones[zone].cards)


def hand(match: Match, seat: int) -> list[str]:
    """A seat's own hand."""
    return cards(match, f"hand.{seat}", seat)


def known(match: Match, zone: str, seat: int | None = None) -> list[str]:
    """The cards of a closed zone that a seat, or a spectator, knows to lie there."""
    return list(match.view(seat).zones[zone].known)


def size(match: Match, zone: str) -> int:
    """How many cards lie in a zone."""
    return match.view().zones[zone].size


def sizes(match: Match, family: str) -> list[int]:
    """How many cards each seat has in its zone of that name."""
    return [size(match, f"{family}.{seat}") for seat in range(match.players)]


def field(match: Match, name: str) -> object:
    """A field that all may see."""
    return match.view().fields[name]


def play(match: Match, *actions: str) -> Match:
    """Make these actions, each by the seat that is due."""
    for action in actions:
        (seat,) = match.to_act
        match.play(seat, action)
    return match


def refused(match: Match, action: str, seat: int = 0) -> str | None:
    """The rule by which an action is refused; nothing may have changed."""
    before, log = match.state.tobytes(), list(match.log)
    try:
        match.play(seat, action)
    except kibitz.IllegalAction as refusal:
        assert match.state.tobytes() == before
        assert match.log == log
        return refusal.rule
    raise AssertionError(f"{action!r} was not refused")
