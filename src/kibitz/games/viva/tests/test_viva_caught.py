"""Viva: forbidden cards are caught (VIVA-X1)."""

import pytest

import kibitz
from kibitz.engine.match import Match
from kibitz.games.viva.tests.viva_positions import at
from kibitz.testing import cards, field, hand, known, next_round, play, refused, size, sizes

proves = pytest.mark.proves


def caught(text: str, players: int = 3) -> Match:
    return at(text, players, caught="yes")


def seen_by_all(match: Match, seat: int = 0) -> list[str]:
    """The cards of a hand that all others, and spectators, know of."""
    others = [p for p in (*range(match.players), None) if p != seat]
    (seen,) = {tuple(known(match, f"hand.{seat}", p)) for p in others}
    return list(seen)


@proves("VIVA-X1")
def test_unless_agreed_a_forbidden_card_is_simply_refused() -> None:
    match = at("hand.0: r g\nblock: r")
    assert not [action for action in match.legal(0) if action.startswith("try")]
    assert refused(match, "try r>1") == "VIVA-X1"
    assert refused(match, "r>1") == "VIVA-T5"


@proves("VIVA-X1")
def test_every_forbidden_card_can_be_tried_and_no_other() -> None:
    match = caught("hand.0: r g\nhouse.1: g\nhouse.2: o\nblock: r")
    tries = {action for action in match.legal(0) if action.startswith("try")}
    forbidden = {"try r>1", "try r>2", "try r>3", "try g>2", "try r>block", "try g>block"}
    assert tries == forbidden
    assert {"g>1", "g>3", "draw"} == set(match.legal(0)) - tries
    assert refused(match, "try g>1") == "VIVA-X1"


@proves("VIVA-X1", "VIVA-L1")
def test_the_last_card_can_be_tried_in_a_house_and_not_where_it_may_go() -> None:
    match = caught("hand.0: r\nblock: r")
    assert set(match.legal(0)) == {"out r", "draw", "try r>1", "try r>2", "try r>3"}
    assert refused(match, "try r>block") == "VIVA-X1"


@proves("VIVA-X1")
def test_a_card_that_is_not_held_cannot_be_tried() -> None:
    assert refused(caught("hand.0: r g\nblock: r"), "try ro>1") == "VIVA-X1"


@proves("VIVA-X1")
def test_a_forbidden_card_is_still_refused_as_a_proper_play() -> None:
    assert refused(caught("hand.0: r g\nblock: r"), "r>1") == "VIVA-T5"


TRIED = [
    ("hand.0: r g\nblock: r", "try r>1", "r"),  # barred
    ("hand.0: b g\nhouse.1: g\nblock: r", "try b>1", "b"),  # no colour in common
    ("hand.0: r g\nblock: r", "try r>block", "r"),  # not the last card
    ("hand.0: r\nblock: g", "try r>block", "r"),  # the last card without a colour in common
    ("hand.0: r\nhouse.1: r\nblock: g", "try r>1", "r"),  # the last card into a house
    ("hand.0: b g\nblock: r\npersonal.0: b\nholder: 0", "try b>2", "b"),  # barred for one alone
]


@proves("VIVA-X1")
@pytest.mark.parametrize(("text", "action", "card"), TRIED)
def test_the_card_goes_back_three_are_drawn_and_the_turn_is_over(
    text: str, action: str, card: str
) -> None:
    match = caught(text)
    before, stack = hand(match, 0), size(match, "stack")
    heights = [size(match, f"house.{n}") for n in (1, 2, 3)]
    blocking = cards(match, "block")
    match.play(0, action)
    assert len(hand(match, 0)) == len(before) + 3
    assert set(before) <= set(hand(match, 0))
    assert size(match, "stack") == stack - 3
    assert [size(match, f"house.{n}") for n in (1, 2, 3)] == heights
    assert cards(match, "block") == blocking
    assert match.to_act == {1}
    assert field(match, "phase") == "turn"
    assert sizes(match, "hand")[1:] == [2, 2]


@proves("VIVA-X1")
@pytest.mark.parametrize(("text", "action", "card"), TRIED)
def test_all_have_seen_the_card(text: str, action: str, card: str) -> None:
    match = caught(text)
    assert seen_by_all(match) == []
    match.play(0, action)
    assert seen_by_all(match) == [card]


@proves("VIVA-X1")
def test_the_drawn_card_can_be_tried() -> None:
    match = caught("phase: keep\ndrawn.0: r\nhand.0: g g\nblock: r\nstack: y y y\nbox: *")
    assert set(match.legal(0)) == {"done", "try r>1", "try r>2", "try r>3", "try r>block"}
    match.play(0, "try r>1")
    assert sorted(hand(match, 0)) == ["g", "g", "r", "y", "y", "y"]
    assert size(match, "drawn.0") == 0
    assert seen_by_all(match) == ["r"]
    assert match.to_act == {1}


@proves("VIVA-X1", "VIVA-T4")
def test_after_drawing_only_the_drawn_card_can_be_tried() -> None:
    match = caught("phase: keep\ndrawn.0: o\nhand.0: r g\nblock: r")
    assert refused(match, "try r>1") == "VIVA-X1"


@proves("VIVA-X1")
def test_a_caught_card_makes_no_viva() -> None:
    match = caught("hand.0: rb g\nhouse.1: r\nhouse.2: ro\nhouse.3: g r\nblock: b")
    match.play(0, "try rb>3")
    assert field(match, "phase") == "turn"
    assert sizes(match, "hand") == [5, 2, 2]
    assert [size(match, f"house.{n}") for n in (1, 2, 3)] == [1, 1, 2]
    assert cards(match, "block") == ["b"]


@proves("VIVA-X1")
def test_one_card_is_tried_at_a_time() -> None:
    match = caught("hand.0: r r r g\nblock: r")
    assert not [action for action in match.legal(0) if action.startswith("try") and "+" in action]
    with pytest.raises(kibitz.IllegalAction, match="no action"):
        match.play(0, "try r>1+2")
    match.play(0, "try r>1")
    assert seen_by_all(match) == ["r"]


@proves("VIVA-X1", "VIVA-L3")
@pytest.mark.parametrize("phase", ["blocking", "duty"])
def test_nothing_is_tried_while_a_blocking_card_is_due(phase: str) -> None:
    match = caught(f"phase: {phase}\nhand.0: r g")
    assert set(match.legal(0)) == {"block r", "block g"}
    refused(match, "try r>1")


@proves("VIVA-X1")
def test_the_three_cards_drawn_stay_unseen() -> None:
    match = caught("hand.0: r g\nblock: r\nstack: o o o\nbox: *")
    match.play(0, "try r>1")
    assert sorted(hand(match, 0)) == ["g", "o", "o", "o", "r"]
    assert seen_by_all(match) == ["r"]


KNOWN = "seen.hand.0: b\nblock: p"
"""All have seen a blue card in seat 0's hand."""


@proves("VIVA-X1")
def test_a_known_card_that_is_played_is_no_longer_known_to_be_in_hand() -> None:
    match = caught(f"hand.0: b g\n{KNOWN}")
    assert seen_by_all(match) == ["b"]
    match.play(0, "b>1")
    assert seen_by_all(match) == []
    assert cards(match, "house.1") == ["b"]


@proves("VIVA-X1")
def test_a_known_card_stays_known_while_others_are_played() -> None:
    match = caught(f"hand.0: b g r\n{KNOWN}")
    match.play(0, "g>1")
    assert seen_by_all(match) == ["b"]


@proves("VIVA-X1")
@pytest.mark.parametrize("action", ["b>1", "b>1+1"])
def test_with_a_twin_in_hand_nobody_can_tell_which_of_the_two_was_played(action: str) -> None:
    match = caught(f"hand.0: b b b g\n{KNOWN}")
    match.play(0, action)
    assert "b" in hand(match, 0)
    assert seen_by_all(match) == []


DRAWN_TWIN = "stack: b\nhand.0: b g\nseen.hand.0: b\nhand.1: o y\nblock: p\nbox: *"
"""Seat 0 draws the twin of a card that all have seen in its hand."""


@proves("VIVA-X1")
def test_a_twin_that_was_drawn_later_cannot_be_told_from_the_known_card() -> None:
    match = play(caught(DRAWN_TWIN, players=2), "draw", "done", "y>2")
    assert seen_by_all(match) == ["b"]
    match.play(0, "b>1")
    assert sorted(hand(match, 0)) == ["b", "g"]
    assert seen_by_all(match) == []


@proves("VIVA-X1")
def test_a_twin_that_was_drawn_later_may_be_what_is_tried() -> None:
    match = play(caught(DRAWN_TWIN, players=2), "draw", "done", "y>2", "try b>2")
    assert seen_by_all(match) == ["b"]


@proves("VIVA-X1", "VIVA-V3")
def test_a_twin_that_was_drawn_later_may_be_what_is_laid_as_blocking_card() -> None:
    text = DRAWN_TWIN.replace("hand.0: b g", "house.1: ro\nhouse.2: ry\nhand.0: b r g")
    match = caught(text.replace("hand.1: o y", "hand.1: o r"), players=2)
    play(match, "draw", "done", "r>1", "r>3", "block b")
    assert sorted(hand(match, 0)) == ["b", "g"]
    assert seen_by_all(match) == []


@proves("VIVA-X1")
def test_of_two_known_twins_one_is_known_after_the_other_is_played() -> None:
    match = caught("hand.0: b b b g\nseen.hand.0: b b\nblock: p")
    match.play(0, "b>1")
    assert seen_by_all(match) == ["b"]


@proves("VIVA-X1")
def test_trying_a_card_of_a_known_kind_again_shows_nothing_new() -> None:
    match = caught("hand.0: b b g\nseen.hand.0: b\nblock: b")
    match.play(0, "try b>1")
    assert seen_by_all(match) == ["b"]


@proves("VIVA-X1")
def test_a_drawn_twin_of_a_known_card_is_another_card() -> None:
    text = "phase: keep\ndrawn.0: b\nhand.0: b g\nseen.hand.0: b\nblock: {}"
    tried = play(caught(text.format("b")), "try b>1")
    assert seen_by_all(tried) == ["b", "b"]
    played = play(caught(text.format("p")), "b>1")
    assert seen_by_all(played) == ["b"]


@proves("VIVA-X1", "VIVA-V3")
def test_a_known_card_laid_as_blocking_card_is_no_longer_in_hand() -> None:
    match = caught("phase: duty\nhand.0: b b g\nseen.hand.0: b")
    match.play(0, "block b")
    assert seen_by_all(match) == []


@proves("VIVA-X1", "VIVA-L1")
def test_a_known_last_card_can_be_laid() -> None:
    match = caught("hand.0: b\nseen.hand.0: b\nblock: b")
    match.play(0, "out b")
    assert field(match, "playing") == [1, 2]
    assert sorted(known(match, "cleared")) == ["b", "b"]


@proves("VIVA-X1", "VIVA-S1")
def test_a_new_round_makes_all_hands_unseen() -> None:
    match = caught("hand.0: r\nhand.1: b b\nseen.hand.1: b\nblock: r", players=2)
    match.play(0, "out r")
    assert cards(match, "hand.1") == ["b", "b"]
    next_round(match)
    assert match.round == 2
    assert seen_by_all(match, seat=1) == cards(match, "hand.1") == []
