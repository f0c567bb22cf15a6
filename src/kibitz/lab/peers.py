"""How fast peers play at random: the nearest games of OpenSpiel and RLCard, where installed.

Random play of whole matches with four players, decisions a second on one core, as in
`lab.bench.random_play`. Dealing and drawing are no decisions.
"""

import contextlib
import random
import time
from collections.abc import Iterator

from kibitz.lab.observing_peers import rlcard_rate, timed

PLAYERS = 4
GAMES = 200  # from which the length of a match is taken
ROLLOUTS = 2_000  # of one call into C++


def crazy_eights(seconds: float) -> dict[str, float]:
    """OpenSpiel's crazy eights: rollouts in C++, and played step by step from Python."""
    import pyspiel  # noqa: PLC0415  a peer

    game = pyspiel.load_game(f"crazy_eights(players={PLAYERS})")
    rng = random.Random(1)

    def play(state: "pyspiel.State") -> int:
        made = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, chances)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                made += 1
        return made

    dealt = game.new_initial_state()
    while dealt.is_chance_node():
        dealt.apply_action(rng.choice([action for action, _ in dealt.chance_outcomes()]))
    length = sum(play(dealt.clone()) for _ in range(GAMES)) / GAMES
    # A search of one simulation whose leaf is valued by that many rollouts, all in C++.
    rollouts = pyspiel.RandomRolloutEvaluator(ROLLOUTS, 1)
    bot = pyspiel.MCTSBot(game, rollouts, 1.0, 1, 1, False, 1, False)
    calls, started = 0, time.perf_counter()
    while time.perf_counter() - started < seconds:
        bot.step(dealt)
        calls += 1
    rolled = calls * ROLLOUTS * length / (time.perf_counter() - started)
    return {
        "OpenSpiel crazy_eights, C++ rollouts": rolled,
        "OpenSpiel crazy_eights, from Python": timed(
            lambda: play(game.new_initial_state()), seconds
        ),
    }


def uno(seconds: float) -> dict[str, float]:
    """RLCard's Uno."""
    return {"RLCard uno": rlcard_rate("uno", seconds, game_num_players=PLAYERS)}


def measure(seconds: float) -> Iterator[tuple[str, float]]:
    """The peers that are installed, and how many decisions a second they make."""
    for peer in (crazy_eights, uno):
        with contextlib.suppress(ImportError):
            yield from peer(seconds).items()
