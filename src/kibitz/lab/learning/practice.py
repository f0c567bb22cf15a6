"""Getting better: first by imitating the game's heuristics, then by playing against oneself.

The second is proximal policy optimisation: decisions that turned out better than was foreseen
become likelier, but not by much at a time. Everyone's chances are learned from what came.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import torch

from kibitz.engine.observation import observation_of
from kibitz.lab.learning.episodes import Decisions, Rival, judge, play, watch
from kibitz.lab.learning.net import (
    Weights,
    forward,
    frozen,
    learned,
    log_chances,
    log_policy,
    new_weights,
)
from kibitz.lab.learning.tables import Tables

CLIP = 0.2  # how much likelier or unlikelier an action may become in one go
LONGEST_STEP = 0.5  # of all weights together
EPOCHS = 2
CARELESS = (60, 250)  # noise of the heuristics at some of the tables that are watched
POOL = 16  # former selves

# What is wrong with the decisions of a step, by how much better they were, and everyone's chances.
Loss = Callable[[int, Any, Any], Any]


@dataclass(frozen=True)
class Plan:
    """How to learn."""

    game: str
    seconds: float
    seed: int = 0
    matches: int = 32_768  # side by side
    steps: int = 32  # decisions of each before the network changes
    width: int = 256
    rate: float = 5e-4
    curiosity: float = 0.015  # how much a choice is worth that is still open (entropy)
    trust: float = 0.95
    imitate: float = 0.05  # of the time
    rounds: int = 0  # 1: an episode is a round, not a match
    rivals: float = 0.15  # share of the tables where a former self has the other seats


@dataclass
class Progress:
    """How it went so far."""

    seconds: float = 0.0
    rounds: int = 0  # of playing and changing
    decisions: int = 0
    episodes: int = 0
    doubt: float = 0.0  # the entropy of its choices
    surprise: float = 0.0  # the loss of foretelling who wins
    agreement: float = 0.0  # with the heuristics, while it imitates them


class Learner:
    """A network that learns a game."""

    def __init__(self, plan: Plan, *, gpu: bool) -> None:
        self.plan, self.gpu = plan, gpu
        device = "cuda" if gpu else "cpu"
        torch.manual_seed(plan.seed)
        self.tables = Tables(
            plan.game, plan.matches, seed=plan.seed, gpu=gpu, rounds=bool(plan.rounds)
        )
        layout = observation_of(self.tables.game)
        self.weights = new_weights(layout, plan.width, device, plan.seed)
        order = layout.sections.get("order")
        self._left_out = slice(order.offset, order.end) if order else slice(0, 0)
        self._greatest = torch.ones(layout.size, device=device)
        tensors = [self.weights[name] for name in learned(self.weights)]
        self.optimizer = torch.optim.Adam(tensors, lr=plan.rate, eps=1e-5, fused=gpu)
        self.room = Decisions.room(self.tables, plan.steps)
        self.progress = Progress()
        self.pool: list[Weights] = []
        self._doubt = self._surprise = self._agreement = torch.zeros(())

    @property
    def done(self) -> float:
        """How much of the time has passed, from 0 to 1."""
        return min(1.0, self.progress.seconds / self.plan.seconds)

    def learn(self) -> Iterator[Progress]:
        """Learn until the time is over; a word after each round of playing and changing."""
        while self.done < 1.0:
            began = time.perf_counter()
            for group in self.optimizer.param_groups:
                group["lr"] = self.plan.rate * (1 - 0.95 * self.done)
            if self.done < self.plan.imitate:
                watch(self.tables, self.weights, self.room, CARELESS)
                self._scale()
                self._change(self._imitating)
            else:
                self._keep_former_self()
                play(self.tables, self.weights, self.room, self._rival())
                self._change(self._improving)
            at = self.progress
            at.rounds += 1
            at.decisions += self.plan.steps * self.plan.matches
            at.episodes += int(self.room.ended.sum())
            at.doubt, at.surprise = float(self._doubt), float(self._surprise)
            at.agreement = float(self._agreement)
            at.seconds += time.perf_counter() - began
            yield at

    def _scale(self) -> None:
        """Bring the numbers of an observation into one range; how cards lie in order is left out.

        While it imitates, for then it sees all that there is.
        """
        seen = self.room.observations.abs().amax((0, 1))
        torch.maximum(self._greatest, seen.float(), out=self._greatest)
        self.weights["scale"].copy_(1 / self._greatest)
        self.weights["scale"][self._left_out] = 0

    def _keep_former_self(self) -> None:
        if self.plan.rivals and self.progress.rounds % 64 == 0:
            self.pool = [*self.pool, frozen(self.weights)][-POOL:]

    def _rival(self) -> Rival | None:
        if not self.pool or not self.plan.rivals:
            return None
        chosen = self.pool[int(torch.randint(len(self.pool), ()))]
        return Rival(self.tables, chosen, self.plan.rivals)

    # ---- changing

    def _change(self, loss_of: Loss) -> None:
        """Go through all decisions a few times; those made at one time are a batch."""
        better, chances = judge(self.room, self.plan.trust)
        better = better / (better[self.room.own].std() + 1e-6)
        for _ in range(EPOCHS):
            for step in torch.randperm(self.plan.steps).tolist():
                loss = loss_of(step, better[step], chances[step])
                self.optimizer.zero_grad(set_to_none=True)
                loss.backward()
                tensors = [self.weights[name] for name in learned(self.weights)]
                torch.nn.utils.clip_grad_norm_(tensors, LONGEST_STEP)
                self.optimizer.step()

    def _imitating(self, step: int, _: Any, chances: Any) -> Any:
        odds, seat_odds = forward(self.weights, self.room.observations[step])
        likely = log_policy(odds, self.room.masks[step])
        actions = self.room.actions[step]
        self._agreement = (likely.argmax(1) == actions).float().mean()
        chosen = likely.gather(1, actions[:, None]).squeeze(1)
        return self._foretelling(seat_odds, chances) - chosen.mean()

    def _improving(self, step: int, better: Any, chances: Any) -> Any:
        room = self.room
        odds, seat_odds = forward(self.weights, room.observations[step])
        likely = log_policy(odds, room.masks[step])
        chosen = likely.gather(1, room.actions[step][:, None]).squeeze(1)
        own = room.own[step].float()
        own = own / own.mean()
        ratio = (chosen - room.likely[step]).exp()
        near = ratio.clamp(1 - CLIP, 1 + CLIP)
        gain = (torch.minimum(ratio * better, near * better) * own).mean()
        doubt = -((likely.exp() * likely).sum(-1) * own).mean()
        self._doubt = doubt.detach()
        curiosity = self.plan.curiosity * (1 - 0.8 * self.done)
        return self._foretelling(seat_odds, chances) - gain - curiosity * doubt

    def _foretelling(self, seat_odds: Any, chances: Any) -> Any:
        foretold = log_chances(seat_odds, self.room.players)
        loss = -(chances * foretold).sum(-1).mean()
        self._surprise = loss.detach()
        return loss

    # ---- keeping

    def state(self) -> dict[str, Any]:
        """All that is needed to go on, for `torch.save`."""
        return {
            "plan": asdict(self.plan),
            "weights": frozen(self.weights),
            "greatest": self._greatest,
            "optimizer": self.optimizer.state_dict(),
            "progress": asdict(self.progress),
            "pool": self.pool,
        }

    def go_on(self, state: dict[str, Any]) -> None:
        """Go on from where a learner was kept; its matches begin anew."""
        with torch.no_grad():
            for name, tensor in state["weights"].items():
                self.weights[name].copy_(tensor)
        self._greatest.copy_(state["greatest"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.progress, device = Progress(**state["progress"]), self._greatest.device
        self.pool = [{name: t.to(device) for name, t in former.items()} for former in state["pool"]]
