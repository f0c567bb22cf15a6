"""How often each seat wins when all play at random: a thousand matches side by side."""

import numpy as np

from kibitz.lab.vector import VectorEnv

env = VectorEnv("kolpa", 1000, players=4, seed=1, target=20)
step, won, matches = env.reset(), np.zeros(4), 0
while matches < 1000:
    step = env.step(env.random_actions())  # or choose by step.observations and step.masks
    won += (step.rewards > 0).sum(axis=0)  # a shared victory counts for all who share it
    matches += int(step.dones.sum())
print(f"{matches} matches; seats won {', '.join(f'{share:.0%}' for share in won / matches)}")
