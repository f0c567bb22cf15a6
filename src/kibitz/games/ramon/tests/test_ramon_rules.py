"""Ramon Jack Alphonse, rule by rule: cards, setting up, a turn."""

import random
from collections import Counter

import pytest

import kibitz
from kibitz.games.ramon.deck import DECK
from kibitz.games.ramon.tests.ramon_positions import (
    FIVE,
    Kitty,
    at,
    drawable,
    kitties,
    kitty,
    shown,
    without_draw_pile,
)
from kibitz.testing import hand, known, next_round, refused, sizes

proves = pytest.mark.proves


# Cards and setting up


@proves("RAMON-C1")
def test_the_deck_has_1_to_15_twice_in_three_colours() -> None:
    assert len(DECK) == 90
    copies = {kind.code: kind.copies for kind in DECK.kinds}
    assert copies == {f"{colour}{n}": 2 for colour in "bgo" for n in range(1, 16)}
    assert {kind.words["colour"] for kind in DECK.kinds} == {"blue", "green", "orange"}


@proves("RAMON-S1")
@pytest.mark.parametrize("players", range(3, 7))
def test_everyone_gets_three_cards_and_the_rest_is_the_draw_pile(players: int) -> None:
    match = kibitz.new("ramon", players=players, seed=3)
    assert [len(hand(match, p)) for p in range(players)] == [3] * players
    assert drawable(match) == 90 - 3 * players
    assert kitties(match) == [[]] * players


@proves("RAMON-S1")
@pytest.mark.parametrize("seat", [0, None])
def test_the_draw_pile_is_face_down_and_hands_are_their_owners(seat: int | None) -> None:
    zones = kibitz.new("ramon", players=3, seed=3).view(seat).zones
    for name in ("draw", "hand.1", "hand.2"):
        assert zones[name].cards == zones[name].known == ()


@proves("RAMON-S1")
def test_every_card_may_be_dealt() -> None:
    dealt = Counter(
        card for seed in range(300) for card in hand(kibitz.new("ramon", players=3, seed=seed), 0)
    )
    assert len(dealt) == 45
    assert max(dealt.values()) < 45


@proves("RAMON-S2")
def test_the_first_starter_is_drawn_at_random() -> None:
    starters = Counter(min(kibitz.new("ramon", players=3, seed=s).to_act) for s in range(300))
    assert set(starters) == {0, 1, 2}
    assert min(starters.values()) > 70


@proves("RAMON-S2")
@pytest.mark.parametrize(("starter", "following"), [(0, 1), (1, 2), (2, 0)])
def test_later_rounds_are_started_to_the_left_of_the_last_starter(
    starter: int, following: int
) -> None:
    match = at(f"starter: {starter}\nhand.0: b15\nkitty.1: {FIVE}")
    match.play(0, "b15>1")
    next_round(match)
    assert match.round == 2
    assert match.to_act == {following}
    assert match.view().fields["starter"] == following


@proves("RAMON-S2")
def test_a_new_round_is_dealt_from_all_90_cards_shuffled_anew() -> None:
    kept = 0
    for seed in range(60):
        match = at(f"hand.0: b15 g7 g8\nkitty.1: {FIVE}\nkitty.2: b5/b6", seed=seed)
        match.play(0, "b15>1")
        next_round(match)
        assert [len(hand(match, p)) for p in range(3)] == [3, 3, 3]
        assert drawable(match) == 81
        assert kitties(match) == [[], [], []]
        assert known(match, "draw") == []
        kept += "g7" in hand(match, 0)
    assert kept < 20


# A turn


@proves("RAMON-T1")
@pytest.mark.parametrize("owner", range(4))
def test_a_card_is_laid_into_any_kitty(owner: int) -> None:
    match = at("hand.0: b1 g2 o3", players=4)
    match.play(0, f"g2>{owner}")
    assert kitties(match) == [[("g2",)] if p == owner else [] for p in range(4)]
    assert Counter(hand(match, 0)) >= Counter(["b1", "o3"])


@proves("RAMON-T1")
def test_each_card_of_the_hand_may_be_chosen_and_no_other() -> None:
    match = at("hand.0: b1 g2 g2\nhand.1: o3 o4 o5")
    assert set(match.legal(0)) == {f"{card}>{p}" for card in ("b1", "g2") for p in range(3)}
    assert refused(match, "o3>0") == "RAMON-T1"
    assert refused(match, "b15>1") == "RAMON-T1"


@proves("RAMON-T1")
def test_a_kitty_that_is_not_at_the_table_is_refused() -> None:
    assert refused(at("hand.0: b1"), "b1>3") == "RAMON-T1"


@proves("RAMON-T2")
def test_a_kitty_begins_with_any_card() -> None:
    match = at("hand.0: b1 g2 o3")
    assert match.legal(0) == [f"{card}>{p}" for card in ("b1", "g2", "o3") for p in range(3)]


@proves("RAMON-T2")
def test_from_the_first_card_on_one_lays_next_to_it_or_on_its_colour() -> None:
    match = at("hand.0: g2 o3\nkitty.1: g5")
    into = {action for action in match.legal(0) if ">1" in action}
    assert into == {"g2>1", "g2>1:5", "o3>1"}


@proves("RAMON-T2")
def test_next_to_what_lies_there_is_a_new_stack() -> None:
    match = at("hand.0: g2\nkitty.1: g5 b3/b4")
    match.play(0, "g2>1")
    assert sorted(kitty(match, 1)) == [("b3", "b4"), ("g2",), ("g5",)]


@proves("RAMON-T2")
@pytest.mark.parametrize("card", ["g2", "g9", "g5"])
def test_on_top_of_a_stack_of_the_same_colour_higher_lower_or_equal(card: str) -> None:
    match = at(f"hand.0: {card}\nkitty.1: b7 o1/g5")
    match.play(0, f"{card}>1:5")
    assert sorted(kitty(match, 1)) == [("b7",), ("o1", "g5", card)]


@proves("RAMON-T2")
@pytest.mark.parametrize("owner", range(6))
@pytest.mark.parametrize("colour", "bgo")
def test_in_every_kitty_of_six_each_colour_takes_its_own(owner: int, colour: str) -> None:
    match = at(f"hand.0: b2 g3 o4\nkitty.{owner}: {colour}9 {colour}12", players=6)
    onto = {action for action in match.legal(0) if ":" in action}
    own = {"b": "b2", "g": "g3", "o": "o4"}[colour]
    assert onto == {f"{own}>{owner}:9", f"{own}>{owner}:12"}
    match.play(0, f"{own}>{owner}:12")
    assert sorted(kitty(match, owner)) == sorted([(f"{colour}9",), (f"{colour}12", own)])


@proves("RAMON-T2")
@pytest.mark.parametrize("action", ["o2>1:5", "b2>1:5", "g3>1:7", "g3>1:9", "g3>0:5", "b2>1:3"])
def test_not_on_another_colour_nor_on_a_number_that_is_not_there(action: str) -> None:
    match = at("hand.0: o2 b2 g3\nkitty.1: g5 b7")
    assert refused(match, action) == "RAMON-T2"


@proves("RAMON-T2")
def test_there_is_no_pass() -> None:
    match = at("hand.0: o2\nkitty.1: g5")
    with pytest.raises(kibitz.IllegalAction, match="no action"):
        match.play(0, "pass")


@proves("RAMON-T3", "RAMON-T2")
def test_the_booklets_example_of_two_green_14s() -> None:
    """Anna lays the green 14 on the green 5 of Marie, who already shows a green 14."""
    match = at("hand.0: g14 g7 b9\nkitty.1: g5 o2 b11 g14 o8")
    assert {"g14>1:5", "g7>1:5", "g7>1:14"} <= set(match.legal(0))
    match.play(0, "g14>1:5")
    assert shown(match, 1) == ["b11", "g14", "o2", "o8"]
    assert ("g14", "g5", "g14") in kitty(match, 1)


@proves("RAMON-T3")
def test_two_stacks_of_one_number_become_one_and_the_one_just_played_lies_on_top() -> None:
    match = at("hand.0: g8\nkitty.1: o1/b8 b2/g3/g4 o7")
    match.play(0, "g8>1:4")
    assert sorted(kitty(match, 1)) == [("o1", "b8", "b2", "g3", "g4", "g8"), ("o7",)]
    assert shown(match, 1) == ["g8", "o7"]


@proves("RAMON-T3")
@pytest.mark.parametrize("old", ["b8", "g8", "o8"])
def test_a_card_laid_beside_its_number_recolours_that_stack(old: str) -> None:
    match = at(f"hand.0: g8\nkitty.1: o7 b1/{old} b2")
    match.play(0, "g8>1")
    assert sorted(kitty(match, 1)) == [("b1", old, "g8"), ("b2",), ("o7",)]


@proves("RAMON-T3")
def test_a_recoloured_stack_takes_cards_of_its_new_colour_only() -> None:
    match = at("hand.0: g8\nhand.1: g1 b1\nkitty.2: b8")
    match.play(0, "g8>2")
    assert "g1>2:8" in match.legal(1)
    assert refused(match, "b1>2:8", seat=1) == "RAMON-T2"


@proves("RAMON-T3")
def test_equal_numbers_in_different_kitties_stay_apart() -> None:
    match = at("hand.0: g8\nkitty.1: b8\nkitty.2: o8")
    match.play(0, "g8>0")
    assert kitties(match) == [[("g8",)], [("b8",)], [("o8",)]]


def laid(stacks: Kitty, card: str, onto: str) -> tuple[Kitty, int]:
    """A kitty after a card was laid, and how many merges followed, by the letter of T2 and T3."""
    rest = list(stacks)
    played: tuple[str, ...] = (card,)
    if onto:
        below = next(s for s in rest if s[-1] == card[0] + onto)
        rest.remove(below)
        played = (*below, card)
    merges = 0
    while same := next((s for s in rest if s[-1][1:] == played[-1][1:]), None):
        rest.remove(same)
        played = (*same, *played)
        merges += 1
    return sorted([*rest, played]), merges


@proves("RAMON-T1", "RAMON-T2", "RAMON-T3")
def test_at_most_one_merge_follows_a_card() -> None:
    """Random play against a second telling of the rules, which would merge again and again."""
    merges, six = Counter[int](), 0
    for seed in range(12):
        match = kibitz.new("ramon", players=3 + seed % 4, seed=seed, target=500)
        rng = random.Random(seed)
        before = kitties(match)
        while not match.over and len(match.log) < 120:
            (seat,) = match.to_act
            action = rng.choice(match.legal(seat))
            card, _, place = action.partition(">")
            owner, _, onto = place.partition(":")
            expected, merged = laid(before[int(owner)], card, onto)
            merges[merged] += 1
            match.play(seat, action)
            after = kitties(match)
            assert sorted(after[int(owner)]) == expected
            assert len(expected) - len(before[int(owner)]) == (not onto) - merged
            assert len({stack[-1][1:] for stack in expected}) == len(expected) <= 6
            before[int(owner)] = after[int(owner)]
            assert after == before
            used_up = drawable(match) == sum(sizes(match, "hand")) == 0
            assert match.round_over is (len(expected) == 6 or used_up)
            six += len(expected) == 6
            if match.round_over and not match.over:
                before = kitties(next_round(match))
    assert merges[0] > 500
    assert merges[1] > 120
    assert set(merges) == {0, 1}
    assert six > 8


@proves("RAMON-T4")
def test_one_card_is_drawn_and_the_turn_passes_to_the_left() -> None:
    match = at("hand.0: b1 b2 b3\nhand.1: g1 g2 g3\nhand.2: o1 o2 o3")
    for seat, action in ((0, "b1>0"), (1, "g2>0"), (2, "o3>1")):
        assert match.to_act == {seat}
        left = drawable(match)
        match.play(seat, action)
        assert len(hand(match, seat)) == 3
        assert drawable(match) == left - 1
    assert match.to_act == {0}


@proves("RAMON-T4")
def test_the_drawn_card_is_seen_by_who_drew_it_alone() -> None:
    match = at("hand.0: b1 b2 b3")
    match.play(0, "b1>0")
    assert Counter(hand(match, 0)) > Counter(["b2", "b3"])
    for seat in (1, None):
        zone = match.view(seat).zones["hand.0"]
        assert (zone.size, zone.cards, zone.known) == (3, (), ())


@proves("RAMON-T4")
def test_nothing_is_drawn_when_no_card_is_left() -> None:
    match = without_draw_pile("hand.0: b1 b2 b3\nhand.1: g1 g2 g3\nkitty.2: o9")
    match.play(0, "b1>0")
    assert hand(match, 0) == ["b2", "b3"]
    assert match.to_act == {1}


@proves("RAMON-T4")
def test_nobody_plays_out_of_turn() -> None:
    match = at("hand.0: b1\nhand.1: g1")
    assert match.legal(1) == []
    assert refused(match, "g1>1", seat=1) == "RAMON-T4"


@proves("RAMON-T5")
def test_covered_cards_count_for_neither_colour_nor_number() -> None:
    match = at("hand.0: b9 g7\nkitty.1: b5/g6 g7/o8")
    into = {action for action in match.legal(0) if ">1" in action}
    assert into == {"b9>1", "g7>1", "g7>1:6"}
    assert refused(match, "b9>1:5") == "RAMON-T2"
    match.play(0, "g7>1")  # next to the covered 7: no merge
    assert shown(match, 1) == ["g6", "g7", "o8"]
