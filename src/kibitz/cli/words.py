"""What the terminal says: sentences and names in the player's language."""

from collections.abc import Sequence

from rich.style import Style
from rich.text import Text

from kibitz.engine.actions import Action
from kibitz.engine.deck import Kind
from kibitz.engine.game import Game
from kibitz.engine.record import Field
from kibitz.texts import shared

# The inks that tell a card's colour; its letter does so without them.
INKS = {
    "red": "#e5484d",
    "orange": "#f5883c",
    "yellow": "#e0b83a",
    "green": "#46a758",
    "blue": "#4a90e2",
    "purple": "#a06cd5",
}


class Words:
    """A game's words in one language, with the names of those at the table."""

    def __init__(self, game: Game, lang: str, names: Sequence[str]) -> None:
        self.game, self.lang, self.names = game, lang, names

    def table(self, key: str, **words: str) -> str:
        """A sentence of the table itself."""
        return shared(self.lang, f"table.{key}", **words)

    def say(self, key: str, **words: str) -> str:
        """A sentence of the game."""
        return self.game.texts.say(self.lang, key, **words)

    def kind(self, code: str) -> Kind:
        """The kind of card with this code."""
        return self.game.layout.deck.kinds[self.game.layout.deck.codes.index(code)]

    def label(self, action: Action) -> str:
        """An action as a choice."""
        return self.say(f"actions.{action.verb.name}", **self._filled(action))

    def told(self, seat: int, text: str) -> str:
        """An action as it is told afterwards; a hidden one is only a verb's name."""
        number = self.game.actions.read(text)
        who = self.names[seat]
        if number is None or self.game.actions.write(number) != text:
            return self.say(f"log.{text}_hidden", who=who)
        action = self.game.actions.all[number]
        return self.say(f"log.{action.verb.name}", who=who, **self._filled(action))

    def _filled(self, action: Action) -> dict[str, str]:
        return {name: self._word(name, word) for name, word in action.words.items()}

    def _word(self, name: str, word: str) -> str:
        if name == "card":
            return self.game.texts.card(self.lang, self.kind(word))
        if name == "seat":
            return self.names[int(word)] if int(word) < len(self.names) else word
        return self.game.texts.word(self.lang, name, word)

    def fact(self, name: str, field: Field, value: object) -> str:
        """A field that belongs before everyone's eyes."""
        if field.is_seat and isinstance(value, int):
            shown = self.names[value]
        elif field.is_kind:
            shown = self.game.texts.card(self.lang, self.kind(str(value)))
        else:
            group = "colour" if "colour" in name else name
            shown = self.game.texts.word(self.lang, group, str(value))
        return self.say(f"facts.{name}", value=shown)

    def listed(self, seats: Sequence[int]) -> str:
        """Names, with an "and" before the last."""
        names = [self.names[seat] for seat in seats]
        if len(names) < 2:
            return "".join(names)
        return f"{', '.join(names[:-1])} {self.table('and')} {names[-1]}"

    def card(self, code: str) -> Text:
        """A card as its code, each letter in the ink of its colour."""
        words = self.kind(code).words
        inks = [INKS[word] for key, word in words.items() if key.startswith("colour")]
        text = Text(code, Style(bold=True))
        for i, ink in enumerate(inks):
            start = i if len(inks) > 1 else 0
            text.stylize(ink, start, start + 1 if len(inks) > 1 else None)
        return text

    def cards(self, codes: Sequence[str]) -> Text:
        """Cards beside each other."""
        return Text(" ").join(self.card(code) for code in codes)
