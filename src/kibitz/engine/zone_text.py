"""Zones as JSON, written by compiled code.

Every move is told to everyone at its table, so this is done more often than anything else. What a
viewer sees of a zone is decided by `visibility`; here the numbers of its row become text.
"""

from collections.abc import Callable
from threading import local
from typing import Any

import numpy as np

from kibitz.engine.compiled import NONE, at_once, rule
from kibitz.engine.deck import NUMBERS
from kibitz.engine.game import Game
from kibitz.engine.view import new_rows, row_of
from kibitz.engine.visibility import CHANGE, ROW, find_changes

NOT_THERE, SET, PILE, OPEN_PILE = range(4)  # the last one can be looked through
_SIZE, _CARDS, _KNOWN = b'{"size":', b',"cards":[', b',"known":['
_AROUND = len(_SIZE + _CARDS + _KNOWN) + 16  # bytes of a zone besides its name and its cards


class ZoneWords:
    """What the zones of a game with so many players are said with."""

    def __init__(self, game: Game, players: int, encode: Callable[[str], bytes]) -> None:
        layout = game.layout
        self.mask = new_rows(game)  # the bits of each row that are said
        self.form = np.full(len(self.mask), NOT_THERE)
        labels = [b""] * len(self.mask)
        for zone in layout.zones.at(players):
            row, family = row_of(game, zone), zone.family
            if not family.is_pile:
                self.form[row], self.mask[row] = SET, -1
            elif family.looked_through:
                self.form[row], self.mask[row, :3] = OPEN_PILE, -1
            else:  # of its order nothing but the uppermost card
                self.form[row], self.mask[row, [0, 2]] = PILE, -1
            labels[row] = encode(zone.name) + b":"
        codes = [encode(code) for code in layout.deck.codes]
        words = [_SIZE, _CARDS, _KNOWN, *labels, *codes]
        self.letters = np.frombuffer(b"".join(words), np.uint8)
        self.starts = np.cumsum([0, *map(len, words)])
        self.kind, self.cards = layout.deck.kind, np.array(layout.deck.cards)
        longest = len(labels) * (max(map(len, labels)) + _AROUND)
        longest += NUMBERS * (1 + max(map(len, codes)))
        self.paper = Paper(players + 1, len(labels), (players + 2) * longest)


class Paper(local):
    """Room to write what has changed for every seat and a spectator; each thread has its own."""

    def __init__(self, viewers: int, zones: int, letters: int) -> None:
        self.fresh = np.zeros((zones, ROW), np.int64)
        self.changed = np.zeros((viewers * zones, CHANGE), np.int64)
        self.runs = np.zeros((viewers, 2), np.int64)
        self.text = np.zeros(letters, np.uint8)


@at_once
def write_changes_at(
    states: Any, i: int, viewers: Any, rows: Any, mask: Any, form: Any, letters: Any, starts: Any,
    kind: Any, cards: Any, fresh: Any, changed: Any, runs: Any, text: Any,
) -> int:  # fmt: skip
    """Bring the rows of some viewers up to date, and write what is new to each; how many bytes.

    Afterwards `runs` has for each viewer the first one who is told the same, for whom alone it is
    written, and where the text ends. Of a zone that looks as before
    nothing is said: of cards that look alike nobody may notice which one it is.
    """
    find_changes(states[i], viewers, mask, rows, fresh, changed, runs)
    under = states[i].under
    at = first = 0
    for v in range(len(viewers)):
        last, start = runs[v, 1], at
        for n in range(first, last):
            begin = at
            if at > start:
                text[at] = ord(",")
                at += 1
            now = at
            at = _zone(changed[n, : 1 + ROW], under, form, letters, starts, kind, cards, text, at)
            before = changed[n, 1 + ROW :]
            # A pile that can be looked through would be written as it is now, not as it was.
            if form[before[0]] != OPEN_PILE and before[1] == changed[n, 1]:
                end = _zone(before, under, form, letters, starts, kind, cards, text, at)
                if end - at == at - now and _is_same(text, now, at):
                    at = begin
        first = last
        runs[v, 1] = at
    return at


@rule
def _zone(
    seen: Any, under: Any, form: Any, letters: Any, starts: Any, kind: Any, cards: Any, text: Any,
    at: int,
) -> int:  # fmt: skip
    """Write a zone with its name; where the text ends."""
    row, size = seen[0], seen[1]
    code = 3 + len(form)  # the first of the codes among the words
    at = _word(letters, starts, 3 + row, text, at)
    at = _number(size, text, _word(letters, starts, 0, text, at))
    if form[row] == SET:
        for word in range(1, 3):
            low, high, begin = seen[2 * word], seen[2 * word + 1], at
            if low | high == 0:
                continue
            for card in cards:
                if ((low if card < 64 else high) >> (card & 63)) & 1:
                    at = _word(letters, starts, word, text, at) if at == begin else _comma(text, at)
                    at = _word(letters, starts, code + kind[card], text, at)
            text[at] = ord("]")
            at += 1
    elif seen[3] != NONE:
        at = _word(letters, starts, 1, text, at)
        if form[row] == OPEN_PILE:
            at = _pile(seen[3], size, under, letters, starts, kind, code, text, at)
        else:
            at = _word(letters, starts, code + kind[seen[3]], text, at)
        text[at] = ord("]")
        at += 1
    text[at] = ord("}")
    return at + 1


@rule
def _pile(
    top: int, size: int, under: Any, letters: Any, starts: Any, kind: Any, code: int, text: Any,
    at: int,
) -> int:  # fmt: skip
    """Write the cards of a pile, from the bottom up; where the text ends."""
    for below in range(size - 1, -1, -1):
        card = top
        for _ in range(below):
            card = under[card]
        at = _word(letters, starts, code + kind[card], text, at)
        at = _comma(text, at) if below else at
    return at


@rule
def _word(letters: Any, starts: Any, word: int, text: Any, at: int) -> int:
    for k in range(starts[word], starts[word + 1]):
        text[at] = letters[k]
        at += 1
    return at


@rule
def _comma(text: Any, at: int) -> int:
    text[at] = ord(",")
    return at + 1


@rule
def _number(number: int, text: Any, at: int) -> int:
    """Write a number that is not negative."""
    tens = 1
    while number // tens >= 10:
        tens *= 10
    while tens:
        text[at] = ord("0") + number // tens % 10
        tens //= 10
        at += 1
    return at


@rule
def _is_same(text: Any, start: int, middle: int) -> bool:
    """Whether a text is said twice, from `start` and from `middle` on."""
    same = True
    for k in range(middle - start):
        same = same and text[start + k] == text[middle + k]
    return same
