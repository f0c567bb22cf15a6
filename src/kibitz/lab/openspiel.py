"""A game as one of OpenSpiel, over the compiled rules.

    from kibitz.lab import openspiel
    game = openspiel.load("kolpa", players=3, target=30)

Chance acts once, at the beginning: it picks one of `deals` seeds, which settles all luck of the
match. So the game is a finite one, in which the same information states come again, and a state is
written down by its history. Sampling a world for a player draws new luck as well.
"""

from typing import Any

import numpy as np

from kibitz.engine import border
from kibitz.engine.chance import seed_of_move
from kibitz.engine.errors import IllegalAction
from kibitz.engine.game import Game
from kibitz.extras import ask_for
from kibitz.games import find
from kibitz.lab.numbers import whole
from kibitz.lab.picture import as_text
from kibitz.lab.single import SingleEnv

try:
    import pyspiel
except ModuleNotFoundError as missing:
    raise ask_for(missing) from None

DEALS = 1000
_loaded: set[str] = set()


def load(game: str, players: int | None = None, *, deals: int = DEALS, **options: object) -> Any:
    """A game of OpenSpiel; it is registered as `kibitz_GAME`, with players, deals and options."""
    found = find(game)
    usual = found.identity.usual_players
    how_many = whole("players", usual if players is None else players, 1)
    seeds = whole("deals", deals, 1)
    settings = found.written(found.settings(how_many, options))
    short_name = f"kibitz_{game}"
    if short_name not in _loaded:
        own = type(f"Kibitz{game.title()}", (KibitzGame,), {"rules": found})
        pyspiel.register_game(_game_type(found), own)
        _loaded.add(short_name)
    return pyspiel.load_game(short_name, {"players": how_many, "deals": seeds, **settings})


def _game_type(game: Game) -> Any:
    kind, card = pyspiel.GameType, game.identity
    parameters = {"players": card.usual_players, "deals": DEALS}
    parameters |= game.written(game.settings(card.usual_players, {}))  # type: ignore[arg-type]
    return kind(
        short_name=f"kibitz_{game.name}",
        long_name=card.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=card.seats[-1],
        min_num_players=card.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


class KibitzGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game with a number of players and options; each game has a class of its own."""

    rules: Game

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        game, kind = self.rules, _game_type(self.rules)
        given = {**kind.parameter_specification, **(params or {})}
        self.deals, players = given.pop("deals"), given.pop("players")
        self.table = SingleEnv(game.name, players, **given)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.table.layout.actions,
            max_chance_outcomes=self.deals,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=game.identity.longest,
        )
        super().__init__(kind, info, params or {})

    def new_initial_state(self) -> "KibitzState":
        """Before the deal."""
        return KibitzState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "KibitzObserver":
        """What tells a state as a player sees it."""
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return KibitzObserver(self.table, recalls=recalls)


class KibitzState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A match, or what is before its deal."""

    def __init__(self, game: KibitzGame) -> None:
        super().__init__(game)
        self.deals = game.deals
        self.table = game.table.copy()
        self.is_dealt = False
        self.lines: dict[int, tuple[int, str]] = {}  # how much of the log was told, and the text

    def current_player(self) -> int:
        """Who acts."""
        if not self.is_dealt:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.table.seat

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """All deals, each as likely."""
        return [(deal, 1 / self.deals) for deal in range(self.deals)]

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.table.told(player, a) for a in self.table.match.legal_numbers(player))

    def _apply_action(self, action: int) -> None:
        if self.is_dealt:
            self.table.play(action)
        elif not 0 <= action < self.deals:
            raise IllegalAction(f"there is no deal {action}; deals are 0 to {self.deals - 1}")
        else:
            self.table.reset(action)
            self.is_dealt = True

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return self.table.game.actions.write(self.table.meant(player, action))

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.is_dealt and self.table.match.over

    def returns(self) -> list[float]:
        """What the match has brought each player."""
        return [self.table.reward(seat) for seat in range(self.table.players)]

    def resample_from_infostate(self, player: int, sampler: Any) -> "KibitzState":
        """A state that could be this one for all that a player knows, with other luck to come."""
        other: KibitzState = self.clone()
        match, luck = self.table.match, f"resampled {sampler()}"
        world = match.state.copy()
        border.redeal_at(world, 0, player, *seed_of_move(luck, 0))
        other.table.match = match.in_world(world)
        other.table.match.seed = luck
        return other

    def told(self, player: int) -> str:
        """All that a player has read in the log."""
        match = self.table.match
        done, text = self.lines.get(player, (0, ""))
        for n in range(done, len(match.done)):
            line = match.line(n, player)
            text += "" if line is None else f"{line}\n"
        self.lines[player] = len(match.done), text
        return text

    def __str__(self) -> str:
        return self.table.match.position() if self.is_dealt else "before the deal"


class KibitzObserver:
    """A state as a player sees it, as numbers and as text."""

    def __init__(self, table: SingleEnv, *, recalls: bool) -> None:
        self.recalls = recalls
        self.tensor = np.zeros(0 if recalls else table.layout.size, np.float32)
        self.dict = {} if recalls else {"observation": self.tensor}

    def set_from(self, state: KibitzState, player: int) -> None:
        """Take in what a player sees."""
        self.tensor[:] = state.table.observe(player)["observation"] if state.is_dealt else 0

    def string_from(self, state: KibitzState, player: int) -> str:
        """What a player sees, and all that it has seen where it recalls everything."""
        if not state.is_dealt:
            return "before the deal"
        match = state.table.match
        seen = as_text(match.game, match.view(player))
        return f"{state.told(player)}{seen}" if self.recalls else seen
