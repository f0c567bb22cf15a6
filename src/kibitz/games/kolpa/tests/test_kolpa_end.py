"""Kolpa!, rule by rule: the end of a round and of a match, and what is public."""

import pytest

from kibitz.games.kolpa.tests.kolpa_positions import (
    at,
)
from kibitz.testing import cards, next_round, refused

proves = pytest.mark.proves


@proves("KOLPA-E1")
@pytest.mark.parametrize(("hand", "action"), [("r1", "kol r1"), ("joker", "joker")])
def test_the_round_ends_when_the_last_card_goes_to_the_discard_pile(hand: str, action: str) -> None:
    match = at(f"hand.0: {hand}\ndiscard: r3")
    assert action in match.legal(0)
    match.play(0, action)
    assert match.round_over
    assert match.to_act == set()
    next_round(match)
    assert match.round == 2


@proves("KOLPA-E1")
def test_a_last_card_to_the_display_is_followed_by_a_draw_and_does_not_end_the_round() -> None:
    match = at("hand.0: g5\ndiscard: r3")
    match.play(0, "kolpa g5")
    assert not match.round_over
    assert match.to_act == {1}
    assert len(cards(match, "hand.0", 0)) == 1


@proves("KOLPA-E1")
def test_a_last_joker_needs_no_announcement() -> None:
    match = at("hand.0: joker\ndiscard: r3")
    assert match.legal(0) == ["joker"]
    assert refused(match, "joker red") == "KOLPA-E1"


@proves("KOLPA-E2")
def test_display_minus_hand_covered_cards_included() -> None:
    """The booklet's example: 4, 3, 0, 3, 5, 4, 2 displayed, 0, 3 and a joker in hand: 8."""
    match = at("""
        hand.0: r1
        hand.1: g0 y3 joker
        display.1.red: r4 r3
        display.1.blue: b0
        display.1.green: g3 g5
        display.1.purple: p4 p2
        discard: r3
    """)
    match.play(0, "kol r1")
    assert match.scores == [0, 8]
    assert match.sheet == [[{"display": 0, "hand": 0}, {"display": 21, "hand": -13}]]


@proves("KOLPA-E2")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_when_the_round_is_over_the_hands_that_were_scored_lie_open(seat: int | None) -> None:
    match = at("hand.0: r1\nhand.1: g0 y3 joker\ndiscard: r3")
    match.play(0, "kol r1")
    assert cards(match, "hand.1", seat) == ["g0", "y3", "joker"]
    next_round(match)
    assert bool(cards(match, "hand.1", seat)) is (seat == 1)


@proves("KOLPA-E2")
def test_totals_may_be_negative() -> None:
    match = at("hand.0: r1\nhand.1: joker joker r5\ndiscard: r3\nscores: 3 4")
    match.play(0, "kol r1")
    assert match.scores == [3, -21]


@proves("KOLPA-E3")
def test_the_match_ends_after_a_round_in_which_someone_reaches_the_target() -> None:
    match = at("hand.0: r1\nhand.1: g0\ndisplay.1.red: r5\ndiscard: r3\nscores: 49 45")
    match.play(0, "kol r1")
    assert match.over
    assert match.scores == [49, 50]
    assert match.winners == [1]
    assert refused(match, "kol r1") == "KOLPA-E3"


@proves("KOLPA-E3")
def test_below_the_target_another_round_is_dealt() -> None:
    match = at("hand.0: r1\nhand.1: g0\ndisplay.1.red: r5\ndiscard: r3\nscores: 49 44")
    match.play(0, "kol r1")
    assert not match.over
    assert match.scores == [49, 49]
    assert refused(match, "kol r1") is None  # nobody plays before it is dealt
    next_round(match)
    assert match.round == 2
    assert match.scores == [49, 49]


@proves("KOLPA-E3")
def test_equal_highest_totals_share_the_victory() -> None:
    match = at("hand.0: r1\nhand.1: g0\nhand.2: g1\ndiscard: r3\nscores: 50 50 20", players=3)
    match.play(0, "kol r1")
    assert match.winners == [0, 1]


@proves("KOLPA-E4")
def test_what_is_public() -> None:
    match = at("hand.0: r1 g4\nhand.1: b1 joker\ndisplay.1.red: r5 r2\ndiscard: y3 r3")
    view = match.view()
    assert view.zones["hand.0"].size == 2
    assert view.zones["hand.0"].cards == view.zones["hand.0"].known == ()
    assert view.zones["draw"].cards == view.zones["draw"].known == ()
    assert view.zones["draw"].size == 64 - 8
    assert view.zones["display.1.red"].cards == ("r5", "r2")
    assert view.zones["discard"].cards == ("r3",)


@proves("KOLPA-E5")
@pytest.mark.parametrize(("turns", "over"), [(1998, False), (1999, True)])
def test_a_round_ends_after_2000_turns_and_is_scored_as_it_lies(turns: int, over: bool) -> None:
    match = at(f"hand.0: g5 g4\nhand.1: y1\ndisplay.1.red: r5\ndiscard: b2\nturns: {turns}")
    match.play(0, "kolpa g5")
    assert match.round_over is over
    if over:
        assert match.sheet[0][1] == {"display": 5, "hand": -1}


@proves("KOLPA-E5")
def test_the_turns_of_the_next_round_are_counted_anew() -> None:
    match = at("hand.0: g5 g4\nhand.1: y1\ndiscard: b2\nturns: 1999")
    match.play(0, "kolpa g5")
    next_round(match)
    (seat,) = match.to_act
    match.play(seat, match.legal(seat)[0])
    assert not match.round_over


@proves("KOLPA-E5")
def test_a_match_ends_after_100_rounds_and_the_totals_decide() -> None:
    match = at("hand.0: r1\nhand.1: joker\ndiscard: r3\nround: 100\nscores: -9 -2")
    match.play(0, "kol r1")
    assert match.over
    assert match.winners == [0]
