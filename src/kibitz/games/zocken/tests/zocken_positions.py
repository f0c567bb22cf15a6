"""Positions of Zocken, and what the tests ask of them."""

from collections import Counter
from collections.abc import Sequence

import kibitz
from kibitz.engine.match import Match
from kibitz.testing import size, sizes

GOBLINS = [f"g{n}" for n in range(1, 10)]
SPECIALS = {"yellow": 4, "blue": 4, "pass": 5, "draw": 4, "give": 4}
JOKERS = ["wild", "low", "high"]
COPIES = {**dict.fromkeys(GOBLINS, 4), **SPECIALS, **dict.fromkeys(JOKERS, 1)}


def at(text: str, players: int = 3, seed: int = 1, limit: int = 55) -> Match:
    """A position in which seat 0 leads; what is not said lies in the draw pile.

    `box: *` takes cards out of the game, for a draw pile of which every card is known.
    """
    given = {}
    for line in text.strip().splitlines():
        name, _, value = line.partition(":")
        given[name.strip()] = value.strip()
    given.setdefault("due", "0")
    given.setdefault("leader", "0")
    given.setdefault("phase", "turn")
    for seat in range(1, players):
        given.setdefault(f"hand.{seat}", f"g{4 + seat} g{4 + seat}")
    if "*" not in given.values():
        given["draw"] = "*"
    lines = [f"zocken {players} limit={limit}", *(f"{n}: {v}" for n, v in given.items())]
    return kibitz.position("zocken", "\n".join(lines), seed=seed)


def trick(played: Sequence[str], leader: int = 0, pawn: str = "yellow") -> Match:
    """A whole trick, its cards in the order of play; gifts on the way are any that are allowed."""
    players = len(played)
    left = list((Counter(COPIES) - Counter(played)).elements())
    lines = [f"leader: {leader}", f"due: {leader}", f"pawn: {pawn}"]
    for n, card in enumerate(played):
        rest = " ".join(left[3 * n : 3 * n + 3])
        lines.append(f"hand.{(leader + n) % players}: {card} {rest}")
    match = at("\n".join(lines), players)
    for n, card in enumerate(played):
        seat = (leader + n) % players
        match.play(seat, f"play {card}")
        while match.view().fields["phase"] in ("pass", "to", "give"):
            match.play(seat, match.legal(seat)[0])
    return match


def taker(match: Match) -> int | None:
    """The seat that has taken the only trick so far; None if it was discarded."""
    taken = sizes(match, "taken")
    seats = [seat for seat, n in enumerate(taken) if n]
    assert sum(taken) + size(match, "lost") == match.players
    assert len(seats) <= 1
    return seats[0] if seats else None
