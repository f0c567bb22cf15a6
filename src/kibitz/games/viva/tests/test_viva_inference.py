"""Viva: what play tells of hands, and deals that fit it."""

import random
from collections.abc import Iterable
from typing import Any

import pytest

import kibitz
from kibitz.engine import playout
from kibitz.engine.chance import seed_of_move
from kibitz.engine.match import Match
from kibitz.games.viva import memory
from kibitz.games.viva.rules import HAND, KIND, STACK
from kibitz.games.viva.tests.viva_positions import KINDS, at

DEALS = 200


def told(match: Match, field: str, seat: int) -> set[str]:
    """The kinds in one of the fields that are remembered of a seat."""
    codes = match.game.layout.deck.codes
    return {code for n, code in enumerate(codes) if int(match.state[0][field][seat]) >> n & 1}


def sharing(*colours: str) -> set[str]:
    """The kinds that show one of these colours."""
    return {kind for kind in KINDS if set(kind) & set("".join(colours))}


def deals(match: Match, me: int, seat: int) -> Iterable[set[str]]:
    """The kinds in a seat's hand, over deals that seat `me` believes in."""
    codes = match.game.layout.deck.codes
    for n in range(DEALS):
        state = match.state.copy()
        playout.redeal_at(state, 0, me, *seed_of_move("deals", n))
        memory.condition(state[0], me)
        hand = state[0]["cards"][HAND + seat]
        yield {codes[KIND[c]] for c in range(len(KIND)) if int(hand[c >> 6]) >> (c & 63) & 1}


def test_who_draws_holds_nothing_that_could_be_played() -> None:
    match = at("hand.0: r ro ob\nhouse.1: y\nhouse.2: yp\nhouse.3: g\nblock: r", players=3)
    match.play(0, "draw")
    assert told(match, "lacks", 0) == sharing("y", "p", "g") - sharing("r")


def test_who_draws_with_a_last_card_holds_none_that_could_leave() -> None:
    match = at("hand.0: o\nblock: r\npersonal.0: yb\nholder: 0", players=3)
    match.play(0, "draw")
    assert told(match, "lacks", 0) == sharing("r", "y", "b")


def test_what_a_last_card_lacks_says_nothing_of_the_next_one() -> None:
    match = at("hand.0: o\nblock: r\nhouse.1: r\nhouse.2: r\nhouse.3: r", players=3)
    match.play(0, "draw")
    match.play(0, "done")
    assert told(match, "lacks", 0) == set()
    assert told(match, "lacked", 0) == sharing("r")
    assert match.state[0]["fresh"][0] == 1


def test_who_plays_without_a_viva_had_none() -> None:
    text = "hand.0: g r p b\nhouse.1: y\nhouse.2: oy\nhouse.3: g\nblock: p"
    match = at(text, players=3)
    match.play(0, "g>3")
    assert told(match, "lacks", 0) == {"yg"}  # shows what 1 and 2 share, and fits on 3


def test_a_viva_tells_nothing_of_what_is_left() -> None:
    match = at("hand.0: yg r p b\nhouse.1: y\nhouse.2: oy\nhouse.3: g\nblock: p", players=3)
    match.play(0, "yg>3")
    assert told(match, "lacked", 0) == set()


def test_penalty_cards_are_fresh() -> None:
    houses = "house.1: y\nhouse.2: oy\nhouse.3: g"
    match = at(f"hand.0: r ro rb\nhand.1: yg p b\n{houses}\nblock: r", players=3)
    match.play(0, "draw")
    match.play(0, "done")
    before = told(match, "lacked", 0)
    match.play(1, "yg>3")
    assert told(match, "lacks", 0) == set()
    assert told(match, "lacked", 0) == before
    assert match.state[0]["fresh"][0] == 2  # VIVA-V2: the previous player draws two


def test_a_hand_of_fresh_cards_alone_tells_nothing() -> None:
    match = at("hand.0: r ro\nhand.1: b\nblock: y\nlacks: 0 1\nlacked: 0 3\nfresh: 0 1", players=2)
    match.play(0, "r>1")
    assert told(match, "lacked", 1) == {"r", "o"}
    state = match.state[0]
    memory.none_but_fresh(state, 1)
    assert (state["lacked"][1], state["fresh"][1]) == (1, 0)


def test_a_surprise_makes_all_think_anew() -> None:
    match = at("hand.0: r g b\nblock: y\nlacks: 1 0\nlacked: 1 0", players=2)
    match.play(0, "r>1")
    assert told(match, "lacks", 0) == told(match, "lacked", 0) == set()


def test_a_new_round_knows_nothing_of_the_last() -> None:
    match = at("hand.0: r\nblock: r\nlacks: 7 7\nlacked: 7 7\nfresh: 1 1", players=2)
    match.play(0, "out r")
    assert match.round == 2
    assert not match.state["lacked"].any()
    assert not match.state["fresh"].any()


def test_deals_fit_what_is_thought_of_a_hand() -> None:
    match = at(
        "hand.0: r ro ob o\nhouse.1: y\nhouse.2: yp\nhouse.3: g\nblock: r\nhand.1: o b", players=3
    )
    match.play(0, "draw")
    match.play(0, "done")
    lacks = told(match, "lacks", 0)
    contrary = sum(bool(hand & lacks) for hand in deals(match, 1, 0))
    assert 0 < contrary < DEALS / 8  # people err: one time in 16 nothing is concluded


def test_fresh_cards_may_be_anything() -> None:
    match = at("hand.0: r b\nhand.1: o y g\nblock: r\nlacked: 0 7\nfresh: 0 1", players=2)
    lacked = told(match, "lacked", 1)
    found = [len(hand & lacked) for hand in deals(match, 0, 1)]
    assert max(found[: DEALS // 2]) >= 1
    assert sum(n > 1 for n in found) < DEALS / 8


def test_a_card_that_all_have_seen_stays_where_it_is() -> None:
    match = at("hand.0: o r\nhand.1: g b p\nblock: r", players=2, caught="yes")
    match.play(0, "try r>1")  # VIVA-X1
    state = match.state[0]
    red = 1 << match.game.layout.deck.codes.index("r")
    state["lacks"][0] = state["lacked"][0] = red
    assert all("r" in hand for hand in deals(match, 1, 0))


def test_believing_moves_no_card_of_the_own_hand_and_leaves_sizes() -> None:
    match = at("hand.0: r b\nhand.1: o y g\nhand.2: o\nblock: r\nlacked: 7 7 7", players=3)
    zones = [HAND, HAND + 1, HAND + 2, STACK]
    before = [cards_in(match.state, zone) for zone in zones]
    state = match.state.copy()
    memory.condition(state[0], 0)
    assert [cards_in(state, zone) for zone in zones] == before
    assert (state["cards"][0, HAND] == match.state["cards"][0, HAND]).all()


def cards_in(state: Any, zone: int) -> int:
    """How many cards a zone of state 0 holds."""
    return sum(int(word).bit_count() for word in state["cards"][0, zone])


@pytest.mark.parametrize("players", [2, 4])
def test_what_is_remembered_depends_on_nothing_hidden(players: int) -> None:
    """In worlds that look alike to a seat, an action that all see is remembered alike."""
    rng, compared = random.Random(players), 0
    for seed in range(12):
        match = kibitz.new("viva", players=players, seed=seed)
        while not match.over and len(match.log) < 150:
            seat = min(match.to_act)
            watcher = rng.choice([p for p in range(players) if p != seat])
            other = match.copy()
            playout.redeal_at(other.state, 0, watcher, *seed_of_move("world", len(match.log)))
            action = rng.choice(match.legal(seat))
            match.play(seat, action)
            if action in other.legal(seat):
                other.play(seat, action)
                if other.round == match.round:
                    compared += 1
                    for field in ("lacks", "lacked", "fresh"):
                        assert (match.state[field] == other.state[field]).all(), action
    assert compared > 200


def test_a_written_position_keeps_what_is_remembered() -> None:
    match = at("hand.0: r ro ob\nhouse.1: y\nhouse.2: yp\nhouse.3: g\nblock: r", players=3)
    match.play(0, "draw")
    again = kibitz.position("viva", match.position(), seed=1)
    assert told(again, "lacks", 0) == told(match, "lacks", 0) != set()
