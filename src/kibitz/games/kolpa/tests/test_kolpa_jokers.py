"""Kolpa!, rule by rule: jokers, and what they announce."""

import pytest

import kibitz
from kibitz.games.kolpa.deck import DECK
from kibitz.games.kolpa.tests.kolpa_positions import (
    CALLS,
    EMPTY_DRAW,
    announced,
    at,
    calls,
    on_an_uncovered_joker,
)
from kibitz.testing import next_round, refused

proves = pytest.mark.proves


@proves("KOLPA-J1")
def test_a_joker_goes_on_any_discard_but_never_to_the_display() -> None:
    for top in DECK.codes[:30]:
        match = at(f"hand.0: joker {'p5' if top != 'p5' else 'y1'}\ndiscard: {top}")
        assert "joker red" in match.legal(0)
    with pytest.raises(kibitz.IllegalAction, match="no action"):
        match.play(0, "kolpa joker")


@proves("KOLPA-J1")
def test_a_joker_one_does_not_hold_is_refused() -> None:
    assert refused(at("hand.0: r1 g5\ndiscard: r3"), "joker red") == "KOLPA-J1"


@proves("KOLPA-J2")
def test_a_joker_announces_one_of_eleven() -> None:
    match = at("hand.0: joker g5\ndiscard: r3")
    assert calls(match) == set(CALLS) == {*"012345", "red", "blue", "green", "yellow", "purple"}
    assert refused(match, "joker") == "KOLPA-J2"


@proves("KOLPA-J2")
@pytest.mark.parametrize("call", CALLS)
def test_what_a_joker_announces_holds(call: str) -> None:
    match = at("hand.0: joker g5\ndiscard: r3")
    match.play(0, f"joker {call}")
    assert [str(held) for held in announced(match)] == [call]


@proves("KOLPA-J2")
@pytest.mark.parametrize(
    ("call", "fits", "other"), [("blue", "b0", "r3"), ("4", "g4", "g5"), ("3", "r3", "r4")]
)
def test_until_it_is_covered_only_the_announcement_matches(
    call: str, fits: str, other: str
) -> None:
    match = on_an_uncovered_joker(call, f"hand.0: {fits} {other}")
    assert set(match.legal(0)) == {f"kol {fits}", f"kolpa {other}"}


@proves("KOLPA-J2", "KOLPA-J5", "KOLPA-T1")
@pytest.mark.parametrize("call", ["green", "4"])
@pytest.mark.parametrize("source", ["hand", "display"])
def test_once_a_card_covers_the_joker_that_card_is_to_be_matched(call: str, source: str) -> None:
    """Whether it comes from the hand or from the display, and what was announced is forgotten."""
    own = "hand.0: g4 y5" if source == "hand" else "hand.0: y5\ndisplay.0.green: g4"
    match = on_an_uncovered_joker(call, f"{own}\nhand.1: g1 b4 r2")
    match.play(0, "kol g4" if source == "hand" else "kol display g4")
    assert announced(match) == []
    assert set(match.legal(1)) == {"kol g1", "kol b4", "kolpa r2"}


@proves("KOLPA-J3")
def test_a_display_top_with_the_announced_colour_must_be_answered() -> None:
    match = on_an_uncovered_joker("blue", "hand.0: b5 r3 joker\ndisplay.0.blue: b0")
    jokers = {f"joker {call}" for call in CALLS if call != "blue"}
    assert set(match.legal(0)) == {"kol b5", "kol display b0"} | jokers
    assert refused(match, "kolpa r3") == "KOLPA-T5"


@proves("KOLPA-J2", "KOLPA-J3")
@pytest.mark.parametrize("call", CALLS)
def test_on_an_uncovered_joker_what_holds_cannot_be_announced_again(call: str) -> None:
    match = on_an_uncovered_joker(call, "hand.0: joker g5")
    assert calls(match) == set(CALLS) - {call}
    assert len(calls(match)) == 10
    assert refused(match, f"joker {call}") == "KOLPA-J3"


@proves("KOLPA-J3", "KOLPA-J4")
@pytest.mark.parametrize("call", ["blue", "5"])
@pytest.mark.parametrize(
    "own",
    [
        pytest.param("hand.0: r3 joker\ndisplay.0.blue: b5", id="match in the display"),
        pytest.param("hand.0: r3 joker\ndisplay.0.green: g5 g1", id="no match on top of it"),
        pytest.param("hand.0: r3 joker", id="no display"),
        pytest.param("hand.0: b5 joker", id="match in the hand"),
        pytest.param("hand.0: joker joker", id="nothing but jokers"),
    ],
)  # fmt: skip
def test_this_goes_for_every_joker_laid_on_a_joker(call: str, own: str) -> None:
    match = on_an_uncovered_joker(call, own)
    assert calls(match) == set(CALLS) - {call}
    assert refused(match, f"joker {call}") == "KOLPA-J3"


@proves("KOLPA-J3", "KOLPA-J5")
def test_in_a_row_of_jokers_each_announces_something_else_than_the_one_beneath_it() -> None:
    match = at("hand.0: joker r1\nhand.1: joker r2\nhand.2: joker joker r4\ndiscard: r3", players=3)
    assert calls(match) == set(CALLS)
    match.play(0, "joker 4")
    assert calls(match, 1) == set(CALLS) - {"4"}
    match.play(1, "joker green")
    assert calls(match, 2) == set(CALLS) - {"green"}
    assert refused(match, "joker green", seat=2) == "KOLPA-J3"
    match.play(2, "joker 4")  # what the first one announced holds no longer
    assert announced(match) == [4]


@proves("KOLPA-J3", "KOLPA-J5")
def test_who_comes_later_cannot_announce_it_again_either_while_the_joker_is_uncovered() -> None:
    match = on_an_uncovered_joker(
        "blue", "hand.0: r3 r4\nhand.1: g2 g3\nhand.2: joker y1", players=3
    )
    match.play(0, "kolpa r3")
    match.play(1, "kolpa g2")
    assert calls(match, 2) == set(CALLS) - {"blue"}
    assert refused(match, "joker blue", seat=2) == "KOLPA-J3"


@proves("KOLPA-J3")
@pytest.mark.parametrize("call", ["blue", "5"])
@pytest.mark.parametrize("source", ["hand", "display"])
def test_once_a_card_covers_the_joker_all_eleven_can_be_announced_again(
    call: str, source: str
) -> None:
    own = "hand.0: b5 g1" if source == "hand" else "hand.0: g1\ndisplay.0.blue: b5"
    match = on_an_uncovered_joker(call, f"{own}\nhand.1: joker y1")
    match.play(0, "kol b5" if source == "hand" else "kol display b5")
    assert calls(match, 1) == set(CALLS)
    match.play(1, f"joker {call}")
    assert [str(held) for held in announced(match)] == [call]


@proves("KOLPA-J3", "KOLPA-T7")
@pytest.mark.parametrize("call", ["yellow", "1"])
def test_a_joker_that_stays_on_top_when_the_pile_is_turned_over_still_binds(call: str) -> None:
    field = "called_colour" if call == "yellow" else "called_number"
    text = EMPTY_DRAW.format(hand="g5 joker", discard="b2 r2 g5 b2 joker")
    match = at(f"{text}{field}: {call}")
    match.play(0, "kolpa g5")
    assert match.view().zones["discard"].size == 1
    assert calls(match, 1) == set(CALLS) - {call}
    assert refused(match, f"joker {call}", seat=1) == "KOLPA-J3"


@proves("KOLPA-J2", "KOLPA-J3")
@pytest.mark.parametrize("call", ["blue", "5"])
def test_an_announcement_ends_with_its_round(call: str) -> None:
    match = on_an_uncovered_joker(call, "hand.0: g1 g2\nhand.1: y1\nturns: 1999")
    match.play(0, "kolpa g1")
    next_round(match)
    assert announced(match) == []


@proves("KOLPA-J4")
def test_otherwise_the_next_player_is_free_but_cannot_pass() -> None:
    match = on_an_uncovered_joker("5", "hand.0: b5 r3 joker\ndisplay.0.green: g1")
    jokers = {f"joker {call}" for call in CALLS if call != "5"}
    assert set(match.legal(0)) == {"kol b5", "kolpa r3"} | jokers
    only_jokers = on_an_uncovered_joker("5", "hand.0: joker joker")
    assert set(only_jokers.legal(0)) == jokers
    with pytest.raises(kibitz.IllegalAction, match="no action"):
        only_jokers.play(0, "pass")


@proves("KOLPA-J5")
def test_the_announcement_holds_for_the_next_player_and_the_next() -> None:
    match = at(
        "hand.0: r3 r4\nhand.1: g2 g3\nhand.2: b1 y1\ndiscard: joker\ncalled_colour: blue",
        players=3,
    )
    match.play(0, "kolpa r3")
    match.play(1, "kolpa g2")
    assert match.view().fields["called_colour"] == "blue"
    assert "kol b1" in match.legal(2)
    assert "kolpa y1" in match.legal(2)
