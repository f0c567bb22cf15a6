"""What the end of a match is worth to a seat, for whoever learns from it."""

from kibitz.engine.compiled import rule


def reward(is_winner: bool, winners: int, players: int) -> float:
    """From -1 to 1; those of all seats add up to 0, and a shared victory is shared.

    Who wins alone gets 1, the others -1 / (players - 1) each. Where nobody has won, all get 0.
    """
    if winners == 0:
        return 0.0
    return (players / winners - 1) / (players - 1) if is_winner else -1 / (players - 1)


compiled_reward = rule(reward)
