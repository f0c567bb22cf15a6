"""Gifts that change hands at once: who knows what of them afterwards, twins among the cards."""

from typing import Any

import numpy as np
import pytest

from bare import bare_rules
from kibitz.engine.checked import Checked, plain
from kibitz.engine.compiled import from_python
from kibitz.engine.deck import Deck, Kind
from kibitz.engine.gifts import exchange
from kibitz.engine.record import layout
from kibitz.engine.zones import Sight, Zones

DECK = Deck(Kind(code, copies=3) for code in "abcdef")
zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True)
GIFT = zones.set("gift", Sight.OWNER, per_seat=True, hidden_in="hand")
LAYOUT = layout(__file__, DECK, zones, shown={})
RULES = bare_rules(LAYOUT, DECK, zones)


@from_python
def exchange_at(states: Any, step: int) -> None:
    exchange(states[0], GIFT, HAND, step)


def card(text: str) -> int:
    """`b2` is the third copy of b."""
    return DECK.card("abcdef".index(text[0]), int(text[1]))


def words(*cards: str) -> list[int]:
    return DECK.words(card(text) for text in cards)


class Table:
    """Cards and knowledge by names."""

    def __init__(self, players: int) -> None:
        self.state = np.zeros(1, LAYOUT.reporting)
        self.state["players"] = players

    def lay(self, zone: int, *cards: str) -> None:
        self.state["cards"][0, zone] = words(*cards)

    def knows(self, seat: int, *cards: str) -> None:
        self.state["known"][0, seat] = words(*cards)

    def known(self, seat: int) -> set[str]:
        return self.named(self.state["known"][0, seat])

    def hand(self, seat: int) -> set[str]:
        return self.named(self.state["cards"][0, HAND + seat])

    @staticmethod
    def named(set_: Any) -> set[str]:
        names = [f"{code}{copy}" for code in "abcdef" for copy in range(3)]
        return {name for name in names if (np.array(words(name)) & set_).any()}

    def exchange(self, step: int) -> None:
        """Compiled and checked alike."""
        checked = Checked(LAYOUT, RULES, self.state[0])
        plain(exchange)(checked, GIFT, HAND, step)
        exchange_at(self.state, step)
        assert checked.record().tobytes() == self.state.tobytes()


@pytest.mark.parametrize("step", [1, 2])
def test_givers_know_where_their_cards_are_and_third_seats_forget(step: int) -> None:
    table, stays, goes = Table(3), ["a0", "c0", "e0"], ["b0", "d0", "f0"]
    for seat in range(3):
        table.lay(HAND + seat, stays[seat])
        table.lay(GIFT + seat, goes[seat])
        table.knows(seat, *(card for card in stays + goes if card not in (stays[seat], goes[seat])))
    table.state["seen"][0] = words("b0", "f2")
    table.exchange(step)
    for giver in range(3):
        taker = (giver + step) % 3
        third = 3 - giver - taker
        assert goes[giver] in table.hand(taker)
        assert table.known(giver) == {goes[giver], stays[(giver - step) % 3]}
        assert stays[giver] in table.known(taker), "it saw what went, so it knows what stayed"
        assert not {stays[giver], goes[giver]} & table.known(third)
    assert table.named(table.state["seen"][0]) == {"f2"}


def test_a_taker_takes_a_twin_for_the_card_that_it_knew_of() -> None:
    table = Table(2)
    table.lay(HAND, "a0", "b0")
    table.lay(GIFT, "a1")
    table.lay(HAND + 1, "c0")
    table.knows(1, "a0", "b0")
    table.exchange(1)
    assert table.hand(1) == {"a1", "c0"}
    assert table.known(1) == {"b0"}
    assert table.known(0) == {"a1"}


def test_a_twin_that_is_given_in_return_is_not_mixed_up() -> None:
    """Two swap twins: each still knows of the card that it gave."""
    table = Table(2)
    table.lay(GIFT, "a0")
    table.lay(GIFT + 1, "a1")
    table.exchange(1)
    assert (table.hand(0), table.hand(1)) == ({"a1"}, {"a0"})
    assert (table.known(0), table.known(1)) == ({"a0"}, {"a1"})


def test_who_gives_nothing_is_not_told_of_and_known_as_before() -> None:
    table = Table(3)
    table.lay(HAND, "a0")
    table.lay(GIFT + 1, "b0")
    table.knows(2, "a0")
    table.exchange(1)
    assert table.known(2) == {"a0"}
    assert int(table.state["events"][0]) == 1
