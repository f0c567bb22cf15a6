"""Puzzles whose answers are choices of several steps: one made up, and one that was found."""

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

FOUND = Puzzle(
    "kiza 3 target=50\n"
    "round: 7\n"
    "due: 0\n"
    "scores: 36 41 46\n"
    "round_scores: 8 16 1\n"
    "phase: auction\n"
    "donor: 2\n"
    "drawn: g▲10 - - - y■3 - - - g●15 - - -\n"
    "passed: 2\n"
    "captured: 2 4 1\n"
    "hand.0: g■10 y●2 y●15 y■5\n"
    "hand.1: b▲1 y●10\n"
    "hand.2: g●10\n"
    "kiza.2: r●10\n"
    "lot: b■10\n"
    "discard: *\n"
    "seen.discard: r▲1 r▲2 r▲3 r▲7 r▲10 r▲15 r♦5 r♦15 b●5 b●7 b●10 b■1 b■3 b■7 b■15 "
    "b▲10 b▲15 b♦5 b♦15 g●5 g▲1 g▲5 g▲10 g▲15 g♦3 g♦5 g♦10 y●3 y■7 y▲2 y▲3 y▲5 y▲10 "
    "y♦3 y♦5 y♦7 y♦10 y♦15\n"
    "gain.0: b●2 g●1 y■1 r■2 b●1 y▲1 r●5 r♦2 r♦7 y●1 b▲5 b♦7 b♦1\n"
    "gain.1: b■2 b▲2 g■7 g♦1 r●1 r♦1 g■5 r■1 r●2 b♦3 r■5 y■2 y♦2 b▲7\n"
    "gain.2: g♦7 g■1 r■7 b●15 r♦3 b▲3 b♦2 g♦2 y●5 y♦1\n",
    0, "bid g■10 + bid y■5 + done", "bid y■5 + done",
    {
        "bid g■10 + bid y■5 + done": 0.69, "bid y■5 + done": 0.579, "bid g■10 + done": 0.573,
        "pass": 0.129,
    },
    (Claim("points", 25.387, 23.337, 0.657, 0), Claim("points", 17.837, 18.688, 0.34, 1)),
)  # fmt: skip
