"""Actions are small integers with a text form, both ways: `kol r5`, `g14>2:5`, `done`."""

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import product

from kibitz.engine.deck import Deck


class Secrecy(Enum):
    """What other seats learn of an action when it is made."""

    OPEN = "open"  # all of it
    MASKED = "masked"  # that it was made; its cards only who sees them move
    SEALED = "sealed"  # nothing, until the choice of all is shown


@dataclass(frozen=True)
class Verb:
    """Actions of one form: a template and the words that can fill it."""

    name: str
    template: str
    words: Mapping[str, tuple[str, ...]]
    first: int
    secrecy: Secrecy
    continues: bool  # the choice goes on after it: it reveals nothing, and can be taken back

    @property
    def count(self) -> int:
        """How many actions it stands for."""
        n = 1
        for words in self.words.values():
            n *= len(words)
        return n


@dataclass(frozen=True)
class Action:
    """An action taken apart: its verb and the words in it, such as card and seat."""

    number: int
    text: str
    verb: Verb
    words: Mapping[str, str]


class Actions:
    """The action space of a game. Each declaration returns the number of its first action."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.verbs: list[Verb] = []
        self.all: list[Action] = []
        self._by_text: dict[str, int] = {}
        self._exact: dict[str, int] = {}  # as they are written: found without tidying

    def __len__(self) -> int:
        return len(self.all)

    def verb(
        self,
        name: str,
        template: str,
        secrecy: Secrecy = Secrecy.OPEN,
        continues: bool = False,
        **words: Iterable[str],
    ) -> int:
        """Declare actions; with several words, the last one varies fastest."""
        choices = {key: tuple(values) for key, values in words.items()}
        verb = Verb(name, template, choices, len(self.all), secrecy, continues)
        self.verbs.append(verb)
        for chosen in product(*choices.values()):
            filled = dict(zip(choices, chosen, strict=True))
            text = template.format(**filled)
            self._name(text, len(self.all))
            self._name(template.format(**self._typed(filled)), len(self.all))
            self._exact[text] = len(self.all)
            self.all.append(Action(len(self.all), text, verb, filled))
        return verb.first

    def _typed(self, filled: dict[str, str]) -> dict[str, str]:
        """The same words as one would type them on a plain keyboard."""
        card = filled.get("card")
        if card is None or card not in self.deck.codes:
            return filled
        alias = self.deck.kinds[self.deck.codes.index(card)].alias
        return {**filled, "card": alias or card}

    def _name(self, text: str, action: int) -> None:
        if self._by_text.setdefault(tidy(text), action) != action:
            raise ValueError(f"two actions are written {text!r}")

    def read(self, text: str) -> int | None:
        """The action that a text means, or None."""
        number = self._exact.get(text)
        return self._by_text.get(tidy(text)) if number is None else number

    def write(self, action: int) -> str:
        """The text of an action."""
        return self.all[action].text

    def like(self, text: str, among: Iterable[str]) -> list[str]:
        """Up to three of these action texts that resemble a mistyped one."""
        return difflib.get_close_matches(tidy(text), list(among), 3, 0.5)


def tidy(text: str) -> str:
    """An action as typed: upper or lower case, and spaces, do not matter."""
    return "".join(text.lower().split())
