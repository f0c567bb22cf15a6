"""A course of learning in a folder: it can be left, taken up again, and looked at.

`checkpoint.pt` is where it stands, `log.jsonl` how it went, a line each minute, `network.npz` what
it has learned so far.
"""

import json
import os
import time
from collections.abc import Generator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from kibitz.bots.network import FILE, Network, layout_name, write
from kibitz.engine.errors import KibitzError
from kibitz.engine.observation import observation_of
from kibitz.games import find
from kibitz.lab.learning.net import Weights
from kibitz.lab.learning.practice import Learner, Plan, Progress
from kibitz.lab.learning.tables import KINDS, Tables
from kibitz.lab.learning.trial import Share, shares

CHECKPOINT, LOG = "checkpoint.pt", "log.jsonl"
ENTRY_SECONDS = 60.0  # between two entries of the log
# A processor plays fewer matches at a time, and learns the sooner from them.
SMALL: dict[str, Any] = {"matches": 512, "steps": 16, "width": 64}
TRIALS = 32  # matches of each kind of table in a trial, on a GPU; a processor plays a few


@dataclass(frozen=True)
class Entry:
    """A line of the log."""

    progress: Progress
    wins: dict[int, float]  # by number of players: times its fair share against `medium`

    def data(self) -> dict[str, Any]:
        """The entry as plain values, ready for JSON."""
        return {**asdict(self.progress), "wins": self.wins}


def default_plan(game: str, seconds: float, seed: int, *, gpu: bool) -> Plan:
    """How to learn, where nothing else is said."""
    plan = Plan(game, seconds, seed)
    return plan if gpu else replace(plan, **SMALL)


def changed(plan: Plan, changes: list[str]) -> Plan:
    """A plan with some numbers changed, given as `name=number`."""
    fixed = {"game", "seconds", "seed"}
    names = [name for name in asdict(plan) if name not in fixed]
    for change in changes:
        name, _, value = change.partition("=")
        if name not in names:
            raise KibitzError(f"a plan has no {name!r}; it has {', '.join(names)}")
        kind = type(getattr(plan, name))
        try:
            number = kind(value)
        except ValueError:
            what = "a whole number" if kind is int else "a number"
            raise KibitzError(f"{name} takes {what}, not {value!r}") from None
        if number < 0 or (number == 0 and name in ("matches", "steps", "width", "rate")):
            raise KibitzError(f"{name} must be more than 0, not {value}")
        plan = replace(plan, **{name: number})
    return plan


def kept_plan(folder: Path) -> Plan | None:
    """The plan of a course that was begun in a folder."""
    file = folder / CHECKPOINT
    return Plan(**_load(file)["plan"]) if file.exists() else None


def _load(file: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = torch.load(file, map_location="cpu", weights_only=True)
        Plan(**found["plan"])
    except Exception:  # torch throws anything where a file is not its own
        raise KibitzError(f"{file} is not a checkpoint that `kibitz train` wrote") from None
    return found


class Course:
    """Learning a game by a plan, in a folder."""

    def __init__(self, folder: Path, plan: Plan, *, gpu: bool) -> None:
        self.folder, self.gpu = folder, gpu
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise KibitzError(f"cannot write to {folder}: {error.strerror}") from None
        self.learner = Learner(plan, gpu=gpu)
        if (folder / CHECKPOINT).exists():
            self.learner.go_on(_load(folder / CHECKPOINT))
        self._trials = 0

    def go(self) -> Generator[Progress, None, None]:
        """Learn to the end, and keep it now and then, and whenever one leaves."""
        kept = time.monotonic()
        try:
            for progress in self.learner.learn():
                yield progress
                if time.monotonic() - kept > ENTRY_SECONDS:
                    self._note()
                    kept = time.monotonic()
        finally:
            self._note()

    def _note(self) -> None:
        entry = Entry(self.learner.progress, self.wins())
        self._replace(CHECKPOINT, lambda draft: torch.save(self.learner.state(), draft))
        self._replace(FILE, self._write_network)
        with (self.folder / LOG).open("a") as log:
            log.write(json.dumps(entry.data()) + "\n")

    def _replace(self, name: str, write_to: Any) -> None:
        """A file is there as a whole, or as it was before."""
        draft = self.folder / f"{name}.part"
        try:
            write_to(draft)
            os.replace(draft, self.folder / name)
        except (OSError, RuntimeError) as error:
            draft.unlink(missing_ok=True)
            raise KibitzError(f"cannot write {self.folder / name}: {error}") from None

    def _write_network(self, file: Path) -> None:
        learner = self.learner
        write(file, network(learner.weights), about(learner.plan, learner.progress))

    def wins(self) -> dict[int, float]:
        """How many times its fair share it wins, alone against `medium`, by number of players."""
        game = self.learner.tables.game
        kinds = KINDS * len(game.identity.seats)
        each = TRIALS if self.gpu else 1
        self._trials += 1
        tables = Tables(game.name, kinds * each, seed=-self._trials, gpu=self.gpu)
        return {share.players: _times_fair(share) for share in shares(self.learner.weights, tables)}


def _times_fair(share: Share) -> float:
    return round(share.won / share.matches * share.players, 3)


def network(weights: Weights) -> Network:
    """The weights as bots play by them."""
    w = {name: tensor.detach().float().cpu().numpy() for name, tensor in weights.items()}
    biases = [w[f"{name}_bias"] for name in ("first", "second", "third")]
    rows = [
        w["first"] * w["scale"][:, None], w["second"], w["third"], np.stack(biases),
        w["chances"].T, w["policy"].T,
    ]  # fmt: skip
    bias = np.concatenate([w["chances_bias"], w["policy_bias"]])
    return Network(np.concatenate(rows), bias, len(w["first"]))


def about(plan: Plan, progress: Progress) -> dict[str, Any]:
    """What is told of a network: for which rules it is, and what made it."""
    game = find(plan.game)
    usual = asdict(default_plan(plan.game, plan.seconds, plan.seed, gpu=True))
    changes = [f"{name}={value}" for name, value in asdict(plan).items() if value != usual[name]]
    told = "".join(f" --plan {change}" for change in changes)
    minutes = plan.seconds / 60
    return {
        "game": plan.game,
        "rules": game.identity.version,
        "layout": layout_name(observation_of(game)),
        "command": f"kibitz train {plan.game} --minutes {minutes:g} --seed {plan.seed}{told}",
        "seed": plan.seed,
        "decisions": progress.decisions,
    }
