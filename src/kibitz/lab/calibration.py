"""Whether the kibitzer's chances come true: of the positions given 70 %, 70 % should be won.

Matches between bots are played, of every number of players, with one level and with several at a
table; at some decisions the kibitzer says what it gives the seat that is due, and at the end we see
who was right.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

import numpy as np

from kibitz.bots.inference import Onlooker
from kibitz.bots.kibitzer import fair_odds, think
from kibitz.bots.levels import Budget, level
from kibitz.engine.chance import seed_of_move
from kibitz.engine.game import Game
from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.lab.crew import Crew

LEVELS = (("hard",), ("medium",), ("hard", "medium"))  # at a table, in turn
EFFORT = Budget(simulations=300)  # of the players
THOUGHT = 1_000  # simulations of the kibitzer, where nothing else is said
ASKED = 24  # decisions of a match at which it is asked
STEPS = 10  # bins round 0 %, 10 %, …, 100 %
COLUMNS = 3  # of the plot

T = TypeVar("T")


class Sample(NamedTuple):
    """The chance that a seat was given, and what became of it."""

    given: float
    won: float
    players: int = 2


@dataclass(frozen=True)
class Bin:
    """Positions that were given about the same chance."""

    given: float
    won: float
    error: float  # half of a 95 % interval round `won`
    positions: int
    matches: int

    @property
    def off(self) -> float:
        """By how much the chances were wrong beyond what luck explains."""
        return max(0.0, abs(self.given - self.won) - self.error)


def opinions(name: str, seed: int, thought: int = THOUGHT) -> list[Sample]:
    """A match: chances given at some of its decisions, and what became of them."""
    game = find(name)
    bots = sitting(game, seed)
    match = Match.new(game, len(bots), f"calibration {seed}", {})
    onlooker, decisions = Onlooker(match), []
    while not match.over:
        if match.round_over:
            match.next_round()
        seat = min(match.to_act)
        if len(match.legal_numbers(seat)) > 1:
            decisions.append((seat, len(match.done)))
        bot = level(bots[seat])
        match.play(seat, bot.action(match, seat, _luck(match, seed), onlooker, EFFORT))
    won = {seat: 1 / len(match.winners) for seat in match.winners}
    samples = []
    for seat, lines in spread(decisions, ASKED):
        past = match.rewound(lines)
        *_, found = think(past, seat, None, simulations=thought, seed=_luck(past, seed))
        samples.append(Sample(found.chance, won.get(seat, 0.0), match.players))
    return samples


def sitting(game: Game, number: int) -> tuple[str, ...]:
    """Who plays a match: every number of players with all levels comes in turn."""
    seats = game.identity.seats
    turn, n = divmod(number, len(seats))
    levels = LEVELS[turn % len(LEVELS)]
    first = turn // len(LEVELS)  # who sits first takes turns, too
    return tuple(levels[(first + seat) % len(levels)] for seat in range(seats[n]))


def _luck(match: Match, seed: int) -> int:
    return seed_of_move(f"{seed}", len(match.done))[0]


def spread(things: Sequence[T], n: int) -> list[T]:
    """So many of them at most, evenly from the first to the last."""
    step = max(1.0, len(things) / n)
    return [things[int((i + 0.5) * step)] for i in range(min(n, len(things)))]


def gather(
    name: str, matches: int, seed: int, thought: int, crew: Crew
) -> Iterator[tuple[int, list[Sample]]]:
    """The opinions of many matches, each with its number."""
    return crew.work(opinions, ((name, seed + n, thought) for n in range(matches)))


def reliability(matches: Sequence[Sequence[Sample]], steps: int = STEPS) -> list[Bin]:
    """What came of the chances, from the lowest to the highest.

    The decisions of a match share its outcome, so the error is taken over matches.
    """
    found = []
    for i in range(steps + 1):
        inside = [[s for s in match if int(s.given * steps + 0.5) == i] for match in matches]
        inside = [some for some in inside if some]
        n, m = sum(len(some) for some in inside), len(inside)
        if not n:
            continue
        given = sum(s.given for some in inside for s in some) / n
        won = sum(s.won for some in inside for s in some) / n
        squares = sum(sum(s.won - won for s in some) ** 2 for some in inside)
        # As if one more match had come out half and half: no bar is empty.
        error = 1.96 * math.sqrt((squares + 0.25 * (n / m) ** 2) * m / max(m - 1, 1)) / n
        found.append(Bin(given, won, min(error, 1.0), n, m))
    return found


def correction(samples: Sequence[Sample]) -> tuple[float, float]:
    """Bias and slope of the log odds, counted from a fair share, that would make them come true.

    0 and 1 where they already do. What is certain is left out: it stays as it is. Newton's method
    on the logistic likelihood, with a slight pull to 0 and 1 in case of few samples.
    """
    uncertain = [sample for sample in samples if 0 < sample.given < 1]
    given, won, _ = np.array(uncertain).reshape(-1, 3).T
    fair = np.array([fair_odds(sample.players) for sample in uncertain])
    odds = np.log(given / (1 - given)) - fair
    none = np.array([0.0, 1.0])
    fit = none
    features = np.stack([np.ones_like(odds), odds])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-fair - fit @ features))
        weight = chance * (1 - chance)
        slope = features @ (won - chance) + none - fit
        fit = fit + np.linalg.solve((features * weight) @ features.T + np.eye(2), slope)
    return float(fit[0]), float(fit[1])


def plot(found: dict[str, list[Bin]], file: Path) -> None:
    """A reliability plot: the nearer the dots are to the diagonal, the better."""
    from matplotlib import rc_context  # noqa: PLC0415  slow to import, and only needed here
    from matplotlib.figure import Figure  # noqa: PLC0415

    columns = min(COLUMNS, len(found))
    rows = math.ceil(len(found) / columns)
    figure = Figure(figsize=(3 * columns, 3.2 * rows), layout="constrained")
    for i, (name, bins) in enumerate(found.items()):
        axes = figure.add_subplot(rows, columns, i + 1)
        axes.plot([0, 1], [0, 1], color="#999999", linewidth=1)
        axes.fill_between([0, 1], [-0.05, 0.95], [0.05, 1.05], color="#46a758", alpha=0.15)
        given, won = [b.given for b in bins], [b.won for b in bins]
        axes.errorbar(given, won, yerr=[b.error for b in bins], fmt="o", color="#1f4037", capsize=2)
        axes.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", title=name)
        if i % columns == 0:
            axes.set_ylabel("won")
        if i // columns == rows - 1:
            axes.set_xlabel("given")
    with rc_context({"svg.fonttype": "none"}):  # words stay words
        figure.savefig(file)
