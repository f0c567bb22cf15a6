"""Viva: what happened, and who is told."""

import pytest

import kibitz
from kibitz.engine.log import Event, Line
from kibitz.games.viva.tests.viva_positions import at, told_to_all
from kibitz.testing import cards, events, next_round, play

proves = pytest.mark.proves

RED = """
house.1: g ro
house.2: ry
block: b
"""
"""Two red houses; a red card in the third makes Viva."""

PURPLE = """
hand.0: p op
hand.1: p op
block: p
"""
"""Neither of two players can ever play: purple is barred."""


def drawn(name: str, seat: int, viewer: int | None, *codes: str) -> Event:
    """Cards that a seat has drawn, as a viewer is told of them."""
    n = len(codes)
    return Event(name, seat, n, cards=codes if viewer == seat else (), size=n)


def turned_up(seat: int, card: str) -> Event:
    """A personal blocking card."""
    return Event("personal_card", seat, cards=(card,), size=1)


# Dealing


@proves("VIVA-S1")
@pytest.mark.parametrize("players", [2, 6])
def test_dealing_the_first_round_tells_nothing_but_that_it_was_dealt(players: int) -> None:
    match = kibitz.new("viva", players=players, seed=1)
    for viewer in (None, *range(players)):
        assert match.history(viewer) == [Line(None, "deal", None, ())]


@proves("VIVA-S4")
def test_a_later_deal_shows_everyone_the_last_losers_personal_card() -> None:
    match = next_round(play(at("hand.0: r\nblock: r"), "out r"))
    (card,) = cards(match, "personal.1")
    assert told_to_all(match) == [turned_up(1, card)]


@proves("VIVA-G2", "VIVA-S4")
def test_a_tie_break_without_the_last_loser_has_no_personal_card_to_tell_of() -> None:
    text = "round_over: 1\nround: 3\ntie_break: 1\nplaying: 0 1\nloser: 2\nscores: 1 1 0"
    assert told_to_all(next_round(at(text, players=3, rounds=2))) == []


# Plays, and draws


@proves("VIVA-T1", "VIVA-T3", "VIVA-T4", "VIVA-V3", "VIVA-L3")
@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("hand.0: r ob\nblock: p", "r>1"),
        ("hand.0: r r r ob\nblock: p", "r>1+2"),
        ("hand.0: g\nphase: keep\ndrawn.0: r\nblock: p", "r>1"),
        ("hand.0: g\nphase: keep\ndrawn.0: r\nblock: p", "done"),
        ("hand.0: g r\nphase: blocking", "block g"),
        ("hand.0: g r\nphase: duty", "block g"),
    ],
)
def test_of_a_plain_action_there_is_nothing_more_to_tell(text: str, action: str) -> None:
    assert told_to_all(play(at(text), action)) == []


@proves("VIVA-T4")
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_who_draws_is_told_the_card_and_the_others_that_there_is_one(viewer: int | None) -> None:
    match = at("hand.0: g y\nblock: p\nstack: rb ob\nbox: *", players=3)
    match.play(0, "draw")
    (card,) = cards(match, "drawn.0", 0)
    assert events(match, viewer=viewer) == [drawn("drew", 0, viewer, card)]


@proves("VIVA-V4", "VIVA-L3")
@pytest.mark.parametrize("phase", ["blocking", "duty"])
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_card_drawn_for_an_only_one_is_told_like_any_other(
    phase: str, viewer: int | None
) -> None:
    match = at(f"phase: {phase}\nhand.0: r\nstack: gb gb\nbox: *")
    match.play(0, "block r")
    assert events(match, viewer=viewer) == [drawn("drew", 0, viewer, "gb")]


@proves("VIVA-T6")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_shuffling_the_cleared_cards_is_told_before_the_draw(viewer: int | None) -> None:
    match = at("hand.0: p op\nblock: p\ncleared: r r r r\nseen.cleared: r r r r\nbox: *")
    match.play(0, "draw")
    assert events(match, viewer=viewer) == [
        Event("reshuffled", None, 4),
        drawn("drew", 0, viewer, "r"),
    ]


@proves("VIVA-T6")
def test_taking_the_last_card_of_the_stack_shuffles_nothing_yet() -> None:
    match = at("hand.0: p op\nblock: p\nstack: g\ncleared: r r\nbox: *")
    match.play(0, "draw")
    assert events(match, viewer=0) == [drawn("drew", 0, 0, "g")]


@proves("VIVA-T6")
def test_where_there_is_nothing_to_draw_no_draw_is_told() -> None:
    match = at(f"{PURPLE}hand.2: r o\nhouse.1: g\nbox: *", players=3)
    assert told_to_all(play(match, "draw")) == []


@proves("VIVA-T6")
@pytest.mark.parametrize("players", [2, 3, 5])
def test_when_nobody_can_move_any_more_the_next_player_is_named(players: int) -> None:
    match = at(f"{PURPLE}house.1: g\nbox: *", players)
    for _ in range(players - 1):
        assert told_to_all(play(match, "draw")) == []
    assert told_to_all(play(match, "draw")) == [Event("stuck", 0)]


@proves("VIVA-T6", "VIVA-L5")
def test_it_is_the_next_player_still_in_who_is_named_then() -> None:
    text = "playing: 1 3\nfirst_out: 0\ndue: 1\nidle: 1\nblock: p\nbox: *"
    assert told_to_all(play(at(text, players=4), "draw")) == [Event("stuck", 3)]


# Viva!


@proves("VIVA-V1")
@pytest.mark.parametrize(
    ("houses", "played", "colour"),
    [
        (("r", "r", ""), "r>3", "red"),
        (("ro", "g o", ""), "oy>3", "orange"),
        (("yg", "yp", "gb"), "yb>3", "yellow"),
        (("ro", "g", "yg"), "og>1", "green"),
        (("yb", "rg", ""), "gb>2+3", "blue"),
        (("rg", "rg", ""), "rg>3", "red"),  # of two colours the first in the order of the deck
        (("ro", "ry", ""), "oy>3", None),
        (("r", "", ""), "r>2", None),
    ],
)
def test_a_viva_is_told_with_its_colour(
    houses: tuple[str, str, str], played: str, colour: str | None
) -> None:
    lines = [f"house.{n}: {pile}" for n, pile in enumerate(houses, 1)]
    card = played.split(">", maxsplit=1)[0]
    match = at("\n".join([*lines, f"hand.0: {card} {card} p p", "block: p", "hand.1: r r"]))
    match.play(0, played)
    assert events(match)[:1] == ([Event("viva", 0, word=colour)] if colour else [])
    assert [event.name for event in events(match)][1:] == (["penalty"] if colour else [])


@proves("VIVA-V1", "VIVA-T4")
def test_a_drawn_card_that_makes_viva_is_told_so() -> None:
    match = play(at(f"{RED}hand.0: g g\nphase: keep\ndrawn.0: r"), "r>3")
    assert events(match, "viva") == [Event("viva", 0, word="red")]


@proves("VIVA-V2", "VIVA-L5")
@pytest.mark.parametrize(
    ("playing", "penalties"),
    [
        ("0 1", [(1, 2)]),
        ("0 2", [(2, 2)]),
        ("0 1 2", [(1, 1), (2, 2)]),
        ("0 2 3", [(2, 1), (3, 2)]),
        ("0 1 2 3", [(1, 1), (3, 2)]),
    ],
)
@pytest.mark.parametrize("viewer", [0, 1, 2, 3, None])
def test_penalties_are_told_in_their_order_the_cards_to_who_draws_them(
    playing: str, penalties: list[tuple[int, int]], viewer: int | None
) -> None:
    match = at(f"{RED}hand.0: r g g\nplaying: {playing}\nstack: gp gp gp\nbox: *", players=4)
    match.play(0, "r>3")
    assert events(match, viewer=viewer) == [
        Event("viva", 0, word="red"),
        *(drawn("penalty", seat, viewer, *["gp"] * n) for seat, n in penalties),
    ]


@proves("VIVA-V2", "VIVA-T6")
@pytest.mark.parametrize(
    ("stack", "told"),
    [
        ("", [("reshuffled", None, 5), ("penalty", 1, 1), ("penalty", 2, 2)]),
        ("gp", [("penalty", 1, 1), ("reshuffled", None, 5), ("penalty", 2, 2)]),
        (
            "gp gp",
            [("penalty", 1, 1), ("penalty", 2, 1), ("reshuffled", None, 5), ("penalty", 2, 1)],
        ),
        ("gp gp gp", [("penalty", 1, 1), ("penalty", 2, 2)]),
    ],
)
def test_the_cleared_cards_are_told_to_be_shuffled_when_the_stack_runs_out_among_the_penalties(
    stack: str, told: list[tuple[str, int | None, int]]
) -> None:
    match = at(f"{RED}hand.0: r g g\nstack: {stack}\nbox: *", players=3)
    match.play(0, "r>3")
    assert [(event.name, event.seat, event.number) for event in events(match)[1:]] == told


@proves("VIVA-V5")
@pytest.mark.parametrize("holder", [1, 2, 3])
def test_a_new_personal_card_is_shown_to_all_after_the_penalties(holder: int) -> None:
    match = at(f"{RED}hand.0: r g\nholder: {holder}\npersonal.{holder}: y", players=4)
    match.play(0, "r>3")
    (card,) = cards(match, f"personal.{holder}")
    for viewer in (None, *range(4)):
        found = events(match, viewer=viewer)
        assert [event.name for event in found] == ["viva", "penalty", "penalty", "personal_card"]
        assert found[-1] == turned_up(holder, card)


@proves("VIVA-V5", "VIVA-L2")
@pytest.mark.parametrize("holder", ["holder: 0\npersonal.0: y", "playing: 0 2 3\nfirst_out: 1", ""])
def test_none_is_told_if_the_holder_made_the_viva_or_is_out_or_there_is_none(holder: str) -> None:
    match = play(at(f"{RED}hand.0: r g\n{holder}", players=4), "r>3")
    assert events(match, "viva")
    assert not events(match, "personal_card")


# Extra penalty


@proves("VIVA-X1")
@pytest.mark.parametrize(
    ("text", "action", "card"),
    [
        ("hand.0: r g\nblock: r", "try r>1", "r"),
        ("hand.0: r g\nblock: r", "try g>block", "g"),
        ("hand.0: r\nblock: g", "try r>block", "r"),
        ("hand.0: g\nphase: keep\ndrawn.0: rb\nblock: r", "try rb>2", "rb"),
    ],
)
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_a_caught_card_is_shown_to_all_and_the_three_cards_drawn_to_one(
    text: str, action: str, card: str, viewer: int | None
) -> None:
    match = at(f"{text}\nstack: o o o o\nbox: *", players=3, caught="yes")
    match.play(0, action)
    assert events(match, viewer=viewer) == [
        Event("was_caught", 0, cards=(card,), size=1),
        drawn("penalty", 0, viewer, "o", "o", "o"),
    ]


@proves("VIVA-X1", "VIVA-T6")
@pytest.mark.parametrize(
    ("stack", "cleared", "told"),
    [
        ("g", "", [("penalty", 0, 1)]),
        ("g", "r", [("penalty", 0, 1), ("reshuffled", None, 1), ("penalty", 0, 1)]),
        ("", "r r r r", [("reshuffled", None, 4), ("penalty", 0, 3)]),
        ("", "", []),
    ],
)
def test_a_penalty_that_finds_too_few_cards_tells_of_those_there_are(
    stack: str, cleared: str, told: list[tuple[str, int | None, int]]
) -> None:
    match = at(f"{PURPLE}stack: {stack}\ncleared: {cleared}\nbox: *", caught="yes")
    match.play(0, "try p>1")
    first, *others = events(match)
    assert first == Event("was_caught", 0, cards=("p",), size=1)
    assert [(event.name, event.seat, event.number) for event in others] == told


@proves("VIVA-X1", "VIVA-T6")
def test_who_is_caught_last_when_nobody_can_move_any_more_is_told_so_before_the_next_is_named() -> (
    None
):
    match = play(at(f"{PURPLE}box: *", caught="yes"), "draw", "try op>1")
    assert told_to_all(match) == [
        Event("was_caught", 1, cards=("op",), size=1),
        Event("stuck", 0),
    ]
