"""Whether the kibitzer's chances come true: of the positions given 70 %, 70 % should be won.

Matches between equally good bots are played; at some decisions the kibitzer says what it gives
the seat that is due, and at the end we see who was right.
"""

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kibitz.bots.kibitzer import think
from kibitz.bots.levels import Budget, level
from kibitz.engine.chance import seed_of_move
from kibitz.engine.match import Match
from kibitz.games import find

BOT = "hard"
EFFORT = Budget(simulations=300)  # of the players
THOUGHT = 1_000  # simulations of the kibitzer
EVERY = 7  # decisions from one opinion to the next
STEPS = 10  # bins round 0 %, 10 %, …, 100 %
COLUMNS = 3  # of the plot

Sample = tuple[float, float]  # the chance that was given, and what became of it


@dataclass(frozen=True)
class Bin:
    """Positions that were given about the same chance."""

    given: float
    won: float
    error: float  # half of a 95 % interval round `won`
    positions: int


def opinions(name: str, seed: int) -> list[Sample]:
    """A match between equals: the chances given on the way, and what became of them."""
    game = find(name)
    seats = game.identity.seats
    players = min(max(4, seats[0]), seats[-1])
    match = Match.new(game, players, f"calibration {seed}", {})
    bot, given, n = level(BOT), [], seed
    while not match.over:
        seat = min(match.to_act)
        luck, _ = seed_of_move(f"{seed}", len(match.log))
        if len(match.legal_numbers(seat)) > 1:
            n += 1
            if n % EVERY == 0:
                *_, thought = think(match, seat, None, simulations=THOUGHT, seed=luck)
                given.append((seat, thought.chance))
        action = bot.choose(game, match.guess(seat), seat, luck, EFFORT)
        match.play(seat, game.actions.write(action))
    won = {seat: 1 / len(match.winners) for seat in match.winners}
    return [(chance, won.get(seat, 0.0)) for seat, chance in given]


def gather(name: str, matches: int, seed: int, pool: ProcessPoolExecutor) -> Iterator[list[Sample]]:
    """The opinions of many matches."""
    return pool.map(opinions, [name] * matches, range(seed, seed + matches))


def reliability(samples: Sequence[Sample], steps: int = STEPS) -> list[Bin]:
    """What came of the chances, from the lowest to the highest."""
    found = []
    for i in range(steps + 1):
        inside = [(given, won) for given, won in samples if int(given * steps + 0.5) == i]
        if not inside:
            continue
        n = len(inside)
        won = sum(won for _, won in inside) / n
        spread = math.sqrt(max(won * (1 - won), 0.25 / n) / n)
        found.append(Bin(sum(given for given, _ in inside) / n, won, 1.96 * spread, n))
    return found


def trust(samples: Sequence[Sample]) -> tuple[float, float]:
    """Bias and slope of the log odds that would make these chances come true.

    0 and 1 where they already do. What is certain is left out: it stays as it is. Newton's method
    on the logistic likelihood, with a slight pull to 0 and 1 in case of few samples.
    """
    uncertain = [sample for sample in samples if 0 < sample[0] < 1]
    given, won = np.array(uncertain).reshape(-1, 2).T
    odds = np.log(given / (1 - given))
    none = np.array([0.0, 1.0])
    fit = none
    features = np.stack([np.ones_like(odds), odds])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-fit @ features))
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
