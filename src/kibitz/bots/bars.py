"""Everyone's chances as somebody sees them who watches and knows no hand."""

import numpy as np

from kibitz.bots.review import open_chances
from kibitz.bots.search import style_of
from kibitz.engine import border, chance
from kibitz.engine.action_list import new_list
from kibitz.engine.match import Match
from kibitz.engine.visibility import SPECTATOR
from kibitz.engine.zones import SEATS

PLAYOUTS = 10  # of each deal
ENOUGH = 400  # playouts in all
DEALS = 2000  # at most: who is in the midst of a choice cannot go on with it in every hand


def public_chances(match: Match) -> list[float]:
    """Each seat's chance to win, over deals that fit what everyone has seen."""
    style = style_of(match.game)
    states = np.concatenate([match.state, match.state])
    worth, lists, told = np.zeros(SEATS), new_list(), 0
    for deal in range(DEALS):
        states[0] = match.state[0]
        border.redeal_at(states, 0, SPECTATOR, *chance.seed_of_move("bars", deal))
        told += open_chances(states, lists, PLAYOUTS, deal, style, worth)
        if told >= ENOUGH or (told and match.over):
            break
    if not told:
        return [round(1 / match.players, 3)] * match.players
    return [round(float(w) / told, 3) for w in worth[: match.players]]
