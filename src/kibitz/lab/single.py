"""One match as an environment: what PettingZoo, Gymnasium and OpenSpiel have in common.

Observations and actions are turned so that the own seat comes first, both ways.
"""

import secrets
from typing import Any, SupportsIndex

import numpy as np

from kibitz.engine import observe
from kibitz.engine.action_list import new_list
from kibitz.engine.errors import BadOption, IllegalAction
from kibitz.engine.match import Match
from kibitz.engine.observation import DTYPE
from kibitz.games import find
from kibitz.lab.numbers import number, seat_among, some_of, whole
from kibitz.lab.results import reward

RENDER_MODES = ("ansi", "svg")


def check_render_mode(mode: str | None) -> None:
    """Refuse a way to render that there is not."""
    if mode is not None and mode not in RENDER_MODES:
        raise BadOption(f"render_mode is None, {' or '.join(RENDER_MODES)}, not {mode!r}")


class SingleEnv:
    """A match; its rounds follow each other by themselves."""

    def __init__(self, game: str, players: int | None = None, **options: object) -> None:
        self.game = find(game)
        usual = self.game.identity.usual_players
        self.players = whole("players", usual if players is None else players, 1)
        self.settings = self.game.settings(self.players, options)
        self.layout = observe.ready(self.game)
        self._lists = new_list()
        self.reset()

    def reset(self, seed: int | None = None) -> None:
        """Begin another match."""
        luck = secrets.token_hex(16) if seed is None else seed
        self.match = Match.new(self.game, self.players, luck, self.game.written(self.settings))

    def copy(self) -> "SingleEnv":
        """The same match, to be played on by itself."""
        other = object.__new__(SingleEnv)
        other.__dict__.update(self.__dict__)
        other.match = self.match.copy()
        return other

    def __deepcopy__(self, memo: object) -> "SingleEnv":
        return self.copy()

    def __getstate__(self) -> dict[str, Any]:
        """The match as it stands, with what is needed to play it on."""
        match = self.match
        return {
            "game": (self.game.name, self.players, self.game.written(self.settings)),
            "match": (match.state.tobytes(), match.seed, match.done, match.sheet),
        }

    def __setstate__(self, kept: dict[str, Any]) -> None:
        name, players, options = kept["game"]
        state, seed, done, sheet = kept["match"]
        self.__init__(name, players, **options)  # type: ignore[misc]  # there is no match yet
        dealt = np.frombuffer(state, self.game.layout.dtype).copy()
        self.match = Match(self.game, dealt, self.settings, seed, None)
        self.match.done, self.match.sheet = done, sheet

    @property
    def seat(self) -> int:
        """Who is to act: of several that are due, the first."""
        return min(self.match.to_act)

    def observe(self, seat: int) -> dict[str, Any]:
        """What a seat may know, and the mask of its actions."""
        seat = seat_among(self.players, seat)
        row = np.zeros(self.layout.size, DTYPE)
        mask = np.zeros(self.layout.actions, np.int8)
        observe.observe_at(self.match.state, 0, seat, self._lists, row, mask)
        return {"observation": row, "action_mask": mask}

    def play(self, action: SupportsIndex) -> None:
        """Let the seat that is due make an action, as its mask has it."""
        if self.match.over:
            raise IllegalAction("the match is over; reset() begins another")
        seat = self.seat
        chosen = self.meant(seat, action)
        if chosen not in self.match.legal_numbers(seat):
            some = some_of(self.observe(seat)["action_mask"])
            raise IllegalAction(
                f"action {action} of seat {seat} is outside the mask; choose one of {some}"
            )
        self.do(self.game.actions.write(chosen))

    def do(self, action: str) -> None:
        """Let the seat that is due make an action, as text."""
        self.match.play(self.seat, action)
        if self.match.round_over and not self.match.over:
            self.match.next_round()

    def after(self, seat: int, steps: int) -> int:
        """The seat that comes so many after another in order of play."""
        return (seat + steps) % self.players

    def meant(self, seat: int, action: SupportsIndex) -> int:
        """The action of the rules that a seat means, or -1 if there is no such action."""
        chosen = number(action)
        if chosen is None or not 0 <= chosen < self.layout.actions:
            return -1
        return int(observe.turn_action_back_at(self.match.state, 0, seat, chosen))

    def told(self, seat: int, action: int) -> int:
        """An action of the rules as a seat is told of it."""
        return int(observe.turn_action_at(self.match.state, 0, seat, action))

    def reward(self, seat: int) -> float:
        """What the match has brought a seat: 0 until it is over."""
        if not self.match.over:
            return 0.0
        winners = self.match.winners
        return reward(seat in winners, len(winners), self.players)

    def space(self, spaces: Any) -> Any:
        """What an observation can be, made with the spaces of Gymnasium."""
        limits = np.iinfo(DTYPE)
        return spaces.Dict(
            {
                "observation": spaces.Box(
                    int(limits.min), int(limits.max), (self.layout.size,), DTYPE
                ),
                "action_mask": spaces.Box(0, 1, (self.layout.actions,), np.int8),
            }
        )
