"""Ramon Jack Alphonse, rule by rule: the end of a round and of the match, the variant."""

import random
from typing import Any

import pytest

import kibitz
from kibitz.games.ramon.tests.ramon_positions import (
    FIVE,
    at,
    drawable,
    kitty,
    shown,
    without_draw_pile,
)
from kibitz.testing import cards, hand, next_round, refused

proves = pytest.mark.proves


# End of a round


@proves("RAMON-T5", "RAMON-E2")
@pytest.mark.parametrize(
    ("stacks", "score"),
    [
        ("b4 g14 g6 o15", 39),
        ("b1 g1/g2 o3", 6),
        ("b15/b1 g15/g2 o15/o3", 6),
        ("b4 g14 g6 b15", 0),
        ("b4/o2 g14 g6", 0),
        ("b4/g3 g14 o6", 0),
        ("o15 o14 o13 o12 o11", 0),
        ("", 0),
    ],
)
def test_who_shows_all_three_colours_scores_the_visible_numbers(stacks: str, score: int) -> None:
    match = at(f"hand.0: b15\nkitty.1: {FIVE}\nkitty.2: {stacks}")
    match.play(0, "b15>1")
    assert match.scores == [0, 1 + 2 + 3 + 12 + 14 + 15, score]
    assert match.sheet == [[{"kitty": points} for points in match.scores]]


CLAIRE = "hand.0: b4 g1 o1\nkitty.0: b4 g14 o6 o15\nkitty.1: b1 o12 g6 g3 o2\nkitty.2: g5 o9 g11"


@proves("RAMON-E1", "RAMON-E2")
def test_the_booklets_scoring_example() -> None:
    """Marie lays the blue 4 into Claire's kitty; Anna shows no blue."""
    match = at(CLAIRE)
    match.play(0, "b4>1")
    assert match.round_over
    assert match.scores == [39, 28, 0]


@proves("RAMON-V1")
def test_the_booklets_scoring_example_for_the_thick_skinned() -> None:
    match = at(CLAIRE, options="variant=thick-skinned")
    match.play(0, "b4>1")
    assert match.scores == [39, 0, 0]
    assert match.sheet == [[{"kitty": 39}, {"kitty": 0}, {"kitty": 0}]]


@proves("RAMON-E1")
@pytest.mark.parametrize("owner", range(3))
def test_the_round_ends_at_once_when_any_kitty_has_six_stacks(owner: int) -> None:
    match = at(f"hand.0: b15\nkitty.{owner}: {FIVE}")
    match.play(0, f"b15>{owner}")
    assert match.round_over
    assert match.to_act == set()
    assert len(kitty(match, owner)) == 6
    assert match.scores[owner] == 47
    next_round(match)
    assert match.round == 2


@proves("RAMON-E1")
def test_after_the_sixth_stack_nobody_draws_and_hands_count_nothing() -> None:
    match = at(f"hand.0: b15 g15 o15\nkitty.1: {FIVE}", options="target=30")
    left = drawable(match)
    match.play(0, "b15>1")
    assert match.over
    assert hand(match, 0) == ["g15", "o15"]
    assert drawable(match) == left
    assert match.scores == [0, 47, 0]


@proves("RAMON-E1")
@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_when_the_round_is_over_cards_left_in_hand_lie_open_until_the_next_is_dealt(
    seat: int | None,
) -> None:
    match = at(f"hand.0: b15 g15 o15\nhand.1: b2\nkitty.1: {FIVE}")
    match.play(0, "b15>1")
    assert [cards(match, f"hand.{p}", seat) for p in range(3)] == [["g15", "o15"], ["b2"], []]
    assert refused(match, "g15>0") is None  # nobody plays before it is dealt
    next_round(match)
    assert [bool(cards(match, f"hand.{p}", seat)) for p in range(3)] == [
        p == seat for p in range(3)
    ]


@proves("RAMON-E1", "RAMON-T3")
@pytest.mark.parametrize("card", ["b12", "g12", "o12"])
def test_a_sixth_number_that_merges_away_does_not_end_the_round(card: str) -> None:
    match = at(f"hand.0: {card} b9 b8\nhand.1: g9\nkitty.1: {FIVE}")
    match.play(0, f"{card}>1")
    assert not match.round_over
    assert len(kitty(match, 1)) == 5
    assert len(hand(match, 0)) == 3
    assert match.to_act == {1}


@proves("RAMON-E1")
def test_a_card_laid_on_one_of_five_stacks_does_not_end_the_round() -> None:
    match = at(f"hand.0: b15\nkitty.1: {FIVE}")
    match.play(0, "b15>1:1")
    assert not match.round_over


@proves("RAMON-E1")
def test_the_round_ends_when_the_draw_pile_and_all_hands_are_used_up() -> None:
    match = without_draw_pile("hand.0: b1\nhand.2: g2\nkitty.0: g3 o4\nkitty.2: o9")
    match.play(0, "b1>0")
    assert not match.round_over
    match.play(2, "g2>2")
    assert match.round_over
    assert match.to_act == set()
    assert match.scores == [1 + 3 + 4, 0, 0]


@proves("RAMON-E1")
def test_the_round_goes_on_with_an_empty_draw_pile_while_anyone_has_a_card() -> None:
    match = without_draw_pile("hand.0: b1 b2\nkitty.2: o9")
    match.play(0, "b1>0")
    assert not match.round_over
    assert match.to_act == {0}


@proves("RAMON-E1")
def test_who_has_no_card_is_skipped_but_their_kitty_stays_open_to_all() -> None:
    match = without_draw_pile("hand.0: b1 b2\nhand.2: g2\nkitty.1: b5\nkitty.2: o9")
    match.play(0, "b1>1")
    assert match.to_act == {2}
    match.play(2, "g2>1")
    assert shown(match, 1) == ["b1", "b5", "g2"]
    assert {"b2>1", "b2>1:1", "b2>1:5"} <= set(match.legal(0))


# End of the match


@proves("RAMON-E3")
@pytest.mark.parametrize(("points", "over"), [(102, False), (103, True), (140, True)])
def test_the_game_ends_after_a_round_in_which_someone_reaches_150(points: int, over: bool) -> None:
    match = at(f"hand.0: b15\nkitty.1: {FIVE}\nscores: 100 {points} 0")
    match.play(0, "b15>1")
    assert match.scores[1] == points + 47
    assert match.over is over
    assert match.winners == ([1] if over else [])


@proves("RAMON-E3")
def test_a_finished_game_takes_no_more_cards() -> None:
    match = at(f"hand.0: b15 b2\nkitty.1: {FIVE}\nscores: 0 149 0")
    match.play(0, "b15>1")
    assert match.to_act == frozenset()
    assert refused(match, "b2>0") == "RAMON-E3"


@proves("RAMON-E3")
def test_of_several_beyond_150_the_one_with_most_points_wins() -> None:
    match = at(f"hand.0: b15\nkitty.1: {FIVE}\nkitty.2: b3 g2 o1\nscores: 0 110 148")
    match.play(0, "b15>1")
    assert match.scores == [0, 157, 154]
    assert match.winners == [1]


@proves("RAMON-E3")
def test_equal_highest_totals_share_the_victory() -> None:
    match = at(f"hand.0: b15\nkitty.1: {FIVE}\nkitty.2: b3 g2 o1\nscores: 149 110 151")
    match.play(0, "b15>1")
    assert match.winners == [1, 2]


@proves("RAMON-E4")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_covered_cards_were_seen_by_all_but_cannot_be_looked_through(seat: int | None) -> None:
    match = at("hand.0: g8\nhand.1: o1\nkitty.1: b2/b5 b1/o8")
    match.play(0, "g8>1")
    stacks = {zone.cards: zone.known for zone in match.view(seat).zones.values() if zone.known}
    assert stacks == {("b5",): ("b2",), ("g8",): ("b1", "o8")}


@proves("RAMON-E4")
@pytest.mark.parametrize(("number", "over"), [(99, False), (100, True)])
def test_a_match_ends_after_100_rounds_and_the_totals_decide(number: int, over: bool) -> None:
    match = at(f"round: {number}\nhand.0: b15\nkitty.1: {FIVE}\nscores: 50 2 40")
    match.play(0, "b15>1")
    assert match.over is over
    assert match.scores == [50, 49, 40]
    assert match.winners == ([0] if over else [])


# Variant and options


@proves("RAMON-V1")
@pytest.mark.parametrize(
    ("one", "other", "recorded"),
    [
        pytest.param("b1 g1/g2 o3", "b15 g14 o13 o5", [0, 47, 47], id="equally best"),
        pytest.param("b15 g14 o13 o5", "o15 g14 b10 b8", [47, 47, 47], id="all equally best"),
        pytest.param("b1 g1/g2 o3", "b15 g14 o13 o4", [0, 47, 0], id="one below the best"),
        pytest.param("b15 g14 o13 o4", "b1 g1/g2 o3", [0, 47, 0], id="one below, earlier seat"),
        pytest.param("b1 g1/g2 o3", "b15 g14 o13 o6", [0, 0, 48], id="one above all others"),
        pytest.param("b15 g14 o13 o6", "o15 g14 b10 b8", [48, 0, 0], id="best, earlier seat"),
        pytest.param("b15 g14 g13 g6", "o15 g14 o13 o7", [0, 47, 0], id="more, a colour missing"),
    ],
)
def test_only_the_best_scorer_records_and_equal_best_scorers_all_do(
    one: str, other: str, recorded: list[int]
) -> None:
    """Seat 1 scores 47."""
    match = at(
        f"hand.0: b15\nkitty.0: {one}\nkitty.1: {FIVE}\nkitty.2: {other}",
        options="variant=thick-skinned",
    )
    match.play(0, "b15>1")
    assert match.scores == recorded
    assert match.sheet == [[{"kitty": points} for points in recorded]]


@proves("RAMON-V1")
def test_if_nobody_scores_nobody_records() -> None:
    match = at("hand.0: o15\nkitty.1: o1 o2 o3 g4 g5", options="variant=thick-skinned")
    match.play(0, "o15>1")
    assert match.scores == [0, 0, 0]
    assert match.round_over
    assert not match.over


@proves("RAMON-V1")
@pytest.mark.parametrize(
    ("options", "points", "over"),
    [
        ("variant=thick-skinned", 52, False),
        ("variant=thick-skinned", 53, True),
        ("variant=thick-skinned target=150", 102, False),
        ("variant=thick-skinned target=150", 103, True),
        ("variant=thick-skinned target=120", 73, True),
        ("variant=standard", 53, False),
    ],
)
def test_the_variant_ends_at_100_unless_a_target_is_given(
    options: str, points: int, over: bool
) -> None:
    match = at(f"hand.0: b15\nkitty.1: {FIVE}\nscores: 0 {points} 0", options=options)
    match.play(0, "b15>1")
    assert match.over is over


@proves("RAMON-V1", "RAMON-E3")
@pytest.mark.parametrize(
    ("given", "variant", "target"),
    [
        ({}, "standard", 150),
        ({"variant": "standard"}, "standard", 150),
        ({"variant": "thick-skinned"}, "thick-skinned", 100),
        ({"variant": "thick-skinned", "target": 150}, "thick-skinned", 150),
        ({"target": 30}, "standard", 30),
        ({"target": 500}, "standard", 500),
    ],
)
def test_variant_and_target(given: dict[str, Any], variant: str, target: int) -> None:
    match = kibitz.new("ramon", players=3, **given)
    assert match.options == {"variant": variant, "target": target}


@proves("RAMON-V1", "RAMON-E3")
@pytest.mark.parametrize(
    "given",
    [{"target": 29}, {"target": 501}, {"target": "much"}, {"variant": "soft"}, {"variant": 1}],
)
def test_other_variants_and_targets_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(kibitz.BadOption):
        kibitz.new("ramon", players=3, **given)


@proves("RAMON-S1")
@pytest.mark.parametrize("players", [2, 7])
def test_it_is_a_game_for_3_to_6(players: int) -> None:
    with pytest.raises(kibitz.BadOption):
        kibitz.new("ramon", players=players)


@proves("RAMON-E1", "RAMON-T2", "RAMON-T4")
def test_there_is_always_a_card_to_lay_and_whole_games_end() -> None:
    for seed in range(8):
        match = kibitz.new("ramon", players=3 + seed % 4, seed=seed)
        rng = random.Random(seed)
        while not match.over and len(match.log) <= 9000:
            if match.round_over:
                match.next_round()
            (seat,) = match.to_act
            legal = match.legal(seat)
            assert legal
            match.play(seat, rng.choice(legal))
        assert match.over
        assert max(match.scores) >= 150 or match.round == 100
        assert match.scores == [
            sum(r[p]["kitty"] for r in match.sheet) for p in range(match.players)
        ]
