"""Matches side by side to learn from: every number of players, usual options and others.

What has to be done is done by itself: a row is always of a seat that has a choice. Everything lies
where it is computed, in the memory of the processor or of a GPU, as tensors.
"""

import random
from typing import Any

import numpy as np
import torch

from kibitz.bots import knowledge
from kibitz.bots.heuristics import share
from kibitz.engine import chance, dispatch
from kibitz.engine.action_list import find_actions, nth_action
from kibitz.engine.bits import lowest
from kibitz.engine.compiled import State, from_python, rule
from kibitz.engine.errors import BadOption
from kibitz.engine.game import Game
from kibitz.engine.observe import legal_mask, observe, turn_action, turn_action_back
from kibitz.engine.options import Flag, Number, Option, Settings
from kibitz.engine.redeal import redeal
from kibitz.engine.rounds import next_round
from kibitz.engine.zones import SEATS
from kibitz.games import find
from kibitz.lab.vector import BEGIN, VectorEnv

KINDS = 8  # of tables for each number of players
UNUSUAL = 2  # of them with options at random
TRIES = 100  # to find options that go together


def kinds_of_tables(game: Game, seed: int) -> Any:
    """A blank state for each kind of table that is played at."""
    dice, found = random.Random(seed), []
    for kind in range(KINDS):
        for players in game.identity.seats:
            settings = game.settings(players, {})
            if kind < UNUSUAL:
                settings = _draw_settings(game, players, dice)
            found.append(game.blank(players, settings))
    return np.concatenate(found)


def _draw_settings(game: Game, players: int, dice: random.Random) -> Settings:
    """All options at random, of those that go together."""
    for _ in range(TRIES):
        drawn = {name: _draw(option, dice) for name, option in game.identity.options.items()}
        try:
            return game.settings(players, drawn)
        except BadOption:
            continue
    return game.settings(players, {})


def _draw(option: Option, dice: random.Random) -> object:
    """A value for an option; longer matches than usual, but not much longer."""
    if isinstance(option, Number):
        return dice.randint(option.low, min(option.high, 2 * option.default))
    if isinstance(option, Flag):
        return bool(dice.randrange(2))
    return dice.choice(option.words)


class Tables:
    """N matches, of which each waits for a choice.

    With `rounds` an episode is a round, worth what the game's `win_chance` says when it is over;
    else it is a whole match.
    """

    def __init__(self, game: str, n: int, *, seed: int, gpu: bool, rounds: bool = False) -> None:
        self.game, self.n, self.seed, self.rounds, self.gpu = find(game), n, seed, rounds, gpu
        knowledge.of(self.game)
        if gpu:
            from kibitz.lab.gpu.vector import VectorEnv as GpuEnv  # noqa: PLC0415  needs a GPU

            self._env: VectorEnv = GpuEnv(game, n)
        else:
            self._env = VectorEnv(game, n)
        kinds = kinds_of_tables(self.game, seed)
        self._kinds = self._env.keep(kinds)
        self._played = self._env.keep(np.zeros(n, np.int64))
        self._worth = self._env.keep(np.zeros((n, SEATS), np.float32))
        self._ended = self._env.keep(np.zeros(n, np.bool_))
        self._advice = self._env.keep(np.zeros(n, np.int64))
        self._worlds = self._env.keep(np.zeros(n, self.game.layout.dtype))
        self._asked = 0
        now = self._env.now
        self.observations = self._tensor(now.observations)
        self.masks = self._tensor(now.masks)
        self.seats = self._tensor(now.seats)
        self.worth = self._tensor(self._worth)  # for each seat, where an episode has ended
        self.ended = self._tensor(self._ended)
        self.advice = self._tensor(self._advice)
        players = np.resize(kinds["players"].astype(np.int64), n)
        self.players = torch.from_numpy(players).to(self.observations.device)
        self.begin()

    def begin(self) -> None:
        """Begin all matches anew, each with luck of its own."""
        begin = np.full(self.n, BEGIN)
        self._advance(self._env.keep(begin))

    def step(self, actions: Any) -> None:
        """Let the seat that is due in each match act, as its mask has it."""
        self._advance(actions if self.gpu else actions.numpy())

    def ask_teacher(self, noise: int) -> Any:
        """What the game's heuristics would do in each match; see `bots/policy.py`."""
        seats, states = self._env.now.seats, self._env.states
        self._asked += 1
        self._env.each(advise, states, self._worlds, seats, noise, self._asked, self._advice)
        return self.advice

    def _advance(self, actions: Any) -> None:
        now = self._env.now
        self._env.each(
            practise, self.seed, int(self.rounds), self._env.states, self._kinds, self._played,
            actions, now.observations, now.masks, now.seats, self._worth, self._ended,
        )  # fmt: skip

    def _tensor(self, array: Any) -> Any:
        """The same memory, as a tensor."""
        return torch.as_tensor(array, device="cuda") if self.gpu else torch.from_numpy(array)


# ---- compiled, for processor and GPU: thread t does the matches from `first` to `last`


@rule
def _book(s: State, worth: Any) -> None:
    """What an episode that is over is worth to each seat."""
    for seat in range(s.players):
        worth[seat] = share(s, seat) if s.over else knowledge.win_chance(s, seat)


@from_python
def practise(
    t: int, first: int, last: int, lists: Any,
    seed: int, rounds: int, states: Any, kinds: Any, played: Any, actions: Any,
    observations: Any, masks: Any, seats: Any, worth: Any, ended: Any,
) -> None:  # fmt: skip
    """Make an action in each match, and all that follow without a choice."""
    found = lists[t]
    for i in range(first, last):
        s = states[i]
        begins = actions[i] == BEGIN
        ended[i] = False
        if not begins:
            seat = int(seats[i])
            dispatch.apply(s, seat, turn_action_back(s, seat, actions[i]))
        while True:
            if not begins and not ended[i] and (s.over or (rounds and s.round_over)):
                _book(s, worth[i])
                ended[i] = True
            if begins or s.over:
                states[i] = kinds[i % len(kinds)]
                chance.reseed(s, seed, (played[i] << 32) | i)
                played[i] += 1
                next_round(s)
                begins = False
            elif s.round_over:
                next_round(s)
            seat = lowest(s.due)
            find_actions(s, seat, found)
            if found.count > 1:
                break
            dispatch.apply(s, seat, nth_action(found, 0))
        seats[i] = seat
        observe(s, seat, observations[i])
        legal_mask(s, seat, found, masks[i])


@from_python
def advise(
    t: int, first: int, last: int, lists: Any,
    states: Any, worlds: Any, seats: Any, noise: int, luck: int, advice: Any,
) -> None:  # fmt: skip
    """The action that looks best to the seat that is due, in a world that fits what it sees."""
    found = lists[t]
    for i in range(first, last):
        worlds[i] = states[i]
        s, seat = worlds[i], int(seats[i])
        chance.reseed(s, luck, i)
        redeal(s, seat)
        find_actions(s, seat, found)
        best, best_score = 0, -(1 << 40)
        for n in range(found.count):
            action = nth_action(found, n)
            value = knowledge.action_value(s, seat, action)
            score = 16 * value + chance.below(s, 16 * (noise + 1))
            if score > best_score:
                best, best_score = action, score
        advice[i] = turn_action(s, seat, best)
