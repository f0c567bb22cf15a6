"""The network as PyTorch knows it: what a seat may know in; choices and everyone's chances out.

Three layers, the second and third beside a way past them. Seats are turned: the first chance is
that of the seat whose view it is. `bots/network.py` plays by the same weights without PyTorch.
"""

import math
from collections.abc import Callable
from typing import Any, TypeVar, cast

import torch
from torch.nn import functional

from kibitz.engine.observation import Observation
from kibitz.engine.zones import SEATS

F = TypeVar("F", bound=Callable[..., Any])
Weights = dict[str, Any]  # tensors by name
ACTIVE = 50  # inputs that are not 0, more or less
NEVER = -1e9  # the log odds of what cannot be


def without_learning(function: F) -> F:
    """For a function whose results nobody learns from: PyTorch then keeps less."""
    return cast(F, torch.no_grad()(function))


def new_weights(layout: Observation, width: int, device: str, seed: int) -> Weights:
    """A network that knows nothing: all actions and seats are equally likely."""
    luck = torch.Generator().manual_seed(seed)

    def layer(inputs: int, outputs: int, gain: float) -> Any:
        return torch.randn(inputs, outputs, generator=luck) * gain / math.sqrt(inputs)

    found = {
        "scale": torch.ones(layout.size),
        "first": layer(layout.size, width, math.sqrt(layout.size / ACTIVE)),
        "second": layer(width, width, 1.0),
        "third": layer(width, width, 1.0),
        "policy": layer(width, layout.actions, 0.05),
        "chances": layer(width, SEATS, 0.05),
    }
    for name in ("first", "second", "third"):
        found[f"{name}_bias"] = torch.zeros(width)
    found["policy_bias"] = torch.zeros(layout.actions)
    found["chances_bias"] = torch.zeros(SEATS)
    weights = {name: tensor.to(device) for name, tensor in found.items()}
    for name in learned(weights):
        weights[name].requires_grad_()
    return weights


def learned(weights: Weights) -> list[str]:
    """The names of all that changes by learning."""
    return [name for name in weights if name != "scale"]


def frozen(weights: Weights) -> Weights:
    """A copy that does not learn."""
    return {name: tensor.detach().clone() for name, tensor in weights.items()}


def forward(weights: Weights, observations: Any) -> tuple[Any, Any]:
    """The log odds of all actions, and of all seats; on a GPU with fewer digits."""
    dtype = torch.bfloat16 if observations.is_cuda else torch.float32
    w = {name: tensor.to(dtype) for name, tensor in weights.items()}
    first = (weights["first"] * weights["scale"][:, None]).to(dtype)
    x = functional.relu(observations.to(dtype) @ first + w["first_bias"])
    x = x + functional.relu(x @ w["second"] + w["second_bias"])
    x = x + functional.relu(x @ w["third"] + w["third_bias"])
    return x @ w["policy"] + w["policy_bias"], x @ w["chances"] + w["chances_bias"]


def log_policy(odds: Any, masks: Any) -> Any:
    """How likely each action is, as a logarithm; what is not legal never is."""
    return torch.log_softmax(odds.float().masked_fill(masks == 0, NEVER), -1)


def log_chances(odds: Any, players: Any) -> Any:
    """How likely each seat wins, as a logarithm; seats that nobody sits on never do."""
    absent = torch.arange(SEATS, device=odds.device) >= players[:, None]
    return torch.log_softmax(odds.float().masked_fill(absent, NEVER), -1)


def seats_in_turn(seats: Any, players: Any) -> Any:
    """For each row the seats of the table, from its own one on; absent ones stay where they are."""
    places = torch.arange(SEATS, device=seats.device)
    turned = (seats.long()[:, None] + places) % players[:, None]
    return torch.where(places < players[:, None], turned, places)
