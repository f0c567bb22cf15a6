"""Many matches of a game side by side: arrays in, arrays out.

A match that is over begins anew by itself, and so does a round. All arrays are made once, and
filled anew by every step: copy what is to be kept.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from kibitz.engine import chance, dispatch
from kibitz.engine.action_list import find_actions, new_list, nth_action
from kibitz.engine.bits import lowest
from kibitz.engine.compiled import from_python, rule
from kibitz.engine.errors import BadOption, IllegalAction
from kibitz.engine.machine import cores
from kibitz.engine.observation import DTYPE
from kibitz.engine.observe import legal_mask, observe, ready, turn_action, turn_action_back
from kibitz.engine.rounds import next_round
from kibitz.engine.seats import has, how_many_seats
from kibitz.games import find
from kibitz.lab.numbers import seat_among, some_of, whole
from kibitz.lab.results import compiled_reward

BEGIN = -1  # instead of an action: begin the match anew
FOR_DICE = 1 << 62  # apart from the numbers that matches are dealt by
Array = npt.NDArray[Any]


class Step(NamedTuple):
    """How all matches stand: a row each, as the seat that is to act sees its own."""

    observations: Array  # int16, laid out as `kibitz observation GAME` says
    masks: Array  # int8, 1 for each action that may be made
    rewards: Array  # float32, for each seat of the table: not 0 when its match has just ended
    dones: Array  # bool: the match has ended, and the row is of the next one
    seats: Array  # int8: who is to act


class VectorEnv:
    """N matches of a game.

    `step` takes an action for each, as the mask has it, and returns a `Step`. The same seed and
    actions give the same matches, on any number of threads.
    """

    def __init__(
        self,
        game: str,
        n: int,
        players: int | None = None,
        *,
        seed: int = 0,
        threads: int | None = None,
        **options: object,
    ) -> None:
        self.game = find(game)
        usual = self.game.identity.usual_players
        self.players = whole("players", usual if players is None else players, 1)
        self.n, self.seed = whole("n", n, 1), whole("seed", seed, 0)
        self.threads = whole("threads", cores() if threads is None else threads, 1)
        settings = self.game.settings(self.players, options)
        self.layout = ready(self.game)
        self._blank = self.keep(self.game.blank(self.players, settings))
        self.states = self.keep(self.game.blank(self.players, settings, self.n))
        self.now = Step(
            self.keep(self._rows(self.layout.size, DTYPE)),
            self.keep(self._rows(self.layout.actions, np.int8)),
            self.keep(np.zeros((self.n, self.players), np.float32)),
            self.keep(np.zeros(self.n, np.bool_)),
            self.keep(np.zeros(self.n, np.int8)),
        )
        self._played = self.keep(np.zeros(self.n, np.int64))  # how many matches each row has begun
        # Luck for actions at random comes from states of their own: no deal hangs on it.
        self._dice = self.keep(np.zeros(self.n, self.game.layout.dtype))
        self._random = self.keep(np.zeros(self.n, np.int64))
        self._lists, self._closed = new_list(self.threads), False
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        cuts = np.linspace(0, self.n, self.threads + 1).astype(int).tolist()
        self._chunks = list(zip(range(self.threads), cuts, cuts[1:], strict=False))
        self.reset()

    def reset(self, seed: int | None = None) -> Step:
        """Begin all matches anew."""
        self.seed = self.seed if seed is None else whole("seed", seed, 0)
        return self._advance(self.keep(np.full(self.n, BEGIN)))

    def step(self, actions: Any) -> Step:
        """Let the seat that is due in each match act; no copy is made of an array of int64."""
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise IllegalAction(
                f"give {self.n} actions as whole numbers, one for each match, "
                f"not {given.dtype} of shape {given.shape}"
            )
        chosen = np.ascontiguousarray(given, np.int64)
        wrong = first_refused(self.now.masks, chosen)
        if wrong >= 0:
            raise IllegalAction(
                f"match {wrong}: action {chosen[wrong]} is outside the mask; "
                f"choose one of {some_of(self.now.masks[wrong])}"
            )
        return self._advance(chosen)

    def random_actions(self) -> Array:
        """A legal action for each match, all as likely."""
        self.each(choose, self.states, self._dice, self.now.seats, self._random)
        return self._random

    def observe(self, seat: int, into: Array | None = None) -> Array:
        """What a seat, due or not, may know in each match; written into an array like the rows."""
        shape = self.n, self.layout.size
        rows = self.keep(self._rows(self.layout.size, DTYPE)) if into is None else into
        if rows.shape != shape or rows.dtype != DTYPE:  # compiled code would write beside it
            raise BadOption(
                f"give an array of {DTYPE.__name__} of shape {shape}, "
                f"not {rows.dtype} of shape {rows.shape}"
            )
        self.each(observe_all, self.states, seat_among(self.players, seat), rows)
        return rows

    def close(self) -> None:
        """Let the threads go."""
        self._closed = True
        if self._pool is not None:
            self._pool.shutdown()

    def check_open(self) -> None:
        """Refuse to play on where everything was let go."""
        if self._closed:
            raise BadOption("this environment is closed; make another")

    def _rows(self, length: int, dtype: npt.DTypeLike) -> Array:
        """An empty row for each match."""
        return np.zeros((self.n, length), dtype)

    def keep(self, array: Array) -> Array:
        """An array where the matches are played."""
        return array

    def _advance(self, actions: Array) -> Step:
        kept = self.states, self._blank, self._dice, self._played
        self.each(advance, self.seed, *kept, actions, *self.now)
        return self.now

    def each(self, function: Callable[..., None], *arrays: Any) -> None:
        """Run a compiled function over all matches, a thread for each run of them."""
        self.check_open()
        if self._pool is None:
            function(0, 0, self.n, self._lists, *arrays)
            return
        runs = [self._pool.submit(function, *at, self._lists, *arrays) for at in self._chunks]
        for run in runs:
            run.result()


# ---- compiled: thread t does the matches from `first` to `last`


@rule
def _begin(states: Any, i: int, blank: Any, seed: int, played: Any) -> None:
    """A new match in row i; its luck depends on the seed, the row and how many came before it."""
    states[i] = blank[0]
    chance.reseed(states[i], seed, (played[i] << 32) | i)
    played[i] += 1
    next_round(states[i])


@rule
def _look(states: Any, i: int, found: Any, observations: Any, masks: Any, seats: Any) -> None:
    """Show the seat that is due how its match stands."""
    seat = lowest(states[i].due)
    seats[i] = seat
    observe(states[i], seat, observations[i])
    legal_mask(states[i], seat, found, masks[i])


@rule
def _pay(s: Any, rewards: Any) -> None:
    """Book the result of a match that is over."""
    winners = how_many_seats(s.winners)
    for seat in range(s.players):
        rewards[seat] = compiled_reward(has(s.winners, seat), winners, s.players)


@from_python
def advance(
    t: int, first: int, last: int, lists: Any,
    seed: int, states: Any, blank: Any, dice: Any, played: Any, actions: Any,
    observations: Any, masks: Any, rewards: Any, dones: Any, seats: Any,
) -> None:  # fmt: skip
    """Make an action in each match, or begin it anew; rounds and matches that are over do so."""
    for i in range(first, last):
        s = states[i]
        begins = actions[i] == BEGIN
        if begins:
            played[i] = 0
        for p in range(rewards.shape[1]):
            rewards[i, p] = 0
        dones[i] = False
        if not begins:
            seat = int(seats[i])
            dispatch.apply(s, seat, turn_action_back(s, seat, actions[i]))
            if s.over:
                _pay(s, rewards[i])
                dones[i] = begins = True
        if begins:
            _begin(states, i, blank, seed, played)
            if played[i] == 1:
                chance.reseed(dice[i], seed, FOR_DICE | i)
        elif s.round_over:
            next_round(s)
        _look(states, i, lists[t], observations, masks, seats)


@from_python
def choose(
    t: int, first: int, last: int, lists: Any, states: Any, dice: Any, seats: Any, actions: Any
) -> None:
    """A legal action for each match."""
    found = lists[t]
    for i in range(first, last):
        s, seat = states[i], int(seats[i])
        find_actions(s, seat, found)
        chosen = nth_action(found, chance.below(dice[i], found.count))
        actions[i] = turn_action(s, seat, chosen)


@from_python
def observe_all(
    t: int, first: int, last: int, lists: Any, states: Any, seat: int, rows: Any
) -> None:
    """What a seat may know in each match."""
    for i in range(first, last):
        observe(states[i], seat, rows[i])


@from_python
def first_refused(masks: Any, actions: Any) -> int:
    """The first match whose action is outside its mask, or -1."""
    for i in range(len(actions)):
        action = actions[i]
        if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
            return i
    return -1
