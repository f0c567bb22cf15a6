"""How a network plays alone against tables of other bots, as it learns: whole matches at once."""

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from kibitz.engine.zones import SEATS
from kibitz.lab.learning.episodes import sample
from kibitz.lab.learning.net import Weights, forward, log_policy, without_learning
from kibitz.lab.learning.tables import Tables

MOST_STEPS = 4_000  # of a match that is waited for
ENOUGH = 0.95  # of the matches: who waits for the last one waits long


class Share(NamedTuple):
    """How many matches somebody has won, alone against others; a shared victory is shared."""

    players: int
    won: float
    matches: int


def at_random(tables: Tables) -> Any:
    """Others that do anything."""
    return sample(log_policy(torch.zeros_like(tables.masks, dtype=torch.float32), tables.masks))


def by_heuristics(tables: Tables) -> Any:
    """Others that play as `medium` does."""
    return tables.ask_teacher(0)


@without_learning
def shares(
    weights: Weights, tables: Tables, others: Callable[[Tables], Any] = by_heuristics
) -> list[Share]:
    """What the network wins of the first match at each table, by number of players.

    It always does what it likes best. The tables are new ones, whose episodes are matches.
    """
    device, n = tables.players.device, tables.n
    rows = torch.arange(n, device=device)
    seat = (rows // 64) % tables.players
    over = torch.zeros(n, dtype=torch.bool, device=device)
    won = torch.zeros(n, device=device)
    for _ in range(MOST_STEPS):
        if float(over.float().mean()) >= ENOUGH:
            break
        odds, _ = forward(weights, tables.observations)
        actions = log_policy(odds, tables.masks).argmax(1)
        actions = torch.where(tables.seats == seat, actions, others(tables))
        tables.step(actions)
        first = tables.ended & ~over
        won = torch.where(first, tables.worth.gather(1, seat[:, None]).squeeze(1), won)
        over |= first
    found = []
    for players in range(2, SEATS + 1):
        there = over & (tables.players == players)
        if int(there.sum()):
            found.append(Share(players, float(won[there].sum()), int(there.sum())))
    return found
