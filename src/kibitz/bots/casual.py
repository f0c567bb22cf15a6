"""A bot without a plan, for company."""

import random
from collections.abc import Sequence

from kibitz.engine.game import Game

EAGERNESS = 0.85


def choose(game: Game, legal: Sequence[int], rng: random.Random) -> int:
    """One of the legal actions at random; rather one that plays a card than one that waits."""
    cards = [action for action in legal if "card" in game.actions.all[action].words]
    return rng.choice(cards if cards and rng.random() < EAGERNESS else legal)
