"""Viva: getting rid of the last card, and the end of a round (VIVA-L1 to L5)."""

import pytest

import kibitz
from kibitz.games.viva.tests.viva_positions import KINDS, at
from kibitz.testing import cards, field, hand, known, next_round, play, refused, size, sizes

proves = pytest.mark.proves


@proves("VIVA-L1")
@pytest.mark.parametrize("blocking", ["r", "yb", "gp"])
def test_the_last_card_goes_on_a_blocking_card_that_shares_a_colour(blocking: str) -> None:
    for last in KINDS:
        match = at(f"hand.0: {last}\nblock: {blocking}")
        shares = bool(set(last) & set(blocking))
        assert set(match.legal(0)) == ({f"out {last}", "draw"} if shares else {"draw"})
        if not shares:
            assert refused(match, f"out {last}") == "VIVA-L1"


@proves("VIVA-L1")
def test_the_last_card_cannot_go_into_a_house() -> None:
    match = at("hand.0: r\nhouse.1: r\nblock: p")
    assert refused(match, "r>1") == "VIVA-L1"
    assert refused(match, "r>2") == "VIVA-L1"
    assert match.legal(0) == ["draw"]


@proves("VIVA-L1")
@pytest.mark.parametrize("held", ["r b", "r r"])
def test_only_the_last_card_goes_on_the_blocking_card(held: str) -> None:
    assert refused(at(f"hand.0: {held}\nblock: r"), "out r") == "VIVA-L1"
    own = at(f"hand.0: {held}\nblock: p\npersonal.0: r\nholder: 0")
    assert refused(own, "out own r") == "VIVA-L1"


@proves("VIVA-L1", "VIVA-T3")
def test_a_play_of_several_cards_must_leave_one_in_hand() -> None:
    match = at("hand.0: rb rb rb\nblock: p")
    assert {"rb>1", "rb>1+2", "rb>3+3"} <= set(match.legal(0))
    assert not [action for action in match.legal(0) if action.count("+") == 2]


@proves("VIVA-L1")
@pytest.mark.parametrize(("held", "action"), [("rb rb", "rb>1+1"), ("rb rb rb", "rb>1+2+3")])
def test_a_play_of_the_whole_hand_is_refused_because_of_the_last_card(
    held: str, action: str
) -> None:
    assert refused(at(f"hand.0: {held}\nblock: p"), action) == "VIVA-L1"


@proves("VIVA-L1")
def test_the_last_card_can_go_on_ones_own_personal_blocking_card() -> None:
    match = at("hand.0: rb\nblock: p\npersonal.0: yb\nholder: 0")
    assert set(match.legal(0)) == {"out own rb", "draw"}
    assert refused(match, "out rb") == "VIVA-L1"
    match.play(0, "out own rb")
    assert match.round_over
    assert match.scores == [1, 0]


@proves("VIVA-L1")
def test_on_ones_own_personal_blocking_card_it_must_share_a_colour_too() -> None:
    match = at("hand.0: rb\nblock: p\npersonal.0: yg\nholder: 0")
    assert refused(match, "out own rb") == "VIVA-L1"


@proves("VIVA-L1")
def test_nobody_lays_the_last_card_on_anothers_personal_blocking_card() -> None:
    match = at("hand.0: rb\nblock: p\npersonal.1: rb\nholder: 1")
    assert match.legal(0) == ["draw"]
    assert refused(match, "out own rb") == "VIVA-L1"


@proves("VIVA-L1")
def test_on_the_general_blocking_card_the_personal_one_bars_nothing() -> None:
    match = at("hand.0: rb\nblock: r\npersonal.0: b\nholder: 0")
    assert set(match.legal(0)) == {"out rb", "out own rb", "draw"}
    match.play(0, "out rb")
    assert match.scores == [1, 0]


TABLE = "house.1: g gb\nhouse.2: o\nblock: rg"


@proves("VIVA-L2")
def test_who_lays_the_last_card_is_out_and_the_table_is_cleared() -> None:
    match = play(at(f"hand.0: r\n{TABLE}", players=3), "out r")
    assert field(match, "playing") == [1, 2]
    assert [size(match, f"house.{n}") for n in (1, 2, 3)] == [0, 0, 0]
    assert size(match, "block") == 0
    assert sorted(known(match, "cleared")) == ["g", "gb", "o", "r", "rg"]


@proves("VIVA-L2")
def test_it_costs_nobody_a_penalty_and_is_no_viva() -> None:
    houses = "house.1: r\nhouse.2: ro\nhouse.3: b\nblock: rg"
    match = at(f"hand.0: r\n{houses}", players=4)
    stack = size(match, "stack")
    match.play(0, "out r")
    assert sizes(match, "hand") == [0, 2, 2, 2]
    assert size(match, "stack") == stack
    assert field(match, "phase") == "duty"
    assert match.to_act == {1}


@proves("VIVA-L2")
def test_the_first_one_out_takes_the_winners_card_and_the_second_none() -> None:
    match = at("hand.0: r\nhand.1: rb r\nhand.2: p p\nblock: rg\nscores: 1 0 2", players=3)
    play(match, "out r", "block rb", "out r")
    assert match.round_over
    assert match.scores == [2, 0, 2]
    assert match.sheet == [[{"winners_cards": n} for n in (1, 0, 0)]]


@proves("VIVA-L1", "VIVA-L2")
@pytest.mark.parametrize("seat", [0, 1, 2])
@pytest.mark.parametrize("action", ["out rb", "out own rb"])
def test_the_personal_blocking_card_of_the_one_who_is_out_is_cleared(
    action: str, seat: int
) -> None:
    text = f"due: {seat}\nhand.{seat}: rb\n{TABLE}\npersonal.{seat}: b\nholder: {seat}"
    match = at(text, players=3)
    assert set(match.legal(seat)) == {"out rb", "out own rb", "draw"}
    match.play(seat, action)
    assert size(match, f"personal.{seat}") == size(match, "block") == 0
    assert sorted(known(match, "cleared")) == ["b", "g", "gb", "o", "rb", "rg"]
    assert field(match, "holder") is None


@proves("VIVA-L2")
def test_anothers_personal_blocking_card_stays() -> None:
    match = at(f"hand.0: r\n{TABLE}\npersonal.2: y\nholder: 2", players=3)
    match.play(0, "out r")
    assert cards(match, "personal.2") == ["y"]
    assert field(match, "holder") == 2
    assert "y" not in known(match, "cleared")


@proves("VIVA-L3")
def test_the_next_player_lays_a_blocking_card_from_hand_and_then_takes_their_turn() -> None:
    match = play(at("hand.0: r\nhand.1: y gb b\nblock: rg", players=3), "out r")
    assert match.to_act == {1}
    assert set(match.legal(1)) == {"block y", "block gb", "block b"}
    match.play(1, "block gb")
    assert cards(match, "block") == ["gb"]
    assert sorted(hand(match, 1)) == ["b", "y"]
    assert match.to_act == {1}
    assert set(match.legal(1)) == {"y>1", "y>2", "y>3", "draw"}
    match.play(1, "y>2")
    assert match.to_act == {2}


@proves("VIVA-L3")
def test_it_is_a_duty_and_not_a_choice() -> None:
    match = play(at("hand.0: r\nhand.1: y gb\nblock: rg", players=3), "out r")
    for action in ("draw", "done", "y>1", "out y"):
        assert refused(match, action, seat=1) == "VIVA-L3"
    assert refused(match, "block o", seat=1) in {"VIVA-L3", "VIVA-V3"}


@proves("VIVA-L3")
def test_an_only_card_is_laid_all_the_same_and_one_is_drawn_before_the_turn() -> None:
    match = at("hand.0: r\nhand.1: y\nblock: rg\nstack: gb\nbox: *", players=3)
    play(match, "out r")
    assert match.legal(1) == ["block y"]
    match.play(1, "block y")
    assert cards(match, "block") == ["y"]
    assert hand(match, 1) == ["gb"]
    assert field(match, "playing") == [1, 2]
    assert match.to_act == {1}
    assert match.legal(1) == ["draw"]


@proves("VIVA-L3")
def test_who_has_more_cards_draws_none() -> None:
    match = play(at("hand.0: r\nhand.1: y gb\nblock: rg", players=3), "out r", "block y")
    assert hand(match, 1) == ["gb"]


@proves("VIVA-L4")
def test_the_round_ends_when_the_second_to_last_player_is_out() -> None:
    taken = "first_out: 2\nscores: 0 0 1 0\nround_scores: 0 0 1 0"
    match = at(f"hand.0: r\nblock: rg\nplaying: 0 3\n{taken}", players=4)
    match.play(0, "out r")
    assert match.round_over
    assert match.to_act == frozenset()
    assert field(match, "loser") == 3
    assert match.scores == [0, 0, 1, 0]
    assert match.sheet == [[{"winners_cards": n} for n in (0, 0, 1, 0)]]


@proves("VIVA-L2", "VIVA-L4")
def test_a_winners_card_taken_before_a_position_is_written_is_booked_at_the_end() -> None:
    match = at("hand.0: r\nhand.1: rb r\nhand.2: p p\nblock: rg", players=3)
    play(match, "out r", "block rb")
    for later in (match, kibitz.position("viva", match.position())):
        play(later, "out r")
        assert later.sheet == [[{"winners_cards": n} for n in (1, 0, 0)]]


@proves("VIVA-L4")
def test_with_more_players_left_the_round_goes_on() -> None:
    match = at("hand.0: r\nblock: rg\nplaying: 0 1 3\nfirst_out: 2", players=4)
    match.play(0, "out r")
    assert not match.round_over
    assert match.to_act == {1}


@proves("VIVA-L4")
def test_between_two_the_first_one_out_ends_the_round() -> None:
    match = play(at("hand.0: r\nblock: rg"), "out r")
    assert match.round_over
    assert match.scores == [1, 0]
    assert field(match, "loser") == 1


@proves("VIVA-L4")
def test_when_the_round_is_over_the_losers_cards_lie_open() -> None:
    match = at("hand.0: r\nhand.1: yb yb g\nblock: rg")
    assert cards(match, "hand.1", 0) == cards(match, "hand.1") == []
    match.play(0, "out r")
    for seat in (0, 1, None):
        assert cards(match, "hand.1", seat) == ["g", "yb", "yb"]


@proves("VIVA-L4", "VIVA-S1")
def test_the_next_round_is_dealt_with_hands_unseen() -> None:
    match = next_round(play(at("hand.0: r\nblock: rg"), "out r"))
    assert match.round == 2
    assert not match.round_over
    assert sizes(match, "hand") == [5, 5]
    assert cards(match, "hand.1", 0) == known(match, "hand.1", 0) == []


@proves("VIVA-L5")
def test_the_turn_passes_to_the_next_player_still_in() -> None:
    match = at("hand.0: r y\nblock: p\nplaying: 0 2 4\nfirst_out: 1", players=5)
    play(match, "r>1", "draw", "done")
    assert match.to_act == {4}
    play(match, "draw", "done")
    assert match.to_act == {0}


@proves("VIVA-L5", "VIVA-L3")
def test_the_duty_falls_to_the_next_player_still_in() -> None:
    match = at("due: 4\nhand.4: r\nblock: rg\nplaying: 2 3 4\nfirst_out: 0", players=5)
    match.play(4, "out r")
    assert match.to_act == {2}
    assert field(match, "phase") == "duty"


@proves("VIVA-L5")
def test_who_is_out_can_do_nothing() -> None:
    match = at("hand.0: r y\nblock: p\nplaying: 0 2\nfirst_out: 1", players=3)
    assert match.legal(1) == []
    refused(match, "draw", seat=1)


@proves("VIVA-L2", "VIVA-V5")
def test_a_viva_gives_no_new_personal_card_once_the_holder_is_out() -> None:
    match = at(
        "hand.0: rb\nhand.1: o g g g\nhand.2: g y y\nblock: r\npersonal.0: b\nholder: 0", players=3
    )
    play(match, "out rb", "block o", "g>1+2", "g>3")
    assert field(match, "phase") == "blocking"
    assert [size(match, f"personal.{seat}") for seat in range(3)] == [0, 0, 0]


@proves("VIVA-L2")
def test_the_winners_card_is_taken_at_once() -> None:
    match = at("hand.0: r\nblock: rg", players=3)
    match.play(0, "out r")
    assert not match.round_over
    assert match.scores == [1, 0, 0]
