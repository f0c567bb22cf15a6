"""Viva: how the end of a round and of a match is told."""

import pytest

from kibitz.engine.log import Event
from kibitz.engine.match import Match
from kibitz.games.viva.tests.viva_positions import at, told_to_all
from kibitz.testing import events, play

proves = pytest.mark.proves


def winners_card(seat: int) -> Event:
    return Event("scored", seat, 1, word="winners_cards")


@proves("VIVA-L2", "VIVA-L4")
def test_the_first_one_out_takes_a_winners_card_the_others_are_just_out_and_one_has_lost() -> None:
    match = at("hand.0: r\nhand.1: rb r\nhand.2: r rb\nhand.3: p p\nblock: rg", players=4)
    assert told_to_all(play(match, "out r")) == [Event("first_out", 0), winners_card(0)]
    assert told_to_all(play(match, "block rb")) == []
    assert told_to_all(play(match, "out r")) == [Event("also_out", 1)]
    play(match, "block r")
    assert told_to_all(play(match, "out rb")) == [Event("also_out", 2), Event("lost", 3)]
    assert match.round_over


@proves("VIVA-L1", "VIVA-L4")
@pytest.mark.parametrize("action", ["out rb", "out own rb"])
def test_between_two_one_is_out_and_the_other_has_lost(action: str) -> None:
    match = at("hand.0: rb\nblock: r\npersonal.0: b\nholder: 0")
    assert told_to_all(play(match, action)) == [
        Event("first_out", 0),
        winners_card(0),
        Event("lost", 1),
    ]


@proves("VIVA-L2")
def test_going_out_is_told_as_no_viva_and_no_penalty() -> None:
    houses = "house.1: r\nhouse.2: ro\nhouse.3: rb\nblock: rg"
    match = play(at(f"hand.0: r\n{houses}", players=4), "out r")
    assert told_to_all(match) == [Event("first_out", 0), winners_card(0)]


# The end of the match


@proves("VIVA-G1", "VIVA-G2")
@pytest.mark.parametrize(
    ("round_no", "scores", "told"),
    [
        (2, "0 0 2", []),
        (3, "0 0 2", [Event("won", 2, 2)]),
        (3, "2 0 0", [Event("won", 0, 3)]),
        (3, "0 0 1", [Event("drawn_match", None)]),
        (3, "0 1 1", [Event("drawn_match", None)]),
    ],
)
def test_the_end_of_the_last_round_tells_who_has_won_or_that_the_match_is_drawn(
    round_no: int, scores: str, told: list[Event]
) -> None:
    """Seat 0 takes the last winner's card; `scores` are those before."""
    text = f"round: {round_no}\nscores: {scores}\nhand.0: r\nhand.1: rb r\nblock: r"
    match = play(at(text, players=3, rounds=3), "out r", "block rb", "out r")
    assert told_to_all(match) == [Event("also_out", 1), Event("lost", 2), *told]
    assert match.over is bool(told and told[0].name == "won")


TIE_BREAK = "tie_break: 1\nround: 4\nscores: 2 2 1\nplaying: 0 1\nblock: r"


@proves("VIVA-G2")
def test_the_first_one_out_of_a_tie_break_wins_the_match_without_a_winners_card() -> None:
    match = play(at(f"{TIE_BREAK}\nhand.0: r", players=3, rounds=3), "out r")
    assert told_to_all(match) == [Event("first_out", 0), Event("won", 0, 2)]


# Rounds without end


def after_1000_turns(text: str, turns: int = 999, rounds: int = 3) -> Match:
    """Seat 0 makes the thousandth turn of a round, by playing y into the first house."""
    return play(at(f"turns: {turns}\n{text}", players=3, rounds=rounds), "y>1")


@proves("VIVA-G3")
def test_a_round_of_1000_turns_is_told_to_be_too_long_before_how_it_ends() -> None:
    match = after_1000_turns("block: p\nhand.0: y y y\nhand.1: g\nhand.2: g g g")
    found = told_to_all(match)
    assert found == [
        Event("too_long", None, 1000),
        Event("fewest_cards", 1),
        winners_card(1),
        Event("most_cards", 2),
    ]
    assert not events(match, "also_out", "won", "drawn_match")


@proves("VIVA-G3")
def test_after_999_turns_nothing_of_it_is_told() -> None:
    match = after_1000_turns("block: p\nhand.0: y y y\nhand.1: g\nhand.2: g g g", turns=998)
    assert told_to_all(match) == []


@proves("VIVA-G3", "VIVA-L2")
def test_nobody_is_told_to_be_out_who_still_has_cards() -> None:
    match = after_1000_turns("block: p\nhand.0: y y y\nhand.1: g\nhand.2: g g g")
    assert events(match, "first_out") == []


@proves("VIVA-G3", "VIVA-L2")
def test_if_one_was_out_before_the_1000_turns_only_the_loser_is_told() -> None:
    match = after_1000_turns("block: p\nhand.0: y y\nhand.2: g g\nplaying: 0 2\nfirst_out: 1")
    assert told_to_all(match) == [Event("too_long", None, 1000), Event("most_cards", 2)]


@proves("VIVA-G3", "VIVA-L2")
def test_who_goes_out_in_the_thousandth_turn_is_told_so_first() -> None:
    match = play(at("turns: 999\nhand.0: r\nhand.1: y y y\nblock: r", players=3), "out r")
    assert told_to_all(match) == [
        Event("first_out", 0),
        winners_card(0),
        Event("too_long", None, 1000),
        Event("most_cards", 1),
    ]


@proves("VIVA-G3", "VIVA-G2")
def test_a_tie_break_of_1000_turns_is_won_by_the_fewest_cards_without_a_winners_card() -> None:
    match = after_1000_turns(f"{TIE_BREAK}\nhand.0: y y y\nhand.1: g")
    assert told_to_all(match) == [
        Event("too_long", None, 1000),
        Event("fewest_cards", 1),
        Event("won", 1, 2),
    ]
