"""A puzzle whose answer is a choice of several steps, made up."""

from kibitz.bots.claims import Claim
from kibitz.bots.puzzles import Puzzle

POSITION = (
    "kiza 3 target=50\ndue: 0\ndonor: 0\nphase: auction\nlot: r●5\nbid.1: r●1\nleader: 1\n"
    "high: 1\npassed: 2\nscores: 0 0 0\nhand.0: r●2 r●3 r●7\nhand.1: y▲3 y▲5\nhand.2: y▲7\n"
    "discard: *"
)
CHANCES = {
    "pass": 0.25,
    "bid r●2 + done": 0.3,
    "bid r●3 + done": 0.31,
    "bid r●7 + done": 0.32,
    "bid r●2 + bid r●3 + done": 0.5,
    "bid r●2 + bid r●7 + done": 0.33,
    "bid r●3 + bid r●7 + done": 0.34,
    "bid r●2 + bid r●3 + bid r●7 + done": 0.2,
}
OF_STEPS = Puzzle(
    POSITION, 0, "bid r●2 + bid r●3 + done", "bid r●7 + done", CHANCES,
    (Claim("points", 4.0, 1.0, 0.5, 0),),
)  # fmt: skip
