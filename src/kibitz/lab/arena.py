"""Tournaments of bots, on all cores, or on a cluster.

Every deal is played as often as there are bots, each time with everyone one seat further, so that
the luck of the seat and most of the luck of the cards cancel. All chance comes from the contest's
seed: with a budget of simulations a contest ends the same in every run, on any number of cores.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations

from kibitz.bots.inference import Onlooker
from kibitz.bots.levels import Budget, level
from kibitz.engine.chance import seed_of_move
from kibitz.engine.errors import BadOption
from kibitz.engine.game import Game
from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.lab.crew import Crew

LADDER = (("medium", "random"), ("hard", "medium"), ("expert", "medium"))  # one against many


@dataclass(frozen=True)
class Contest:
    """Who plays what, how often, and with how much thought; checked when it is made."""

    game: str
    bots: tuple[str, ...]
    games: int  # at least so many: always whole sets of rotations
    seed: int = 0
    budget: Budget | None = None  # of searching bots; None is each level's own

    def __post_init__(self) -> None:
        card = find(self.game).identity
        for bot in self.bots:  # a word that is no bot may not have been meant for one
            level(bot)
        few, many = card.seats[0], card.seats[-1]
        if len(self.bots) not in card.seats:
            fit = f"{few}" if few == many else f"{few} to {many}"
            raise BadOption(
                f"{card.title} is for {fit} players, so name {fit} bots, not {len(self.bots)}"
            )
        if self.games < 1:
            raise BadOption(f"the number of games must be at least 1, not {self.games}")
        if self.budget is not None:
            _check(self.budget)

    @property
    def deals(self) -> int:
        """How many deals make so many games."""
        return math.ceil(self.games / len(self.bots))

    @property
    def matches(self) -> int:
        """How many matches are really played."""
        return self.deals * len(self.bots)


@dataclass(frozen=True, order=True)
class Played:
    """A match that has ended. Scores and winners are told by bot, not by seat."""

    deal: int
    rotation: int
    scores: tuple[int, ...]
    winners: tuple[int, ...]


def _check(budget: Budget) -> None:
    seconds, simulations = budget.seconds, budget.simulations
    if seconds is not None and not 0 < seconds < math.inf:
        raise BadOption(f"the seconds for a move must be more than 0, not {seconds:g}")
    if simulations is not None and simulations < 1:
        raise BadOption(f"the simulations for a move must be at least 1, not {simulations}")


def ladder(game: Game, games: int, seed: int, budget: Budget | None) -> list[Contest]:
    """Each level, alone against a table of weaker ones."""
    others = game.identity.usual_players - 1
    return [
        Contest(game.name, (one, *[many] * others), games, seed, budget) for one, many in LADDER
    ]


def deal(contest: Contest, number: int) -> Match:
    """A deal of the contest: the same for every rotation."""
    return Match.new(find(contest.game), len(contest.bots), f"{contest.seed}/{number}", {})


def seating(bots: int, number: int, rotation: int) -> list[int]:
    """The bot on each seat: everyone moves on a seat with each rotation of a deal.

    Another deal has other neighbours, for it makes a difference who sits to one's left.
    """
    orders = list(permutations(range(1, bots)))
    order = (0, *orders[number % len(orders)])
    return [order[(seat + rotation) % bots] for seat in range(bots)]


def play_match(contest: Contest, number: int, rotation: int) -> Played:
    """Play a deal in one of its rotations."""
    match, bots = deal(contest, number), len(contest.bots)
    sitting = seating(bots, number, rotation)
    levels = [level(contest.bots[bot]) for bot in sitting]
    luck = f"{contest.seed}/{number}/{rotation}"
    onlooker = Onlooker(match)
    while not match.over:
        if match.round_over:
            match.next_round()
        seat = min(match.to_act)
        seed, _ = seed_of_move(luck, len(match.done))
        match.play(seat, levels[seat].action(match, seat, seed, onlooker, contest.budget))
    return Played(
        number,
        rotation,
        tuple(match.scores[sitting.index(bot)] for bot in range(bots)),
        tuple(sorted(sitting[seat] for seat in match.winners)),
    )


def get_ready(contest: Contest) -> None:
    """Let each level choose once, so that what it needs is compiled and on disk for all workers."""
    match = deal(contest, 0)
    for name in sorted(set(contest.bots)):
        while len(match.legal(seat := min(match.to_act))) == 1:
            match.play(seat, *match.legal(seat))
        match.play(seat, level(name).action(match, seat, 0, budget=Budget(simulations=1)))


def play(contest: Contest, crew: Crew) -> Iterator[Played]:
    """All matches of a contest, in the order in which they end."""
    jobs = ((contest, n, r) for n in range(contest.deals) for r in range(len(contest.bots)))
    for _, played in crew.work(play_match, jobs):
        yield played
