"""What tests of games ask of a match, over and over."""

import kibitz
from kibitz.engine import border
from kibitz.engine.chance import seed_of_move
from kibitz.engine.log import Event
from kibitz.engine.match import Match
from kibitz.engine.visibility import SPECTATOR


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


def next_round(match: Match) -> Match:
    """The round is over and nobody is due: the next one is dealt."""
    assert match.round_over
    assert not match.over
    assert not match.to_act
    match.next_round()
    return match


def told(match: Match, viewer: int | None = None) -> list[tuple[int | None, str]]:
    """The log as a seat, or a spectator, may read it; of what it did not see, the verb alone."""
    return [(line.seat, line.action or line.verb) for line in match.history(viewer)]


def events(match: Match, *names: str, viewer: int | None = None) -> list[Event]:
    """What came of the last thing done, as a viewer may know it: all of it, or these events."""
    line = match.line(len(match.done) - 1, viewer)
    found = line.events if line else ()
    return [event for event in found if not names or event.name in names]


def redealt(match: Match, viewer: int | None, n: int) -> Match:
    """The match with what a viewer cannot see dealt anew, in one of many ways."""
    world = match.in_world(match.state)
    seat = SPECTATOR if viewer is None else viewer
    border.redeal_at(world.state, 0, seat, *seed_of_move("redealt", n))
    return world


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
