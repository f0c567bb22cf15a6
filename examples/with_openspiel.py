"""OpenSpiel's search in sampled worlds against random play."""

import numpy as np
from open_spiel.python.algorithms import ismcts, mcts

from kibitz.lab import openspiel

rng = np.random.RandomState(1)
game = openspiel.load("ramon", players=3, target=30)
bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 1.5, 20, random_state=rng)
state = game.new_initial_state()
state.apply_action(7)  # chance: which of the deals
while not state.is_terminal():
    if state.current_player() == 0:
        state.apply_action(int(bot.step(state)))
    else:
        state.apply_action(int(rng.choice(state.legal_actions())))
print([round(share, 2) for share in state.returns()])
