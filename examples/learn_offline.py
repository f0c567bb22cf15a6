"""Learn from a file of decisions how a bot plays: a linear policy, in numpy alone.

kibitz dataset kolpa --matches 200 --out kolpa.parquet
python examples/learn_offline.py kolpa.parquet
"""

import sys
from pathlib import Path

import numpy as np

from kibitz.lab.dataset import read

STEPS, BATCH, RATE = 300, 256, 0.5


def main(file: str) -> None:
    """Fit a policy to four fifths of the matches, and try it on the others."""
    data = read(Path(file))
    about = data.about
    print(f"{len(data.actions):,} decisions of {about['bots'][0]} at {about['game']}")
    scale = np.maximum(1, np.abs(data.observations).max(axis=0))
    seen = np.hstack([data.observations / scale, np.ones((len(data.actions), 1))])
    tried = data.matches % 5 == 0
    train, rng = np.flatnonzero(~tried), np.random.default_rng(0)
    weights = np.zeros((seen.shape[1], data.masks.shape[1]))
    for _ in range(STEPS):
        rows = rng.choice(train, BATCH)
        chance = policy(seen[rows] @ weights, data.masks[rows])
        chance[np.arange(BATCH), data.actions[rows]] -= 1  # the slope of the cross entropy
        weights -= RATE / BATCH * seen[rows].T @ chance
    guessed = policy(seen[tried] @ weights, data.masks[tried]).argmax(axis=1)
    alike = np.mean(guessed == data.actions[tried])
    by_chance = np.mean(1 / data.masks[tried].sum(axis=1))
    print(f"The policy does the same in {alike:.0%} of new decisions; by chance: {by_chance:.0%}")


def policy(worth: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """How likely each action is; those outside the mask are not."""
    worth = np.where(masks, worth, -np.inf)
    weight = np.exp(worth - worth.max(axis=1, keepdims=True))
    return weight / weight.sum(axis=1, keepdims=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
