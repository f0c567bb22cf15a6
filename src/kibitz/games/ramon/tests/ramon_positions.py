"""Positions of Ramon Jack Alphonse, and what the tests ask of them."""

import re
from collections import Counter

import kibitz
from kibitz.engine.match import Match
from kibitz.games.ramon.deck import DECK

Kitty = list[tuple[str, ...]]

FIVE = "b1 g2 o3 g12 o14"  # five stacks of 32 points: one more ends the round


def at(text: str, players: int = 3, seed: int = 1, options: str = "") -> Match:
    """A position in which seat 0 is to play; what is not said lies in the draw pile.

    `kitty.1: g5 b2/o7` stands for a green 5 and, next to it, an orange 7 on a blue 2.
    """
    lines = {"due": "0", "starter": "0", "draw": "*"}
    for line in text.strip().splitlines():
        name, _, words = line.partition(":")
        lines[name.strip()] = words
    for seat in range(players):
        for letter, stack in zip("abcdef", lines.pop(f"kitty.{seat}", "").split(), strict=False):
            lines[f"kitty.{seat}.{letter}"] = stack.replace("/", " ")
    body = [f"{name}: {words}" for name, words in lines.items()]
    return kibitz.position("ramon", "\n".join([f"ramon {players} {options}", *body]), seed=seed)


def without_draw_pile(text: str) -> Match:
    """The same, but all other cards lie covered beneath the first stack of seat 2."""
    left = Counter({kind.code: kind.copies for kind in DECK.kinds})
    left.subtract(code for code in re.split(r"[\s/]", text) if code in left)
    covered = "/".join(left.elements())
    return at(text.replace("kitty.2: ", f"kitty.2: {covered}/") + "\ndraw:")


def kitties(match: Match) -> list[Kitty]:
    """The stacks of each kitty, each from the bottom up."""
    zones = match.view().zones
    return [
        [
            (*zone.known, *zone.cards)
            for zone in (zones[f"kitty.{owner}.{letter}"] for letter in "abcdef")
            if zone.size
        ]
        for owner in range(match.players)
    ]


def kitty(match: Match, owner: int) -> Kitty:
    return kitties(match)[owner]


def shown(match: Match, owner: int) -> list[str]:
    return sorted(stack[-1] for stack in kitty(match, owner))


def drawable(match: Match) -> int:
    return match.view().zones["draw"].size
