"""Ramon Jack Alphonse: what happened, and who is told."""

from collections import Counter

import pytest

import kibitz
from kibitz.engine.log import Event, Line
from kibitz.games.ramon.tests.ramon_positions import FIVE, at, without_draw_pile
from kibitz.testing import events, hand, next_round, play

proves = pytest.mark.proves

SIX = ("b1", "b15", "g2", "g12", "o3", "o14")  # what lies there once a blue 15 makes six of five


def scored(seat: int, points: int, *cards: str) -> Event:
    """What a kitty scores, and what it shows, in the order of the deck."""
    return Event("scored", seat, points, word="kitty", cards=cards, size=len(cards))


def test_dealing_a_round_tells_nothing_but_that_it_was_dealt() -> None:
    match = kibitz.new("ramon", players=3, seed=1)
    assert match.history(0) == match.history() == [Line(None, "deal", None, ())]
    match = next_round(play(at(f"hand.0: b15\nkitty.1: {FIVE}"), "b15>1"))
    assert match.history()[-1] == Line(None, "deal", None, ())


# Cards drawn


@proves("RAMON-T4")
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
@pytest.mark.parametrize("action", ["b1>0", "b1>1", "b1>2", "b1>2:5"])
def test_all_are_told_that_a_card_was_drawn_and_one_which(action: str, viewer: int | None) -> None:
    match = play(at("hand.0: b1 b2 b3\nkitty.2: b5"), action)
    (drawn,) = (Counter(hand(match, 0)) - Counter(["b2", "b3"])).elements()
    seen = (drawn,) if viewer == 0 else ()
    assert events(match, viewer=viewer) == [Event("drew", 0, 1, cards=seen, size=1)]


@proves("RAMON-T4")
def test_nothing_is_told_when_no_card_is_left_to_draw() -> None:
    match = without_draw_pile("hand.0: b1 b2 b3\nhand.1: g1\nkitty.2: o9")
    assert events(play(match, "b1>0"), viewer=0) == []


# Stacks that become one


@proves("RAMON-T3")
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_the_booklets_two_green_14s_are_told_of_the_kitty_they_lie_in(viewer: int | None) -> None:
    match = play(at("hand.0: g14 g7 b9\nkitty.1: g5 o2 b11 g14 o8"), "g14>1:5")
    merged, drew = events(match, viewer=viewer)
    assert merged == Event("merged", 1, 14)
    assert (drew.name, drew.seat) == ("drew", 0)


@proves("RAMON-T3")
@pytest.mark.parametrize(
    ("action", "told"),
    [
        pytest.param("g8>1", [Event("merged", 1, 8)], id="beside its number"),
        pytest.param("g8>0", [Event("merged", 0, 8)], id="in the own kitty"),
        pytest.param("g8>1:3", [Event("merged", 1, 8)], id="on its colour, with its number beside"),
        pytest.param("b8>1:8", [], id="on its own number"),
        pytest.param("g3>1:3", [], id="on its like"),
        pytest.param("g3>0", [], id="beside other numbers"),
        pytest.param("b7>1", [], id="beside its number covered"),
        pytest.param("g8>2", [], id="its number in other kitties"),
    ],
)
def test_stacks_are_told_to_become_one_if_two_of_a_kitty_show_a_number(
    action: str, told: list[Event]
) -> None:
    match = at("hand.0: g8 b8 g3 b7\nkitty.0: o8 b2\nkitty.1: b8 g3 o7/o6\nkitty.2: o9")
    assert events(play(match, action), "merged") == told


@proves("RAMON-T3", "RAMON-E1")
@pytest.mark.parametrize("card", ["b12", "o12", "g12"])
def test_a_sixth_number_that_merges_away_is_told_as_one_stack_and_not_as_the_end(card: str) -> None:
    match = play(at(f"hand.0: {card} b9\nkitty.1: {FIVE}"), f"{card}>1")
    assert [event.name for event in events(match)] == ["merged", "drew"]


# How a round ends


@proves("RAMON-E1", "RAMON-E2")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_the_sixth_stack_is_told_first_and_then_what_each_kitty_scores(viewer: int | None) -> None:
    """The booklet's example: 39, 28, and nothing for the kitty without blue. Nobody draws."""
    match = at("""
        hand.0: b4 g1 o1
        kitty.0: b4 g14 o6 o15
        kitty.1: b1 o12 g6 g3 o2
        kitty.2: g5 o9 g11
    """)
    assert events(play(match, "b4>1"), viewer=viewer) == [
        Event("six_stacks", 0, other=1),
        scored(0, 39, "b4", "g14", "o6", "o15"),
        scored(1, 28, "b1", "b4", "g3", "g6", "o2", "o12"),
        scored(2, 0, "g5", "g11", "o9"),
        Event("lacks_colour", 2, word="blue"),
    ]


@proves("RAMON-E1")
@pytest.mark.parametrize("owner", range(3))
def test_the_sixth_stack_is_told_of_who_laid_it_and_whose_kitty_it_is(owner: int) -> None:
    match = play(at(f"due: 1\nhand.1: b15\nkitty.{owner}: {FIVE}"), f"b15>{owner}")
    assert events(match, "six_stacks", "cards_gone") == [Event("six_stacks", 1, other=owner)]
    assert events(match, "scored")[owner] == scored(owner, 47, *SIX)


@proves("RAMON-E1")
def test_a_card_laid_on_one_of_five_stacks_ends_nothing() -> None:
    match = play(at(f"hand.0: b15\nkitty.1: {FIVE}"), "b15>1:1")
    assert [event.name for event in events(match)] == ["drew"]


@proves("RAMON-E1")
def test_the_last_card_of_all_is_told_to_end_the_round() -> None:
    match = without_draw_pile("hand.0: b1\nhand.2: g2\nkitty.0: g3 o4\nkitty.2: o9")
    assert events(play(match, "b1>0")) == []
    assert events(play(match, "g2>2")) == [
        Event("cards_gone", 2),
        scored(0, 8, "b1", "g3", "o4"),
        scored(1, 0),
        Event("lacks_colour", 1, word="blue"),
        scored(2, 0, "g2", "o9"),
        Event("lacks_colour", 2, word="blue"),
    ]


@proves("RAMON-E1")
def test_a_last_card_that_makes_six_stacks_is_told_as_the_sixth_stack() -> None:
    match = without_draw_pile(f"hand.0: b15\nkitty.1: {FIVE}\nkitty.2: o9")
    assert events(play(match, "b15>1"), "six_stacks", "cards_gone") == [
        Event("six_stacks", 0, other=1)
    ]


# Scores


@proves("RAMON-E2", "RAMON-T5")
def test_only_the_cards_that_show_are_told_with_the_score() -> None:
    match = at(f"hand.0: b15\nkitty.1: {FIVE}\nkitty.2: b15/b1 g15/g2 o15/o3")
    assert events(play(match, "b15>1"), "scored")[2] == scored(2, 6, "b1", "g2", "o3")


@proves("RAMON-E2")
@pytest.mark.parametrize("variant", ["standard", "thick-skinned"])
@pytest.mark.parametrize(
    ("stacks", "missing"),
    [
        ("b4 g14 o6", None),
        ("g14 o6 g5", "blue"),
        ("b4 o6", "green"),
        ("b4 g14 g6", "orange"),
        ("b4/g3 g14 o6", "blue"),
        ("o2/b4 g14 g6", "orange"),
        ("", "blue"),
    ],
)
def test_a_colour_that_a_kitty_does_not_show_is_told_as_why_it_scores_nothing(
    stacks: str, missing: str | None, variant: str
) -> None:
    """The empty kitty shows none of the three: one is named."""
    match = at(f"hand.0: b15\nkitty.1: {FIVE}\nkitty.2: {stacks}", options=f"variant={variant}")
    lacking = [e for e in events(play(match, "b15>1"), "lacks_colour") if e.seat == 2]
    assert lacking == ([Event("lacks_colour", 2, word=missing)] if missing else [])


@proves("RAMON-V1")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_thick_skinned_players_are_told_what_they_would_have_had(viewer: int | None) -> None:
    match = at(
        f"hand.0: b15\nkitty.0: b15 g14 o13 o4\nkitty.1: {FIVE}\nkitty.2: g5 o9",
        options="variant=thick-skinned",
    )
    assert events(play(match, "b15>1"), viewer=viewer) == [
        Event("six_stacks", 0, other=1),
        scored(0, 0, "b15", "g14", "o4", "o13"),
        Event("not_best", 0, 46),
        scored(1, 47, *SIX),
        scored(2, 0, "g5", "o9"),
        Event("lacks_colour", 2, word="blue"),
    ]


@proves("RAMON-V1")
@pytest.mark.parametrize(
    ("variant", "stacks", "told"),
    [
        ("standard", "b15 g14 o13 o4", []),
        ("thick-skinned", "b15 g14 o13 o4", [Event("not_best", 2, 46)]),
        ("thick-skinned", "b15 g14 o13 o5", []),
        ("thick-skinned", "b15 g14 o13 o6", [Event("not_best", 1, 47)]),
    ],
)
def test_points_that_are_not_recorded_are_told_in_the_variant_only(
    variant: str, stacks: str, told: list[Event]
) -> None:
    """Seat 1 scores 47."""
    match = at(f"hand.0: b15\nkitty.1: {FIVE}\nkitty.2: {stacks}", options=f"variant={variant}")
    assert events(play(match, "b15>1"), "not_best") == told


@proves("RAMON-V1")
def test_if_nobody_scores_all_are_told_what_they_lack() -> None:
    match = at("hand.0: o15\nkitty.1: o1 o2 o3 g4 g5", options="variant=thick-skinned")
    assert events(play(match, "o15>1"), "lacks_colour", "not_best") == [
        Event("lacks_colour", seat, word="blue") for seat in range(3)
    ]


# How the match ends


@proves("RAMON-E3")
@pytest.mark.parametrize(
    ("scores", "told"),
    [
        ("100 102 0", []),
        ("100 103 0", [Event("won", 1, 150)]),
        ("151 103 0", [Event("won", 0, 151)]),
        ("150 103 0", [Event("shared", 0, 150), Event("shared", 1, 150)]),
        ("160 113 160", [Event("shared", seat, 160) for seat in range(3)]),
    ],
)
def test_the_end_of_the_match_is_told_last_with_the_totals_of_those_who_won(
    scores: str, told: list[Event]
) -> None:
    match = play(at(f"hand.0: b15\nkitty.1: {FIVE}\nscores: {scores}"), "b15>1")
    assert match.over is bool(told)
    assert events(match, "won", "shared") == told
    assert events(match)[6:] == told


@proves("RAMON-E4")
@pytest.mark.parametrize(("number", "told"), [(99, []), (100, [Event("won", 0, 50)])])
def test_after_100_rounds_the_highest_total_is_told_to_have_won(
    number: int, told: list[Event]
) -> None:
    match = at(f"round: {number}\nhand.0: b15\nkitty.1: {FIVE}\nscores: 50 2 40")
    assert events(play(match, "b15>1"), "won", "shared") == told
