"""What the cards of a zone come to, and the numbers beside a prompt: worked out from a view.

The page does the same (web/src/tallies.ts); a test compares the two.
"""

from collections.abc import Iterator

from kibitz.engine.game import Game
from kibitz.engine.tabletop import Figure
from kibitz.engine.view import View, ZoneView


def zones_of(game: Game, view: View, family: str, seat: int | None) -> Iterator[ZoneView]:
    """The zones of a family that belong to a seat, or to the table."""
    for zone in game.layout.zones.at(view.players):
        if zone.family.name == family and (seat is None or zone.owner in (None, seat)):
            yield view.zones[zone.name]


def counted(game: Game, view: View, family: str, seat: int | None) -> list[str] | None:
    """The cards that count; None where some of them are not seen."""
    tally = game.tabletop.places[family].tally
    tops = bool(tally and tally.tops)
    cards: list[str] = []
    for zone in zones_of(game, view, family, seat):
        if tops:
            cards += zone.cards[-1:]
        elif zone.size > len(zone.cards):
            return None
        else:
            cards += zone.cards
    return cards


def come_to(game: Game, view: View, family: str, seat: int | None) -> int | None:
    """What a family's cards come to at a seat: their worth, or how many they are."""
    tally = game.tabletop.places[family].tally
    sizes = [zone.size for zone in zones_of(game, view, family, seat)]
    if tally is None:
        return sum(sizes)
    if tally.by_size:
        return sum(tally.by_size[min(size, len(tally.by_size) - 1)] for size in sizes)
    cards = counted(game, view, family, seat)
    if cards is None:
        return None
    if lacking(game, view, family, seat):
        return 0
    return sum(tally.worth.get(card, 0) for card in cards)


def named(game: Game, view: View, family: str, seat: int | None) -> list[str]:
    """The words that a family's cards name, such as the colours that they block."""
    tally = game.tabletop.places[family].tally
    if tally is None or tally.names is None:
        return []
    return _words(game, tally.names, counted(game, view, family, seat) or [])


def lacking(game: Game, view: View, family: str, seat: int | None) -> list[str]:
    """The words without which a family's cards come to nothing."""
    tally = game.tabletop.places[family].tally
    if tally is None or tally.every is None:
        return []
    there = _words(game, tally.every, counted(game, view, family, seat) or [])
    return [w for w in _words(game, tally.every, game.layout.deck.codes) if w not in there]


def _words(game: Game, name: str, codes: list[str] | tuple[str, ...]) -> list[str]:
    """The words of some cards, each once; `colour2` is a colour, too."""
    kinds = {kind.code: kind for kind in game.layout.deck.kinds}
    found = [
        word
        for code in codes
        for key, word in kinds[code].words.items()
        if key.rstrip("0123456789") == name
    ]
    return list(dict.fromkeys(found))


def figure(game: Game, view: View, seat: int, wanted: Figure) -> int:
    """A number beside a prompt."""
    total = 0
    for term in wanted.terms:
        name = term.removeprefix("-")
        if name.isdigit():
            value = int(name)
        elif name in view.fields:
            value = int(view.fields[name])
        else:
            value = come_to(game, view, name, seat) or 0
        total += -value if term.startswith("-") else value
    return total
