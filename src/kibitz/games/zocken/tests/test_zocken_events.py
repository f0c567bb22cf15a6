"""Zocken: what happened, and who is told."""

import pytest

import kibitz
from kibitz.engine.log import Event, Line
from kibitz.engine.match import Match
from kibitz.games.zocken.deck import DECK
from kibitz.games.zocken.tests.zocken_positions import at, trick
from kibitz.testing import events, hand, next_round, play, size

proves = pytest.mark.proves

LAST = "leader: 1\ntrick.1: g9\ntrick.2: g2\n"
"""Seat 0 is the last to play to a trick, which seat 1 is going to take."""

TAKES = ("highest_takes", "last_equal_takes", "nothing_counts", "trick_lost")


def told_to_all(match: Match, *names: str) -> list[Event]:
    """What came of the last thing done, if all seats and spectators are told the same."""
    first, *others = (events(match, *names, viewer=p) for p in (None, *range(match.players)))
    assert all(other == first for other in others)
    return first


def about(name: str, seat: int | None, number: int, codes: str, word: str | None = None) -> Event:
    """An event with cards that all see; they are told in the order of the deck."""
    cards = tuple(sorted(codes.split(), key=DECK.codes.index))
    return Event(name, seat, number, word=word, cards=cards, size=len(cards))


# Dealing, and the pawn


@proves("ZOCKEN-S1")
def test_dealing_a_round_tells_nothing_but_that_it_was_dealt() -> None:
    match = kibitz.new("zocken", players=3, seed=1)
    for viewer in (None, 0, 1, 2):
        assert match.history(viewer) == [Line(None, "deal", None, ())]
    match = next_round(play(at(f"{LAST}hand.0: g1"), "play g1"))
    assert told_to_all(match) == []


@proves("ZOCKEN-S2")
@pytest.mark.parametrize("colour", ["yellow", "blue"])
def test_choosing_the_first_colour_turns_no_pawn(colour: str) -> None:
    assert told_to_all(play(kibitz.new("zocken", players=3, seed=1), f"colour {colour}")) == []


@proves("ZOCKEN-P1")
@pytest.mark.parametrize(
    ("pawn", "card", "told"),
    [
        ("yellow", "blue", [Event("pawn_turned", 0, word="blue")]),
        ("blue", "yellow", [Event("pawn_turned", 0, word="yellow")]),
        ("yellow", "yellow", []),
        ("blue", "blue", []),
    ],
)
def test_the_pawn_is_told_to_be_turned_only_if_it_showed_the_other_side(
    pawn: str, card: str, told: list[Event]
) -> None:
    assert told_to_all(play(at(f"pawn: {pawn}\nhand.0: {card} g1"), f"play {card}")) == told


@proves("ZOCKEN-P1", "ZOCKEN-K3")
def test_a_pawn_turned_by_the_last_card_is_told_before_the_trick() -> None:
    match = play(at(f"{LAST}hand.0: blue g8"), "play blue")
    assert told_to_all(match) == [
        Event("pawn_turned", 0, word="blue"),
        about("highest_takes", 2, 8, "g9 g2 blue"),
    ]


# Plays, series and special cards


@proves("ZOCKEN-T2", "ZOCKEN-P2", "ZOCKEN-P4")
@pytest.mark.parametrize("card", ["g3", "wild", "low", "pass", "give"])
def test_of_a_card_in_mid_trick_there_is_nothing_more_to_tell(card: str) -> None:
    assert told_to_all(play(at(f"hand.0: {card} g4 g4"), f"play {card}")) == []


@proves("ZOCKEN-T1")
@pytest.mark.parametrize(
    "series", ["g3 g3 g3", "g3 g3 g3 g3", "g3 wild low", "g3 low g3 wild g3 g3", "g9 high g9 g9"]
)
def test_a_series_is_told_with_its_cards_when_it_is_complete(series: str) -> None:
    match = at(f"hand.0: {series} g1 g1")
    for card in series.split():
        assert told_to_all(play(match, f"series {card}")) == []
    told = about("series_laid", 0, len(series.split()), series)
    assert told_to_all(play(match, "done")) == [told]


@proves("ZOCKEN-T1")
def test_a_second_series_is_told_without_the_first() -> None:
    match = play(at("series.0.1: g3 g3 g3\nhand.0: g4 g4 g4 g1"), *["series g4"] * 3, "done")
    assert told_to_all(match) == [about("series_laid", 0, 3, "g4 g4 g4")]


@proves("ZOCKEN-P3")
@pytest.mark.parametrize(("pile", "drawn"), [("g8 g8 g8", 2), ("g8 g8", 2), ("g8", 1), ("", 0)])
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_who_draws_is_told_the_cards_and_the_others_how_many(
    pile: str, drawn: int, viewer: int | None
) -> None:
    match = play(at(f"hand.0: draw g1\ndraw: {pile}\nbox: *"), "play draw")
    seen = ("g8",) * drawn if viewer == 1 else ()
    told = [Event("drew", 1, drawn, cards=seen, size=drawn)] if drawn else []
    assert events(match, viewer=viewer) == told


@proves("ZOCKEN-P3")
def test_two_different_cards_drawn_are_both_told() -> None:
    match = play(at("hand.0: draw g1\nhand.1: g5\ndraw: wild g8\nbox: *"), "play draw")
    assert events(match, viewer=1) == [about("drew", 1, 2, "g8 wild")]
    assert sorted(hand(match, 1)) == ["g5", "g8", "wild"]


@proves("ZOCKEN-P3", "ZOCKEN-P4")
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_a_draw_by_the_last_card_is_told_before_the_trick(viewer: int | None) -> None:
    match = play(at(f"{LAST}hand.0: draw g1\ndraw: g8 g8\nbox: *"), "play draw")
    drew, took = events(match, viewer=viewer)
    assert drew == Event("drew", 1, 2, cards=("g8", "g8") if viewer == 1 else (), size=2)
    assert took == about("highest_takes", 1, 9, "g9 g2 draw")


@proves("ZOCKEN-P2", "ZOCKEN-P4")
@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("hand.0: pass g3 g7", ["play pass", "pass g3"]),
        ("hand.0: give g3 g7 g8", ["play give", "to 1"]),
        ("hand.0: give g3 g7 g8", ["play give", "to 1", "give g3"]),
        ("hand.0: give g3 g7 g8", ["play give", "to 1", "give g3", "give last g7"]),
    ],
)
def test_a_gift_is_told_by_its_line_of_the_log_alone(text: str, actions: list[str]) -> None:
    assert told_to_all(play(at(text), *actions)) == []


@proves("ZOCKEN-P2", "ZOCKEN-P4", "ZOCKEN-K3")
@pytest.mark.parametrize(
    ("text", "actions"),
    [
        ("hand.0: pass g3 g7", ["play pass", "pass g3"]),
        ("hand.0: give g3 g7 g8", ["play give", "to 1", "give g3", "give last g7"]),
    ],
)
def test_a_trick_whose_last_card_makes_a_gift_is_told_after_the_gift(
    text: str, actions: list[str]
) -> None:
    match = at(LAST + text)
    for action in actions[:-1]:
        assert told_to_all(play(match, action)) == []
    card = actions[0].removeprefix("play ")
    told = about("highest_takes", 1, 9, f"g9 g2 {card}")
    assert told_to_all(play(match, actions[-1])) == [told]


# Who takes the trick


@proves("ZOCKEN-K2", "ZOCKEN-K3", "ZOCKEN-K4", "ZOCKEN-K5")
@pytest.mark.parametrize(
    ("played", "pawn", "name", "taking", "number"),
    [
        ("g1 g9 g5", "yellow", "highest_takes", 1, 9),
        ("g1 g9 g5", "blue", "highest_takes", 0, 9),
        ("g8 g4 blue g6", "yellow", "highest_takes", 1, 6),  # turned in mid-trick
        ("g9 g9 g1", "yellow", "highest_takes", 2, 1),  # a pair does not count
        ("g6 g6 g2 g6", "yellow", "last_equal_takes", 3, 6),  # of three the last
        ("g5 wild g9", "yellow", "highest_takes", 2, 9),  # equal, but lower
        ("g5 g5 wild g1", "yellow", "highest_takes", 2, 5),  # the pair is no equal
        ("g5 g5 g5 g1 g1", "yellow", "last_equal_takes", 2, 5),
        ("g5 g3 draw", "yellow", "last_equal_takes", 2, 5),
        ("g5 low high wild", "yellow", "last_equal_takes", 3, 5),
        ("g5 g5 g5 wild", "yellow", "last_equal_takes", 3, 5),
        ("wild g5 g5 g5", "yellow", "last_equal_takes", 3, 5),
        ("g1 g9 g9 g1", "yellow", "nothing_counts", 3, 1),
        ("g1 g9 g9 g1", "blue", "nothing_counts", 3, 9),
        ("g9 g9 g9 g9", "yellow", "nothing_counts", 3, 9),
        ("pass pass pass pass pass", "yellow", "trick_lost", None, 0),
    ],
)
def test_a_trick_is_told_with_its_cards_who_takes_it_and_why(
    played: str, pawn: str, name: str, taking: int | None, number: int
) -> None:
    order = played.split()
    for leader in range(len(order)):
        match = trick(order, leader, pawn)
        seat = None if taking is None else (leader + taking) % len(order)
        assert told_to_all(match, *TAKES) == [about(name, seat, number, played)]


# The end of a round


@proves("ZOCKEN-E1")
@pytest.mark.parametrize(
    ("text", "seats"),
    [
        ("hand.0: g1", [0]),
        ("hand.0: g1 g3\nhand.1:", [1]),
        ("hand.0: g1 g3\nhand.2:", [2]),
        ("hand.0: g1 g3", []),
    ],
)
def test_an_empty_hand_is_told_after_the_trick_and_before_the_scores(
    text: str, seats: list[int]
) -> None:
    match = play(at(LAST + text), "play g1")
    took, *others = told_to_all(match)
    assert took == about("highest_takes", 1, 9, "g9 g2 g1")
    assert [event for event in others if event.name != "scored"] == [
        Event("hand_empty", seat) for seat in seats
    ]
    assert len(events(match, "scored")) == (9 if seats else 0)
    assert match.round_over is bool(seats)


@proves("ZOCKEN-E1")
def test_of_several_empty_hands_each_is_told() -> None:
    match = play(at(f"{LAST}hand.0: g1\nhand.2:"), "play g1")
    assert told_to_all(match, "hand_empty") == [Event("hand_empty", seat) for seat in (0, 2)]
    assert [size(match, f"hand.{seat}") for seat in (0, 2)] == [0, 0]


@proves("ZOCKEN-E1")
def test_a_hand_that_is_empty_in_mid_trick_is_told_at_its_end() -> None:
    match = at("hand.0: g1\nhand.1: g5 g5\nhand.2: g6 g6")
    assert told_to_all(play(match, "play g1")) == []
    assert told_to_all(play(match, "play g5")) == []
    assert told_to_all(play(match, "play g6"), "hand_empty") == [Event("hand_empty", 0)]


SCORES = f"""{LAST}hand.0: g1
hand.1: g4 g4 draw wild
hand.2: g8
taken.0: g2 g1 draw
taken.1: g6 low
series.0.1: g3 g3 g3
series.0.2: g7 g7 g7 g7
series.2.1: g8 g8 high
"""


@proves("ZOCKEN-E2")
def test_every_part_of_every_score_is_told_with_the_cards_that_it_comes_from() -> None:
    """The rulebook's table: 1 for a card taken, 1, 2 or 3 for one in hand, series take off."""
    assert told_to_all(play(at(SCORES), "play g1"), "scored") == [
        about("scored", 0, 3, "g2 g1 draw", "tricks"),
        about("scored", 0, 0, "", "hand"),
        about("scored", 0, -15, "g3 g3 g3 g7 g7 g7 g7", "series"),
        about("scored", 1, 5, "g6 low g9 g2 g1", "tricks"),
        about("scored", 1, 7, "g4 g4 draw wild", "hand"),
        about("scored", 1, 0, "", "series"),
        about("scored", 2, 0, "", "tricks"),
        about("scored", 2, 1, "g8", "hand"),
        about("scored", 2, -5, "g8 g8 high", "series"),
    ]


@proves("ZOCKEN-K5", "ZOCKEN-E2")
def test_the_cards_of_a_lost_trick_are_told_in_nobodys_score() -> None:
    tricks = "leader: 2\ntrick.2: pass\ntrick.3: pass\ntrick.4: pass\ntrick.0: pass"
    match = play(at(f"{tricks}\ndue: 1\nhand.1: pass\nhand.0: g1", players=5), "play pass")
    lost, *_ = told_to_all(match)
    assert lost == about("trick_lost", None, 0, "pass pass pass pass pass")
    taken = [event for event in events(match, "scored") if event.word == "tricks"]
    assert taken == [about("scored", seat, 0, "", "tricks") for seat in range(5)]


@proves("ZOCKEN-E3")
@pytest.mark.parametrize(
    ("scores", "told"),
    [
        ("10 51 20", []),
        ("10 52 20", [Event("won", 0, 10)]),
        ("60 -9 -3", [Event("won", 1, -5)]),
        ("21 52 20", [Event("shared", 0, 21), Event("shared", 2, 21)]),
        ("56 52 55", [Event("shared", seat, 56) for seat in range(3)]),
    ],
)
def test_the_end_of_the_match_is_told_last_with_the_totals_of_those_who_won(
    scores: str, told: list[Event]
) -> None:
    """The round gives 0, 4 and 1 points to the three seats."""
    text = f"{LAST}hand.0: g1\nhand.1: g5\nhand.2: g6\nscores: {scores}"
    match = play(at(text), "play g1")
    assert match.over is bool(told)
    assert told_to_all(match, "won", "shared") == told
    assert events(match)[2 + 9 :] == told


@proves("ZOCKEN-E3")
@pytest.mark.parametrize(("number", "told"), [(29, []), (30, [Event("won", 1, -16)])])
def test_after_30_rounds_the_lowest_total_is_told_to_have_won(
    number: int, told: list[Event]
) -> None:
    text = f"{LAST}hand.0: g1\nhand.1: g5\nhand.2: g6\nscores: 5 -20 7\nround: {number}"
    assert told_to_all(play(at(text), "play g1"), "won", "shared") == told
