"""How a game lies on a table: zones to places, actions to taps.

The page and the terminal draw zones and offer paths of taps; they know nothing of rules. A
game's table.py says where each family of zones goes and which taps make which action.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from kibitz.engine.actions import Action

Path = tuple[str, ...]


class Look(Enum):
    """How a zone is drawn."""

    HAND = "hand"  # a fan of cards that its owner plays from
    FAN = "fan"  # cards side by side, overlapping
    PILE = "pile"  # one on top of the other, the top one showing
    STACKS = "stacks"  # several piles beside each other
    ROW = "row"  # cards beside each other
    TRICK = "trick"  # one card per seat, in the middle
    LOT = "lot"  # one card that all eyes are on
    COUNTER = "counter"  # only how many there are
    NONE = "none"  # not on the table


class Spot(Enum):
    """Where a zone lies."""

    SEAT = "seat"
    CENTRE = "centre"
    ASIDE = "aside"


@dataclass(frozen=True)
class Place:
    """The look and spot of a family of zones."""

    look: Look
    spot: Spot = Spot.CENTRE


@dataclass(frozen=True)
class Tap:
    """One tap: on a card, on a zone, or on a button.

    `zone` names a family (`hand`), or a zone of it (`kitty.2`); a family of the seat's own
    means the zone of the seat that acts. For a button, `card` is its word.
    """

    kind: str
    zone: str
    card: str | None = None


@dataclass(frozen=True)
class Table:
    """The table of a game.

    `taps` gives for each verb its path: `hand/{card}` taps a card, `discard` a zone, `=done` a
    button; words in braces are those of the action. A button's label is the text of its word.
    `house.{houses}@houses` is tapped once for each part of the word `houses`, parts being joined
    by a +.
    """

    places: Mapping[str, Place]
    taps: Mapping[str, Path]
    prompt: str | None = None  # the field whose word says what a seat is asked
    facts: tuple[str, ...] = ()  # fields that belong before everyone's eyes
    steps: tuple[str, ...] = ()  # verbs of which a choice can have several, sent whole

    def path(self, action: Action) -> tuple[Tap, ...]:
        """The taps that make an action."""
        return tuple(
            _tap(step) for path in self.taps[action.verb.name] for step in _steps(path, action)
        )


def _steps(path: str, action: Action) -> list[str]:
    step, _, repeated = path.partition("@")
    if not repeated:
        return [step.format(**action.words)]
    parts = action.words[repeated].split("+")
    return [step.format(**{**action.words, repeated: part}) for part in parts]


def _tap(step: str) -> Tap:
    if step.startswith("="):
        return Tap("button", "", step[1:])
    zone, _, card = step.partition("/")
    return Tap("card", zone, card) if card else Tap("zone", zone)
