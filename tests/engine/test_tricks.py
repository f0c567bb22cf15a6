"""Tricks with and without trumps, and dealing all cards out."""

from typing import Any

import numpy as np
import pytest

from bare import bare_rules
from kibitz.engine.cards import deal_out, gather
from kibitz.engine.checked import Checked, plain
from kibitz.engine.compiled import from_python
from kibitz.engine.deck import Deck, Kind
from kibitz.engine.record import layout
from kibitz.engine.tricks import following, trick_taker
from kibitz.engine.zones import Sight, Zones

SUITS, RANKS = "cdsh", "12345"
DECK = Deck(
    Kind(suit + rank, copies=2, words={"suit": suit}) for suit in SUITS for rank in RANKS
)  # fmt: skip
zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True)
STOCK = zones.set("stock")
TRICK = zones.pile("trick", per_seat=True)
LAYOUT = layout(__file__, DECK, zones, shown={})
RULES = bare_rules(LAYOUT, DECK, zones)


@from_python
def taker_at(states: Any, leader: int, led: int, trumps: int) -> int:
    return trick_taker(states[0], TRICK, leader, led, trumps)


@from_python
def following_at(states: Any, hand: int, led: int) -> int:
    return following(states[0], hand, led)


@from_python
def deal_out_at(states: Any, first: int) -> None:
    gather(states[0], STOCK)
    deal_out(states[0], STOCK, HAND, first)


def table(players: int) -> Any:
    """Nothing lies there."""
    state = np.zeros(1, LAYOUT.reporting)
    state["players"] = players
    state["top"] = state["under"] = -1
    return state


def suit(letters: str) -> int:
    """The kinds of these suits."""
    return sum(DECK.kinds_with(suit=letter) for letter in letters)


def checked(state: Any) -> Checked:
    return Checked(LAYOUT, RULES, state[0])


def taker(played: str, leader: int, trumps: str = "", players: int | None = None) -> int:
    """Who takes a trick of these cards, laid from the leader on; compiled and plain agree."""
    codes = played.split()
    state = table(players or len(codes))
    for n, code in enumerate(codes):
        copy = codes[:n].count(code)
        seat = (leader + n) % int(state["players"][0])
        state["top"][0, TRICK + seat] = DECK.card(DECK.index[code], copy)
    words = leader, suit(codes[0][0]), suit(trumps)
    found = taker_at(state, *words)
    assert plain(trick_taker)(checked(state), TRICK, *words) == found
    return found


@pytest.mark.parametrize("leader", range(4))
def test_the_highest_card_of_the_suit_led_takes_the_trick(leader: int) -> None:
    assert taker("d2 d4 d1 d3", leader) == (leader + 1) % 4
    assert taker("d2 h5 s5 c5", leader) == leader
    assert taker("c1 h5 c2 s5", leader) == (leader + 2) % 4


@pytest.mark.parametrize("leader", range(4))
def test_a_trump_beats_the_suit_led_and_a_higher_trump_beats_it(leader: int) -> None:
    assert taker("h5 c1 h4 s5", leader, trumps="c") == (leader + 1) % 4
    assert taker("h5 c2 c1 c3", leader, trumps="c") == (leader + 3) % 4
    assert taker("c2 h5 c3 s5", leader, trumps="c") == (leader + 2) % 4
    assert taker("h5 h4 s5 d5", leader, trumps="c") == leader


def test_of_identical_cards_the_first_that_was_played_takes_the_trick() -> None:
    assert taker("d2 d5 d5 d1", 2) == 3
    assert taker("d2 h1 d5 h1", 3, trumps="h") == 0


def test_a_trick_under_way_belongs_to_the_best_card_so_far() -> None:
    assert taker("d2", 1, players=4) == 1
    assert taker("d2 d3 h5", 3, players=5) == 4


def test_the_suit_led_is_followed_by_those_who_have_it() -> None:
    state = table(3)
    cards = ("c1", "c4", "h2")
    state["cards"][0, HAND + 1] = DECK.words(DECK.card(DECK.index[code], 1) for code in cards)
    for led, kinds in (("c", cards[:2]), ("h", cards[2:]), ("d", cards), ("hd", cards[2:])):
        may = sum(1 << DECK.index[code] for code in kinds)
        assert following_at(state, HAND + 1, suit(led)) == may
        assert plain(following)(checked(state), HAND + 1, suit(led)) == may


@pytest.mark.parametrize(
    ("players", "first", "sizes"),
    [(4, 2, [10] * 4), (3, 0, [14, 13, 13]), (3, 2, [13, 13, 14]), (6, 4, [7, 7, 6, 6, 7, 7])],
)
def test_all_cards_are_dealt_out_even_or_not(players: int, first: int, sizes: list[int]) -> None:
    state = table(players)
    deal_out_at(state, first)
    hands = state["cards"][0, HAND : HAND + players].tolist()
    assert [sum(word.bit_count() for word in hand) for hand in hands] == sizes
    assert [sum(hand[w] for hand in hands) for w in range(2)] == DECK.all.tolist()
    assert not state["cards"][0, STOCK].any()
