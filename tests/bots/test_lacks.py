"""Worlds in which no hand has what its seat lacks: twins, a stock, a way over three hands."""

from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from bare import bare_rules
from kibitz.bots.lacks import BELIEFS, give_up_lacks
from kibitz.engine.chance import reseed, seed_of_move
from kibitz.engine.checked import Checked, plain
from kibitz.engine.compiled import from_python
from kibitz.engine.deck import Deck, Kind
from kibitz.engine.record import layout
from kibitz.engine.redeal import redeal
from kibitz.engine.visibility import SPECTATOR
from kibitz.engine.zones import Sight, Zones

CODES = "".join(chr(ord("a") + n) for n in range(22))
DECK = Deck(Kind(code, copies=4) for code in CODES)  # two copies in each of the two words
zones = Zones()
HAND = zones.set("hand", Sight.OWNER, per_seat=True)
STOCK = zones.set("stock")
GIFT = zones.set("gift", Sight.OWNER, per_seat=True, hidden_in="hand")
LAYOUT = layout(__file__, DECK, zones, shown={})
PLAYERS = 4
PLACES = [*range(HAND, HAND + PLAYERS), STOCK]
WORLDS = 300
RULES = bare_rules(LAYOUT, DECK, zones)


@from_python
def redeal_at(states: Any, me: int, low: int, high: int) -> None:
    reseed(states[0], low, high)
    redeal(states[0], me)


@from_python
def give_up_at(states: Any, me: int, beliefs: Any) -> None:
    give_up_lacks(states[0], me, HAND, beliefs[0])


def kinds(codes: str) -> int:
    """A set of kinds."""
    return sum(1 << CODES.index(code) for code in set(codes))


def table(*hands: str, stock: str = "") -> Any:
    """The cards in four hands and the stock, by their codes; each code again is another copy."""
    state, used = np.zeros(1, LAYOUT.reporting), Counter[str]()
    state["players"] = PLAYERS
    for zone, codes in zip(PLACES, (*hands, stock), strict=True):
        cards = []
        for code in codes:
            cards.append(DECK.card(CODES.index(code), used[code]))
            used[code] += 1
        state["cards"][0, zone] = DECK.words(cards)
    return state


def lying(state: Any) -> list[str]:
    """The codes in the hands and in the stock, sorted."""
    held = state["cards"][0].tolist()
    return [
        "".join(CODES[DECK.kind[c]] for c in DECK.cards if held[zone][c >> 6] >> (c & 63) & 1)
        for zone in PLACES
    ]


def worlds(state: Any, me: int, lacks: list[str]) -> Iterator[list[str]]:
    """Redealt for a seat, without what hands lack; plain Python finds the same worlds."""
    beliefs = np.zeros(1, BELIEFS)
    for seat, codes in enumerate(lacks):
        beliefs["lacks"][0, seat] = kinds(codes)
    for n in range(WORLDS):
        world = state.copy()
        redeal_at(world, me, *seed_of_move("worlds", n))
        checked = Checked(LAYOUT, RULES, world[0])
        give_up_at(world, me, beliefs)
        if n < 20:
            stand_in = Checked(LAYOUT, RULES, beliefs[0])
            plain(give_up_lacks)(checked, me, HAND, stand_in)
            assert checked.record() == world
        yield lying(world)


def is_consistent(hands: list[str], lacks: list[str]) -> bool:
    return not any(set(hand) & set(lack) for hand, lack in zip(hands, lacks, strict=False))


@pytest.mark.parametrize("me", [SPECTATOR, 0, 2])
def test_no_hand_has_what_it_lacks_and_all_cards_are_still_there(me: int) -> None:
    state = table("aabb", "abcc", "ddac", "efbd", stock="eeeff")
    lacks = ["e", "df", "be", "c"]
    for world in worlds(state, me, lacks):
        assert is_consistent(world, lacks), world
        assert [len(cards) for cards in world] == [4, 4, 4, 4, 5]
        assert sorted("".join(world)) == sorted("".join(lying(state)))
        assert me == SPECTATOR or world[me] == lying(state)[me]


def test_a_way_over_three_hands_is_found_where_there_is_no_other() -> None:
    lacks = ["", "ab", "bc", "ca"]
    assert {tuple(world) for world in worlds(table("d", "c", "a", "b"), 0, lacks)} == {
        ("d", "c", "a", "b", "")
    }


def test_every_consistent_deal_comes_up_and_none_much_too_often() -> None:
    lacks = ["", "ab", "b", "e"]
    deals = {("f", *deal[:3], "".join(sorted(deal[3:]))) for deal in permutations("abcde")}
    consistent = {deal for deal in deals if is_consistent(list(deal), lacks)}
    found = Counter(
        tuple(world) for world in worlds(table("f", "c", "a", "d", stock="eb"), 0, lacks)
    )
    assert set(found) == consistent
    assert max(found.values()) < 3 * WORLDS / len(consistent)


def test_cards_that_a_seat_knows_stay() -> None:
    state = table("a", "bc", "bd", "ee", stock="bf")
    state["known"][0, 0] = DECK.words([DECK.card(CODES.index("b"), 1)])
    state["seen"][0] = DECK.words([DECK.card(CODES.index("d"))])
    for world in worlds(state, 0, ["", "b", "d", "b"]):
        assert world[2] == "bd"
        assert "b" not in world[1] + world[3]


def test_what_cannot_be_is_left_as_it_was_dealt() -> None:
    """Nobody takes the a's: the hands keep their sizes, and what they can give up they do."""
    state = table("b", "aa", "ac", "da")
    for world in worlds(state, 0, ["", "acd", "a", "a"]):
        assert [len(cards) for cards in world] == [1, 2, 2, 2, 0]
        assert sorted("".join(world)) == sorted("".join(lying(state)))


def test_what_others_have_chosen_unseen_stays() -> None:
    """It was chosen by the rules of the game, of which nothing is known here."""
    state, beliefs = table("d", "a", "b", "c"), np.zeros(1, BELIEFS)
    gift = DECK.words([DECK.card(CODES.index("b"), 3)])
    state["cards"][0, GIFT + 3] = gift
    beliefs["lacks"][0, 1], beliefs["lacks"][0, 2] = kinds("a"), kinds("a")
    for n in range(20):
        world = state.copy()
        world["rng"][0, 0] = n << 20
        give_up_at(world, 0, beliefs)
        assert world["cards"][0, GIFT + 3].tolist() == gift
        assert lying(world) == ["d", "c", "b", "a", ""]
