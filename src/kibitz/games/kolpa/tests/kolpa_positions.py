"""Positions of Kolpa!, and what the tests ask of them."""

import kibitz
from kibitz.engine.match import Match
from kibitz.games.kolpa.deck import COLOURS, NUMBERS

CALLS = (*COLOURS, *map(str, NUMBERS))  # what a joker can announce


def at(text: str, players: int = 2, seed: int = 1, target: int = 50) -> Match:
    """A position in which seat 0 is to play; what is not said lies in the draw pile."""
    lines = text.strip().splitlines()
    names = [line.split(":")[0].strip() for line in lines]
    for name, default in {"due": "due: 0", "starter": "starter: 0", "draw": "draw: *"}.items():
        if name not in names:
            lines.append(default)
    for seat in range(1, players):
        if f"hand.{seat}" not in names:
            lines.append(f"hand.{seat}: joker")
    return kibitz.position(
        "kolpa", "\n".join([f"kolpa {players} target={target}", *lines]), seed=seed
    )


EMPTY_DRAW = """
hand.0: {hand}
hand.1: joker joker
display.1.red: r0 r0 r1 r1 r2 r3 r3 r4 r4 r5 r5
display.1.blue: b0 b0 b1 b1 b3 b3 b4 b4 b5 b5
display.1.green: g0 g0 g1 g1 g2 g2 g3 g3 g4 g4
display.1.yellow: y0 y0 y1 y1 y2 y2 y3 y3 y4 y4 y5 y5
display.1.purple: p0 p0 p1 p1 p2 p2 p3 p3 p4 p4 p5 p5
discard: {discard}
draw:
"""


def nothing_to_draw(hand: str, other: str = "joker joker joker joker") -> Match:
    """Seat 0 is to play; neither the draw pile nor the discard below its top has a card."""
    held = [*hand.split(), *other.split()]
    lines = {"hand.0": hand, "hand.1": other, "discard": "b2", "draw": ""}
    for colour in COLOURS:
        cards = [f"{colour[0]}{n}" for n in NUMBERS for _ in range(2)]
        for card in ["b2", *held]:
            if card in cards:
                cards.remove(card)
        lines[f"display.1.{colour}"] = " ".join(cards)
    return at("\n".join(f"{name}: {words}" for name, words in lines.items()))


def on_an_uncovered_joker(call: str, text: str, players: int = 2) -> Match:
    """A joker lies on top of the discard pile, and a colour or a number is announced."""
    field = "called_colour" if call in COLOURS else "called_number"
    return at(f"{text}\ndiscard: r3 joker\n{field}: {call}", players)


def calls(match: Match, seat: int = 0) -> set[str]:
    """What a seat can announce with a joker."""
    return {
        action.removeprefix("joker ") for action in match.legal(seat) if action.startswith("joker ")
    }


def announced(match: Match) -> list[object]:
    """The announcements in force: one, or none."""
    fields = match.view().fields
    found = (fields["called_colour"], fields["called_number"])
    return [call for call in found if call is not None]
