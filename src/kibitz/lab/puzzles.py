"""Looking for puzzles in matches of good bots."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kibitz.bots.choices import goes_on, written
from kibitz.bots.inference import Onlooker
from kibitz.bots.levels import Budget, level
from kibitz.bots.puzzles import Puzzle, at_a_glance, puzzle_for
from kibitz.engine.chance import seed_of_move
from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.lab.crew import Crew

BOT = "hard"
EFFORT = Budget(simulations=300)  # of the players
IN_A_MATCH = 2  # puzzles at most, of different rounds and with different answers
ALIKE = 4  # one in so many puzzles at most has the same answer, such as to pass
PATIENCE = 40  # matches for each puzzle that is wanted; then there are no more


@dataclass(frozen=True)
class Wish:
    """What is looked for."""

    game: str
    players: int
    options: tuple[tuple[str, str], ...]
    seed: int
    count: int

    def head(self) -> dict[str, Any]:
        """What a file of puzzles says of itself."""
        game = find(self.game)
        return {
            "game": self.game,
            "rules": game.identity.version,
            "players": self.players,
            "options": game.written(game.settings(self.players, dict(self.options))),
            "seed": self.seed,
        }


def puzzles_in(wish: Wish, number: int) -> list[Puzzle]:
    """The puzzles of one match."""
    game, seed = find(wish.game), f"puzzles {wish.seed} {number}"
    match = Match.new(game, wish.players, seed, dict(wish.options))
    bot, onlooker = level(BOT), Onlooker(match)
    found: dict[int, Puzzle] = {}  # by round
    while not match.over and len(found) < IN_A_MATCH:
        if match.round_over:
            match.next_round()
        before, seat, steps = match.copy(), min(match.to_act), list[str]()
        while not steps or goes_on(match, steps[-1]):
            luck = seed_of_move(seed, len(match.done))[0]
            steps.append(bot.action(match, seat, luck, onlooker, EFFORT))
            match.play(seat, steps[-1])
        if before.round in found or not _is_a_question(before, seat):
            continue
        if len(steps) == 1 and steps[0] in at_a_glance(before, seat):
            continue
        puzzle = puzzle_for(before, seat, written(steps), luck)
        if puzzle is not None and puzzle.best not in [known.best for known in found.values()]:
            found[before.round] = puzzle
    return list(found.values())


def _is_a_question(match: Match, seat: int) -> bool:
    """Whether a seat has a choice, and alone."""
    return len(match.to_act) == 1 and len(match.legal_numbers(seat)) > 1


def look_for(wish: Wish, crew: Crew) -> Iterator[Puzzle]:
    """Puzzles, match after match, whoever has played which first."""
    matches = range(PATIENCE * wish.count)
    early: dict[int, list[Puzzle]] = {}
    answers: Counter[str] = Counter()
    following = 0
    for number, some in crew.work(puzzles_in, ((wish, n) for n in matches)):
        early[number] = some
        while following in early:
            for puzzle in early.pop(following):
                if answers[puzzle.best] * ALIKE < wish.count:
                    answers[puzzle.best] += 1
                    yield puzzle
                if answers.total() == wish.count:
                    return
            following += 1


def file_of(wish: Wish, puzzles: list[Puzzle]) -> str:
    """A file of puzzles."""
    data = {**wish.head(), "puzzles": [puzzle.data() for puzzle in puzzles]}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
