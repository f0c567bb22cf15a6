"""Viva: what can be played, and drawing instead (VIVA-T1 to T5)."""

from itertools import combinations_with_replacement

import pytest

from kibitz.engine.match import Match
from kibitz.games.viva.tests.viva_positions import COLOURS, KINDS, at
from kibitz.testing import cards, field, hand, known, play, refused, size, sizes

proves = pytest.mark.proves


def tops(match: Match) -> list[list[str]]:
    return [cards(match, f"house.{n}") for n in (1, 2, 3)]


def spreads(kind: str, most: int, houses: str = "123") -> set[str]:
    """All ways to lay up to so many cards of a kind into these houses."""
    return {
        f"{kind}>{'+'.join(spread)}"
        for n in range(1, most + 1)
        for spread in combinations_with_replacement(houses, n)
    }


@proves("VIVA-T1")
def test_a_card_can_go_into_any_empty_house() -> None:
    match = at("hand.0: r ob\nblock: p")
    assert set(match.legal(0)) == {"r>1", "r>2", "r>3", "ob>1", "ob>2", "ob>3", "draw"}


@proves("VIVA-T1")
def test_a_card_played_lies_in_the_house_and_the_turn_passes() -> None:
    match = at("hand.0: r ob\nblock: p", players=3)
    stack = size(match, "stack")
    match.play(0, "r>2")
    assert tops(match) == [[], ["r"], []]
    assert hand(match, 0) == ["ob"]
    assert size(match, "stack") == stack
    assert cards(match, "block") == ["p"]
    assert match.to_act == {1}


@proves("VIVA-T1")
def test_a_card_that_is_not_held_cannot_be_played() -> None:
    assert refused(at("hand.0: r ob\nhand.1: g g\nblock: p"), "g>1") == "VIVA-T1"


@proves("VIVA-T1")
def test_the_turn_goes_round_and_only_the_seat_on_turn_can_play() -> None:
    match = at("hand.0: r r\nhand.1: b b\nhand.2: g g\nblock: p", players=3)
    refused(match, "b>1", seat=1)
    assert match.legal(1) == []
    play(match, "r>1", "b>2")
    refused(match, "r>1", seat=0)
    play(match, "g>3")
    assert match.to_act == {0}


@proves("VIVA-T2", "VIVA-T5")
@pytest.mark.parametrize("top", KINDS)
def test_a_card_goes_on_a_top_card_that_shares_a_colour_and_is_not_barred(top: str) -> None:
    for blocking in COLOURS:
        match = at(f"hand.0: {' '.join(KINDS)}\nhouse.2: {top}\nblock: {blocking}")
        fitting = {card for card in KINDS if set(card) & set(top) and blocking not in card}
        legal = set(match.legal(0))
        assert {action for action in legal if ">2" in action} == {f"{c}>2" for c in fitting}


@proves("VIVA-T1", "VIVA-T2", "VIVA-T5")
def test_the_rulebooks_example_of_a_turn() -> None:
    """Block p, houses ry and gb: yg may go anywhere, rp nowhere."""
    match = at("hand.0: yg rp\nhouse.1: ry\nhouse.2: gb\nblock: p")
    assert set(match.legal(0)) == {"yg>1", "yg>2", "yg>3", "draw"}


@proves("VIVA-T2")
def test_a_card_that_shares_no_colour_is_refused() -> None:
    assert refused(at("hand.0: yb r\nhouse.1: rg\nblock: p"), "yb>1") == "VIVA-T2"


@proves("VIVA-T2")
def test_only_the_top_card_of_a_house_matters() -> None:
    match = at("hand.0: r b b\nhouse.1: r gb\nblock: p")
    assert refused(match, "r>1") == "VIVA-T2"
    match.play(0, "b>1")
    assert tops(match) == [["b"], [], []]
    assert size(match, "house.1") == 3


@proves("VIVA-T3")
def test_identical_cards_can_be_spread_over_houses_or_laid_together() -> None:
    match = at("hand.0: rb rb rb y\nblock: p")
    plays = {action for action in match.legal(0) if action.startswith("rb")}
    assert plays == spreads("rb", 3)
    assert len(plays) == 3 + 6 + 10


@proves("VIVA-T3")
@pytest.mark.parametrize(
    ("action", "heights"),
    [
        ("rb>1+2", [1, 1, 0]),
        ("rb>2+3", [0, 1, 1]),
        ("rb>3+3", [0, 0, 2]),
        ("rb>1+1+2", [2, 1, 0]),
        ("rb>2+2+2", [0, 3, 0]),
    ],
)
def test_all_cards_of_a_play_go_where_it_says(action: str, heights: list[int]) -> None:
    match = at("hand.0: rb rb rb y\nblock: p", players=3)
    match.play(0, action)
    assert [size(match, f"house.{n}") for n in (1, 2, 3)] == heights
    assert tops(match) == [["rb"] if n else [] for n in heights]
    assert hand(match, 0) == ["y"] + ["rb"] * (3 - sum(heights))
    assert match.to_act == {1}


@proves("VIVA-T3")
def test_one_card_can_be_played_out_of_several_identical_ones() -> None:
    match = at("hand.0: rb rb y\nblock: p")
    match.play(0, "rb>1")
    assert sorted(hand(match, 0)) == ["rb", "y"]


@proves("VIVA-T3")
def test_each_card_must_fit_where_it_lands() -> None:
    match = at("hand.0: rb rb rb rb o\nhouse.1: yg\nhouse.2: gb\nblock: p")
    plays = {action for action in match.legal(0) if action.startswith("rb")}
    assert plays == spreads("rb", 4, houses="23")
    assert refused(match, "rb>1+2") in {"VIVA-T2", "VIVA-T3"}
    assert refused(match, "rb>1+1") in {"VIVA-T2", "VIVA-T3"}


@proves("VIVA-T3")
def test_an_identical_card_fits_on_its_twin() -> None:
    match = at("hand.0: rb rb rb o\nhouse.2: gb\nblock: p")
    match.play(0, "rb>2+2+2")
    assert size(match, "house.2") == 4
    assert tops(match) == [[], ["rb"], []]


@proves("VIVA-T3")
def test_more_cards_than_one_holds_cannot_be_played() -> None:
    assert refused(at("hand.0: rb rb y o\nblock: p"), "rb>1+2+3") == "VIVA-T3"
    assert refused(at("hand.0: rb y o\nblock: p"), "rb>1+1") == "VIVA-T3"


@proves("VIVA-T3")
def test_all_six_of_a_kind_can_be_played_at_once() -> None:
    match = at("hand.0: rb rb rb rb rb rb y\nblock: p\nhand.1: o o o")
    assert {action for action in match.legal(0) if action.startswith("rb")} == spreads("rb", 6)
    match.play(0, "rb>1+1+1+2+2+2")
    assert [size(match, f"house.{n}") for n in (1, 2, 3)] == [3, 3, 0]
    assert hand(match, 0) == ["y"]


@proves("VIVA-T3")
def test_different_cards_are_never_one_play() -> None:
    match = at("hand.0: r rb y o\nblock: p")
    assert not [action for action in match.legal(0) if "+" in action]
    with pytest.raises(ValueError, match="no action"):
        match.play(0, "r+rb>1+2")


@proves("VIVA-T3", "VIVA-T5")
def test_barred_cards_cannot_be_played_several_at_once_either() -> None:
    assert refused(at("hand.0: rb rb y\nblock: b"), "rb>1+2") == "VIVA-T5"


@proves("VIVA-T4")
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_at_every_seat_the_drawn_card_alone_can_be_played(seat: int) -> None:
    text = f"due: {seat}\nphase: keep\ndrawn.{seat}: r\nhand.{seat}: g g\nblock: p"
    assert set(at(text, players=3).legal(seat)) == {"done", "r>1", "r>2", "r>3"}


@proves("VIVA-T4")
def test_drawing_is_allowed_when_a_card_can_be_played_and_when_the_last_can_be_laid() -> None:
    assert "draw" in at("hand.0: r ob\nblock: p").legal(0)
    assert set(at("hand.0: r\nblock: r").legal(0)) == {"out r", "draw"}


@proves("VIVA-T4")
def test_drawing_is_a_must_if_nothing_can_be_played() -> None:
    match = at("hand.0: p rb\nhouse.1: g\nhouse.2: o\nhouse.3: yg\nblock: p")
    assert match.legal(0) == ["draw"]
    assert refused(match, "done") == "VIVA-T4"


@proves("VIVA-T4")
def test_nobody_can_end_the_turn_without_playing_or_drawing() -> None:
    assert refused(at("hand.0: r ob\nblock: p"), "done") == "VIVA-T4"


def after_drawing(drawn: str, held: str, table: str = "block: p") -> Match:
    """Seat 0 holds some cards and draws the only card of the stack."""
    return play(at(f"hand.0: {held}\nstack: {drawn}\nbox: *\n{table}", players=3), "draw")


@proves("VIVA-T4")
def test_a_drawn_card_can_be_played_at_once_and_ends_the_turn() -> None:
    match = after_drawing("rb", "g y")
    assert match.to_act == {0}
    assert set(match.legal(0)) == {"rb>1", "rb>2", "rb>3", "done"}
    match.play(0, "rb>3")
    assert tops(match) == [[], [], ["rb"]]
    assert sorted(hand(match, 0)) == ["g", "y"]
    assert match.to_act == {1}


@proves("VIVA-T4")
def test_a_drawn_card_can_be_kept() -> None:
    match = after_drawing("rb", "g y")
    match.play(0, "done")
    assert sorted(hand(match, 0)) == ["g", "rb", "y"]
    assert size(match, "drawn.0") == 0
    assert match.to_act == {1}
    assert field(match, "phase") == "turn"


@proves("VIVA-T4")
def test_after_drawing_no_other_card_can_be_played() -> None:
    match = after_drawing("rb", "g y")
    assert refused(match, "g>1") == "VIVA-T4"


@proves("VIVA-T4")
def test_the_drawn_card_is_played_alone_even_with_twins_in_hand() -> None:
    match = after_drawing("rb", "rb rb y")
    assert set(match.legal(0)) == {"rb>1", "rb>2", "rb>3", "done"}
    assert refused(match, "rb>1+2") == "VIVA-T4"


@proves("VIVA-T4")
def test_only_one_card_is_drawn_a_turn() -> None:
    match = play(at("hand.0: g y\nblock: p"), "draw")
    assert refused(match, "draw") == "VIVA-T4"


@proves("VIVA-T4", "VIVA-T2", "VIVA-T5")
@pytest.mark.parametrize(("drawn", "rule"), [("bp", "VIVA-T5"), ("b", "VIVA-T2")])
def test_a_drawn_card_must_fit_like_any_other(drawn: str, rule: str) -> None:
    houses = "house.1: g\nhouse.2: o\nhouse.3: yg\nblock: p"
    match = after_drawing(drawn, "g y", houses)
    assert match.legal(0) == ["done"]
    assert refused(match, f"{drawn}>1") == rule


@proves("VIVA-T4")
def test_who_held_one_card_may_play_the_drawn_one_but_not_lay_the_other() -> None:
    match = after_drawing("rb", "p")
    assert set(match.legal(0)) == {"rb>1", "rb>2", "rb>3", "done"}
    refused(match, "out p")
    match.play(0, "rb>1")
    assert hand(match, 0) == ["p"]


@proves("VIVA-T4")
def test_the_others_see_that_a_card_was_drawn_but_not_which() -> None:
    match = after_drawing("rb", "g y")
    assert cards(match, "drawn.0", 0) == ["rb"]
    for seat in (1, 2, None):
        assert size(match, "drawn.0") == 1
        assert cards(match, "drawn.0", seat) == known(match, "drawn.0", seat) == []
    match.play(0, "done")
    for seat in (1, 2, None):
        assert known(match, "hand.0", seat) == []


@proves("VIVA-T4")
def test_drawing_is_no_choice_if_there_is_no_card_to_draw_and_one_can_be_played() -> None:
    match = at("hand.0: r ob\nblock: p\nbox: *")
    assert "draw" not in match.legal(0)
    assert refused(match, "draw") == "VIVA-T4"


@proves("VIVA-T4", "VIVA-L1")
def test_drawing_is_no_choice_either_if_only_the_last_card_can_be_laid() -> None:
    match = at("hand.0: r\nblock: ro\nbox: *")
    assert match.legal(0) == ["out r"]
    assert refused(match, "draw") == "VIVA-T4"


@proves("VIVA-T4", "VIVA-T6")
def test_cleared_cards_are_cards_to_draw() -> None:
    assert "draw" in at("hand.0: r ob\nblock: p\ncleared: y\nbox: *").legal(0)


@proves("VIVA-T5")
@pytest.mark.parametrize(("blocking", "free"), [("r", "b gb"), ("rb", "g yg"), ("gp", "r ob")])
def test_both_colours_of_the_blocking_card_are_barred(blocking: str, free: str) -> None:
    match = at(f"hand.0: {' '.join(KINDS)}\nblock: {blocking}")
    playable = {action.split(">")[0] for action in match.legal(0)} - {"draw"}
    assert playable == {card for card in KINDS if not set(card) & set(blocking)}
    assert set(free.split()) <= playable
    for card in set(KINDS) - playable:
        assert refused(match, f"{card}>1") == "VIVA-T5"


@proves("VIVA-T5")
def test_a_barred_card_is_refused_even_where_it_would_fit() -> None:
    match = at("hand.0: rb b\nhouse.1: b\nblock: r")
    assert refused(match, "rb>1") == "VIVA-T5"
    assert "b>1" in match.legal(0)


@proves("VIVA-T5")
def test_a_personal_blocking_card_bars_both_its_colours_for_its_holder() -> None:
    match = at(f"hand.0: {' '.join(KINDS)}\nblock: p\npersonal.0: rb\nholder: 0")
    playable = {action.split(">")[0] for action in match.legal(0)} - {"draw"}
    assert playable == {card for card in KINDS if not set(card) & set("prb")}
    assert refused(match, "rg>1") == "VIVA-T5"
    assert refused(match, "gp>1") == "VIVA-T5"


@proves("VIVA-T5")
def test_a_personal_blocking_card_bars_nothing_for_the_others() -> None:
    match = at("hand.0: r b\nhand.1: rb y\nblock: p\npersonal.1: rb\nholder: 1")
    assert {"r>1", "b>1"} <= set(match.legal(0))
    match.play(0, "r>1")
    assert refused(match, "rb>2", seat=1) == "VIVA-T5"
    assert sizes(match, "hand") == [1, 2]
