"""Positions of Kiza, and what the tests ask of them."""

import kibitz
from kibitz.engine.match import Match
from kibitz.games.kiza.deck import DECK

FIFTEENS = ["r●15", "b●15", "g●15", "y●15", "r■15", "b■15", "g■15"]


def worth(*codes: str) -> int:
    return sum(int(code[2:]) for code in codes)


def at(text: str, players: int = 3, seed: int = 1, target: int = 50) -> Match:
    """A position with seat 0 as Donor; what is not said lies in the Discard.

    Cards on Gain cards were captured in earlier rounds, unless `captured` says otherwise.
    """
    lines = {"due": "0", "donor": "0", "discard": "*"}
    for line in filter(str.strip, text.splitlines()):
        name, _, words = line.partition(":")
        lines[name.strip()] = words
    gains = [lines.get(f"gain.{seat}", "").split() for seat in range(players)]
    lines["scores"] = " ".join(str(worth(*gain)) for gain in gains)
    head = f"kiza {players} target={target}"
    body = [f"{name}: {words}" for name, words in lines.items()]
    return kibitz.position("kiza", "\n".join([head, *body]), seed=seed)


def auction(text: str = "", players: int = 3) -> Match:
    """The red circle 10 of seat 0 is up; nobody has bid. What is not said lies in the Discard.

    Everyone has a yellow triangle left as Kiza card; these match no red circle.
    """
    lines = ["phase: auction", "lot: r●10"]
    for seat, value in zip(range(players), (1, 2, 3, 5, 7, 10), strict=False):
        lines.append(f"kiza.{seat}: y▲{value}")
    return at("\n".join([*lines, text]), players)


def last_auction(text: str = "", players: int = 3, seed: int = 1, target: int = 50) -> Match:
    """The round's last Kiza card: seat 1 leads with a 1, seat 2 has passed, seat 0 is asked."""
    bids = "phase: auction\nlot: r●5\nbid.1: r●1\nleader: 1\nhigh: 1\npassed: "
    passed = " ".join(str(seat) for seat in range(2, players))
    return at(f"{bids}{passed}\n{text}", players, seed, target)


def nobody_bids(text: str = "", players: int = 3, seed: int = 1, target: int = 50) -> Match:
    """The round's last Kiza card has been put up by seat 0; all pass."""
    match = at(f"phase: auction\nlot: r●15\n{text}", players, seed, target)
    for _ in range(players):
        match.play(min(match.to_act), "pass")
    return match


def present(match: Match, *choices: str) -> None:
    """Each seat in turn presents its cards and is ready."""
    for seat, choice in enumerate(choices):
        for card in choice.split():
            match.play(seat, f"present {card}")
        match.play(seat, "ready")


def bid(match: Match, seat: int, *laid: str) -> None:
    """A seat lays these cards and finishes its bid."""
    for card in laid:
        match.play(seat, f"bid {card}")
    match.play(seat, "done")


def shared_out(left: list[str]) -> str:
    """All cards but these on six Gain cards, as evenly as can be."""
    gains: list[list[str]] = [[] for _ in range(6)]
    for card in sorted(set(DECK.codes) - set(left), key=worth, reverse=True):
        min(gains, key=lambda gain: worth(*gain)).append(card)
    return "\n".join(f"gain.{seat}: {' '.join(gain)}" for seat, gain in enumerate(gains))


def high(match: Match) -> tuple[int, int | None]:
    """The highest bid, and whose it is."""
    fields = match.view().fields
    return fields["high"], fields["leader"]
