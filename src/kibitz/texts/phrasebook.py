"""A game's sentences in one language, with the names of those at the table.

The page fills the same templates by the same rules (web/src/words.ts); a test compares the two.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Protocol

from kibitz.engine.actions import Action
from kibitz.engine.deck import Kind
from kibitz.engine.events import EventKind
from kibitz.engine.game import Game
from kibitz.engine.log import Event, Line
from kibitz.engine.record import Field
from kibitz.engine.tallies import come_to, counted, figure, lacking, named
from kibitz.engine.view import View
from kibitz.texts import shared

SHARES = ("best", "chance", "ends")  # claims that are told in per cent
EITHER_WAY = ("choices",)  # and those that are told alike, be it more or less
# A word that begins with the sound i, before which Spanish has another "and": "Ada e Inés", but
# "té y hielo".
SOUND_I = re.compile(r"h?í|h?i(?![aeouáéóú])|y(?![aeiouáéíóú])", re.IGNORECASE)


class Claim(Protocol):
    """What differs between two actions: see `kibitz.bots.claims`."""

    @property
    def what(self) -> str:
        """What it is about."""
        ...

    @property
    def better(self) -> float:
        """What it comes to after the better action."""
        ...

    @property
    def other(self) -> float:
        """And after the other."""
        ...

    @property
    def seat(self) -> int | None:
        """Whom it concerns."""
        ...

    @property
    def part(self) -> str | None:
        """The part of the score."""
        ...


class Phrasebook:
    """What can be said of a game and its matches."""

    def __init__(self, game: Game, lang: str, names: Sequence[str]) -> None:
        self.game, self.lang, self.names = game, lang, names
        self._events = {kind.name: kind for kind in game.events.kinds}

    def table(self, key: str, **gaps: str) -> str:
        """A sentence of the table itself."""
        return shared(self.lang, f"table.{key}", **gaps)

    def say(self, key: str, **gaps: str) -> str:
        """A sentence of the game."""
        return self.game.texts.say(self.lang, key, **gaps)

    def card(self, code: str) -> str:
        """The name of a card."""
        return self.game.texts.card(self.lang, self._kind(code))

    def explain(self, code: str) -> str:
        """What a card is and does."""
        return self.game.texts.explain(self.lang, self._kind(code))

    def _kind(self, code: str) -> Kind:
        deck = self.game.layout.deck
        return deck.kinds[deck.codes.index(code)]

    def cards(self, codes: Sequence[str]) -> str:
        """The names of some cards."""
        return self.listed([self.card(code) for code in codes])

    def listed(self, words: Sequence[str]) -> str:
        """Words one after the other, with an "and" before the last."""
        if len(words) < 2:
            return "".join(words)
        joint = self.table("and_before_i" if SOUND_I.match(words[-1]) else "and")
        return f"{', '.join(words[:-1])} {joint} {words[-1]}"

    def seats(self, seats: Sequence[int]) -> str:
        """The names of those on some seats."""
        return self.listed([self.names[seat] for seat in seats])

    # ---- what can be done

    def prompt(self, fields: Mapping[str, object], legal: Iterable[str]) -> str:
        """What a seat that is due is asked, by a view's fields, where these actions are legal."""
        table = self.game.tabletop
        word = str(fields[table.prompt]) if table.prompt else "turn"
        return self.say(f"prompts.{table.asked(word, {self._read(t).verb.name for t in legal})}")

    def label(self, text: str, seat: int | None) -> str:
        """An action as a choice of a seat."""
        return self._told("actions", self._read(text), seat)

    def choice(self, steps: Sequence[str], seat: int | None) -> str:
        """A choice of one or more actions of a seat."""
        return ", ".join(self.label(step, seat) for step in steps)

    def _read(self, text: str) -> Action:
        return self.game.actions.all[self.game.actions.read(text) or 0]

    def _told(self, group: str, action: Action, seat: int | None, **gaps: str) -> str:
        """An action in words: those for oneself, or for several cards, if there are such."""
        key = f"{group}.{action.verb.name}"
        if action.words.get("seat") == str(seat) and self._has(f"{key}_own"):
            key += "_own"
        several = [word for word in action.words.values() if "+" in word]
        if several and self._has(f"{key}_several"):
            key, gaps = f"{key}_several", {**gaps, "n": str(several[0].count("+") + 1)}
        return self.say(key, **gaps, **self._gaps(action))

    def _gaps(self, action: Action) -> dict[str, str]:
        return {name: self._word(name, word) for name, word in action.words.items()}

    def _word(self, name: str, word: str) -> str:
        if "+" in word:
            return ", ".join(self._word(name, part) for part in word.split("+"))
        if name == "card":
            return self.card(word)
        if name == "seat":
            return self.names[int(word)] if int(word) < len(self.names) else word
        return self.game.texts.word(self.lang, name, word)

    def why(self, claims: Iterable[Claim], you: int | None) -> str:
        """Why an action is better than another, told to who sits on a seat."""
        return " ".join(self._claim(claim, you) for claim in claims)

    def _claim(self, claim: Claim, you: int | None) -> str:
        key = claim.what
        if claim.seat is not None:
            key = f"{'own' if claim.seat == you else 'their'}_{key}"
        if claim.what not in EITHER_WAY:
            key += "_more" if claim.better > claim.other else "_less"
        scale = 100 if claim.what in SHARES else 1
        gaps = {
            "n": _about(abs(claim.better - claim.other)),
            "better": _about(scale * claim.better),
            "other": _about(scale * claim.other),
            "who": "" if claim.seat is None else self.names[claim.seat],
            "part": "" if claim.part is None else self.say(f"score.{claim.part}"),
        }
        return self.say(f"why.{key}", **gaps)

    # ---- what has happened

    def sentences(self, line: Line) -> list[str]:
        """What a line of the log tells: what was done, and what came of it; no scores."""
        told = [] if line.seat is None else [self.done(line)]
        return told + [self.event(event) for event in line.events if event.name != "scored"]

    def done(self, line: Line) -> str:
        """What a seat did; of what was not seen in full there is only the verb."""
        assert line.seat is not None
        who = self.names[line.seat]
        if line.action is None:
            return self.say(f"log.{line.verb}_hidden", who=who)
        return self._told("log", self._read(line.action), line.seat, who=who)

    def event(self, event: Event) -> str:
        """What came of it."""
        kind = self._events[event.name]
        gaps = {
            "n": str(event.number),
            "points": f"{event.number:+d}",
            "cards": self.cards(event.cards),
        }
        if event.seat is not None:
            gaps["who"] = self.names[event.seat]
        if event.other is not None:
            gaps["whom"] = self.names[event.other]
        if event.word is not None:
            gaps[kind.gap] = self._event_word(kind, event.word)
        return self.say(self._variant(event), **gaps)

    def _event_word(self, kind: EventKind, word: str) -> str:
        if kind.name == "scored":
            return self.say(f"score.{word}")
        return self.game.texts.word(self.lang, kind.gap, word)

    def _variant(self, event: Event) -> str:
        """The key of the sentence: for cards unseen, for oneself, for just one."""
        key = f"events.{event.name}"
        if event.size and not event.cards:
            key += "_hidden"
        if event.other is not None and event.other == event.seat and self._has(f"{key}_own"):
            key += "_own"
        return f"{key}_one" if event.number == 1 and self._has(f"{key}_one") else key

    def _has(self, key: str) -> bool:
        return self.game.texts.has(self.lang, key)

    # ---- how it stands

    def tally(self, view: View, family: str, seat: int | None) -> str | None:
        """What the cards of a zone come to, where the game says so and they are seen."""
        tally = self.game.tabletop.places[family].tally
        if tally is None or not counted(self.game, view, family, seat):
            return None
        if names := named(self.game, view, family, seat):
            return self.say(f"tallies.{family}", words=self._listed_words(tally.names, names))
        if lacks := lacking(self.game, view, family, seat):
            words = self._listed_words(tally.every, lacks)
            return self.say(f"tallies.{family}_lacks", words=words)
        n = come_to(self.game, view, family, seat)
        return self.say(f"tallies.{family}", n=str(n).replace("-", "−"))

    def _listed_words(self, group: str | None, words: Sequence[str]) -> str:
        return self.listed([self.game.texts.word(self.lang, group or "", w) for w in words])

    def figures(self, view: View, seat: int) -> list[tuple[str, int]]:
        """The numbers beside a seat's prompt, each with its name."""
        field = self.game.tabletop.prompt
        figures = self.game.tabletop.figures.get(view.fields[field] if field else "turn", ())
        found = [(f.name, figure(self.game, view, seat, f)) for f in figures]
        return [(self.say(f"figures.{name}"), n) for name, n in found if n >= 0]

    def markers(self, view: View, seat: int) -> list[str]:
        """What is said of a seat: that it deals, leads, or has passed."""
        return [
            self.say(f"markers.{name}")
            for name in self.game.tabletop.markers
            if _names_seat(view.fields[name], seat)
        ]

    def facts(self, view: View) -> list[str]:
        """The fields that belong before everyone's eyes."""
        return [
            self.say(f"facts.{name}", value=self.value(name, view.fields[name]))
            for name in self.game.tabletop.facts
            if self._is_told(name, view.fields[name])
        ]

    def _is_told(self, name: str, value: object) -> bool:
        return value not in (None, []) and (value != 0 or self.game.layout.shown[name].empty != 0)

    def value(self, name: str, value: object) -> str:
        """The value of a field."""
        field: Field = self.game.layout.shown[name]
        if field.is_seats and isinstance(value, list):
            return self.seats(value)
        if field.is_seat and isinstance(value, int):
            return self.names[value]
        if field.is_kind:
            return self.card(str(value))
        return self.game.texts.word(self.lang, name, str(value))


def _names_seat(value: object, seat: int) -> bool:
    return seat in value if isinstance(value, list) else value == seat


def percent(share: float) -> str:
    """A share in whole percents, half a one rounded up as the page does."""
    return f"{Decimal(str(share)).scaleb(2).quantize(Decimal(1), ROUND_HALF_UP)}%"


def _about(number: float) -> str:
    """A whole number, half a one rounded up as the page does."""
    return str(math.floor(number + 0.5))
