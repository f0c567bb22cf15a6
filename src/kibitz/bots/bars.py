"""Everyone's chances as somebody sees them who watches and knows no hand."""

import numpy as np

from kibitz.bots.review import open_chances
from kibitz.bots.search import style_of
from kibitz.engine import border, chance
from kibitz.engine.action_list import new_list
from kibitz.engine.match import Match
from kibitz.engine.visibility import SPECTATOR
from kibitz.engine.zones import SEATS

DEALS = 40
PLAYOUTS = 10  # of each deal


def public_chances(match: Match) -> list[float]:
    """Each seat's chance to win, over deals that fit what everyone has seen."""
    style = style_of(match.game)
    states = np.concatenate([match.state, match.state])
    worth, lists = np.zeros(SEATS), new_list()
    deals = 1 if match.over else DEALS
    for deal in range(deals):
        states[0] = match.state[0]
        border.redeal_at(states, 0, SPECTATOR, *chance.seed_of_move("bars", deal))
        open_chances(states, lists, PLAYOUTS, deal, style, worth)
    return [round(float(w) / deals, 3) for w in worth[: match.players]]
