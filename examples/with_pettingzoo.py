"""A match in which every seat is an agent that plays at random."""

from kibitz.lab import pettingzoo

env = pettingzoo.env("zocken", players=4, render_mode="ansi")
env.reset(seed=1)
print(env.render())
for agent in env.agent_iter():
    seen, reward, termination, truncation, info = env.last()
    if termination or truncation:
        print(agent, round(reward, 2))
        env.step(None)
    else:
        env.step(env.action_space(agent).sample(seen["action_mask"]))
