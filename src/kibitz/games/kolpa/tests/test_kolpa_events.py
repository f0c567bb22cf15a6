"""Kolpa!: what happened, and who is told."""

from collections import Counter

import pytest

import kibitz
from kibitz.engine.log import Event, Line
from kibitz.games.kolpa.tests.kolpa_positions import (
    EMPTY_DRAW,
    at,
    nothing_to_draw,
    on_an_uncovered_joker,
)
from kibitz.testing import events, hand, next_round, play

proves = pytest.mark.proves


def test_dealing_a_round_tells_nothing_but_that_it_was_dealt() -> None:
    match = kibitz.new("kolpa", players=2, seed=1)
    assert match.history(0) == match.history() == [Line(None, "deal", None, ())]
    match = at("hand.0: r1\ndiscard: r3")
    match.play(0, "kol r1")
    next_round(match)
    assert match.history()[-1] == Line(None, "deal", None, ())


# Cards drawn


@proves("KOLPA-T2", "KOLPA-E4")
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_after_kolpa_all_are_told_that_a_card_was_drawn_and_one_which(viewer: int | None) -> None:
    match = play(at("hand.0: g5 r1 r2\ndiscard: b3", players=3), "kolpa g5")
    (drawn,) = (Counter(hand(match, 0)) - Counter(["r1", "r2"])).elements()
    seen = (drawn,) if viewer == 0 else ()
    assert events(match, viewer=viewer) == [Event("drew", 0, 1, cards=seen, size=1)]


@proves("KOLPA-T1", "KOLPA-J1")
@pytest.mark.parametrize("action", ["kol r1", "kol display b3", "joker red", "joker 3"])
def test_who_plays_to_the_discard_pile_draws_nothing_and_there_is_no_more_to_tell(
    action: str,
) -> None:
    match = at("hand.0: r1 joker\ndisplay.0.blue: b3\ndiscard: r3")
    assert events(play(match, action)) == []


@proves("KOLPA-T7")
@pytest.mark.parametrize("discard", ["b2 joker r2 g5 b2", "b2 r2 g5 b2 joker\ncalled_number: 1"])
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_turning_the_discard_pile_over_is_told_before_the_draw(
    viewer: int | None, discard: str
) -> None:
    match = play(at(EMPTY_DRAW.format(hand="g5 joker", discard=discard)), "kolpa g5")
    (drawn,) = (Counter(hand(match, 0)) - Counter(["joker"])).elements()
    assert events(match, viewer=viewer) == [
        Event("reshuffled", 0, 4),
        Event("drew", 0, 1, cards=(drawn,) if viewer == 0 else (), size=1),
    ]


@proves("KOLPA-T7")
def test_taking_the_last_card_of_the_draw_pile_turns_nothing_over_yet() -> None:
    text = EMPTY_DRAW.format(hand="g5 g5", discard="joker r2 joker b2")
    match = play(at(text.replace("draw:", "draw: b2")), "kolpa g5")
    assert events(match, viewer=0) == [Event("drew", 0, 1, cards=("b2",), size=1)]


@proves("KOLPA-T7")
def test_with_nothing_to_turn_over_and_nothing_to_draw_neither_is_told() -> None:
    assert events(play(nothing_to_draw("g5 y5"), "kolpa g5")) == []


# How a round ends


@proves("KOLPA-E1", "KOLPA-T7")
@pytest.mark.parametrize(
    ("last", "action"), [("b1", "kol b1"), ("joker", "joker"), ("g5", "kolpa g5")]
)
def test_an_empty_hand_is_told_first_when_it_ends_the_round(last: str, action: str) -> None:
    """The green 5 goes to the display, but there is nothing left to draw."""
    jokers = ["joker"] * (3 if last == "joker" else 4)
    match = play(nothing_to_draw(last, other=" ".join(jokers)), action)
    assert match.round_over
    assert events(match)[0] == Event("hand_empty", 0)
    assert not events(match, "too_long", "drew")


@proves("KOLPA-E1")
@pytest.mark.parametrize(
    ("own", "action"), [("g5", "kolpa g5"), ("r1 g5", "kol r1"), ("r1 joker", "joker red")]
)
def test_a_hand_that_is_not_empty_ends_nothing(own: str, action: str) -> None:
    match = play(at(f"hand.0: {own}\ndiscard: r3"), action)
    assert not events(match, "hand_empty", "too_long", "scored", "won", "shared")


@proves("KOLPA-E5")
@pytest.mark.parametrize(
    ("turns", "action", "told"),
    [
        (1998, "kolpa g5", []),
        (1999, "kolpa g5", [Event("too_long", 0, 2000)]),
        (1999, "kol r1", [Event("too_long", 0, 2000)]),
    ],
)
def test_a_round_that_ends_after_2000_turns_is_told_to_be_too_long(
    turns: int, action: str, told: list[Event]
) -> None:
    match = play(at(f"hand.0: g5 r1\ndiscard: r3\nturns: {turns}"), action)
    assert events(match, "too_long", "hand_empty") == told
    assert bool(events(match, "scored")) is bool(told)


@proves("KOLPA-E1", "KOLPA-E5")
def test_an_empty_hand_after_2000_turns_is_told_as_an_empty_hand() -> None:
    match = play(at("hand.0: r1\ndiscard: r3\nturns: 1999"), "kol r1")
    assert events(match, "too_long", "hand_empty") == [Event("hand_empty", 0)]


# Scores


@proves("KOLPA-E2")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_each_seats_display_and_hand_are_told_with_their_cards(viewer: int | None) -> None:
    """The booklet's example: 4, 3, 0, 3, 5, 4, 2 displayed, 0, 3 and a joker in hand."""
    match = at("""
        hand.0: r1
        hand.1: g0 y3 joker
        display.0.yellow: y1
        display.1.red: r4 r3
        display.1.blue: b0
        display.1.green: g3 g5
        display.1.purple: p4 p2
        discard: r3
    """)
    displayed = ("r3", "r4", "b0", "g3", "g5", "p2", "p4")
    assert events(play(match, "kol r1"), viewer=viewer) == [
        Event("hand_empty", 0),
        Event("scored", 0, 1, word="display", cards=("y1",), size=1),
        Event("scored", 0, 0, word="hand"),
        Event("scored", 1, 21, word="display", cards=displayed, size=7),
        Event("scored", 1, -13, word="hand", cards=("g0", "y3", "joker"), size=3),
    ]


@proves("KOLPA-E2")
def test_two_cards_of_a_kind_are_both_told() -> None:
    match = at("hand.0: r1\nhand.1: joker joker\ndisplay.1.red: r5 r5\ndiscard: r3")
    display, held = events(play(match, "kol r1"), "scored")[2:]
    assert (display.number, display.cards) == (10, ("r5", "r5"))
    assert (held.number, held.cards) == (-20, ("joker", "joker"))


@proves("KOLPA-E2", "KOLPA-J2")
def test_an_announcement_does_not_change_what_is_told_of_a_last_card() -> None:
    match = on_an_uncovered_joker("red", "hand.0: r1\nhand.1: g2")
    assert events(play(match, "kol r1")) == [
        Event("hand_empty", 0),
        Event("scored", 0, 0, word="display"),
        Event("scored", 0, 0, word="hand"),
        Event("scored", 1, 0, word="display"),
        Event("scored", 1, -2, word="hand", cards=("g2",), size=1),
    ]


# How the match ends


@proves("KOLPA-E3")
@pytest.mark.parametrize(
    ("scores", "told"),
    [
        ("49 44 20", []),
        ("51 45 20", [Event("won", 0, 51)]),
        ("49 45 20", [Event("won", 1, 50)]),
        ("50 45 20", [Event("shared", 0, 50), Event("shared", 1, 50)]),
        ("55 50 55", [Event("shared", seat, 55) for seat in range(3)]),
    ],
)
def test_the_end_of_the_match_is_told_last_with_the_totals_of_those_who_won(
    scores: str, told: list[Event]
) -> None:
    position = "hand.0: r1\nhand.1: g0\nhand.2: b0\ndisplay.1.red: r5\ndiscard: r3\nscores: "
    match = play(at(position + scores, players=3), "kol r1")
    assert match.over is bool(told)
    assert events(match)[7:] == told
    assert events(match, "won", "shared") == told


@proves("KOLPA-E5")
@pytest.mark.parametrize(("number", "told"), [(99, []), (100, [Event("won", 0, -9)])])
def test_after_100_rounds_the_highest_total_is_told_to_have_won(
    number: int, told: list[Event]
) -> None:
    match = at(f"hand.0: r1\nhand.1: joker\ndiscard: r3\nround: {number}\nscores: -9 -2")
    assert events(play(match, "kol r1"), "won", "shared") == told
