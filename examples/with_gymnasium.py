"""A seat that plays at random, against three bots."""

import gymnasium

import kibitz.lab.gymnasium  # noqa: F401  registers the games

env = gymnasium.make("kibitz/viva", players=4, bots=["easy", "medium", "random"], rounds=1)
seen, info = env.reset(seed=1)
over, decisions = False, 0
while not over:
    action = env.action_space.sample(seen["action_mask"])
    seen, reward, over, truncated, info = env.step(action)
    decisions += 1
print(f"{decisions} decisions, reward {reward:.2f}")
