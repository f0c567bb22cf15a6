"""What was learned of a game: a small network that sees what a seat may know.

It gives each legal action a probability, and each seat its chance to win the match. Its weights lie
in the game's folder (`network.npz`, written by `kibitz train`); a game without them plays as if
nothing had been learned. Most inputs and many neurons are 0, so only what is not is looked at: a
glance takes some 20 µs on one core.
"""

import hashlib
import json
import math
import zipfile
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.engine.action_list import MOST, list_actions, new_list
from kibitz.engine.compiled import ActionList, State, from_python, in_any_order, rule
from kibitz.engine.errors import KibitzError
from kibitz.engine.game import Game
from kibitz.engine.observation import DTYPE, Observation, observation_of
from kibitz.engine.observe import observe, ready, turn_action, turned_back
from kibitz.engine.zones import SEATS

FILE = "network.npz"
BIASES = 3  # of the layers, each a row
STEPS = 511  # from 0 to the greatest weight of a row, in a file

Floats = npt.NDArray[np.float32]


class Network(NamedTuple):
    """The weights: rows as wide as a layer, and the biases of seats and actions.

    There is a row for each input, for each neuron of the first layer and of the second, for the
    biases of each layer, for each seat and for each action, in this order.
    """

    rows: Floats
    bias: Floats
    inputs: int


class Desk(NamedTuple):
    """Where one thread works: what it sees, thinks and says."""

    seen: Any
    neurons: Any
    added: Any
    policy: Any  # the probability of each listed action
    chances: Any  # of each seat of the table


def new_desk(network: Network) -> Desk:
    """Room to think in."""
    width = network.rows.shape[1]
    return Desk(
        np.zeros(network.inputs, DTYPE), np.zeros(width, np.float32), np.zeros(width, np.float32),
        np.zeros(MOST + 8, np.float32), np.zeros(SEATS),
    )  # fmt: skip


# ---- compiled


@in_any_order
def layer(inputs: Any, rows: Floats, first: int, bias: int, out: Any) -> None:
    """The neurons of a layer: what is below 0 is 0."""
    for k in range(len(out)):
        out[k] = rows[bias, k]
    for i in range(len(inputs)):
        x = np.float32(inputs[i])
        if x != 0:
            for k in range(len(out)):
                out[k] += x * rows[first + i, k]
    for k in range(len(out)):
        out[k] = max(out[k], np.float32(0))


@in_any_order
def odds(neurons: Any, rows: Floats, row: int, bias: float) -> float:
    """The log odds of one action, or of one seat."""
    total = bias
    for k in range(len(neurons)):
        total += neurons[k] * rows[row, k]
    return total


@rule
def to_shares(values: Any, n: int) -> None:
    """The first n values become probabilities: the higher, the likelier."""
    highest, total = values[0], 0.0
    for i in range(1, n):
        highest = max(highest, values[i])
    for i in range(n):
        values[i] = math.exp(values[i] - highest)
        total += values[i]
    for i in range(n):
        values[i] /= total


@rule
def run_layers(network: Network, desk: Desk) -> int:
    """From what is seen to the last layer; the row where seats and actions begin."""
    rows, width = network.rows, len(desk.neurons)
    second, biases = network.inputs, network.inputs + 2 * width
    layer(desk.seen, rows, 0, biases, desk.neurons)
    for n in range(2):  # each beside the way past it
        layer(desk.neurons, rows, second + n * width, biases + 1 + n, desk.added)
        for k in range(width):
            desk.neurons[k] += desk.added[k]
    return biases + BIASES


@rule
def glance(s: State, me: int, found: ActionList, network: Network, desk: Desk) -> None:
    """What seat `me` thinks: how good each listed action looks to it, and everyone's chances."""
    observe(s, me, desk.seen)
    rows, bias = network.rows, network.bias
    seats = run_layers(network, desk)
    for i in range(found.count):
        action = SEATS + turn_action(s, me, int(found.action[i]))
        desk.policy[i] = odds(desk.neurons, rows, seats + action, bias[action])
    to_shares(desk.policy, found.count)
    chances = desk.added
    for i in range(s.players):
        chances[i] = odds(desk.neurons, rows, seats + i, bias[i])
    to_shares(chances, s.players)
    for i in range(s.players):
        desk.chances[turned_back(s, me, i)] = chances[i]


@from_python
def glance_at(states: Any, i: int, me: int, lists: Any, network: Network, desk: Desk) -> None:
    """What seat `me`, which is due, thinks of state i; its actions are listed."""
    list_actions(states[i], me, lists[0])
    glance(states[i], me, lists[0], network, desk)


# ---- files


def layout_name(layout: Observation) -> str:
    """A short name for what stands where in an observation, and for all actions."""
    sections = [(s.name, s.offset, s.length) for s in layout.sections.values()]
    actions = [action.text for action in layout.game.actions.all]
    return hashlib.sha256(json.dumps([sections, actions]).encode()).hexdigest()[:16]


def write(file: Path, network: Network, about: dict[str, Any]) -> None:
    """Keep a network: weights in whole steps of their row, for more digits make no difference."""
    greatest = np.maximum(np.abs(network.rows).max(1, keepdims=True), 1e-9)
    scale = greatest.astype(np.float32) / STEPS
    arrays = {
        "rows": np.round(network.rows / scale).astype(np.int16),
        "scale": scale,
        "bias": network.bias.astype(np.float32),
    }
    told = json.dumps({**about, "sha256": _digest(arrays)})
    with file.open("wb") as out:
        np.savez_compressed(
            out, allow_pickle=False, about=np.frombuffer(told.encode(), np.uint8), **arrays
        )


def _digest(arrays: dict[str, Any]) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].shape} {arrays[name].dtype}".encode())
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()


def read(file: Path, game: Game) -> tuple[Network, dict[str, Any]]:
    """A network, and what is told of it: the command that made it, and how it was measured."""
    try:
        with file.open("rb") as source, np.load(source) as kept:
            arrays = {name: kept[name] for name in kept.files}
        about = json.loads(arrays.pop("about").tobytes())
        is_whole = about.pop("sha256") == _digest(arrays)
        rows, bias = arrays["rows"].astype(np.float32) * arrays["scale"], arrays["bias"]
    except (OSError, ValueError, KeyError, AttributeError, EOFError, zipfile.BadZipFile):
        raise KibitzError(f"{file} is not a network that `kibitz train` wrote") from None
    if not is_whole:
        raise KibitzError(f"{file} is damaged: its weights are not those that were written")
    if about.get("layout") != layout_name(observation_of(game)):
        raise KibitzError(
            f"{file} was made for other rules or cards of {game.name}; train it again, as in "
            f"`kibitz train {game.name}`"
        )
    return Network(rows, bias, observation_of(game).size), about


def file_of(game: Game) -> Path | None:
    """Where a game's network is, if it has one."""
    spec = find_spec(game.package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        if (Path(folder) / FILE).is_file():
            return Path(folder) / FILE
    return None


@cache
def of(game: Game) -> Network | None:
    """What was learned of a game, or None."""
    file = file_of(game)
    if file is None:
        return None
    ready(game)
    return read(file, game)[0]


class Glance(NamedTuple):
    """What a seat thinks at once."""

    policy: dict[int, float]  # the probability of each legal action
    chances: tuple[float, ...]  # of each seat to win the match


def glance_of(network: Network, states: Any, i: int, seat: int) -> Glance:
    """What a seat that is due thinks of state i."""
    desk, lists = new_desk(network), new_list()
    glance_at(states, i, seat, lists, network, desk)
    actions = lists[0]["action"][: lists[0]["count"]]
    players = int(states[i]["players"])
    return Glance(
        {int(a): float(p) for a, p in zip(actions, desk.policy, strict=False)},
        tuple(float(c) for c in desk.chances[:players]),
    )
