"""Everyone's chances as somebody sees them who watches and knows no hand."""

import numpy as np

from kibitz.bots.review import open_chances
from kibitz.bots.search import Style
from kibitz.engine import chance, playout
from kibitz.engine.glimpse import SPECTATOR
from kibitz.engine.match import Match
from kibitz.engine.moves import new_moves
from kibitz.engine.zones import SEATS

DEALS = 40
PLAYOUTS = 10  # of each deal


def public_chances(match: Match) -> list[float]:
    """Each seat's chance to win, over deals that fit what everyone has seen."""
    states = match.game.blank(match.players, match.settings, 2)
    worth, lists = np.zeros(SEATS), new_moves()
    deals = 1 if match.over else DEALS
    for deal in range(deals):
        states[0] = match.state[0]
        playout.redeal_at(states, 0, SPECTATOR, *chance.seed_of_move("bars", deal))
        open_chances(states, lists, PLAYOUTS, deal, Style(), worth)
    return [round(float(w) / deals, 3) for w in worth[: match.players]]
