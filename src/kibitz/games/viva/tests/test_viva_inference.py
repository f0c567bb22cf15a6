"""Viva: what play tells everyone of the hands, and worlds that are consistent with it."""

import random
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.bots.inference import Onlooker
from kibitz.engine import border
from kibitz.engine.chance import seed_of_move
from kibitz.engine.checked import Checked, plain
from kibitz.engine.compiled import from_python
from kibitz.engine.match import Match
from kibitz.engine.view import codes_of
from kibitz.engine.visibility import SPECTATOR
from kibitz.games.viva import inference
from kibitz.games.viva.components import HAND, STACK
from kibitz.games.viva.inference import BELIEFS
from kibitz.games.viva.tests.viva_positions import KINDS, at
from kibitz.testing import next_round, play

WORLDS = 200


@from_python
def observe_at(before: Any, states: Any, seat: int, action: int, beliefs: Any) -> None:
    """Note what an action tells, compiled."""
    inference.observe(before[0], states[0], seat, action, beliefs[0])


@from_python
def condition_at(states: Any, me: int, beliefs: Any) -> None:
    """Make a world consistent with beliefs, compiled."""
    inference.condition(states[0], me, beliefs[0])


def believed(match: Match) -> Any:
    """What everyone believes who has followed the match."""
    return Onlooker(match).beliefs(match).noted


def beliefs_about(seat: int, lacks: str = "", lacked: str = "", fresh: int = 0) -> Any:
    """Beliefs about the hand of one seat alone; kinds of card are named."""
    beliefs = np.zeros(1, BELIEFS)
    beliefs["lacks"][0, seat] = sum(1 << KINDS.index(kind) for kind in lacks.split())
    beliefs["lacked"][0, seat] = sum(1 << KINDS.index(kind) for kind in lacked.split())
    beliefs["fresh"][0, seat] = fresh
    return beliefs


def observe(match: Match, action: str, beliefs: Any) -> None:
    """The seat that is due makes an action, and it is noted what it tells."""
    before = match.state.copy()
    (seat,) = match.to_act
    match.play(seat, action)
    observe_at(before, match.state, seat, match.done[-1].action, beliefs)


def kinds(beliefs: Any, field: str, seat: int) -> set[str]:
    """The kinds that are believed not to be in a hand."""
    return {kind for n, kind in enumerate(KINDS) if int(beliefs[field][0, seat]) >> n & 1}


def fresh(beliefs: Any, seat: int) -> int:
    """How many cards of a hand are believed to be fresh."""
    return int(beliefs["fresh"][0, seat])


def sharing(*colours: str) -> set[str]:
    """The kinds that show one of these colours."""
    return {kind for kind in KINDS if set(kind) & set("".join(colours))}


def worlds(match: Match, beliefs: Any, me: int) -> Iterable[Any]:
    """Redeals of what a seat cannot see, conditioned on what is believed."""
    for n in range(WORLDS):
        world = match.state.copy()
        border.redeal_at(world, 0, me, *seed_of_move("worlds", n))
        condition_at(world, me, beliefs)
        yield world


def hands(match: Match, beliefs: Any, me: int, seat: int) -> list[set[str]]:
    """The kinds in a seat's hand, over worlds in which seat `me` believes."""
    return [
        set(codes_of(match.game, world[0]["cards"][HAND + seat]))
        for world in worlds(match, beliefs, me)
    ]


def test_who_draws_holds_nothing_that_could_be_played() -> None:
    match = at("hand.0: r ro ob\nhouse.1: y\nhouse.2: yp\nhouse.3: g\nblock: r", players=3)
    beliefs = believed(play(match, "draw"))
    assert kinds(beliefs, "lacks", 0) == sharing("y", "p", "g") - sharing("r")


def test_who_draws_with_a_last_card_holds_none_that_could_leave() -> None:
    match = at("hand.0: o\nblock: r\npersonal.0: yb\nholder: 0", players=3)
    beliefs = believed(play(match, "draw"))
    assert kinds(beliefs, "lacks", 0) == sharing("r", "y", "b")


def test_what_a_last_card_lacks_says_nothing_of_the_next_one() -> None:
    match = at("hand.0: o\nblock: r\nhouse.1: r\nhouse.2: r\nhouse.3: r", players=3)
    beliefs = believed(play(match, "draw", "done"))
    assert kinds(beliefs, "lacks", 0) == set()
    assert kinds(beliefs, "lacked", 0) == sharing("r")
    assert fresh(beliefs, 0) == 1


HOUSES = "house.1: y\nhouse.2: oy\nhouse.3: g"
"""With yg in the third house it is Viva."""


def test_who_plays_without_a_viva_had_none() -> None:
    match = at(f"hand.0: g r p b\n{HOUSES}\nblock: p", players=3)
    beliefs = believed(play(match, "g>3"))
    assert kinds(beliefs, "lacks", 0) == {"yg"}  # shows what 1 and 2 share, and fits on 3


def test_a_viva_tells_nothing_of_what_is_left() -> None:
    match = at(f"hand.0: yg r p b\n{HOUSES}\nblock: p", players=3)
    beliefs = believed(play(match, "yg>3"))
    assert kinds(beliefs, "lacked", 0) == set()


def test_penalty_cards_are_fresh() -> None:
    match = at(f"hand.0: r ro rb\nhand.1: yg p b\n{HOUSES}\nblock: r", players=3)
    before = believed(play(match, "draw", "done"))
    after = believed(play(match, "yg>3"))
    assert kinds(after, "lacks", 0) == set()
    assert kinds(after, "lacked", 0) == kinds(before, "lacked", 0) != set()
    assert fresh(after, 0) == 2  # VIVA-V2: the previous player draws two


def test_a_hand_of_fresh_cards_alone_tells_nothing() -> None:
    match = at("hand.0: r ro\nhand.1: b\nblock: y", players=2)
    beliefs = beliefs_about(1, lacks="r", lacked="r o", fresh=1)
    observe(match, "r>1", beliefs)
    assert kinds(beliefs, "lacked", 1) == {"r", "o"}
    stand_in = Checked(match.game.layout, match.game.plain, beliefs[0])
    plain(inference.none_but_fresh)(match.checked(), 1, stand_in)
    assert kinds(stand_in.record(), "lacked", 1) == {"r"}
    assert fresh(stand_in.record(), 1) == 0


def test_a_surprise_makes_all_think_anew() -> None:
    match = at("hand.0: r g b\nblock: y", players=2)
    beliefs = beliefs_about(0, lacks="r", lacked="r")
    observe(match, "r>1", beliefs)
    assert kinds(beliefs, "lacks", 0) == kinds(beliefs, "lacked", 0) == set()


def test_when_a_round_is_over_nothing_is_believed_of_its_hands() -> None:
    match = at("hand.0: r\nblock: r", players=2)
    beliefs = beliefs_about(1, lacks="r o y", lacked="r o y", fresh=1)
    observe(match, "out r", beliefs)
    assert match.round_over
    assert not beliefs["lacked"].any()
    assert not beliefs["fresh"].any()


def test_a_new_round_knows_nothing_of_the_last() -> None:
    match = at(f"turns: 998\nhand.0: r ro rb\nhand.1: p op\n{HOUSES}\nblock: r", players=2)
    onlooker = Onlooker(match)
    play(match, "draw", "done", "draw")
    assert onlooker.beliefs(match).noted["lacked"].any()
    next_round(play(match, "done"))
    assert onlooker.beliefs(match).noted == np.zeros(1, BELIEFS)


def test_an_onlooker_who_comes_late_has_the_same_beliefs_as_one_who_was_there() -> None:
    """Also in the round after, which begins when 1,000 turns have been taken."""
    match = at(f"turns: 970\nhand.0: r ro rb\n{HOUSES}\nblock: r", players=4)
    rng, early, believing = random.Random(3), Onlooker(match), 0
    while len(match.done) < 120:
        if match.round_over:
            match.next_round()
        else:
            (seat,) = match.to_act
            match.play(seat, rng.choice(match.legal(seat)))
        if len(match.done) % 5 == 0:
            late = believed(match)
            assert early.beliefs(match).noted == late
            believing += bool(late["lacked"].any())
    assert match.round == 2
    assert believing > 10


def test_a_written_position_tells_nothing_of_what_came_before() -> None:
    match = play(at(f"hand.0: r ro rb\n{HOUSES}\nblock: r", players=3), "draw")
    again = kibitz.position("viva", match.position(), seed=1)
    assert kinds(believed(match), "lacks", 0) != set()
    assert believed(again) == np.zeros(1, BELIEFS)


def test_worlds_are_consistent_with_what_is_believed_of_a_hand() -> None:
    match = at(
        "hand.0: r ro ob o\nhouse.1: y\nhouse.2: yp\nhouse.3: g\nblock: r\nhand.1: o b", players=3
    )
    beliefs = believed(play(match, "draw", "done"))
    lacks = kinds(beliefs, "lacks", 0)
    contrary = sum(bool(hand & lacks) for hand in hands(match, beliefs, 1, 0))
    assert 0 < contrary < WORLDS / 8  # people err: one time in 16 nothing is concluded


def test_fresh_cards_may_be_anything() -> None:
    match = at("hand.0: r b\nhand.1: o y g\nblock: r", players=2)
    beliefs = beliefs_about(1, lacked="r o y", fresh=1)
    found = [len(hand & {"r", "o", "y"}) for hand in hands(match, beliefs, 0, 1)]
    assert max(found[: WORLDS // 2]) >= 1
    assert sum(n > 1 for n in found) < WORLDS / 8


def test_a_card_that_all_have_seen_stays_where_it_is() -> None:
    match = at("hand.0: o r\nhand.1: g b p\nblock: r", players=2, caught="yes")
    match.play(0, "try r>1")  # VIVA-X1
    beliefs = beliefs_about(0, lacks="r", lacked="r")
    assert all("r" in hand for hand in hands(match, beliefs, 1, 0))


def test_conditioning_moves_no_card_of_the_own_hand_and_leaves_sizes() -> None:
    match = at("hand.0: r b\nhand.1: o y g\nhand.2: o\nblock: r", players=3)
    beliefs = np.zeros(1, BELIEFS)
    for seat in range(3):
        beliefs["lacked"][0, seat] = beliefs_about(seat, lacked="r o y")["lacked"][0, seat]
    zones = [HAND, HAND + 1, HAND + 2, STACK]
    before = [cards_in(match.state, zone) for zone in zones]
    for world in worlds(match, beliefs, 0):
        assert [cards_in(world, zone) for zone in zones] == before
        assert (world["cards"][0, HAND] == match.state["cards"][0, HAND]).all()


def cards_in(state: Any, zone: int) -> int:
    """How many cards a zone holds."""
    return sum(int(word).bit_count() for word in state["cards"][0, zone])


@pytest.mark.parametrize("caught", [False, True])
@pytest.mark.parametrize("players", [2, 4])
def test_beliefs_are_alike_in_worlds_that_look_alike(players: int, caught: bool) -> None:
    """To a seat, or a spectator, for whom what it cannot see is dealt anew: the same open action
    of another seat tells the same."""
    rng, compared, believing = random.Random(players), 0, 0
    for seed in range(12):
        match = kibitz.new("viva", players=players, seed=seed, caught=caught)
        beliefs = np.zeros(1, BELIEFS)
        while not match.over and len(match.done) < 150:
            if match.round_over:
                match.next_round()
                beliefs[:] = 0
                continue
            (seat,) = match.to_act
            watcher = rng.choice([p for p in (SPECTATOR, *range(players)) if p != seat])
            other, theirs = match.in_world(match.state), beliefs.copy()
            border.redeal_at(other.state, 0, watcher, *seed_of_move("world", len(match.done)))
            action = rng.choice(match.legal(seat))
            observe(match, action, beliefs)
            if action in other.legal(seat):
                observe(other, action, theirs)
                assert theirs == beliefs, (action, watcher)
                compared += 1
                believing += bool(beliefs["lacked"].any())
    assert compared > 200
    assert believing > 100


def test_compiled_and_plain_inference_agree() -> None:
    """Action by action: what is noted of it, and what becomes of a redealt world."""
    rng, believing = random.Random(5), 0
    for seed in range(6):
        match = kibitz.new("viva", players=3, seed=seed, caught=True)
        layout, rules = match.game.layout, match.game.plain
        beliefs = np.zeros(1, BELIEFS)
        stand_in = Checked(layout, rules, beliefs[0])
        while not match.over and len(match.done) < 120:
            if match.round_over:
                match.next_round()
                beliefs[:] = 0
                stand_in = Checked(layout, rules, beliefs[0])
                continue
            (seat,) = match.to_act
            before, action = match.checked(), rng.choice(match.legal(seat))
            observe(match, action, beliefs)
            plain(inference.observe)(before, match.checked(), seat, match.done[-1].action, stand_in)
            assert stand_in.record() == beliefs, action
            believing += bool(beliefs["lacked"].any())
            watcher = rng.randrange(3)
            world = match.sample_world(watcher)
            checked = Checked(layout, rules, world[0])
            condition_at(world, watcher, beliefs)
            plain(inference.condition)(checked, watcher, stand_in)
            assert checked.record() == world, action
    assert believing > 100
