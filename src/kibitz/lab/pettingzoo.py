"""A match as an environment of PettingZoo (AEC): each seat is an agent.

    from kibitz.lab import pettingzoo
    env = pettingzoo.env("kolpa", players=3, target=30)

An observation is a dict of `observation` and `action_mask`. Rewards come when the match is over.
"""

from functools import cache
from typing import Any

from kibitz.engine.errors import BadOption
from kibitz.extras import ask_for
from kibitz.lab.picture import as_svg, as_text
from kibitz.lab.single import RENDER_MODES, SingleEnv, check_render_mode

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ModuleNotFoundError as missing:
    raise ask_for(missing) from None


def env(
    game: str, players: int | None = None, *, render_mode: str | None = None, **options: object
) -> "KibitzEnv":
    """A match of a game, with its options; `render_mode` is None, `ansi` (text) or `svg`."""
    return KibitzEnv(game, players, render_mode, **options)


class KibitzEnv(AECEnv[str, Any, Any]):  # type: ignore[misc]  # PettingZoo has no types
    """A match. Actions outside the mask are refused, and change nothing."""

    def __init__(
        self, game: str, players: int | None, render_mode: str | None, **options: object
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        self.table = SingleEnv(game, players, **options)
        self.render_mode = render_mode
        self.metadata = {
            "name": f"kibitz_{game}",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(self.table.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []

    @cache  # noqa: B019  the same space each time, as PettingZoo asks; an environment lives long
    def observation_space(self, agent: str) -> Any:
        """All that can stand in an observation, and the mask."""
        self._seat(agent)
        return self.table.space(spaces)

    @cache  # noqa: B019  likewise
    def action_space(self, agent: str) -> Any:
        """The numbers of the game's actions."""
        self._seat(agent)
        return spaces.Discrete(self.table.layout.actions)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin another match."""
        self.table.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.table.seat]

    def observe(self, agent: str) -> dict[str, Any]:
        """What a seat may know."""
        return self.table.observe(self._seat(agent))

    def step(self, action: int | None) -> None:
        """Let the selected agent act."""
        agent = self._selected()
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self.table.play(-1 if action is None else action)
        self._cumulative_rewards[agent] = 0.0
        if self.table.match.over:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = {a: self.table.reward(self._seats[a]) for a in self.agents}
        else:
            self.agent_selection = self.possible_agents[self.table.seat]
        self._accumulate_rewards()
        self._deads_step_first()

    def render(self) -> str | None:
        """The table as the selected agent sees it, as text or SVG."""
        if self.render_mode is None:
            return None
        seat = self._seats[self._selected()]
        draw = as_text if self.render_mode == "ansi" else as_svg
        return draw(self.table.game, self.table.match.view(seat))

    def close(self) -> None:
        """Nothing is open."""

    def _selected(self) -> str:
        """Who is to act, or to hear of the end."""
        if not self.agents:
            raise BadOption("there is no match, or it is over for all; reset() begins one")
        selected: str = self.agent_selection
        return selected

    def _seat(self, agent: str) -> int:
        if agent not in self._seats:
            raise BadOption(f"there is no agent {agent!r}; there are {', '.join(self._seats)}")
        return self._seats[agent]
