"""Positions as text, for tests, documents and puzzles.

    kolpa 3 target=50
    scores: 10 -3 0
    due: 1
    hand.0: r5 g3
    discard: b2 r2
    draw: *

The first line names game, players and options. Then, in any order, a line for each field and
each zone that is not empty; piles are written from the bottom up, and `*` stands for all cards
that are mentioned nowhere else. `seen.discard: r5` says that everyone knows of a card in a
closed zone, `known.1.hand.0: r5` that seat 1 does. What follows a # is a remark.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from kibitz.engine.checked import Checked, CheckedList, plain
from kibitz.engine.compiled import NONE
from kibitz.engine.deck import Deck
from kibitz.engine.errors import BadOption, BadPosition
from kibitz.engine.game import Game
from kibitz.engine.options import Settings
from kibitz.engine.record import PLAIN_NAMES, Field
from kibitz.engine.rounds import next_round
from kibitz.engine.view import cards_of, pile_of, set_of, show, trim
from kibitz.engine.zones import Zone

_NAMES = {name: field for field, name in PLAIN_NAMES.items()}


def write_position(game: Game, record: Any, settings: Settings) -> str:
    """A state as text. The random numbers to come are no part of it."""
    layout, players = game.layout, int(record["players"])
    options = game.identity.options
    head = [game.name, str(players)]
    head += [f"{name}={_yes_no(options[name].write(v))}" for name, v in settings.items()]
    lines = [" ".join(head)]
    for name, field in _fields(game).items():
        if name in settings or name == "players":
            continue
        value = trim(field, record[name], players)
        if np.any(np.asarray(value) != field.empty):
            lines.append(
                f"{PLAIN_NAMES.get(name, name)}: {_written(field, value, layout.deck.codes)}"
            )
    for zone in layout.zones.at(players):
        lines += _zone_lines(game, record, zone)
    return "\n".join(lines) + "\n"


def _fields(game: Game) -> dict[str, Field]:
    """The fields that are written down, those of every game first."""
    return {**game.layout.common, **game.layout.fields}


def _yes_no(value: object) -> str:
    return str(value) if not isinstance(value, bool) else "yes" if value else "no"


def _written(field: Field, value: Any, codes: tuple[str, ...]) -> str:
    shown = show(field, value, codes)
    values = shown if isinstance(shown, list) else [shown]
    flat = [v for row in values for v in (row if isinstance(row, list) else [row])]
    return " ".join("-" if v is None else str(v) for v in flat)


def _zone_lines(game: Game, record: Any, zone: Zone) -> Iterable[str]:
    if zone.family.is_pile:
        cards = pile_of(record, zone.index)
        if cards:
            yield f"{zone.name}: {_codes(game, cards)}"
        return
    cards = _sorted(game, cards_of(record["cards"][zone.index]))
    if not cards:
        return
    yield f"{zone.name}: {_codes(game, cards)}"
    if zone.family.sight.value == "everyone":
        return
    everyone = set(cards_of(record["seen"]))
    if everyone & set(cards):
        yield f"seen.{zone.name}: {_codes(game, [c for c in cards if c in everyone])}"
    for seat in range(int(record["players"])):
        private = set(cards_of(record["known"][seat])) - everyone
        if seat != zone.owner and private & set(cards):
            yield f"known.{seat}.{zone.name}: {_codes(game, [c for c in cards if c in private])}"


def _sorted(game: Game, cards: Iterable[int]) -> list[int]:
    kind = game.layout.deck.kind
    return sorted(cards, key=lambda card: (int(kind[card]), card))


def _codes(game: Game, cards: Iterable[int]) -> str:
    deck = game.layout.deck
    return " ".join(deck.codes[deck.kind[card]] for card in cards)


def read_position(game: Game, text: str) -> tuple[Any, Settings]:
    """A state, as an array of one, from text; it has been tried out in checked play."""
    if not isinstance(text, str):
        raise BadPosition(f"a position is a text, not {text!r}")
    lines = [line.split("#")[0].strip() for line in text.splitlines()]
    lines = [line for line in lines if line]
    if not lines:
        raise BadPosition("the position is empty; its first line names game and players")
    players, settings = _read_head(game, lines[0])
    reader = _Reader(game, players, settings)
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        if not colon:
            raise BadPosition(f"{line!r} is no line of a position; write `name: values`")
        reader.read(name.strip(), value.split())
    state = game.with_derived(reader.finish())
    _try_out(game, state)
    return state, settings


def _read_head(game: Game, line: str) -> tuple[int, Settings]:
    name, *rest = line.split()
    if name != game.name:
        raise BadPosition(f"this is a position of {name!r}, not of {game.name!r}")
    if not rest or not (rest[0].isascii() and rest[0].isdigit()):
        raise BadPosition(f"write the number of players after {name!r}, as in `{name} 4`")
    options: dict[str, object] = {}
    for item in rest[1:]:
        option, equals, value = item.partition("=")
        if not equals:
            raise BadPosition(f"{item!r} is no option; write `name=value`")
        options[option] = value
    try:
        players = int(rest[0])
        return players, game.settings(players, options)
    except BadOption as error:
        raise BadPosition(str(error)) from None


class _Reader:
    """A state being read, line by line."""

    def __init__(self, game: Game, players: int, settings: Settings) -> None:
        self.game, self.players = game, players
        self.deck: Deck = game.layout.deck
        self.zones = {zone.name: zone for zone in game.layout.zones.at(players)}
        self.fields = _fields(game)
        for name in (*settings, "players"):
            self.fields.pop(name)
        self.state = game.blank(players, settings)
        self.state["top"] = NONE
        self.state["under"] = NONE
        self.state["round_no"] = 1
        self.left = {k: [self.deck.card(k, n) for n in range(kind.copies)]
                     for k, kind in enumerate(self.deck.kinds)}  # fmt: skip
        self.rest: Zone | None = None
        self.done: set[str] = set()
        self.knowledge: list[tuple[int | None, Zone, list[int]]] = []

    def read(self, name: str, words: list[str]) -> None:
        """One line."""
        if name in self.done:
            raise BadPosition(f"{name!r} is written twice")
        self.done.add(name)
        first, _, zone = name.partition(".")
        if name in self.zones:
            self._read_zone(self.zones[name], words)
        elif _NAMES.get(name, name) in self.fields:
            self._read_field(_NAMES.get(name, name), words)
        elif first == "seen" and zone in self.zones:
            self.knowledge.append((None, self.zones[zone], self._kinds(words)))
        elif first == "known" and zone[1:2] == "." and zone[2:] in self.zones:
            self.knowledge.append((self._seat(zone[0]), self.zones[zone[2:]], self._kinds(words)))
        else:
            known = ", ".join([*(PLAIN_NAMES.get(f, f) for f in self.fields), *self.zones])
            raise BadPosition(f"{self.game.name} has no {name!r}; it has {known}")

    def _read_zone(self, zone: Zone, words: list[str]) -> None:
        if words == ["*"]:
            if self.rest is not None or zone.family.is_pile:
                raise BadPosition(f"{zone.name}: `*`, all other cards, fits one set only")
            self.rest = zone
            return
        for kind in self._kinds(words):
            if not self.left[kind]:
                raise BadPosition(f"there are too many {self.deck.codes[kind]}")
            self._put(self.left[kind].pop(0), zone)

    def _put(self, card: int, zone: Zone) -> None:
        state = self.state[0]
        if zone.family.is_pile:
            state["under"][card] = state["top"][zone.index]
            state["top"][zone.index] = card
        else:
            state["cards"][zone.index][card >> 6] |= 1 << (card & 63)

    def _kinds(self, words: list[str]) -> list[int]:
        for code in words:
            if code.lower() not in self.deck.index:
                raise BadPosition(f"there is no card {code!r} in {self.game.name}")
        return [self.deck.index[code.lower()] for code in words]

    def _seat(self, text: str) -> int:
        if text.isascii() and text.isdigit() and int(text) < self.players:
            return int(text)
        raise BadPosition(f"there is no seat {text!r}; seats are 0 to {self.players - 1}")

    def _read_field(self, name: str, words: list[str]) -> None:
        field = self.fields[name]
        if field.is_seats:
            self.state[name] = sum({1 << self._seat(word) for word in words})
            return
        values = [self._value(name, field, word) for word in words]
        shape = trim(field, self.state[name][0], self.players).shape
        if len(values) != int(np.prod(shape)):
            raise BadPosition(f"{name} takes {int(np.prod(shape))} values, not {len(values)}")
        if field.shape:
            self.state[name][0][: shape[0]] = np.array(values).reshape(shape)
        else:
            self.state[name] = values[0]

    def _value(self, name: str, field: Field, word: str) -> int:
        if word == "-" and field.empty == NONE:
            return NONE
        if field.is_seat:
            return self._seat(word)
        if field.is_kind:
            return self._kinds([word])[0]
        if field.words:
            if word not in field.words:
                raise BadPosition(f"{name} is one of {', '.join(field.words)}, not {word!r}")
            return field.words.index(word)
        digits = word.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 9):
            raise BadPosition(f"{name} is a number, not {word!r}")
        if not field.low <= int(word) <= field.high:
            raise BadPosition(f"{name} is from {field.low} to {field.high}, not {word}")
        return int(word)

    def finish(self) -> Any:
        """The state, once every card has its place."""
        rest = [card for cards in self.left.values() for card in cards]
        if self.rest is not None:
            for card in rest:
                self._put(card, self.rest)
        elif rest:
            where = next(z.name for z in self.zones.values() if not z.family.is_pile)
            raise BadPosition(f"{len(rest)} cards lie nowhere; write `*` for one set: `{where}: *`")
        for seat, zone, kinds in self.knowledge:
            self._know(seat, zone, kinds)
        return self.state

    def _know(self, seat: int | None, zone: Zone, kinds: list[int]) -> None:
        state = self.state[0]
        if zone.family.is_pile:
            raise BadPosition(f"{zone.name} is open to all: nothing need be said of it")
        for kind in kinds:
            row = state["seen"] if seat is None else state["known"][seat]
            twins = self.deck.twins[kind] & state["cards"][zone.index] & ~row & ~state["seen"]
            card = next(cards_of(twins), None)
            if card is None:
                raise BadPosition(f"{zone.name} holds no such {self.deck.codes[kind]} to be known")
            row[card >> 6] |= 1 << (card & 63)


def _try_out(game: Game, state: Any) -> None:
    """Refuse a position in which the rules cannot go on."""
    record = state[0]
    if record["over"]:
        record["round_over"] = 1
    if record["round_over"] and record["due"]:
        raise BadPosition("nobody is due when the round is over; leave out `due:`")
    error = game.position_error(_checked(game, state))
    if error:
        raise BadPosition(error)
    if record["over"]:
        return
    if not record["due"] and not record["round_over"]:
        raise BadPosition("nobody is due; write `due:` and a seat, `round_over: 1` or `over: 1`")
    try:
        if record["round_over"]:
            _next_round(_checked(game, state))
        for seat in set_of(int(record["due"])):
            _try_seat(game, state, seat)
    except (IndexError, OverflowError, ValueError) as problem:
        raise BadPosition(f"the rules cannot go on from this position: {problem}") from None


_next_round = plain(next_round)


def _checked(game: Game, state: Any) -> Checked:
    return Checked(game.layout, game.plain, state[0])


def _try_seat(game: Game, state: Any, seat: int) -> None:
    found = CheckedList()
    game.plain.legal(_checked(game, state), seat, found)
    for action in found.listed():
        game.plain.apply(_checked(game, state), seat, action)
    if not found.count:
        raise BadPosition(f"seat {seat} is due but has no action")
