"""Playing to learn: decisions of matches side by side, and what came of them."""

from dataclasses import dataclass
from typing import Any

import torch

from kibitz.engine.zones import SEATS
from kibitz.lab.learning.net import (
    Weights,
    forward,
    log_chances,
    log_policy,
    seats_in_turn,
    without_learning,
)
from kibitz.lab.learning.tables import Tables


@dataclass
class Decisions:
    """Some decisions of each match, in order: the first index is the time, the second the match."""

    observations: Any
    masks: Any
    seats: Any
    actions: Any
    likely: Any  # the logarithm of how likely the action was
    own: Any  # whether the learner made it, not a former self
    chances: Any  # everyone's chances, as the seat saw them; turned
    ended: Any  # whether an episode ended with it
    worth: Any  # and what that was worth to each seat; not turned
    after: Any  # everyone's chances after the last one; not turned
    players: Any

    @staticmethod
    def room(tables: Tables, steps: int) -> "Decisions":
        """Room for so many decisions of each match."""
        device, n = tables.observations.device, tables.n

        def empty(like: Any, *shape: int) -> Any:
            return torch.empty((steps, n, *shape), dtype=like, device=device)

        return Decisions(
            empty(torch.int16, tables.observations.shape[1]),
            empty(torch.int8, tables.masks.shape[1]),
            empty(torch.int8), empty(torch.int64), empty(torch.float32), empty(torch.bool),
            empty(torch.float32, SEATS), empty(torch.bool), empty(torch.float32, SEATS),
            torch.empty((n, SEATS), device=device), tables.players,
        )  # fmt: skip


@without_learning
def play(tables: Tables, weights: Weights, room: Decisions, rival: "Rival | None" = None) -> None:
    """Let the network play against itself, or some of the time against a former self."""
    room.own.fill_(True)
    for step in range(len(room.seats)):
        odds = _look(tables, weights, room, step)
        likely = log_policy(odds, tables.masks)
        actions = sample(likely)
        if rival is not None:
            rival.replace(tables, room.own[step], actions)
        _act(tables, room, step, actions, likely)
    _look_after(tables, weights, room)


@without_learning
def watch(tables: Tables, weights: Weights, room: Decisions, noises: tuple[int, ...]) -> None:
    """Let the game's heuristics play, more or less carelessly, and note what they would do."""
    room.own.fill_(True)
    for step in range(len(room.seats)):
        likely = log_policy(_look(tables, weights, room, step), tables.masks)
        best = tables.ask_teacher(0).clone()
        actions = best.clone()
        for part, noise in enumerate(noises):
            chosen = slice(part, None, len(noises) + 1)
            actions[chosen] = tables.ask_teacher(noise)[chosen]
        _act(tables, room, step, actions, likely)
        room.actions[step] = best
    _look_after(tables, weights, room)


def sample(likely: Any) -> Any:
    """An action for each row, by how likely it is."""
    noise = torch.empty_like(likely).exponential_()
    return (likely - noise.log_()).argmax(-1)


def _look(tables: Tables, weights: Weights, room: Decisions, step: int) -> Any:
    room.observations[step] = tables.observations
    room.masks[step] = tables.masks
    room.seats[step] = tables.seats
    odds, seat_odds = forward(weights, tables.observations)
    room.chances[step] = log_chances(seat_odds, tables.players).exp()
    return odds


def _act(tables: Tables, room: Decisions, step: int, actions: Any, likely: Any) -> None:
    room.actions[step] = actions
    room.likely[step] = likely.gather(1, actions[:, None]).squeeze(1)
    tables.step(actions)
    room.ended[step] = tables.ended
    room.worth[step] = tables.worth


def _look_after(tables: Tables, weights: Weights, room: Decisions) -> None:
    _, odds = forward(weights, tables.observations)
    chances = log_chances(odds, tables.players).exp()
    order = seats_in_turn(tables.seats, tables.players)
    room.after.scatter_(1, order, chances)


class Rival:
    """A former self: it has all seats but one at some of the tables."""

    def __init__(self, tables: Tables, weights: Weights, share: float) -> None:
        self.weights, self.rows = weights, int(tables.n * share)
        rows = torch.arange(self.rows, device=tables.players.device)
        self.learner = (rows // 64) % tables.players[: self.rows]  # its seat at each table

    def replace(self, tables: Tables, own: Any, actions: Any) -> None:
        """Choose where it is due."""
        odds, _ = forward(self.weights, tables.observations[: self.rows])
        chosen = sample(log_policy(odds, tables.masks[: self.rows]))
        due = tables.seats[: self.rows] != self.learner
        actions[: self.rows] = torch.where(due, chosen, actions[: self.rows])
        own[: self.rows] = ~due


@without_learning
def judge(decisions: Decisions, trust: float) -> tuple[Any, Any]:
    """How much better each decision turned out than was foreseen, and what to foresee.

    Each seat's chance is followed from one of its own decisions to its next. `trust` is how much
    is given on what came later (λ), and not on what was foreseen at the next decision. Both are
    as the deciding seat sees them: the second is everyone's chances, turned.
    """
    steps, players = len(decisions.seats), decisions.players
    foreseen = decisions.after.clone()  # by each seat at its next decision
    surprise = torch.zeros_like(foreseen)
    came = foreseen.clone()  # the same, with all that came after it
    better = torch.zeros_like(decisions.likely)
    chances = torch.zeros_like(decisions.chances)
    for step in reversed(range(steps)):
        ended, worth = decisions.ended[step][:, None], decisions.worth[step]
        foreseen = torch.where(ended, worth, foreseen)
        came = torch.where(ended, worth, came)
        surprise = torch.where(ended, 0.0, surprise)
        seat = decisions.seats[step].long()[:, None]
        own = decisions.chances[step][:, :1]
        gain = foreseen.gather(1, seat) - own + trust * surprise.gather(1, seat)
        surprise.scatter_(1, seat, gain)
        foreseen.scatter_(1, seat, own)
        came.scatter_(1, seat, own + gain)
        better[step] = gain.squeeze(1)
        order = seats_in_turn(decisions.seats[step], players)
        turned = came.gather(1, order).clamp(0, 1)
        turned[torch.arange(SEATS, device=turned.device) >= players[:, None]] = 0
        chances[step] = turned / turned.sum(1, keepdim=True).clamp_min(1e-6)
    return better, chances
