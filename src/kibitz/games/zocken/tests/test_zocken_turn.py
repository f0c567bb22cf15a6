"""Zocken: playing a card, and what special cards do (ZOCKEN-T2, P1 to P4)."""

import pytest

from kibitz.engine.errors import UnfinishedChoice
from kibitz.engine.match import Match
from kibitz.games.zocken.tests.zocken_positions import at, taker
from kibitz.testing import cards, field, hand, known, play, refused, size, sizes

proves = pytest.mark.proves


@proves("ZOCKEN-T2")
def test_one_card_is_played_to_the_trick_for_all_to_see() -> None:
    match = at("hand.0: g3 g7 wild")
    assert set(match.legal(0)) == {"play g3", "play g7", "play wild"}
    match.play(0, "play g7")
    for seat in (0, 1, 2, None):
        assert cards(match, "trick.0", seat) == ["g7"]
    assert sorted(hand(match, 0)) == ["g3", "wild"]
    assert match.to_act == {1}


@proves("ZOCKEN-T2")
def test_playing_a_card_is_a_must() -> None:
    match = at("hand.0: g3 g7")
    refused(match, "done")
    assert all(action.startswith("play") for action in match.legal(0))


@proves("ZOCKEN-T2")
def test_a_card_that_is_not_held_cannot_be_played() -> None:
    assert refused(at("hand.0: g3 g7\nhand.1: g8 g8"), "play g8") == "ZOCKEN-T2"


@proves("ZOCKEN-T2")
def test_each_plays_once_in_turn_to_the_left() -> None:
    match = at("due: 2\nleader: 2\nhand.0: g1 g1\nhand.1: g2 g2\nhand.2: g3 g3")
    assert refused(match, "play g1", seat=0) == "ZOCKEN-T2"
    match.play(2, "play g3")
    assert refused(match, "play g3", seat=2) == "ZOCKEN-T2"
    assert match.to_act == {0}
    match.play(0, "play g1")
    assert match.to_act == {1}


@proves("ZOCKEN-T2")
@pytest.mark.parametrize("card", ["g1", "g9", "wild", "low", "high"])
def test_goblins_and_jokers_have_no_effect(card: str) -> None:
    match = at(f"hand.0: {card} draw draw")
    before = sizes(match, "hand"), size(match, "draw")
    match.play(0, f"play {card}")
    assert field(match, "pawn") == "yellow"
    assert (sizes(match, "hand"), size(match, "draw")) == ([2, *before[0][1:]], before[1])
    assert match.to_act == {1}


@proves("ZOCKEN-P1", "ZOCKEN-T2")
@pytest.mark.parametrize("pawn", ["yellow", "blue"])
@pytest.mark.parametrize("card", ["yellow", "blue"])
def test_the_pawn_is_turned_to_the_colour_of_the_card_at_once(card: str, pawn: str) -> None:
    match = at(f"pawn: {pawn}\nhand.0: {card} g1")
    match.play(0, f"play {card}")
    assert field(match, "pawn") == card
    assert match.to_act == {1}
    assert sizes(match, "hand") == [1, 2, 2]


@proves("ZOCKEN-P1", "ZOCKEN-C4")
@pytest.mark.parametrize("pawn", ["yellow", "blue"])
def test_cards_already_on_the_table_and_those_in_hand_turn_too(pawn: str) -> None:
    """In blue the g9 that lay there counts 1, the g3 still in hand 7."""
    match = at(f"pawn: {pawn}\nhand.0: g9 g1\nhand.1: blue g1\nhand.2: g3 g1")
    play(match, "play g9", "play blue", "play g3")
    assert taker(match) == 2


@proves("ZOCKEN-P2")
def test_a_goblin_of_ones_choice_goes_to_the_left_neighbour() -> None:
    match = at("hand.0: pass g3 g3 g7 draw wild")
    match.play(0, "play pass")
    assert match.to_act == {0}
    assert set(match.legal(0)) == {"pass g3", "pass g7"}
    match.play(0, "pass g7")
    assert sorted(hand(match, 0)) == ["draw", "g3", "g3", "wild"]
    assert sorted(hand(match, 1)) == ["g5", "g5", "g7"]
    assert sizes(match, "hand") == [4, 3, 2]
    assert match.to_act == {1}


@proves("ZOCKEN-P2")
def test_the_left_neighbour_of_the_last_seat_is_the_first() -> None:
    match = at("due: 2\nleader: 2\nhand.0: g1 g1\nhand.2: pass g7 g9")
    play(match, "play pass", "pass g7")
    assert sorted(hand(match, 0)) == ["g1", "g1", "g7"]


@proves("ZOCKEN-P2", "ZOCKEN-C3")
@pytest.mark.parametrize("card", ["draw", "yellow", "wild", "low", "high"])
def test_with_a_goblin_in_hand_nothing_else_is_passed_not_even_the_multicoloured(card: str) -> None:
    match = play(at(f"hand.0: pass g7 {card}"), "play pass")
    assert refused(match, f"pass {card}") == "ZOCKEN-P2"


@proves("ZOCKEN-P2")
def test_without_a_goblin_any_other_card_is_passed_instead() -> None:
    match = play(at("hand.0: pass pass draw wild low"), "play pass")
    assert set(match.legal(0)) == {"pass pass", "pass draw", "pass wild", "pass low"}
    match.play(0, "pass wild")
    assert "wild" in hand(match, 1)
    assert match.to_act == {1}


@proves("ZOCKEN-P2")
def test_without_cards_nothing_is_passed() -> None:
    match = at("hand.0: pass")
    match.play(0, "play pass")
    assert match.to_act == {1}
    assert sizes(match, "hand") == [0, 2, 2]


@proves("ZOCKEN-P2")
def test_passing_cannot_be_declined_and_the_card_must_be_held() -> None:
    match = play(at("hand.0: pass g7 g3"), "play pass")
    for action in ("play g7", "done", "to 1"):
        refused(match, action)
    assert refused(match, "pass g4") == "ZOCKEN-P2"
    assert match.legal(1) == []


@proves("ZOCKEN-P2")
def test_nothing_is_passed_without_the_card() -> None:
    assert refused(at("hand.0: pass g7 g3"), "pass g7") == "ZOCKEN-P2"


@proves("ZOCKEN-P2")
def test_the_card_passed_may_be_the_last_and_the_neighbour_may_play_it() -> None:
    match = play(at("hand.0: pass g7"), "play pass", "pass g7")
    assert sizes(match, "hand") == [0, 3, 2]
    assert "play g7" in match.legal(1)


@proves("ZOCKEN-P3")
@pytest.mark.parametrize(("seat", "neighbour"), [(0, 1), (1, 2), (2, 0)])
def test_the_left_neighbour_draws_two_cards(seat: int, neighbour: int) -> None:
    hands = "hand.0: draw g1\nhand.1: draw g1\nhand.2: draw g1"
    match = at(f"due: {seat}\nleader: {seat}\n{hands}")
    pile = size(match, "draw")
    match.play(seat, "play draw")
    expected = {seat: 1, neighbour: 4}
    assert sizes(match, "hand") == [expected.get(p, 2) for p in range(3)]
    assert size(match, "draw") == pile - 2
    assert match.to_act == {neighbour}


@proves("ZOCKEN-P3")
@pytest.mark.parametrize(("pile", "drawn"), [("g1 g2 g3", 2), ("g1 g2", 2), ("g1", 1), ("", 0)])
def test_as_many_as_there_are_and_the_pile_is_never_refilled(pile: str, drawn: int) -> None:
    match = at(f"hand.0: draw g8\ntaken.0: g4 g4 g4\nlost: g3 g3\ndraw: {pile}\nbox: *")
    match.play(0, "play draw")
    assert sizes(match, "hand") == [1, 2 + drawn, 2]
    assert size(match, "draw") == len(pile.split()) - drawn
    assert sizes(match, "taken") == [3, 0, 0]
    assert set(hand(match, 1)) - {"g5"} <= set(pile.split())


@proves("ZOCKEN-P3")
def test_the_others_do_not_see_the_cards_drawn() -> None:
    match = play(at("hand.0: draw g8"), "play draw")
    for seat in (0, 2, None):
        assert cards(match, "hand.1", seat) == known(match, "hand.1", seat) == []


def giving(text: str, players: int = 3) -> Match:
    return play(at(text, players), "play give")


@proves("ZOCKEN-P4")
@pytest.mark.parametrize("to", [1, 2, 3])
def test_two_cards_of_ones_choice_go_to_one_player_of_ones_choice(to: int) -> None:
    match = giving("hand.0: give g3 draw wild g9", players=4)
    assert match.to_act == {0}
    assert set(match.legal(0)) == {"to 1", "to 2", "to 3"}
    match.play(0, f"to {to}")
    assert set(match.legal(0)) == {"give g3", "give draw", "give wild", "give g9"}
    match.play(0, "give draw")
    assert match.to_act == {0}
    assert set(match.legal(0)) == {"give last g3", "give last wild", "give last g9"}
    match.play(0, "give last g9")
    assert sorted(hand(match, 0)) == ["g3", "wild"]
    assert sizes(match, "hand") == [2, *(4 if seat == to else 2 for seat in (1, 2, 3))]
    assert {"draw", "g9"} <= set(hand(match, to))
    assert match.to_act == {1}


@proves("ZOCKEN-P4")
def test_both_cards_go_to_the_same_player() -> None:
    match = play(giving("hand.0: give g3 draw wild g9"), "to 2", "give g3")
    assert match.to_act == {0}
    assert refused(match, "to 1") == "ZOCKEN-P4"
    match.play(0, "give last g9")
    assert sizes(match, "hand") == [2, 2, 4]


@proves("ZOCKEN-P4")
def test_nobody_gives_to_themselves_or_to_an_empty_seat() -> None:
    match = giving("hand.0: give g3 g9")
    assert refused(match, "to 0") == "ZOCKEN-P4"
    assert refused(match, "to 3") == "ZOCKEN-P4"


@proves("ZOCKEN-P4")
def test_only_cards_in_hand_are_given_and_a_card_once() -> None:
    match = play(giving("hand.0: give g3 g9 g9"), "to 2")
    assert refused(match, "give g4") == "ZOCKEN-P4"
    match.play(0, "give g3")
    assert refused(match, "give last g3") == "ZOCKEN-P4"
    assert refused(match, "give last g4") == "ZOCKEN-P4"


@proves("ZOCKEN-P4")
def test_neither_fewer_nor_more_than_two_cards_are_given() -> None:
    """The first of two cannot be the last, and after the second there is no third."""
    match = play(giving("hand.0: give g3 g9 g9"), "to 2")
    assert refused(match, "give last g3") == "ZOCKEN-P4"
    match.play(0, "give g3")
    assert refused(match, "give g9") == "ZOCKEN-P4"
    match.play(0, "give last g9")
    assert match.to_act == {1}
    assert sizes(match, "hand") == [1, 2, 4]


@proves("ZOCKEN-P4")
def test_giving_cannot_be_declined() -> None:
    match = giving("hand.0: give g3 g9")
    for action in ("done", "play g3", "give g3", "give last g3"):
        refused(match, action)
    match.play(0, "to 1")
    for action in ("done", "play g3", "to 2", "give last g3"):
        refused(match, action)
    match.play(0, "give g3")
    for action in ("done", "play g9", "to 2"):
        refused(match, action)


@proves("ZOCKEN-P4")
def test_two_alike_can_be_given() -> None:
    match = play(giving("hand.0: give g3 g3 g9"), "to 1", "give g3", "give last g3")
    assert sorted(hand(match, 1)) == ["g3", "g3", "g5", "g5"]
    assert hand(match, 0) == ["g9"]


@proves("ZOCKEN-P4")
def test_each_gift_of_a_trick_is_of_two_cards_to_a_player_chosen_anew() -> None:
    match = giving("hand.0: give g3 g3 g9\nhand.1: give g7 g7 g8")
    play(match, "to 1", "give g3", "give last g3")
    assert (field(match, "taker"), field(match, "given")) == (None, 0)
    play(match, "play give", "to 2")
    assert set(match.legal(1)) == {"give g3", "give g7", "give g8"}
    play(match, "give g7", "give last g7")
    assert sizes(match, "hand") == [1, 3, 4]


@proves("ZOCKEN-P4")
@pytest.mark.parametrize("steps", [["to 1"], ["to 1", "give g3"]])
def test_who_gives_says_to_whom_and_which_two_cards_at_once(steps: list[str]) -> None:
    match = giving("hand.0: give g3 g9 g9")
    with pytest.raises(UnfinishedChoice):
        match.try_choice(0, steps)
    assert match.try_choice(0, ["to 1", "give g3", "give last g9"]).to_act == {1}


@proves("ZOCKEN-P4")
def test_with_one_card_one_is_given() -> None:
    match = play(giving("hand.0: give g3"), "to 2")
    assert match.legal(0) == ["give last g3"]
    match.play(0, "give last g3")
    assert sizes(match, "hand") == [0, 2, 3]
    assert match.to_act == {1}


@proves("ZOCKEN-P4")
def test_with_no_card_it_may_be_played_all_the_same() -> None:
    match = giving("hand.0: give")
    assert cards(match, "trick.0") == ["give"]
    assert sizes(match, "hand") == [0, 2, 2]
    assert match.to_act == {1}


@proves("ZOCKEN-P4")
def test_without_the_card_nothing_is_given() -> None:
    match = at("hand.0: give g3 g9")
    for action in ("to 1", "give g3", "give last g3"):
        assert refused(match, action) == "ZOCKEN-P4"


LAST = "leader: 1\ntrick.1: g9\ntrick.2: g2"
"""Seat 0 is the last to play to a trick, which seat 1 is going to take."""


@proves("ZOCKEN-P4", "ZOCKEN-P2")
def test_a_gift_of_the_last_player_of_a_trick_comes_before_the_trick_is_taken() -> None:
    match = play(at(f"{LAST}\nhand.0: give g3 g4 g8"), "play give")
    assert sizes(match, "taken") == [0, 0, 0]
    play(match, "to 2", "give g3")
    assert sizes(match, "taken") == [0, 0, 0]
    match.play(0, "give last g4")
    assert sizes(match, "taken") == [0, 3, 0]
    assert sizes(match, "hand") == [1, 2, 4]
    match = play(at(f"{LAST}\nhand.0: pass g3 g8"), "play pass")
    assert sizes(match, "taken") == [0, 0, 0]
    match.play(0, "pass g3")
    assert sizes(match, "taken") == [0, 3, 0]
    assert sizes(match, "hand") == [1, 3, 2]


@proves("ZOCKEN-P4", "ZOCKEN-P3")
def test_the_neighbour_of_the_last_player_of_a_trick_draws_too() -> None:
    match = play(at(f"{LAST}\nhand.0: draw g8"), "play draw")
    assert sizes(match, "hand") == [1, 4, 2]
    assert sizes(match, "taken") == [0, 3, 0]


@proves("ZOCKEN-P4", "ZOCKEN-P1")
def test_the_last_player_of_a_trick_turns_the_pawn_too() -> None:
    """In yellow the g9 would take the trick; in blue the g2, an 8, does."""
    match = play(at(f"{LAST}\nhand.0: blue g8"), "play blue")
    assert taker(match) == 2
