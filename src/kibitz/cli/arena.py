"""Tournaments of bots, told in the terminal."""

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from kibitz.bots.levels import Budget
from kibitz.cli.progress import progress_bar, stopped
from kibitz.engine.errors import BadOption
from kibitz.games import find, names
from kibitz.lab.arena import Contest, Played, get_ready, ladder, play
from kibitz.lab.crew import Crew, crew
from kibitz.lab.standings import Result, results, whole_deals

DIGITS = 4
CAPTION = "rating: the mu of OpenSkill, which starts at 25"


@dataclass(frozen=True)
class Told:
    """A contest as it ended, or as far as it came."""

    contest: Contest
    games: int
    seconds: float
    results: list[Result]

    def figures(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "game": self.contest.game,
            "games": self.games,
            "seconds": round(self.seconds, DIGITS),
            "results": [
                {
                    name: round(value, DIGITS) if isinstance(value, float) else value
                    for name, value in asdict(result).items()
                }
                for result in self.results
            ],
        }


def arena(args: argparse.Namespace) -> int:
    """Play the contests that are asked for and print how they ended."""
    contests = _contests(args)
    told: list[Told] = []
    code = 0
    try:
        _play_all(contests, args.on, told.append)
    except KeyboardInterrupt:
        code = stopped(something=bool(told))
    if args.json:
        figures = [one.figures() for one in told]
        if args.all or figures:
            print(json.dumps(figures if args.all else figures[0], indent=2))
    elif args.all and told:
        _print_ladder(told)
    else:
        for one in told:
            _print_contest(one)
    return code


def _contests(args: argparse.Namespace) -> list[Contest]:
    budget = None
    if args.seconds is not None or args.simulations is not None:
        budget = Budget(seconds=args.seconds, simulations=args.simulations)
    if args.all:
        if args.game is not None:
            raise BadOption("--all plays all games: name no game and no bots with it")
        return [
            contest
            for name in names()
            for contest in ladder(find(name), args.games, args.seed, budget)
        ]
    if args.game is None:
        raise BadOption("name a game and its bots, or say --all")
    return [Contest(args.game, tuple(args.bots), args.games, args.seed, budget)]


def _play_all(contests: Sequence[Contest], on: str, tell: Callable[[Told], None]) -> None:
    """Play one contest after the other; what is there of each is told, even after Ctrl-C."""
    with progress_bar() as progress, crew(on) as hired:
        for contest in contests:
            task = progress.add_task(_title(contest), total=contest.matches)
            _play_one(contest, hired, tell, lambda: progress.advance(task))  # noqa: B023  runs at once
            progress.remove_task(task)


def _play_one(
    contest: Contest,
    hired: Crew,
    tell: Callable[[Told], None],
    advance: Callable[[], None],
) -> None:
    started = time.perf_counter()
    played: list[Played] = []
    try:
        get_ready(contest)
        for match in play(contest, hired):
            played.append(match)
            advance()
    finally:
        seconds = time.perf_counter() - started
        if kept := whole_deals(played):
            tell(Told(contest, len(kept), seconds, results(contest, kept)))


def _title(contest: Contest) -> str:
    first, *rest = contest.bots
    return f"{contest.game}: {first} against {_against(rest)}"


def _against(bots: Sequence[str]) -> str:
    """Such as `3 × medium`."""
    if len(bots) > 1 and len(set(bots)) == 1:
        return f"{len(bots)} × {bots[0]}"
    return ", ".join(bots)


def _cells(result: Result) -> list[str]:
    return [
        f"{result.win_share:.1%}",
        f"{result.win_share_low:.1%} – {result.win_share_high:.1%}",
        f"{result.mean_score:.1f}",
        f"{result.mean_place:.2f}",
        f"{result.rating:.1f}",
    ]


def _grid(*first: str, title: str) -> Grid:
    grid = Grid(title=title, caption=CAPTION)
    for name in first:
        grid.add_column(name)
    for name in ("win share", "95 % interval", "mean score", "mean place", "rating"):
        grid.add_column(name, justify="right")
    return grid


def _print_contest(one: Told) -> None:
    title = find(one.contest.game).identity.title
    grid = _grid("bot", title=f"{title}: {one.games} matches in {one.seconds:.1f} s")
    for result in one.results:
        grid.add_row(result.bot, *_cells(result))
    Console().print(grid)


def _print_ladder(told: Sequence[Told]) -> None:
    """One row for each contest: how the bot named first did."""
    grid = _grid("game", "bot", "against", title="The ladder")
    grid.add_column("matches", justify="right")
    grid.add_column("seconds", justify="right")
    for one in told:
        first, *rest = one.contest.bots
        grid.add_row(
            one.contest.game, first, _against(rest), *_cells(one.results[0]),
            str(one.games), f"{one.seconds:.1f}",
        )  # fmt: skip
    Console().print(grid)
