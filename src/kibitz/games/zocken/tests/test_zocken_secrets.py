"""Zocken: only giver and receiver see a card that goes from hand to hand (ZOCKEN-P2, P4)."""

import pytest

from kibitz.engine.match import Match
from kibitz.games.zocken.tests.zocken_positions import at
from kibitz.testing import cards, hand, known, next_round, play, size, told

proves = pytest.mark.proves

THIRD = (2, 3, None)
"""Seats that neither give nor take, and spectators."""


def passed(text: str = "hand.0: pass g3 g7 draw", card: str = "g3") -> Match:
    """Seat 0 of four passes a goblin to seat 1."""
    return play(at(text, players=4), "play pass", f"pass {card}")


def given(text: str = "hand.0: give g3 g7 wild draw", to: int = 1, two: str = "g3 wild") -> Match:
    """Seat 0 of four gives two cards."""
    first, second = two.split()
    match = play(at(text, players=4), "play give", f"to {to}")
    return play(match, f"give {first}", f"give last {second}")


HANDS = ["hand.0: pass g3 g9", "hand.1: give g3 g7 g8"]
"""Written in this order or the other, either seat has the g3 that is numbered first."""


@proves("ZOCKEN-P2")
def test_giver_and_receiver_see_the_card_passed() -> None:
    match = passed()
    assert known(match, "hand.1", 0) == ["g3"]
    assert "g3" in hand(match, 1)


@proves("ZOCKEN-P2")
@pytest.mark.parametrize("seat", THIRD)
def test_nobody_else_sees_it(seat: int | None) -> None:
    match = passed()
    for owner in (0, 1):
        assert cards(match, f"hand.{owner}", seat) == known(match, f"hand.{owner}", seat) == []
    assert size(match, "hand.1") == 3


@proves("ZOCKEN-P2")
@pytest.mark.parametrize(
    ("seat", "what"), [(0, "pass g3"), (1, "pass g3"), (2, "pass"), (3, "pass"), (None, "pass")]
)
def test_the_history_names_it_to_giver_and_receiver_only(seat: int | None, what: str) -> None:
    assert told(passed(), seat) == [(0, "play pass"), (0, what)]


@proves("ZOCKEN-P4")
@pytest.mark.parametrize("to", [1, 2, 3])
def test_giver_and_receiver_see_the_cards_given(to: int) -> None:
    match = given(to=to)
    assert known(match, f"hand.{to}", 0) == ["g3", "wild"]
    assert {"g3", "wild"} <= set(hand(match, to))
    for third in (seat for seat in (1, 2, 3, None) if seat != to):
        assert cards(match, f"hand.{to}", third) == known(match, f"hand.{to}", third) == []


@proves("ZOCKEN-P4")
@pytest.mark.parametrize("seat", [0, 1, 2, 3, None])
def test_the_history_of_a_gift_tells_the_others_who_got_it_and_not_what(seat: int | None) -> None:
    openly = [(0, "play give"), (0, "to 1")]
    cards_named = [(0, "give g3"), (0, "give last wild")]
    masked = [(0, "give"), (0, "give_last")]
    assert told(given(), seat) == openly + (cards_named if seat in (0, 1) else masked)


@proves("ZOCKEN-P4")
def test_the_first_of_two_cards_is_as_secret_as_the_second() -> None:
    match = play(at("hand.0: give g3 g7 wild", players=4), "play give", "to 1", "give g3")
    assert known(match, "hand.1", 0) == ["g3"]
    assert told(match, 1)[-1] == (0, "give g3")
    for seat in THIRD:
        assert known(match, "hand.1", seat) == []
        assert told(match, seat)[-1] == (0, "give")


@proves("ZOCKEN-P2", "ZOCKEN-P4")
@pytest.mark.parametrize("to", [1, 2])
def test_the_choice_of_card_leaves_no_trace_for_a_third_seat(to: int) -> None:
    """What seat 3 sees is the same whichever card was given."""
    text = "hand.0: give g3 g7 wild draw"
    one, other = given(text, to, "g3 wild"), given(text, to, "g7 draw")
    for seat in (3, None):
        assert one.view(seat) == other.view(seat)
        assert one.history(seat) == other.history(seat)


@proves("ZOCKEN-P2")
def test_a_third_seat_no_longer_knows_what_the_giver_holds() -> None:
    """Seat 2 had given the g7: it may be the card that went on."""
    text = "hand.0: pass g3 g7 draw\nknown.2.hand.0: g7"
    assert known(at(text, players=4), "hand.0", 2) == ["g7"]
    assert known(passed(text, "g3"), "hand.0", 2) == []
    assert known(passed(text, "g7"), "hand.0", 2) == []
    assert known(passed(text, "g7"), "hand.1", 2) == []


@proves("ZOCKEN-P2")
def test_the_receiver_still_knows_what_else_the_giver_holds() -> None:
    text = "hand.0: pass g3 g7 draw\nknown.1.hand.0: g7"
    assert known(passed(text, "g3"), "hand.0", 1) == ["g7"]
    assert known(passed(text, "g7"), "hand.0", 1) == []


@proves("ZOCKEN-P2")
def test_a_receiver_who_knew_of_a_twin_cannot_tell_which_of_the_two_it_got() -> None:
    match = passed("hand.0: pass g3 g3 draw\nknown.1.hand.0: g3", "g3")
    assert known(match, "hand.0", 1) == []
    assert "g3" in hand(match, 0)


@proves("ZOCKEN-P2", "ZOCKEN-P4")
@pytest.mark.parametrize("lines", [HANDS, HANDS[::-1]])
def test_who_gets_a_twin_of_a_card_given_away_cannot_tell_whether_it_came_back(
    lines: list[str],
) -> None:
    """Seat 1 gives g3 and g7 to seat 0, who has a g3 too and passes one on to seat 1."""
    match = at("\n".join([*lines, "leader: 1", "due: 1"]), players=4)
    play(match, "play give", "to 0", "give g3", "give last g7")
    assert known(match, "hand.0", 1) == ["g3", "g7"]
    play(match, "play g6", "play g7", "play pass", "pass g3")
    assert known(match, "hand.0", 1) == ["g7"]
    assert "g3" in hand(match, 0)


@proves("ZOCKEN-P2")
def test_what_a_third_seat_knew_of_the_receivers_hand_it_still_knows() -> None:
    match = passed("hand.0: pass g3 g7\nhand.1: g5 g8\nknown.2.hand.1: g8")
    assert known(match, "hand.1", 2) == ["g8"]


@proves("ZOCKEN-P2")
def test_the_giver_knows_the_card_until_it_is_played() -> None:
    match = passed()
    match.play(1, "play g5")
    assert known(match, "hand.1", 0) == ["g3"]
    played = passed()
    played.play(1, "play g3")
    assert known(played, "hand.1", 0) == []


TWINS = ["hand.0: pass g3 g7", "hand.1: g3 g5"]


@proves("ZOCKEN-P2")
@pytest.mark.parametrize("lines", [TWINS, TWINS[::-1]])
def test_the_giver_cannot_tell_a_twin_from_the_card_given(lines: list[str]) -> None:
    match = passed("\n".join(lines), "g3")
    match.play(1, "play g3")
    assert known(match, "hand.1", 0) == []
    assert "g3" in hand(match, 1)


@proves("ZOCKEN-P4")
@pytest.mark.parametrize("lines", [TWINS, TWINS[::-1]])
def test_of_two_twins_given_one_is_known_after_the_other_was_played(lines: list[str]) -> None:
    text = "\n".join(lines).replace("pass g3", "give g3 g3")
    match = given(text, two="g3 g3")
    assert known(match, "hand.1", 0) == ["g3", "g3"]
    match.play(1, "play g3")
    assert known(match, "hand.1", 0) == ["g3"]


@proves("ZOCKEN-P2", "ZOCKEN-T1")
def test_the_giver_sees_the_card_go_into_a_series() -> None:
    match = passed("hand.0: pass g3 g7\nhand.1: g3 g3 g5", "g3")
    play(match, "series g3", "series g3", "series g3")
    assert known(match, "hand.1", 0) == []


@proves("ZOCKEN-P2")
def test_the_giver_loses_sight_of_a_card_when_its_receiver_gives_a_card_away() -> None:
    match = passed("hand.0: pass g3 g7\nhand.1: pass g5 g6", "g3")
    play(match, "play pass", "pass g5")
    assert known(match, "hand.1", 0) == []
    assert known(match, "hand.2", 0) == []
    assert known(match, "hand.2", 1) == ["g5"]


@proves("ZOCKEN-P4")
def test_a_card_given_back_is_known_by_the_one_who_gave_it_back() -> None:
    match = passed("hand.0: pass g3 g7\nhand.1: give g5 g6", "g3")
    play(match, "play give", "to 0", "give g3", "give last g5")
    assert known(match, "hand.1", 0) == []
    assert known(match, "hand.0", 1) == ["g3", "g5"]


END = "leader: 1\ntrick.1: g9\ntrick.2: g2\ntrick.3: g4\n"
"""Seat 0 is the last to play; its gift is the last action of the round."""


@proves("ZOCKEN-P2", "ZOCKEN-P4")
@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("hand.0: pass g3", ["play pass", "pass g3"]),
        ("hand.0: give g3", ["play give", "to 1", "give last g3"]),
        ("hand.0: give g3 g8", ["play give", "to 1", "give g8", "give last g3"]),
    ],
)
@pytest.mark.parametrize("seat", [0, 1, 2, 3, None])
def test_a_gift_that_ends_the_round_is_seen_by_its_receiver_like_any_other(
    text: str, actions: list[str], seat: int | None
) -> None:
    match = play(at(END + text, players=4), *actions)
    assert match.round_over
    masked = actions[-1].removesuffix(" g3").replace(" ", "_")
    assert told(match, seat)[-1] == (0, actions[-1] if seat in (0, 1) else masked)


@proves("ZOCKEN-P2", "ZOCKEN-S1")
def test_a_new_round_makes_all_hands_unseen() -> None:
    match = play(at(f"{END}hand.0: g1\nknown.2.hand.1: g5", players=4), "play g1")
    assert cards(match, "hand.1", 2) == ["g5", "g5"]
    next_round(match)
    assert match.round == 2
    assert cards(match, "hand.1", 2) == known(match, "hand.1", 2) == []
