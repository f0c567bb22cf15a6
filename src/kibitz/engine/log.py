"""What has happened in a match, and what each viewer may read of it."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from kibitz.engine.actions import Secrecy
from kibitz.engine.compiled import NONE
from kibitz.engine.events import SCORED, Witnesses
from kibitz.engine.game import Game
from kibitz.engine.view import codes_of
from kibitz.engine.visibility import ALL_SEEING

DEAL = "deal"  # what stands in the log where a round was dealt
MOST_REMEMBERED = 10_000  # events in words


class RawEvent(NamedTuple):
    """An event as the rules reported it, its cards as two words."""

    kind: int
    seat: int
    number: int
    other: int
    cards: tuple[int, int]


class Done(NamedTuple):
    """One thing done: an action of a seat, or the deal of a round (seat None)."""

    seat: int | None
    text: str
    action: int  # -1 for a deal
    seen_by: frozenset[int]  # the seats that saw all of it
    events: tuple[RawEvent, ...]


@dataclass(frozen=True)
class Event:
    """Something that happened, as a viewer may know it.

    `cards` are those that the viewer saw, `size` is how many there were. `other` is a second seat,
    `word` a word of the game: a colour, a part of the score.
    """

    name: str
    seat: int | None
    number: int = 0
    other: int | None = None
    word: str | None = None
    cards: tuple[str, ...] = ()
    size: int = 0


class Line(NamedTuple):
    """A line of the log, as a viewer may read it, and what came of it.

    The deal of a round has no seat. An action that was seen only in part has its verb alone.
    """

    seat: int | None
    verb: str
    action: str | None
    events: tuple[Event, ...]


def event_columns(record: Any) -> list[memoryview]:
    """Where a reporting state (an array of one) keeps its events."""
    return [memoryview(record[f"event_{name}"][0]) for name in RawEvent._fields]


def raw_events(columns: list[memoryview], n: int) -> tuple[RawEvent, ...]:
    """The first n events of a reporting state."""
    kind, seat, number, other, cards = columns
    return tuple([
        RawEvent(kind[i], seat[i], number[i], other[i], (cards[i, 0], cards[i, 1]))
        for i in range(n)
    ])  # fmt: skip


def line(game: Game, done: Done, viewer: int | None) -> Line | None:
    """What a viewer (None: a spectator) may read of something done; None: nothing at all."""
    events = tuple([event(game, raw, viewer) for raw in done.events])
    if done.seat is None:
        return Line(None, DEAL, None, events)
    verb = game.actions.all[done.action].verb
    saw_all = verb.secrecy is Secrecy.OPEN or viewer in done.seen_by or viewer == ALL_SEEING
    if saw_all:
        return Line(done.seat, verb.name, done.text, events)
    return None if verb.secrecy is Secrecy.SEALED else Line(done.seat, verb.name, None, events)


def insiders(game: Game, done: Done) -> frozenset[int]:
    """The seats that may read more of something done than those who watch."""
    found: frozenset[int] = frozenset()
    if done.seat is not None and game.actions.all[done.action].verb.secrecy is not Secrecy.OPEN:
        found = done.seen_by
    for raw in done.events:
        found |= _witnesses(game, raw)
    return found


def _witnesses(game: Game, raw: RawEvent) -> frozenset[int]:
    """The seats that saw the cards of an event, unless everyone did."""
    match game.events.kinds[raw.kind].witnesses:
        case Witnesses.EVERYONE:
            return frozenset()
        case Witnesses.SEAT:
            return frozenset([raw.seat])
        case Witnesses.BOTH:
            return frozenset([raw.seat, raw.other])


def event(game: Game, raw: RawEvent, viewer: int | None) -> Event:
    """An event as a viewer may know it."""
    is_open = game.events.kinds[raw.kind].witnesses is Witnesses.EVERYONE
    return _event(game, raw, is_open or viewer == ALL_SEEING or viewer in _witnesses(game, raw))


@lru_cache(MOST_REMEMBERED)
def _event(game: Game, raw: RawEvent, saw: bool) -> Event:
    kind = game.events.kinds[raw.kind]
    words = game.layout.parts if raw.kind == SCORED else kind.words
    return Event(
        name=kind.name,
        seat=None if raw.seat == NONE else raw.seat,
        number=raw.number,
        other=None if words or raw.other == NONE else raw.other,
        word=words[raw.other] if words else None,
        cards=codes_of(game, raw.cards) if saw else (),
        size=sum(word.bit_count() for word in raw.cards),
    )
