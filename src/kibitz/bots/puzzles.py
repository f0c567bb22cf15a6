"""Puzzles: positions in which one action is clearly best, and `medium` would choose another.

A game's folder may hold a `puzzles.json`, written by `kibitz puzzles`. A puzzle is a written
position in which all that its seat cannot see was dealt anew: nobody learns from it what others
held in the match that it comes from.
"""

import json
from collections import Counter
from dataclasses import dataclass
from typing import Any

from kibitz.bots.claims import Claim, Comparison
from kibitz.bots.kibitzer import Thought, think
from kibitz.bots.levels import level
from kibitz.engine.errors import BadPosition, BrokenGame
from kibitz.engine.game import Game
from kibitz.engine.match import Match

FILE = "puzzles.json"
SEED = "puzzle"  # of the luck in matches that go on from one
FIRST_LOOK, SECOND_LOOK = 1_500, 12_000  # simulations
MARGIN = 0.06  # in chance to win: less is not worth a puzzle
GLANCES = 8  # of `medium`, which tells equals apart by chance
DIGITS = 3


@dataclass(frozen=True)
class Puzzle:
    """A position, what is best for the seat that is due, and why."""

    position: str
    seat: int
    best: str
    medium: str  # what `medium` plays
    chances: dict[str, float]  # to win the match, after each action
    claims: tuple[Claim, ...]  # why the best is better than what `medium` plays

    def match(self, game: Game) -> Match:
        """The position, to be looked at and played on."""
        return Match.at(game, self.position, SEED)

    def data(self) -> dict[str, Any]:
        """The puzzle as plain values, ready for JSON."""
        return {
            "position": self.position,
            "seat": self.seat,
            "best": self.best,
            "medium": self.medium,
            "chances": {action: round(c, DIGITS) for action, c in self.chances.items()},
            "claims": [claim.data() for claim in self.claims],
        }


def read_puzzles(game: Game) -> list[Puzzle]:
    """The puzzles of a game; none if its folder has no file of them."""
    file = game.folder / FILE
    if not file.is_file():
        return []
    try:
        found = json.loads(file.read_text(encoding="utf-8"))["puzzles"]
        return [
            Puzzle(**{**one, "claims": tuple(Claim(**claim) for claim in one["claims"])})
            for one in found
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise BrokenGame(f"{file} has no puzzles that can be read: {error}") from None


def puzzle_for(match: Match, seat: int, action: str, seed: int) -> Puzzle | None:
    """The puzzle that a position is to a seat that is due, if this action makes it one.

    What is soonest told is looked at first.
    """
    seen = _as_seen(match, seat)
    if seen is None or _goes_on(seen, action):
        return None
    glances = at_a_glance(seen, seat)
    if action in glances:
        return None
    claims = Comparison(seen, seat, action, glances[0], seed=seed).claims()
    if not claims or not _is_best(action, _looked(seen, seat, FIRST_LOOK, seed), sure=False):
        return None
    second = _looked(seen, seat, SECOND_LOOK, seed + 1)
    if not _is_best(action, second, sure=True):
        return None
    chances = {opinion.action: opinion.chance for opinion in second.opinions}
    return Puzzle(seen.position(), seat, action, glances[0], chances, claims)


def at_a_glance(match: Match, seat: int) -> list[str]:
    """What `medium` may choose, the most likely first."""
    medium = level("medium")
    chosen = Counter(medium.action(match, seat, seed) for seed in range(GLANCES))
    return sorted(chosen, key=lambda action: (-chosen[action], action))


def _as_seen(match: Match, seat: int) -> Match | None:
    """The position as a puzzle lays it out; None where nobody could take it up."""
    position = match.in_world(match.sample_world(seat)).position()
    try:
        return Match.at(match.game, position, SEED)
    except BadPosition:
        return None


def _looked(match: Match, seat: int, simulations: int, seed: int) -> Thought:
    *_, thought = think(match, seat, None, simulations=simulations, seed=seed)
    return thought


def _is_best(action: str, thought: Thought, *, sure: bool) -> bool:
    """Whether it beats all others by what is worth playing for, and surely: by both errors."""
    best, *others = thought.opinions
    return best.action == action and all(
        best.chance - other.chance > max(MARGIN, best.error + other.error if sure else 0.0)
        for other in others
    )


def _goes_on(match: Match, action: str) -> bool:
    """Whether an action is only the first step of a choice."""
    verb = match.verb(action)
    return verb is None or verb.continues
