"""One seat of a match as an environment of Gymnasium, with bots on the others.

    import gymnasium, kibitz.lab.gymnasium
    env = gymnasium.make("kibitz/kolpa", players=4, bots="medium", target=30)

The reward is 0 until the match is over; then it is from -1 to 1 (`lab/results.py`).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from kibitz.bots.inference import Onlooker
from kibitz.bots.levels import Budget, level
from kibitz.engine.chance import seed_of_move
from kibitz.engine.errors import BadOption
from kibitz.extras import ask_for
from kibitz.games import names
from kibitz.lab.numbers import seat_among, whole
from kibitz.lab.picture import as_svg, as_text
from kibitz.lab.single import RENDER_MODES, SingleEnv, check_render_mode

try:
    import gymnasium
    from gymnasium import spaces
except ModuleNotFoundError as missing:
    raise ask_for(missing) from None

Mask = npt.NDArray[np.int8]


class LegalActions(spaces.Discrete):
    """The numbers of a game's actions; what is sampled without a mask is legal now."""

    def __init__(self, table: SingleEnv, seat: int) -> None:
        super().__init__(table.layout.actions)
        self._table, self._seat = table, seat

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """One of the actions that the mask, or the match, allows."""
        if mask is None and probability is None:
            mask = self._table.observe(self._seat)["action_mask"]
        return super().sample(mask, probability)


class SeatEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """A seat at a table of bots.

    `bots` is a level for all others, or one for each of them, from the left of `seat` on. Those
    that search think as long as their level says, or so many `simulations`, which can be repeated.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012  as theirs

    def __init__(
        self,
        game: str,
        players: int | None = None,
        *,
        seat: int = 0,
        bots: str | Sequence[str] = "medium",
        simulations: int | None = None,
        render_mode: str | None = None,
        **options: object,
    ) -> None:
        check_render_mode(render_mode)
        self.table = SingleEnv(game, players, **options)
        self.seat, self.render_mode = seat_among(self.table.players, seat), render_mode
        others = self.table.players - 1
        chosen = [bots] * others if isinstance(bots, str) else list(bots)
        if len(chosen) != others:
            raise BadOption(f"name {others} bots, one for each other seat, not {len(chosen)}")
        self._bots = {self.table.after(self.seat, n + 1): level(b) for n, b in enumerate(chosen)}
        self._budget, self._luck = None, ""
        if simulations is not None:
            self._budget = Budget(simulations=whole("simulations", simulations, 1))
        self.observation_space = self.table.space(spaces)
        self.action_space = LegalActions(self.table, self.seat)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin another match; the bots play until it is the seat's turn."""
        super().reset(seed=seed)
        luck = int(self.np_random.integers(1 << 62))
        self.table.reset(luck)
        self._luck, self._onlooker = f"bots/{luck}", Onlooker(self.table.match)
        self._let_bots_play()
        return self.table.observe(self.seat), {}

    def step(self, action: np.int64) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Act, and let the bots play until it is the seat's turn again, or the match is over."""
        if not self._luck:
            raise gymnasium.error.ResetNeeded("there is no match yet; reset() begins one")
        self.table.play(action)
        self._let_bots_play()
        over = self.table.match.over
        return self.table.observe(self.seat), self.table.reward(self.seat), over, False, {}

    def render(self) -> str | None:
        """The table as the seat sees it, as text or SVG."""
        if self.render_mode is None:
            return None
        draw = as_text if self.render_mode == "ansi" else as_svg
        return draw(self.table.game, self.table.match.view(self.seat))

    def _let_bots_play(self) -> None:
        match = self.table.match
        while not match.over and self.table.seat != self.seat:
            seat = self.table.seat
            seed, _ = seed_of_move(self._luck, len(match.done))
            bot = self._bots[seat]
            self.table.do(bot.action(match, seat, seed, self._onlooker, self._budget))


for _name in names():
    # Bots that search think by the clock, so a seed alone does not settle what they do.
    where = f"{__name__}:{SeatEnv.__name__}"
    gymnasium.register(f"kibitz/{_name}", where, kwargs={"game": _name}, nondeterministic=True)
