"""What a report is made of, gathered by a crew."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kibitz.bots.levels import level
from kibitz.engine.errors import BadOption
from kibitz.games import find
from kibitz.lab.arena import seating
from kibitz.lab.crew import Crew, in_order
from kibitz.lab.report.figures import Duel, Figures, duel, figures, luck_of_the_deal
from kibitz.lab.report.rules import Bites, RuleFigures, count_rules, rule_figures
from kibitz.lab.self_play import Player, Records, Setup, play_deals

# Each level alone against a table of the next weaker one: so many matches, or fewer where the
# whole report has fewer.
DUELS = (("easy", "random", 400), ("medium", "easy", 400), ("hard", "medium", 40))
REPEATS, REPEATED = 4, 100  # how often a deal is played by equals, and how many deals
VARYING = "easy"  # medium would do the same again, and all would seem to be the deal's
RULED = 40  # matches in which rules are counted
CHUNK = 250  # deals of one job, where bots do not search

MATCHES, RULES, LUCK, DUEL = "matches", "rules", "luck", "duel"


@dataclass(frozen=True)
class Variant:
    """One column of a report: a setup, and what to call it."""

    name: str
    setup: Setup


@dataclass(frozen=True)
class Found:
    """All that was found out of a variant."""

    variant: Variant
    figures: Figures
    rules: list[RuleFigures]
    rules_counted_in: int  # matches
    duels: list[Duel]
    luck: float  # how much of the outcome the deal explains; nan where it was not measured


@dataclass(frozen=True)
class Job:
    """Some deals to be played for one part of the report."""

    variant: int
    part: str
    setup: Setup
    first: int
    deals: int

    @property
    def matches(self) -> int:
        """How many matches it is."""
        repeats = {RULES: 1, LUCK: REPEATS}.get(self.part, self.setup.rotations)
        return self.deals * repeats


def plan(variants: Sequence[Variant], matches: int) -> list[Job]:
    """All that is to be played; what is quick and matters most comes first."""
    if matches < 2:
        raise BadOption(f"the number of matches must be at least 2, not {matches}")
    jobs: list[Job] = []
    for i, variant in enumerate(variants):
        setup = variant.setup
        jobs += _jobs(i, MATCHES, setup, -(-matches // setup.rotations))
        jobs += _jobs(i, RULES, setup, min(RULED, matches))
        equals = Setup(setup.game, (VARYING,) * setup.players, setup.options, setup.seed)
        jobs += _jobs(i, LUCK, equals, min(REPEATED, matches))
        for strong, weak, most in DUELS:
            bots = (strong, *[weak] * (setup.players - 1))
            table = Setup(setup.game, bots, setup.options, setup.seed)
            jobs += _jobs(
                i, f"{DUEL}/{strong}/{weak}", table, -(-min(most, matches) // setup.players)
            )
    return sorted(jobs, key=lambda job: job.part != MATCHES)


def _jobs(variant: int, part: str, setup: Setup, deals: int) -> Iterator[Job]:
    slow = any(level(bot).budget is not None for bot in setup.bots)
    chunk = 1 if slow else 4 if part == RULES else CHUNK
    for first in range(0, deals, chunk):
        yield Job(variant, part, setup, first, min(chunk, deals - first))


def do(job: Job) -> Any:
    """One job: what happened, or what was counted."""
    if job.part == RULES:
        return count_rules(job.setup, job.first, job.deals)
    if job.part == LUCK:
        player = Player(job.setup)
        for deal in range(job.first, job.first + job.deals):
            for repeat in range(REPEATS):
                player.play(deal, repeat)
        return player.records()
    return play_deals(job.setup, job.first, job.deals)


def gather(jobs: Sequence[Job], crew: Crew) -> Iterator[tuple[int, Any]]:
    """All jobs, each with its number and what came of it, as they are done."""
    return crew.work(do, ((job,) for job in jobs))


def findings(
    variants: Sequence[Variant], jobs: Sequence[Job], done: Sequence[tuple[int, Any]]
) -> list[Found]:
    """What was found out of each variant of which matches were played."""
    parts: dict[tuple[int, str], list[tuple[int, Any]]] = defaultdict(list)
    for number, result in done:
        parts[jobs[number].variant, jobs[number].part].append((number, result))
    sorted_parts = {key: in_order(results) for key, results in parts.items()}
    return [
        _found(variant, {part: some for (n, part), some in sorted_parts.items() if n == i})
        for i, variant in enumerate(variants)
        if (i, MATCHES) in sorted_parts
    ]


def _found(variant: Variant, parts: dict[str, list[Any]]) -> Found:
    setup, game = variant.setup, find(variant.setup.game)
    bites = Bites()
    for some in parts.get(RULES, []):
        bites.add(some)
    duels = [
        _duel(part, setup.players, Records.of(some))
        for part, some in parts.items()
        if part.startswith(DUEL)
    ]
    return Found(
        variant=variant,
        figures=figures(game, setup.players, Records.of(parts[MATCHES])),
        rules=rule_figures(game, bites) if bites.matches else [],
        rules_counted_in=bites.matches,
        duels=sorted(duels, key=lambda one: [name for name, *_ in DUELS].index(one.strong)),
        luck=_luck(setup.players, Records.of(parts[LUCK])) if LUCK in parts else float("nan"),
    )


def _duel(part: str, players: int, records: Records) -> Duel:
    _, strong, weak = part.split("/")
    sitting = [
        seating(players, int(match["deal"]), int(match["rotation"])).index(0)
        for match in records.matches
    ]
    return duel(strong, weak, players, records, np.array(sitting))


def _luck(players: int, records: Records) -> float:
    totals = records.matches["total"][:, :players].astype(float)
    return luck_of_the_deal(records.matches["deal"], totals)
