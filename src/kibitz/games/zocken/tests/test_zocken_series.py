"""Zocken: series of goblins (ZOCKEN-T1, C3)."""

import pytest

from kibitz.engine.checked import CheckedList
from kibitz.engine.errors import UnfinishedChoice
from kibitz.engine.match import Match
from kibitz.games.zocken.deck import DECK
from kibitz.games.zocken.tests.zocken_positions import GOBLINS, at
from kibitz.testing import cards, field, hand, play, refused, size

proves = pytest.mark.proves


def starts(match: Match) -> set[str]:
    """The goblins of which a series can be begun."""
    return {a.split()[1] for a in match.legal(0) if a.startswith("series")}


@proves("ZOCKEN-T1")
def test_a_series_of_three_goblins_is_laid_face_up_before_one() -> None:
    match = at("hand.0: g3 g3 g3 g7")
    play(match, "series g3", "series g3", "series g3", "done")
    for seat in (0, 1, 2, None):
        assert cards(match, "series.0.1", seat) == ["g3", "g3", "g3"]
    assert hand(match, 0) == ["g7"]
    assert match.to_act == {0}


@proves("ZOCKEN-T1")
def test_a_series_is_optional() -> None:
    match = at("hand.0: g3 g3 g3 g7")
    assert {"play g3", "play g7", "series g3"} == set(match.legal(0))
    match.play(0, "play g3")
    assert match.to_act == {1}


@proves("ZOCKEN-T1", "ZOCKEN-T2")
def test_after_a_series_a_card_must_be_played() -> None:
    match = at("hand.0: g3 g3 g3 g7 draw")
    play(match, "series g3", "series g3", "series g3", "done")
    assert set(match.legal(0)) == {"play g7", "play draw"}
    match.play(0, "play g7")
    assert match.to_act == {1}


@proves("ZOCKEN-T1")
def test_a_series_has_at_least_three_cards() -> None:
    match = at("hand.0: g3 g3 g7 g7 draw")
    assert starts(match) == set()
    assert refused(match, "series g3") == "ZOCKEN-T1"


@proves("ZOCKEN-T1")
def test_a_series_cannot_be_left_half_laid() -> None:
    match = play(at("hand.0: g3 g3 g3 g7"), "series g3", "series g3")
    assert match.legal(0) == ["series g3"]
    assert refused(match, "done") == "ZOCKEN-T1"
    assert refused(match, "play g7") == "ZOCKEN-T1"


@proves("ZOCKEN-T1")
def test_all_goblins_of_a_series_have_the_same_symbol() -> None:
    assert starts(at("hand.0: g3 g3 g4 g4 g2 g2")) == set()
    match = play(at("hand.0: g3 g3 g3 g4 g4"), "series g3")
    assert refused(match, "series g4") == "ZOCKEN-T1"


@proves("ZOCKEN-T1")
@pytest.mark.parametrize("card", ["draw", "pass", "give"])
def test_special_cards_make_no_series(card: str) -> None:
    match = at(f"hand.0: {card} {card} {card} {card} g1")
    assert refused(match, f"series {card}") == "ZOCKEN-T1"


@proves("ZOCKEN-T1")
def test_only_cards_in_hand_make_a_series() -> None:
    match = at("hand.0: g3 g3 g7 draw\nhand.1: g3 wild")
    assert refused(match, "series g3") == "ZOCKEN-T1"
    assert refused(at("hand.0: g7 g7 draw g1\ntaken.0: g7 g7"), "series g7") == "ZOCKEN-T1"


@proves("ZOCKEN-T1")
def test_four_alike_may_be_laid_as_three_or_as_four() -> None:
    match = play(at("hand.0: g3 g3 g3 g3 g7"), "series g3", "series g3", "series g3")
    assert set(match.legal(0)) == {"series g3", "done"}
    match.play(0, "series g3")
    assert match.legal(0) == ["done"]
    assert size(match, "series.0.1") == 4


STANDS_FOR = {
    "wild": set(GOBLINS),
    "low": {"g1", "g2", "g3", "g4"},
    "high": {"g6", "g7", "g8", "g9"},
}


@proves("ZOCKEN-C3", "ZOCKEN-T1")
@pytest.mark.parametrize("joker", ["wild", "low", "high"])
@pytest.mark.parametrize("goblin", GOBLINS)
def test_a_joker_stands_in_where_it_may(joker: str, goblin: str) -> None:
    match = at(f"hand.0: {goblin} {goblin} {joker} draw\nhand.1: draw\nhand.2: draw")
    if goblin in STANDS_FOR[joker]:
        play(match, f"series {goblin}", f"series {goblin}", f"series {joker}", "done")
        assert sorted(cards(match, "series.0.1")) == sorted([goblin, goblin, joker])
        assert hand(match, 0) == ["draw"]
    else:
        assert starts(match) == set()
        assert refused(match, f"series {goblin}") == "ZOCKEN-T1"


@proves("ZOCKEN-C3", "ZOCKEN-T1")
@pytest.mark.parametrize(
    ("goblin", "fitting", "other"), [("g2", "low", "high"), ("g8", "high", "low")]
)
def test_a_joker_that_may_not_stand_in_cannot_be_added(
    goblin: str, fitting: str, other: str
) -> None:
    match = at(f"hand.0: {goblin} {goblin} {goblin} low high draw")
    play(match, *[f"series {goblin}"] * 3)
    assert set(match.legal(0)) == {f"series {fitting}", "done"}
    assert refused(match, f"series {other}") == "ZOCKEN-T1"


@proves("ZOCKEN-T1")
def test_one_real_goblin_is_enough() -> None:
    match = at("hand.0: g1 wild low draw")
    play(match, "series g1", "series low", "series wild", "done")
    assert sorted(cards(match, "series.0.1")) == ["g1", "low", "wild"]


@proves("ZOCKEN-T1")
def test_jokers_alone_are_no_series() -> None:
    match = at("hand.0: wild low high draw draw")
    assert starts(match) == set()
    assert refused(match, "series wild") == "ZOCKEN-T1"


@proves("ZOCKEN-T1")
@pytest.mark.parametrize(("goblin", "joker"), [("g1", "low"), ("g9", "high")])
def test_a_series_reaches_six_cards_and_ends_there(goblin: str, joker: str) -> None:
    match = at(f"hand.0: {goblin} {goblin} {goblin} {goblin} wild low high draw draw")
    play(match, *[f"series {goblin}"] * 4, "series wild", f"series {joker}")
    assert size(match, "series.0.1") == 6
    assert match.legal(0) == ["done"]


@proves("ZOCKEN-T1", "ZOCKEN-C5")
def test_nor_would_a_seventh_card_be_added_if_the_deck_had_one_that_fits() -> None:
    """It has none; so the series is said to be of another goblin, for which there is a joker."""
    match = at(
        "phase: series\nseries_goblin: g1\nseries.0.1: g1 g1 g1 g1 wild low\nhand.0: high draw"
    )
    state, found = match.checked(), CheckedList()
    state.series_goblin = DECK.index["g9"]
    match.game.plain.legal(state, 0, found)
    assert [match.game.actions.write(action) for action in found.listed()] == ["done"]


@proves("ZOCKEN-T1")
def test_a_series_is_laid_card_by_card_until_one_says_that_it_is_all() -> None:
    match = at("hand.0: g3 g3 g3 g7")
    with pytest.raises(UnfinishedChoice):
        match.try_choice(0, ["series g3"] * 3)
    assert match.try_choice(0, [*["series g3"] * 3, "done"]).to_act == {0}


@proves("ZOCKEN-T1")
def test_all_see_of_which_goblin_a_series_is_while_it_is_laid() -> None:
    match = at("hand.0: g3 g3 g3 g7")
    for action, goblin in [*[("series g3", "g3")] * 3, ("done", None), ("play g7", None)]:
        match.play(0, action)
        assert field(match, "series_goblin") == goblin


@proves("ZOCKEN-T1")
def test_one_series_a_turn() -> None:
    match = at("hand.0: g3 g3 g3 g4 g4 g4 draw")
    play(match, *["series g3"] * 3, "done")
    assert refused(match, "series g4") == "ZOCKEN-T1"
    assert field(match, "phase") == "play"


@proves("ZOCKEN-T1")
def test_another_series_can_be_laid_in_a_later_turn() -> None:
    match = at("hand.0: g3 g3 g3 g4 g4 g4 g1 g1\nhand.1: g5 g6\nhand.2: g9 g7")
    play(match, *["series g3"] * 3, "done", "play g1", "play g5", "play g9")
    assert match.to_act == {0}
    play(match, *["series g4"] * 3, "done")
    assert cards(match, "series.0.1") == ["g3", "g3", "g3"]
    assert cards(match, "series.0.2") == ["g4", "g4", "g4"]


@proves("ZOCKEN-T1")
@pytest.mark.parametrize("more", ["g3", "wild", "low"])
def test_nothing_is_added_to_a_series_later(more: str) -> None:
    match = at(f"series.0.1: g3 g3 g3\nhand.0: {more} g1 g7 draw")
    assert starts(match) == set()
    assert refused(match, f"series {more}") == "ZOCKEN-T1"


@proves("ZOCKEN-T1")
def test_a_second_series_of_the_same_goblin_lies_apart() -> None:
    match = at("series.0.1: g3 g3 g3\nhand.0: g3 wild low g1")
    play(match, "series g3", "series wild", "series low", "done")
    assert size(match, "series.0.1") == 3
    assert size(match, "series.0.2") == 3


@proves("ZOCKEN-T1")
def test_a_card_must_be_kept_to_play() -> None:
    match = at("hand.0: g3 g3 g3")
    assert match.legal(0) == ["play g3"]
    assert refused(match, "series g3") == "ZOCKEN-T1"


@proves("ZOCKEN-T1")
def test_the_card_kept_may_be_a_fourth_goblin() -> None:
    match = play(at("hand.0: g3 g3 g3 g3"), *["series g3"] * 3)
    assert match.legal(0) == ["done"]
    assert refused(match, "series g3") == "ZOCKEN-T1"
    play(match, "done", "play g3")
    assert match.to_act == {1}


@proves("ZOCKEN-T1")
def test_a_series_comes_before_the_card_of_the_turn() -> None:
    """A special card is played, its effect under way: too late for a series."""
    match = play(at("hand.0: g3 g3 g3 g7 pass"), "play pass")
    assert refused(match, "series g3") == "ZOCKEN-T1"
    refused(play(match, "pass g7"), "series g3")
