"""How a game lies on a table: zones to places, actions to taps.

The page and the terminal draw zones and offer paths of taps; they know nothing of rules. A game's
tabletop.py says where each family of zones goes and which taps make which action.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum

from kibitz.engine.actions import Action

Words = Mapping[str, str]
Taps = tuple[str, ...] | Callable[[Words], tuple[str, ...]]


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
class Tally:
    """What the cards of a zone come to, as far as they are seen; it stands beside the zone's name.

    Either each card is worth something (`worth`, by code), or a pile is by its size (`by_size`), or
    words of the cards are named (`names`), such as the colours that a card blocks. With `tops` only
    the top card of each pile counts; with `every` nothing does unless each value of that word
    lies there.
    """

    worth: Mapping[str, int] = field(default_factory=dict)
    by_size: tuple[int, ...] = ()
    names: str | None = None
    tops: bool = False
    every: str | None = None


@dataclass(frozen=True)
class Place:
    """The look and spot of a family of zones, and what its cards come to.

    A card that is tapped in one family can also lie in another that is `part_of` it, as a card
    just drawn that lies beside the hand. For what is `rare` no room is kept on the table.
    """

    look: Look
    spot: Spot = Spot.CENTRE
    part_of: str | None = None
    tally: Tally | None = None
    rare: bool = False


@dataclass(frozen=True)
class Figure:
    """A number beside a prompt: the sum of its terms, shown while it is not negative.

    A term is a number, a field, or a family: what the cards of the acting seat's zone come to; a
    minus before it takes it away, as in `Figure("needs", "high", "1", "-bid")`.
    """

    name: str
    terms: tuple[str, ...]

    def __init__(self, name: str, *terms: str) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "terms", terms)


@dataclass(frozen=True)
class Chapter:
    """A heading in the log: where this verb is played, or after one of these events."""

    name: str
    verb: str | None = None
    after: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tap:
    """One tap: on a card, on a zone, or on a button.

    `zone` names a family (`hand`), or a zone of it (`kitty.2`); a family of which each seat has its
    own means the zone of the seat that acts. A button has a `word`, and where that is one of an
    action's words, the name of it as `zone`.
    """

    kind: str  # card, zone or button
    zone: str
    word: str | None = None


@dataclass(frozen=True)
class Tabletop:
    """The table of a game.

    `taps` gives for each verb its path: `hand/{card}` taps a card, `discard` a zone, `=done` a
    button, `=colour/{colour}` a button for one of the action's words. Words in braces are those of
    the action. Where that is not enough, a function makes the path of the action's words.

    What a seat is asked is the sentence of a word: that of the field `prompt`, or `turn`. Where it
    depends on what is legal, `prompts` has several for the word, `auction` and `auction_…`, each
    with the verbs that it offers; the first is said whose verbs are all legal.
    """

    places: Mapping[str, Place]
    taps: Mapping[str, Taps]
    prompt: str | None = None  # the field whose word says what a seat is asked
    prompts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    facts: tuple[str, ...] = ()  # fields that belong before everyone's eyes
    markers: tuple[str, ...] = ()  # fields that name seats: a word at each of them
    figures: Mapping[str, tuple[Figure, ...]] = field(default_factory=dict)  # by prompt
    chapters: tuple[Chapter, ...] = ()
    goal: str | None = None  # the option that says how many points end the match
    rounds: str | None = None  # the option that says how many rounds there are
    quiet: tuple[str, ...] = ()  # buttons that do not shine, such as the one to do nothing
    tokens: tuple[str, ...] = ()  # facts that are a thing on the table; `art.token` draws it
    turned: tuple[str, str] | None = None  # the field and its word that turn all faces round

    def asked(self, word: str, legal: Collection[str]) -> str:
        """The key of the prompt for the prompt's word, where these verbs are legal."""
        for key, verbs in self.prompts.items():
            if is_prompt_of(key, word) and all(verb in legal for verb in verbs):
                return key
        return word

    def steps(self, action: Action) -> tuple[str, ...]:
        """The taps that make an action, as text."""
        taps = self.taps[action.verb.name]
        if callable(taps):
            return taps(action.words)
        return tuple(step.format(**action.words) for step in taps)

    def path(self, action: Action) -> tuple[Tap, ...]:
        """The taps that make an action."""
        return tuple(read_tap(step) for step in self.steps(action))


def is_prompt_of(key: str, word: str) -> bool:
    """Whether a prompt is one for this word."""
    return key == word or key.startswith(f"{word}_")


def read_tap(step: str) -> Tap:
    """A tap from its text."""
    place, _, word = step.removeprefix("=").partition("/")
    if step.startswith("="):
        return Tap("button", place if word else "", word or place)
    return Tap("card", place, word) if word else Tap("zone", place)
