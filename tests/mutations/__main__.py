"""`python -m mutations`: how many small mistakes in the rules a game's own tests notice."""

import argparse
import json
import linecache
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from mutations.plant import Mutant, mutants
from mutations.trial import SURVIVED, Probe, Trial, baseline, modules

PUBLISHED = ("kiza", "kolpa", "ramon", "viva", "zocken")
ENOUGH = 0.95  # of all mistakes are to be noticed

Survivors = dict[str, set[tuple[str, ...]]]  # of each game, what `place` says of them


def main() -> int:
    """The command; 1 if too many mistakes go unnoticed."""
    parser = argparse.ArgumentParser("mutations", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--sample", type=int, help="so many mistakes of each game, at random")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument(
        "--again", type=survivors_in, metavar="FILE", help="only survivors of this --json report"
    )
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", action="store_true", help="print JSON")
    words = parser.parse_args()
    games = words.games or (PUBLISHED if words.again is None else words.again)
    unknown = set(games) - set(PUBLISHED)
    if unknown:
        parser.error(f"there is no game {', '.join(unknown)}; there are {', '.join(PUBLISHED)}")
    console = Console(stderr=True)
    found = {}
    with Progress(
        *Progress.get_default_columns()[:3], TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(), TimeRemainingColumn(), console=console,
    ) as progress:  # fmt: skip
        for game in games:
            planted = chosen(game, words.sample, words.seed, words.again)
            task = progress.add_task(game, total=len(planted))
            tests = baseline(game)
            found[game] = tried(
                game, planted, tests, words.workers, lambda task=task: progress.advance(task)
            )
    report(found, as_json=words.json)
    return 0 if all(share(outcomes) >= ENOUGH for outcomes in found.values()) else 1


def survivors_in(file: str) -> Survivors:
    """The survivors that an earlier report names."""
    try:
        data = json.loads(Path(file).read_text("utf-8"))
        return {game: {place(name) for name in data[game]["survivors"]} for game in data}
    except (OSError, ValueError, TypeError, LookupError):
        raise argparse.ArgumentTypeError(f"{file} is no report that --json has printed") from None


def chosen(
    game: str, sample: int | None, seed: int, again: Survivors | None = None
) -> list[Mutant]:
    """The mutants of a game, or some of them."""
    every = [mutant for file in modules(game) for mutant in mutants(file)]
    if again is not None:
        wanted = again.get(game, set())
        every = [mutant for mutant in every if place(named(game, mutant)) in wanted]
    if sample is None or sample >= len(every):
        return every
    return random.Random(f"{game} {seed}").sample(every, sample)


def named(game: str, mutant: Mutant) -> dict[str, Any]:
    """A mutant as the report in JSON names it."""
    text = linecache.getline(str(mutant.file), mutant.line).strip()
    file = f"{game}/{mutant.file.name}"
    return {"file": file, "line": mutant.line, "text": text, "mistake": mutant.what}


def place(name: dict[str, Any]) -> tuple[str, ...]:
    """What tells a mistake apart, wherever its line has moved."""
    return name["file"], name["text"], name["mistake"]


def tried(
    game: str, planted: list[Mutant], tests: list[Probe], workers: int, advance: Any
) -> list[tuple[Mutant, str]]:
    """Each mutant with its outcome, tried on some cores at once."""
    waiting, running = planted[::-1], list[Trial]()
    found: list[tuple[Mutant, str]] = []
    while waiting or running:
        while waiting and len(running) < workers:
            running.append(Trial(game, waiting.pop(), tests))
        for trial in list(running):
            outcome = trial.outcome()
            if outcome is not None:
                running.remove(trial)
                found.append((trial.mutant, outcome))
                advance()
        time.sleep(0.01)
    return sorted(found, key=lambda one: (str(one[0].file), one[0].line, one[0].nth))


def share(outcomes: list[tuple[Mutant, str]]) -> float:
    """How many of the mistakes were noticed."""
    return 1 - sum(outcome == SURVIVED for _, outcome in outcomes) / max(1, len(outcomes))


def report(found: dict[str, list[tuple[Mutant, str]]], *, as_json: bool) -> None:
    """Print how many were noticed, and all that were not."""
    survivors = {
        game: [mutant for mutant, outcome in outcomes if outcome == SURVIVED]
        for game, outcomes in found.items()
    }
    if as_json:
        data = {
            game: {
                "planted": len(found[game]),
                "noticed": round(share(found[game]), 4),
                "survivors": [named(game, mutant) for mutant in survivors[game]],
            }
            for game in found
        }
        json.dump(data, sys.stdout, indent=2, ensure_ascii=False)
        print()
        return
    for game, outcomes in found.items():
        for mutant in survivors[game]:
            print(f"{game}/{mutant.file.name}:{mutant.line}: {mutant.what}")
        noticed = len(outcomes) - len(survivors[game])
        print(f"{game}: {noticed} of {len(outcomes)} noticed, {share(outcomes):.1%}")


if __name__ == "__main__":
    sys.exit(main())
