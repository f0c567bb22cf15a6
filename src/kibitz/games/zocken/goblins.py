"""Goblins of the wood: they sleep by day and are awake by night. Drawn round their noses."""

from __future__ import annotations

from kibitz.art.palette import GREEN, INK, ORANGE, PAPER, PURPLE, RED, YELLOW
from kibitz.art.svg import circle, ellipse, line, path

SKIN = "#a3c076"
SHADE = "#7c9c58"
GLOW = "#ffe28a"

HAT = "M-47-8C-36-42-24-66-8-82 6-96 28-96 38-82 26-84 20-78 24-64 34-42 42-26 47-8Q0-24-47-8Z"
"""A pointed hat whose tip has flopped over."""

EARS = "M-30 2C-44-14-62-16-76-8-70 12-52 22-32 18ZM30 2C44-14 62-16 76-8 70 12 52 22 32 18Z"
HEAD = "M-39 0C-39-22 39-22 39 0 39 27 20 41 0 41S-39 27-39 0Z"
SHOULDERS = "M-46 60C-44 38-22 32 0 32S44 38 46 62Q0 66-46 60Z"


def bust(hat: str, coat: str, look: str) -> str:
    """A goblin down to its shoulders: a drawn hat, the coat's colour, and how it looks."""
    body = path(SHOULDERS, fill=coat) + path(EARS, fill=SHADE) + path(HEAD, fill=SKIN)
    return body + ellipse(0, 15, 5, 4, fill=SHADE) + look + hat


def figurine() -> str:
    """A goblin small and plain enough for a pictogram."""
    return path(EARS, fill=SHADE) + circle(0, 8, 34, fill=SKIN) + path(HAT, fill=RED.fill)


def asleep() -> str:
    """Closed eyes and a peaceful mouth."""
    return line("M-22 7Q-15 13-8 7M8 7Q15 13 22 7M-9 25Q0 31 9 25", INK, 3.5)


def awake() -> str:
    """Glowing eyes and a tooth."""
    tooth = path("M5 27 9 35 13 25Z", fill=PAPER)
    return _eyes(15, 6, 10) + line("M-14 24Q0 34 14 24", INK, 3.5) + tooth


def hidden_asleep() -> str:
    """All that is seen by day of a goblin who hides."""
    return line("M-24 0Q-16 7-8 0M8 0Q16 7 24 0", INK, 4)


def hidden_awake() -> str:
    """All that is seen by night of a goblin who hides."""
    return _eyes(17, 0, 12)


def motley_hat() -> str:
    """A hat in five colours, each laid over the one above it."""
    return (
        path(HAT, fill=PURPLE.fill)
        + path("M-23-66 25-60C34-42 42-26 47-8Q0-24-47-8-38-38-23-66Z", fill=RED.fill)
        + path("M-30-54 31-46 47-8Q0-24-47-8Z", fill=ORANGE.fill)
        + path("M-37-40 38-32 47-8Q0-24-47-8Z", fill=YELLOW.fill)
        + path("M-42-26 43-20 47-8Q0-24-47-8Z", fill=GREEN.fill)
    )


def _eyes(apart: float, y: float, size: float) -> str:
    return "".join(
        circle(x, y, size, fill=GLOW) + circle(x, y, size * 0.45, fill=INK) for x in (-apart, apart)
    )
