"""How fast peers play at random where every decision comes with an observation and a mask.

As in `lab.bench.observed_play`: decisions a second on one core, from Python, as users get them.
PettingZoo's card games, and RLCard's, bring both with every step; of OpenSpiel's, written in C++,
the tensor is written into memory that is used again, the fastest way that it offers.
"""

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

ALONE = ", tensor alone"  # what ends the name of a figure without steps
PLAYERS = 4
POSITIONS = 300  # of which the tensor alone is measured
SHORT = 0.2  # of the time for figures that need less


def timed(play: Callable[[], int], seconds: float) -> float:
    """Decisions a second of matches played one after the other."""
    play()
    made, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        made += play()
    return made / (time.perf_counter() - started)


def openspiel(name: str, seconds: float) -> Iterator[tuple[str, float]]:
    """A game in C++: whole steps, and its tensor alone, without what a call into C++ costs."""
    import pyspiel  # noqa: PLC0415  a peer
    from open_spiel.python.observation import make_observation  # noqa: PLC0415

    game, rng = pyspiel.load_game(name), random.Random(1)
    observation = make_observation(game)
    kept: list[Any] = []

    def play() -> int:
        made, state = 0, game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, chances)[0])
                continue
            observation.set_from(state, state.current_player())
            state.legal_actions_mask()
            if len(kept) < POSITIONS:
                kept.append(state.clone())
            state.apply_action(rng.choice(state.legal_actions()))
            made += 1
        return made

    yield f"OpenSpiel {game.get_type().short_name}, tensor and mask", timed(play, seconds)
    write: Any = observation._observation.set_from

    def tensors() -> int:
        for state in kept:
            write(state, 0)
        return len(kept)

    def calls() -> int:
        for state in kept:
            state.current_player()
        return len(kept)

    alone = 1 / timed(tensors, SHORT * seconds) - 1 / timed(calls, SHORT * seconds)
    yield f"OpenSpiel {game.get_type().short_name}{ALONE}", 1 / max(alone, 1e-9)


def rlcard_rate(name: str, seconds: float, **config: int) -> float:
    """A game of RLCard; every step comes with its observation and the legal actions."""
    import rlcard  # noqa: PLC0415  a peer

    env, rng = rlcard.make(name, config={"seed": 1, **config}), random.Random(1)

    def play() -> int:
        made = 0
        state, _ = env.reset()
        while not env.is_over():
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            made += 1
        return made

    return timed(play, seconds)


def rlcard(name: str, seconds: float) -> Iterator[tuple[str, float]]:
    """A game of RLCard."""
    yield f"RLCard {name}", rlcard_rate(name, seconds)


def pettingzoo(name: str, seconds: float) -> Iterator[tuple[str, float]]:
    """A card game of PettingZoo."""
    from importlib import import_module  # noqa: PLC0415

    env = import_module(f"pettingzoo.classic.rlcard_envs.{name}").env()

    def play() -> int:
        made = 0
        env.reset(seed=1)
        for agent in env.agent_iter():
            seen, _, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(seen["action_mask"]))
                made += 1
        return made

    yield f"PettingZoo {name}", timed(play, seconds)


PEERS: tuple[tuple[Callable[[str, float], Iterator[tuple[str, float]]], str], ...] = (
    (openspiel, f"crazy_eights(players={PLAYERS})"),
    (openspiel, "gin_rummy"),
    (rlcard, "leduc-holdem"),
    (rlcard, "limit-holdem"),
    (pettingzoo, "leduc_holdem"),
    (pettingzoo, "texas_holdem"),
)


def measure(seconds: float) -> dict[str, float]:
    """The peers that are installed, and how many decisions a second they make."""
    found: dict[str, float] = {}
    for peer, name in PEERS:
        try:
            found.update(peer(name, seconds))
        except ImportError:
            continue
    return found


def missing() -> list[str]:
    """What to install to measure all of them."""
    lacking = []
    for package, module in {
        "open_spiel": "pyspiel", "rlcard": "rlcard", "pettingzoo": "pettingzoo", "pygame": "pygame",
    }.items():  # fmt: skip
        try:
            __import__(module)
        except ImportError:
            lacking.append(package)
    return lacking
