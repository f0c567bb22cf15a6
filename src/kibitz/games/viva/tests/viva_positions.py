"""Positions of Viva, and what the tests ask of them."""

import kibitz
from kibitz.engine.log import Event
from kibitz.engine.match import Match
from kibitz.testing import events

COLOURS = "roygbp"
KINDS = [*COLOURS, *(a + b for i, a in enumerate(COLOURS) for b in COLOURS[i + 1 :])]


def at(text: str, players: int = 2, seed: int = 1, **options: object) -> Match:
    """A position in which seat 0 is to play; what is not said lies in the stack.

    `box: *` takes cards out of the game, for a stack of which every card is known. With
    `round_over: 1` nobody is to play.
    """
    given = {}
    for line in text.strip().splitlines():
        name, _, value = line.partition(":")
        given[name.strip()] = value.strip()
    if "round_over" not in given:
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


def told_to_all(match: Match) -> list[Event]:
    """What came of the last thing done, if all seats and spectators are told the same."""
    first, *others = (events(match, viewer=seat) for seat in (None, *range(match.players)))
    assert all(other == first for other in others)
    return first
