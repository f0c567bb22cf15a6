"""Puzzles: positions in which one choice is clearly best, and `medium` would choose another.

A game's folder may hold a `puzzles.json`, written by `kibitz puzzles`. A puzzle is a written
position in which all that its seat cannot see was dealt anew: nobody learns from it what others
held in the match that it comes from.
"""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from kibitz.bots.choices import Choices, Key, choices_of, goes_on, key, steps_of, written
from kibitz.bots.claims import Claim, Comparison
from kibitz.bots.kibitzer import Thought, think, think_through
from kibitz.bots.levels import Level, level
from kibitz.engine.errors import BadPosition, BrokenGame
from kibitz.engine.game import Game
from kibitz.engine.match import Match

FILE = "puzzles.json"
SEED = "puzzle"  # of the luck in matches that go on from one
FIRST_LOOK, SECOND_LOOK = 1_500, 12_000  # simulations
FIRST_FOR_EACH, SECOND_FOR_EACH = 150, 1_000  # likewise, for each choice of several steps
MOST_CHOICES = 64  # from which a choice of several steps is asked for
MARGIN = 0.06  # in chance to win: less is not worth a puzzle
GLANCES = 8  # of `medium`, which tells equals apart by chance
DIGITS = 3
Among = Mapping[Key, str] | None  # whole choices; None: single actions


@dataclass(frozen=True)
class Puzzle:
    """A position, what is best for the seat that is due, and why.

    Where the best is one action, what it is compared with are single actions, too, be they first
    steps of a choice or all of it. Where it is a choice of several steps (`choices.py`), all are
    whole choices.
    """

    position: str
    seat: int
    best: str
    medium: str  # what `medium` plays
    chances: dict[str, float]  # to win the match, after each action, or each whole choice
    claims: tuple[Claim, ...]  # why the best is better than what `medium` plays

    def match(self, game: Game) -> Match:
        """The position, to be looked at and played on."""
        return Match.at(game, self.position, SEED)

    @property
    def has_steps(self) -> bool:
        """Whether whole choices are compared."""
        return len(steps_of(self.best)) > 1

    def choices(self, match: Match) -> Choices | None:
        """What can be chosen in its position, where whole choices are compared."""
        return choices_of(match, self.seat, MOST_CHOICES) if self.has_steps else None

    def tried(self, choice: str) -> str | None:
        """The choice of which this is one, in whichever order; None: there is none such."""
        return next((known for known in self.chances if key(known) == key(choice)), None)

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


def puzzle_for(match: Match, seat: int, choice: str, seed: int) -> Puzzle | None:
    """The puzzle that a position is to a seat that is due, if this choice makes it one.

    What is soonest told is looked at first.
    """
    seen = _as_seen(match, seat)
    if seen is None:
        return None
    best, among = choice, None
    if len(steps_of(choice)) > 1:
        choices = choices_of(seen, seat, MOST_CHOICES)
        if choices is None:
            return None
        best, among = choices.whole[key(choice)], choices.whole
    glances = at_a_glance(seen, seat, among)
    if best in glances:
        return None
    claims = Comparison(seen, seat, best, glances[0], seed=seed).claims()
    if not claims or not _is_best(best, _first_look(seen, seat, seed, among), sure=False):
        return None
    second = _second_look(seen, seat, seed + 1, among)
    if not _is_best(best, second, sure=True):
        return None
    chances = {opinion.action: opinion.chance for opinion in second.opinions}
    return Puzzle(seen.position(), seat, best, glances[0], chances, claims)


def at_a_glance(match: Match, seat: int, among: Among = None) -> list[str]:
    """What `medium` may do first, or choose among whole choices; the most likely first."""
    medium = level("medium")
    if among is None:
        chosen = Counter(medium.action(match, seat, seed) for seed in range(GLANCES))
    else:
        whole = (choice_of(medium, match.copy(), seat, seed) for seed in range(GLANCES))
        chosen = Counter(among[key(choice)] for choice in whole)
    return sorted(chosen, key=lambda action: (-chosen[action], action))


def choice_of(bot: Level, match: Match, seat: int, seed: int) -> str:
    """What a bot chooses, step by step, in a match that goes on with it."""
    steps: list[str] = []
    while not steps or goes_on(match, steps[-1]):
        steps.append(bot.action(match, seat, seed + len(steps)))
        match.play(seat, steps[-1])
    return written(steps)


def _as_seen(match: Match, seat: int) -> Match | None:
    """The position as a puzzle lays it out; None where nobody could take it up."""
    position = match.in_world(match.sample_world(seat)).position()
    try:
        return Match.at(match.game, position, SEED)
    except BadPosition:
        return None


def _first_look(match: Match, seat: int, seed: int, among: Among) -> Thought:
    if among is None:
        return _looked(match, seat, FIRST_LOOK, seed)
    return think_through(match, seat, among.values(), FIRST_FOR_EACH, seed)


def _second_look(match: Match, seat: int, seed: int, among: Among) -> Thought:
    if among is None:
        return _looked(match, seat, SECOND_LOOK, seed)
    return think_through(match, seat, among.values(), SECOND_FOR_EACH, seed)


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
