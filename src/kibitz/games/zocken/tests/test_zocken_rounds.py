"""Zocken: the end of a round, its score, and the end of the match (ZOCKEN-E1 to E3)."""

import pytest

import kibitz
from kibitz.engine.match import Match
from kibitz.games.zocken.tests.zocken_positions import at
from kibitz.testing import cards, next_round, play, refused, size, sizes

proves = pytest.mark.proves

LAST = "leader: 1\ntrick.1: g9\ntrick.2: g2\n"
"""Seat 0 is the last to play to a trick, which seat 1 is going to take."""


@proves("ZOCKEN-E1")
def test_the_round_ends_after_a_trick_when_a_hand_is_empty() -> None:
    match = play(at(f"{LAST}hand.0: g1"), "play g1")
    assert match.round_over
    assert match.to_act == frozenset()


@proves("ZOCKEN-E1")
@pytest.mark.parametrize("seat", [1, 2])
def test_any_empty_hand_will_do(seat: int) -> None:
    assert play(at(f"{LAST}hand.0: g1 g3\nhand.{seat}:"), "play g1").round_over


@proves("ZOCKEN-E1")
def test_while_all_hold_cards_it_goes_on() -> None:
    match = play(at(f"{LAST}hand.0: g1 g3\nhand.1: g5\nhand.2: g6"), "play g1")
    assert not match.round_over
    assert match.to_act == {2}


@proves("ZOCKEN-E1")
def test_an_empty_hand_in_mid_trick_does_not_end_it() -> None:
    match = at("hand.0: g1\nhand.1: g5 g5\nhand.2: g6 g6")
    play(match, "play g1")
    assert not match.round_over
    play(match, "play g5")
    assert not match.round_over
    play(match, "play g6")
    assert match.round_over


@proves("ZOCKEN-E1", "ZOCKEN-P2")
def test_passing_the_last_card_at_the_end_of_a_trick_ends_the_round() -> None:
    match = play(at(f"{LAST}hand.0: pass g3"), "play pass")
    assert not match.round_over
    play(match, "pass g3")
    assert match.round_over
    assert [line["hand"] for line in match.sheet[0]] == [0, 3, 2]


@proves("ZOCKEN-E1", "ZOCKEN-P4")
def test_giving_the_last_cards_at_the_end_of_a_trick_ends_the_round() -> None:
    match = play(at(f"{LAST}hand.0: give g3 draw"), "play give", "to 2", "give g3")
    assert not match.round_over
    play(match, "give last draw")
    assert match.round_over
    assert [line["hand"] for line in match.sheet[0]] == [0, 2, 5]


@proves("ZOCKEN-E1", "ZOCKEN-P2")
def test_an_effect_may_fill_the_empty_hand_in_time_by_passing() -> None:
    match = play(at(f"{LAST}hand.0: pass g3 g3\nhand.1:"), "play pass", "pass g3")
    assert not match.round_over
    assert sizes(match, "hand") == [1, 1, 2]


@proves("ZOCKEN-E1", "ZOCKEN-P4")
def test_an_effect_may_fill_the_empty_hand_in_time_by_giving() -> None:
    match = play(at(f"{LAST}hand.0: give g3 g3 g3\nhand.2:"), "play give", "to 2")
    play(match, "give g3", "give last g3")
    assert not match.round_over
    assert sizes(match, "hand") == [1, 2, 2]


@proves("ZOCKEN-E1", "ZOCKEN-P3")
@pytest.mark.parametrize(("pile", "ends"), [("g4 g4", False), ("g4", False), ("", True)])
def test_an_effect_may_fill_the_empty_hand_in_time_by_drawing(pile: str, ends: bool) -> None:
    match = at(f"{LAST}hand.0: draw g3\nhand.1:\ndraw: {pile}\nbox: *")
    assert play(match, "play draw").round_over == ends


@proves("ZOCKEN-E1", "ZOCKEN-T1")
def test_a_series_does_not_end_the_round_but_shortens_the_way() -> None:
    match = play(at(f"{LAST}hand.0: g3 g3 g3 g1"), *["series g3"] * 3, "done")
    assert not match.round_over
    play(match, "play g1")
    assert match.round_over
    assert match.sheet[0][0] == {"tricks": 0, "hand": 0, "series": -5}


@proves("ZOCKEN-E1", "ZOCKEN-E2")
@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_when_the_round_is_over_the_cards_left_in_hand_lie_open(seat: int | None) -> None:
    match = at(f"{LAST}hand.0: g1\nhand.1: g5 wild\nhand.2: draw")
    play(match, "play g1")
    held = [cards(match, f"hand.{owner}", seat) for owner in range(3)]
    assert held == [[], ["g5", "wild"], ["draw"]]


@proves("ZOCKEN-E1")
@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_cards_taken_lie_face_down_and_all_know_their_number(seat: int | None) -> None:
    match = play(at(f"{LAST}hand.0: g1 g3\ntaken.1: g4 g4 draw"), "play g1")
    assert cards(match, "taken.1", seat) == []
    assert match.view(seat).zones["taken.1"].size == 6
    assert match.view(seat).zones["taken.0"].size == 0


WORKED = """
leader: 1
trick.1: g9
trick.2: g2
hand.0: g1
hand.1: g4 g4 draw give low
hand.2: g8 yellow
taken.0: g2 g2 g1 draw draw give
taken.1: g6 g6 g6
series.0.1: g3 g3 g3
series.0.2: g7 g7 g7 g7
series.1.1: g8 g8 g8 wild high
scores: 10 20 30
"""


@proves("ZOCKEN-E2")
def test_a_worked_example() -> None:
    """Seat 1 takes the last trick of three cards.

    Seat 0: 6 cards taken, nothing in hand, series of 3 and 4.
    Seat 1: 3 + 3 taken; two goblins, two specials and a joker in hand; a series of 5.
    Seat 2: nothing taken; a goblin and a special in hand.
    """
    match = play(at(WORKED), "play g1")
    assert match.sheet == [
        [
            {"tricks": 6, "hand": 0, "series": -15},
            {"tricks": 6, "hand": 1 + 1 + 2 + 2 + 3, "series": -20},
            {"tricks": 0, "hand": 1 + 2, "series": 0},
        ]
    ]
    assert match.scores == [10 - 9, 20 - 5, 30 + 3]


@proves("ZOCKEN-E2")
def test_the_rulebooks_example_of_scoring() -> None:
    """11 cards taken, g4 and low left in hand, a series of four: 11 + 1 + 3 - 10 = 5."""
    eleven = "g1 g1 g1 g5 g5 g6 g6 g7 g7 draw draw"
    text = f"{LAST}hand.0: g3\nhand.2: g4 low\ntaken.2: {eleven}\nseries.2.1: g8 g8 g8 g8"
    match = play(at(text, players=3), "play g3")
    assert match.scores[2] == 5


@proves("ZOCKEN-E2")
@pytest.mark.parametrize(
    ("series", "points"),
    [
        ("g3 g3 g3", -5),
        ("g3 g3 g3 g3", -10),
        ("g3 g3 g3 g3 wild", -20),
        ("g3 g3 g3 g3 wild low", -25),
        ("g3 wild low", -5),
    ],
)
def test_a_series_takes_points_off(series: str, points: int) -> None:
    match = play(at(f"{LAST}hand.0: g1\nseries.0.1: {series}"), "play g1")
    assert match.sheet[0][0] == {"tricks": 0, "hand": 0, "series": points}
    assert match.scores[0] == points


@proves("ZOCKEN-E2")
@pytest.mark.parametrize(
    ("left", "points"),
    [
        ("g1", 1),
        ("g9 g9 g5", 3),
        ("yellow", 2),
        ("blue", 2),
        ("pass", 2),
        ("draw", 2),
        ("give", 2),
        ("wild", 3),
        ("low", 3),
        ("high", 3),
        ("g1 draw low", 6),
    ],
)
def test_cards_left_in_hand_cost_one_two_or_three(left: str, points: int) -> None:
    match = play(at(f"{LAST}hand.0: g1\nhand.2: {left}"), "play g1")
    assert match.sheet[0][2] == {"tricks": 0, "hand": points, "series": 0}
    assert match.scores[2] == points


@proves("ZOCKEN-E2")
@pytest.mark.parametrize("pawn", ["yellow", "blue"])
def test_each_card_taken_costs_one_whatever_it_is(pawn: str) -> None:
    match = at(f"{LAST}pawn: {pawn}\nhand.0: g1 g3\nhand.2:\ntaken.0: g9 draw wild")
    match.play(0, "play g1")
    assert match.sheet[0][0]["tricks"] == (3 if pawn == "yellow" else 6)


@proves("ZOCKEN-E2")
def test_points_add_up_over_the_rounds() -> None:
    match = play(at(f"{LAST}hand.0: g1\nhand.1: g5\nhand.2: draw\nscores: -7 12 40"), "play g1")
    assert match.scores == [-7, 12 + 3 + 1, 40 + 2]


def ended(scores: str, limit: int = 55, round_no: int = 4) -> Match:
    """A round that gives 0, 4 and 1 points to the three seats."""
    text = f"{LAST}hand.0: g1\nhand.1: g5\nhand.2: g6\nscores: {scores}\nround: {round_no}"
    return play(at(text, limit=limit), "play g1")


@proves("ZOCKEN-E3")
@pytest.mark.parametrize(("scores", "over"), [("0 51 0", False), ("0 52 0", True)])
def test_the_match_ends_when_someone_is_above_55(scores: str, over: bool) -> None:
    match = ended(scores)
    assert match.round_over
    assert match.over == over
    assert match.round == 4


@proves("ZOCKEN-E3")
@pytest.mark.parametrize("limit", [20, 200])
def test_the_limit_can_be_agreed_on(limit: int) -> None:
    assert not ended(f"0 {limit - 4} 0", limit).over
    assert ended(f"0 {limit - 3} 0", limit).over


@proves("ZOCKEN-E3")
def test_the_limit_is_55_unless_said_otherwise_and_from_20_to_200() -> None:
    assert kibitz.new("zocken", players=3, seed=1).options == {"limit": 55}
    for limit in (19, 201):
        with pytest.raises(kibitz.BadOption, match="limit"):
            kibitz.new("zocken", players=3, seed=1, limit=limit)


@proves("ZOCKEN-E3")
@pytest.mark.parametrize(
    ("scores", "totals", "winners"),
    [
        ("10 52 20", [10, 56, 21], [0]),
        ("30 52 20", [30, 56, 21], [2]),
        ("56 52 20", [56, 56, 21], [2]),
        ("60 10 55", [60, 14, 56], [1]),
        ("60 -9 -3", [60, -5, -2], [1]),
        ("21 52 20", [21, 56, 21], [0, 2]),
        ("56 52 55", [56, 56, 56], [0, 1, 2]),
    ],
)
def test_fewest_points_win_and_equal_lowest_totals_share_the_victory(
    scores: str, totals: list[int], winners: list[int]
) -> None:
    match = ended(scores)
    assert match.over
    assert match.scores == totals
    assert match.winners == winners
    assert match.to_act == frozenset()


@proves("ZOCKEN-E3")
def test_after_the_end_nothing_can_be_played() -> None:
    match = ended("10 52 20")
    assert match.legal(0) == []
    assert refused(match, "play g5", seat=1) == "ZOCKEN-E3"
    with pytest.raises(kibitz.IllegalAction, match="the next round"):
        match.next_round()


@proves("ZOCKEN-E3")
@pytest.mark.parametrize(("round_no", "over"), [(29, False), (30, True)])
def test_a_match_ends_after_30_rounds_and_the_totals_decide(round_no: int, over: bool) -> None:
    match = ended("5 -20 7", round_no=round_no)
    assert match.over == over
    assert match.winners == ([1] if over else [])


@proves("ZOCKEN-E3", "ZOCKEN-S1")
def test_below_the_limit_another_round_is_dealt() -> None:
    match = next_round(ended("0 0 0"))
    assert match.round == 5
    assert match.scores == [0, 4, 1]
    assert sizes(match, "hand") == [13, 13, 13]
    assert sizes(match, "taken") == [0, 0, 0]
    assert size(match, "series.0.1") == 0
