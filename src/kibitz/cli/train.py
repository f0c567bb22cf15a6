"""`kibitz train`: learning a game by self-play."""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import torch

from kibitz.cli.progress import INTERRUPTED, progress_bar
from kibitz.engine.errors import KibitzError
from kibitz.games import find
from kibitz.lab.learning.course import Course, changed, default_plan, kept_plan


def train(args: argparse.Namespace) -> int:
    """Learn until the time is over, or go on where it was left."""
    game, folder, gpu = find(args.game), Path(args.out), torch.cuda.is_available() and not args.cpu
    plan = kept_plan(folder)
    if plan is None:
        plan = changed(
            default_plan(game.name, 60 * args.minutes, args.seed, gpu=gpu), args.plan or []
        )
    elif plan.game != game.name:
        raise KibitzError(f"{folder} has a network for {plan.game}; name another folder with --out")
    else:
        plan = changed(replace(plan, seconds=60 * args.minutes), args.plan or [])
        print(f"Going on in {folder}.")
    course = Course(folder, plan, gpu=gpu)
    code = 0
    try:
        with progress_bar() as progress:
            task = progress.add_task(f"learning {game.name}", total=round(plan.seconds))
            for at in course.go():
                speed = at.decisions / at.seconds
                told = f"{game.name}: {at.decisions / 1e6:,.1f} M decisions, {speed:,.0f}/s"
                progress.update(task, completed=round(at.seconds), description=told)
    except KeyboardInterrupt:
        print(f"kibitz: stopped; the same command goes on from {folder}", file=sys.stderr)
        code = INTERRUPTED
    at = course.learner.progress
    print(f"{at.decisions:,} decisions in {at.seconds:,.0f} s; what was learned is in {folder}.")
    return code
