"""Positions of Viva, and what the tests ask of them."""

import pytest

import kibitz
from kibitz.engine.match import Match

COLOURS = "roygbp"
KINDS = [*COLOURS, *(a + b for i, a in enumerate(COLOURS) for b in COLOURS[i + 1 :])]


def at(text: str, players: int = 2, seed: int = 1, **options: object) -> Match:
    """A position in which seat 0 is to play; what is not said lies in the stack.

    `box: *` takes cards out of the game, for a stack of which every card is known.
    """
    given = {}
    for line in text.strip().splitlines():
        name, _, value = line.partition(":")
        given[name.strip()] = value.strip()
    given.setdefault("due", "0")
    given.setdefault("starter", "0")
    given.setdefault("playing", " ".join(map(str, range(players))))
    for seat in given["playing"].split():
        given.setdefault(f"hand.{seat}", "p op")
    if "*" not in given.values():
        given["stack"] = "*"
    head = ["viva", str(players), *(f"{name}={value}" for name, value in options.items())]
    lines = [" ".join(head), *(f"{name}: {value}" for name, value in given.items())]
    return kibitz.position("viva", "\n".join(lines), seed=seed)


def cards(match: Match, zone: str, seat: int | None = None) -> list[str]:
    """The cards that a seat can look at in a zone; of a pile the top one."""
    return list(match.view(seat).zones[zone].cards)


def hand(match: Match, seat: int) -> list[str]:
    return cards(match, f"hand.{seat}", seat)


def size(match: Match, zone: str) -> int:
    return match.view().zones[zone].size


def hand_sizes(match: Match) -> list[int]:
    return [size(match, f"hand.{seat}") for seat in range(match.players)]


def known(match: Match, zone: str, seat: int | None = None) -> list[str]:
    """The cards of a closed zone that a seat, or a spectator, knows to lie there."""
    return list(match.view(seat).zones[zone].known)


def field(match: Match, name: str) -> object:
    return match.view().fields[name]


def play(match: Match, *actions: str) -> Match:
    """These actions, each by the seat that is due."""
    for action in actions:
        (seat,) = match.to_act
        match.play(seat, action)
    return match


def refused(match: Match, action: str, seat: int = 0) -> str | None:
    """The rule by which an action is refused; nothing has changed."""
    before, log = match.state.tobytes(), list(match.log)
    with pytest.raises(kibitz.IllegalAction) as refusal:
        match.play(seat, action)
    assert match.state.tobytes() == before
    assert match.log == log
    return refusal.value.rule
