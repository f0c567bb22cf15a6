"""What good players do more often than the values of a game's heuristics tell: fitted, and printed.

    python -m kibitz.lab.habits kolpa zocken --matches 16 --bot hard:learned=0:simulations=1000

Bots play matches. Each action is taken to be chosen the likelier, the greater value / heat + habit
is, where the habit is one number for each verb; printed are the heat and the `HABITS` for which the
choices made are the likeliest, and how likely they are then.
"""

import argparse
from typing import Any

import numpy as np

from kibitz.bots import knowledge
from kibitz.bots.inference import Onlooker
from kibitz.bots.levels import level
from kibitz.engine.action_list import list_actions, new_list
from kibitz.engine.chance import seed_of_move
from kibitz.engine.compiled import from_python
from kibitz.engine.errors import KibitzError
from kibitz.engine.game import Game
from kibitz.engine.match import Match
from kibitz.games import find, names
from kibitz.lab.crew import crew, in_order

SCALE = 100  # of values, so that all numbers are about 1
FARTHEST = 20  # so many times the scale below the best, an action is as bad as any
STEPS = 30
SHY = 1.0  # what speaks against a number other than 0: as much as a few choices


@from_python
def values_at(states: Any, seat: int, lists: Any, values: Any) -> None:
    """The values of a seat's actions, which are listed, in state 0."""
    list_actions(states[0], seat, lists[0])
    for i in range(lists[0].count):
        values[i] = knowledge.action_value(states[0], seat, lists[0].action[i])


def features(game: Game, match: Match, seat: int) -> tuple[Any, list[int]]:
    """For each action its value and its verb, as a row; and the actions."""
    lists, values = new_list(), np.zeros(len(game.actions.all))
    values_at(match.state, seat, lists, values)
    actions = [int(a) for a in lists[0]["action"][: lists[0]["count"]]]
    verbs = list(game.actions.verbs)
    rows = np.zeros((len(actions), 1 + len(verbs)))
    rows[:, 0] = np.maximum(
        values[: len(actions)] - values[: len(actions)].max(), -FARTHEST * SCALE
    )
    rows[:, 0] /= SCALE
    for row, action in zip(rows, actions, strict=True):
        row[1 + verbs.index(game.actions.all[action].verb)] = 1
    return rows, actions


def play_match(name: str, number: int, bot: str) -> list[tuple[Any, int]]:
    """The choices of a match: what there was to choose from, and what was chosen."""
    game, chooser, found = find(name), level(bot), []
    knowledge.of(game)
    match = Match.new(game, game.identity.usual_players, f"habits {number}", {})
    onlooker = Onlooker(match)
    while not match.over:
        if match.round_over:
            match.next_round()
        seat = min(match.to_act)
        seed, _ = seed_of_move(f"{number}", len(match.done))
        rows, actions = features(game, match, seat)
        text = chooser.action(match, seat, seed, onlooker)
        match.play(seat, text)
        if len(actions) > 1:
            found.append((rows, actions.index(match.done[-1].action)))
    return found


def shares(rows: Any, weights: Any) -> Any:
    """How likely each action is."""
    odds = rows @ weights
    shares = np.exp(odds - odds.max())
    return shares / shares.sum()


def fit(choices: list[tuple[Any, int]]) -> Any:
    """The weights for which these choices are the likeliest (Newton's method)."""
    n = choices[0][0].shape[1]
    weights = np.zeros(n)
    for _ in range(STEPS):
        slope, curve = -SHY * weights, SHY * np.eye(n)
        for rows, chosen in choices:
            likely = shares(rows, weights)
            mean = likely @ rows
            slope += rows[chosen] - mean
            curve += (rows.T * likely) @ rows - np.outer(mean, mean)
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def loss(choices: list[tuple[Any, int]], weights: Any) -> float:
    """The mean of minus the log of how likely each choice was."""
    return float(-np.mean([np.log(shares(rows, weights)[chosen]) for rows, chosen in choices]))


def main() -> None:
    """Print the fitted numbers of each game, and what they are worth."""
    parser = argparse.ArgumentParser("habits", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="+", metavar="GAME")
    parser.add_argument("--matches", type=int, default=16)
    parser.add_argument("--bot", default="hard:learned=0:simulations=1000")
    words = parser.parse_args()
    if words.matches < 2:
        parser.error("--matches must be at least 2: one to fit the numbers to, one to try them on")
    if unknown := set(words.names) - set(names()):
        parser.error(f"there is no game {', '.join(unknown)}; there are {', '.join(names())}")
    try:
        level(words.bot)
    except KibitzError as wrong:
        parser.error(str(wrong))
    for name in words.names:
        with crew() as hired:
            jobs = ((name, n, words.bot) for n in range(words.matches))
            matches = in_order(hired.work(play_match, jobs))
        half = len(matches) * 2 // 3
        fitted = [choice for match in matches[:half] for choice in match]
        fresh = [choice for match in matches[half:] for choice in match]
        weights = fit(fitted)
        verbs = [verb.name for verb in find(name).actions.verbs]
        habits = {v: round(float(w), 2) for v, w in zip(verbs, weights[1:], strict=True)}
        print(
            f"{name}: heat {SCALE / weights[0]:.0f}, HABITS = {habits}; "
            f"{loss(fresh, weights):.3f} nats on {len(fresh)} fresh choices "
            f"(knowing nothing: {loss(fresh, 0 * weights):.3f})"
        )


if __name__ == "__main__":
    main()
