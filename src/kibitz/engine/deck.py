"""A deck as data: the kinds of cards a game has, and how many of each."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from kibitz.engine.compiled import NONE, Lookup, lookup

WORDS = 2
WORD_BITS = 63
NUMBERS = 64 * WORDS  # card numbers run below this; bit 63 of a word is never used

NO_CARD = NUMBERS - 1  # NONE & NO_CARD is this number, and no card has it


@dataclass(frozen=True)
class Kind:
    """Cards that are alike.

    `code` is how the card is written down; `form` and `words` are what its name is made of in
    the texts of each language.
    """

    code: str
    copies: int = 1
    form: str = "card"
    words: Mapping[str, str] = field(default_factory=dict)
    alias: str | None = None  # another way to type the code, where it has no plain letters


class Deck:
    """The cards of a game, numbered so that copies of a kind line up.

    A card's number is 64 * word + bit. Each word holds as many whole sets of the kinds as fit
    into 63 bits; copy after copy fills them. A deck of more than 63 kinds has one copy of each
    and is cut in half.
    """

    def __init__(self, kinds: Iterable[Kind]) -> None:
        self.kinds = tuple(kinds)
        self.codes = tuple(kind.code for kind in self.kinds)
        if len(set(self.codes)) != len(self.codes):
            raise ValueError("two kinds of card have the same code")
        n = len(self.kinds)
        copies = max(kind.copies for kind in self.kinds)
        if n > WORD_BITS:
            self.stride = (n + 1) // 2
            fits = copies == 1 and self.stride <= WORD_BITS
        else:
            self.stride = n
            fits = copies <= WORDS * (WORD_BITS // n)
        if not fits:
            raise ValueError(f"{n} kinds of up to {copies} copies do not fit into 126 places")

    def __len__(self) -> int:
        return sum(kind.copies for kind in self.kinds)

    def card(self, kind: int, copy: int = 0) -> int:
        """The number of a copy of a kind."""
        place = copy * len(self.kinds) + kind
        per_word = self.stride * (WORD_BITS // self.stride)
        return 64 * (place // per_word) + place % per_word

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """The numbers of all cards, kind by kind."""
        return tuple(
            self.card(k, copy) for k, kind in enumerate(self.kinds) for copy in range(kind.copies)
        )

    @cached_property
    def index(self) -> dict[str, int]:
        """The kind that a code, or its alias, names."""
        names = {code.lower(): k for k, code in enumerate(self.codes)}
        for k, kind in enumerate(self.kinds):
            if kind.alias:
                names.setdefault(kind.alias.lower(), k)
        return names

    @cached_property
    def kind(self) -> Lookup:
        """Card number to kind, for compiled rules."""
        return self.by_card(range(len(self.kinds)))

    @cached_property
    def kinds_by_card(self) -> list[int]:
        """The same for plain Python, which finds a list's item faster."""
        found: list[int] = self.kind.tolist()
        return found

    def by_card(self, values: Iterable[int], empty: int = NONE) -> Lookup:
        """A table by card number, from one value for each kind.

        Numbers that are no card, NO_CARD among them, have the value `empty`.
        """
        of = [empty] * NUMBERS
        for k, value in enumerate(values):
            for copy in range(self.kinds[k].copies):
                of[self.card(k, copy)] = value
        return lookup(of)

    def kinds_with(self, form: str | None = None, **words: str) -> int:
        """The kinds of this form, and with these words in their names, as a set of kinds."""
        return sum(
            1 << k
            for k, kind in enumerate(self.kinds)
            if form in (None, kind.form) and words.items() <= kind.words.items()
        )

    @cached_property
    def twins(self) -> Lookup:
        """For each kind its cards, as a set of two words."""
        return lookup(
            self.words(self.card(k, copy) for copy in range(kind.copies))
            for k, kind in enumerate(self.kinds)
        )

    @cached_property
    def all(self) -> Lookup:
        """The whole deck, as a set of two words."""
        return lookup(self.words(self.cards))

    @staticmethod
    def words(cards: Iterable[int]) -> list[int]:
        """A set of cards as two words."""
        words = [0] * WORDS
        for card in cards:
            words[card >> 6] |= 1 << (card & 63)
        return words
