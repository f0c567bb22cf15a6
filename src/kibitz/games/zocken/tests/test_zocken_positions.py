"""Zocken: positions written down, those that can be and those that cannot."""

import pytest

import kibitz
from kibitz.games.zocken.tests.zocken_positions import GOBLINS, at
from kibitz.testing import field, hand, next_round, play, size, sizes

proves = pytest.mark.proves

REST = "zocken 3\nround_over: 1\nround: 4\nleader: 2\npawn: blue\ndraw: *"
GIFT = "phase: give\ntrick.0: give\ntaker: 2\nhand.0: g3 g4"


@proves("ZOCKEN-S2")
def test_from_a_rest_the_next_round_begins_and_the_colour_is_not_chosen_again() -> None:
    match = next_round(kibitz.position("zocken", REST))
    assert match.to_act == {2}
    assert field(match, "pawn") == "blue"
    assert field(match, "phase") == "turn"
    assert sizes(match, "hand") == [13, 13, 13]


@proves("ZOCKEN-P4")
@pytest.mark.parametrize(("given", "more"), [(0, 1), (1, 0)])
def test_a_gift_can_be_taken_up_where_it_was_left(given: int, more: int) -> None:
    match = at(f"{GIFT}\ngiven: {given}")
    play(match, *["give g3"] * more, "give last g4")
    assert sizes(match, "hand") == [1 - more, 2, 3 + more]
    assert match.to_act == {1}


@proves("ZOCKEN-T1")
@pytest.mark.parametrize("goblin", GOBLINS)
def test_nobody_can_lay_more_than_ten_series(goblin: str) -> None:
    """Three of each goblin, and the fourth of one of them with two jokers."""
    laid = [f"series.0.{n}: {code} {code} {code}" for n, code in enumerate(GOBLINS, 1)]
    rest = [code for code in GOBLINS if code != goblin]
    joker = "low" if goblin < "g5" else "high"
    hand_0 = f"{goblin} wild low high {' '.join(rest)}"
    match = at("\n".join([*laid, f"hand.0: {hand_0}", "hand.1: draw", "hand.2: draw"]))
    starts = {action for action in match.legal(0) if action.startswith("series")}
    assert starts == {f"series {code}" for code in GOBLINS if code != "g5"}
    if goblin == "g5":
        return
    play(match, f"series {goblin}", "series wild", f"series {joker}", "done")
    assert size(match, "series.0.10") == 3
    assert len(hand(match, 0)) == 9


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("given: 2\n" + GIFT, "given is from 0 to 1"),
        ("phase: give\ntrick.0: give\nhand.0: g3 g4", "a gift has a taker"),
        ("taker: 2\nhand.0: g3 g4", "a gift has a taker"),
        ("hand.0: g3\nseries.1.1: g3 g3", "a series of seat 1 has fewer than 3"),
        ("hand.0: g3\nseries.1.1: g3 g3 g4", "series 1 of seat 1 is not of one goblin"),
        ("hand.0: g3\nseries.1.1: draw draw draw", "series 1 of seat 1 is not of one goblin"),
        ("hand.0: g3\nseries.1.1: wild low high", "series 1 of seat 1 is not of one goblin"),
        ("hand.0: g3\nseries.2.1: g3 g3 g3\nseries.2.2: g8 g8 low", "series 2 of seat 2"),
        ("phase: series\nseries_goblin: g3\nseries.0.1: g4\nhand.0: g3 g3 g3", "of one goblin"),
        ("phase: series\nseries_goblin: g3\nhand.0: g3 g3 g3", "no card of it lies there"),
        ("phase: series\nseries.0.1: g3\nhand.0: g3 g3 g3", "series_goblin is set"),
    ],
)
def test_positions_that_cannot_be_are_refused(text: str, says: str) -> None:
    with pytest.raises(kibitz.BadPosition, match=says):
        at(text)


@pytest.mark.parametrize("line", ["taker: 1", "given: 1", "series_goblin: g3", "leader: -"])
def test_between_two_rounds_nothing_is_under_way(line: str) -> None:
    text = REST.replace("leader: 2\n", "") if line.startswith("leader") else REST
    with pytest.raises(kibitz.BadPosition, match=r"between two rounds|has a leader"):
        kibitz.position("zocken", f"{text}\n{line}")
