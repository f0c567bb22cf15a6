"""What a seat may see, as a type of its own: nothing else leaves a match."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from kibitz.engine.compiled import NONE
from kibitz.engine.game import Game
from kibitz.engine.record import Field
from kibitz.engine.visibility import ROW, SPECTATOR, visible_rows_at
from kibitz.engine.zones import SEATS, Zone


@dataclass(frozen=True)
class ZoneView:
    """One zone as a viewer sees it. Cards are codes, never numbers: copies look alike.

    `cards` can be looked at now. `known` are cards that lie unseen there, but the viewer has
    seen them go there. Piles are listed from the bottom up.
    """

    name: str
    size: int
    cards: tuple[str, ...]
    known: tuple[str, ...]


@dataclass(frozen=True)
class View:
    """The table from a seat (None: as a spectator sees it)."""

    game: str
    seat: int | None
    players: int
    round: int
    to_act: frozenset[int]
    round_over: bool
    over: bool
    scores: tuple[int, ...]
    winners: frozenset[int]
    zones: dict[str, ZoneView]
    fields: dict[str, Any]

    def data(self) -> dict[str, Any]:
        """The view as plain values, ready for JSON."""
        return {
            **vars(self),
            "to_act": sorted(self.to_act),
            "scores": list(self.scores),
            "winners": sorted(self.winners),
            "zones": [
                {**vars(zone), "cards": list(zone.cards), "known": list(zone.known)}
                for zone in self.zones.values()
            ],
            "fields": dict(self.fields),
        }


@cache
def set_of(bits: int) -> frozenset[int]:
    """The seats of a set."""
    return frozenset(i for i in range(bits.bit_length()) if bits >> i & 1)


def cards_of(words: Any) -> Iterator[int]:
    """The card numbers of a set of two words."""
    for w, word in enumerate(words):
        left, first = int(word), 64 * w - 1
        while left:
            bit = left & -left
            yield first + bit.bit_length()
            left ^= bit


def pile_of(record: Any, pile: int) -> list[int]:
    """The card numbers of a pile, from the bottom up."""
    cards = []
    card = int(record["top"][pile])
    under = record["under"]
    while card != NONE:
        cards.append(card)
        card = int(under[card])
    return cards[::-1]


def show(field: Field, value: Any, codes: tuple[str, ...]) -> Any:
    """A field's value in words."""
    if field.shape:
        inner = Field(**{**field.__dict__, "shape": field.shape[1:]})
        return [show(inner, v, codes) for v in value]
    value = int(value)
    if field.is_seats:
        return sorted(set_of(value))
    if value == NONE and field.empty == NONE:
        return None
    if field.is_kind:
        return codes[value]
    return field.words[value] if field.words else value


def trim(field: Field, value: Any, players: int) -> Any:
    """A field's value without the seats that nobody sits on."""
    return value[:players] if field.shape[:1] == (SEATS,) else value


def view(game: Game, state: Any, seat: int | None) -> View:
    """What a seat, or a spectator, may see of a state (an array of one)."""
    record = state[0]
    players = int(record["players"])
    codes = game.layout.deck.codes
    rows = new_rows(game)
    visible_rows_at(state, 0, SPECTATOR if seat is None else seat, rows)
    return View(
        game=game.name,
        seat=seat,
        players=players,
        round=int(record["round_no"]),
        to_act=set_of(int(record["due"])),
        round_over=bool(record["round_over"]),
        over=bool(record["over"]),
        scores=tuple(int(n) for n in record["total"][:players]),
        winners=set_of(int(record["winners"])),
        zones={
            zone.name: _zone_view(game, record, zone, rows[row_of(game, zone)].tolist())
            for zone in game.layout.zones.at(players)
        },
        fields={
            name: show(field, trim(field, record[name], players), codes)
            for name, field in game.layout.shown.items()
        },
    )


def faces_seen(game: Game, state: Any, seat: int | None) -> set[int]:
    """The cards (as numbers) of which a seat knows where they lie; piles are built openly."""
    rows = new_rows(game)
    visible_rows_at(state, 0, SPECTATOR if seat is None else seat, rows)
    seen: set[int] = set()
    for zone in game.layout.zones.at(int(state["players"][0])):
        if zone.family.is_pile:
            seen.update(pile_of(state[0], zone.index))
        else:
            row = rows[row_of(game, zone)]
            seen.update(cards_of(row[1:3]), cards_of(row[3:5]))
    return seen


def new_rows(game: Game, *viewers: int) -> Any:
    """Room for what a viewer, or several, see of the game's zones."""
    layout = game.layout
    rows = max(1, layout.zones.sets) + max(1, layout.zones.piles)
    return np.zeros((*viewers, rows, ROW), np.int64)


def row_of(game: Game, zone: Zone) -> int:
    """The row of a zone among all that a viewer sees."""
    return max(1, game.layout.zones.sets) + zone.index if zone.family.is_pile else zone.index


def _zone_view(game: Game, record: Any, zone: Zone, row: list[int]) -> ZoneView:
    if not zone.family.is_pile:
        return ZoneView(zone.name, row[0], codes_of(game, row[1:3]), codes_of(game, row[3:5]))
    pile = pile_codes(game, record, zone)
    if zone.family.looked_through:
        return ZoneView(zone.name, len(pile), pile, ())
    return ZoneView(zone.name, len(pile), pile[-1:], pile[:-1])


def pile_codes(game: Game, record: Any, zone: Zone) -> tuple[str, ...]:
    """The cards of a pile, from the bottom up."""
    kind, codes = game.layout.deck.kind, game.layout.deck.codes
    return tuple(codes[kind[card]] for card in pile_of(record, zone.index))


def codes_of(game: Game, words: Any) -> tuple[str, ...]:
    """The cards of a set of two words, kind by kind."""
    kind, codes = game.layout.deck.kinds_by_card, game.layout.deck.codes
    return tuple([codes[k] for k in sorted([kind[card] for card in cards_of(words)])])
