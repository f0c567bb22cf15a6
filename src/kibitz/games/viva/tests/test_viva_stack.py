"""Viva: the stack runs out (VIVA-T6)."""

import pytest

from kibitz.engine.match import Match
from kibitz.games.viva.tests.viva_positions import at
from kibitz.testing import cards, field, hand, known, play, refused, size, sizes

proves = pytest.mark.proves

PURPLE = """
hand.0: p op
hand.1: p op
block: p
"""
"""Neither of two players can ever play: purple is barred."""


@proves("VIVA-T6")
def test_the_cleared_cards_are_shuffled_into_a_new_stack() -> None:
    match = at("hand.0: p op\nblock: p\nhouse.1: g\nhouse.2: o\ncleared: r r rb rb y\nbox: *")
    match.play(0, "draw")
    assert size(match, "cleared") == 0
    assert size(match, "stack") == 4
    assert cards(match, "drawn.0", 0)[0] in {"r", "rb", "y"}


@proves("VIVA-T6")
def test_nobody_can_tell_which_of_the_cleared_cards_is_drawn() -> None:
    drawn = set()
    for seed in range(40):
        text = "hand.0: p op\nblock: p\ncleared: r o y\nseen.cleared: r o y\nbox: *"
        match = at(text, seed=seed)
        assert known(match, "cleared") == ["r", "o", "y"]
        match.play(0, "draw")
        drawn.update(cards(match, "drawn.0", 0))
        for seat in (0, 1, None):
            assert known(match, "stack", seat) == []
            assert known(match, "hand.0", seat) == []
            assert known(match, "drawn.0", seat) == []
    assert drawn == {"r", "o", "y"}


@proves("VIVA-T6")
def test_houses_and_blocking_cards_are_not_shuffled_in() -> None:
    match = at(
        "hand.0: p op\nblock: p\npersonal.1: y\nholder: 1\nhouse.1: g g\nhouse.2: o\n"
        "cleared: r\nbox: *"
    )
    match.play(0, "draw")
    assert cards(match, "drawn.0", 0) == ["r"]
    assert [size(match, f"house.{n}") for n in (1, 2, 3)] == [2, 1, 0]
    assert cards(match, "block") == ["p"]
    assert cards(match, "personal.1") == ["y"]
    assert size(match, "stack") == 0


@proves("VIVA-T6")
def test_the_stack_is_made_anew_when_a_card_is_due_and_not_before() -> None:
    match = at("hand.0: p op\nblock: p\nstack: g\ncleared: r r\nbox: *")
    play(match, "draw", "done")
    assert size(match, "stack") == 0
    assert size(match, "cleared") == 2
    assert sorted(hand(match, 0)) == ["g", "op", "p"]


@proves("VIVA-T6")
def test_with_no_cards_at_all_nothing_is_drawn_and_the_turn_ends() -> None:
    match = at(f"{PURPLE}hand.2: r o\nhouse.1: g\nbox: *", players=3)
    assert match.legal(0) == ["draw"]
    match.play(0, "draw")
    assert sizes(match, "hand") == [2, 2, 2]
    assert size(match, "drawn.0") == 0
    assert match.to_act == {1}
    assert field(match, "phase") == "turn"


def deadlock(more: str = "", players: int = 2, turns: int = 2) -> Match:
    """So many players, one after the other, neither play nor draw."""
    match = at(f"{PURPLE}{more}\nbox: *", players)
    for _ in range(turns):
        assert match.legal(min(match.to_act)) == ["draw"]
        play(match, "draw")
    return match


@proves("VIVA-T6")
def test_when_nobody_could_move_any_more_the_table_is_cleared_without_penalty() -> None:
    match = deadlock("house.1: g gb\nhouse.2: o")
    assert [size(match, f"house.{n}") for n in (1, 2, 3)] == [0, 0, 0]
    assert size(match, "block") == 0
    assert sorted(known(match, "cleared")) == ["g", "gb", "o", "p"]
    assert sizes(match, "hand") == [2, 2]
    assert match.scores == [0, 0]
    assert match.round == 1


@proves("VIVA-T6", "VIVA-L3")
def test_then_the_next_player_lays_a_blocking_card_and_takes_their_turn() -> None:
    match = deadlock("house.1: g")
    assert match.to_act == {0}
    assert set(match.legal(0)) == {"block p", "block op"}
    assert refused(match, "draw") == "VIVA-L3"
    match.play(0, "block op")
    assert cards(match, "block") == ["op"]
    assert match.to_act == {0}
    assert set(match.legal(0)) == {"out p", "draw"}


@proves("VIVA-T6", "VIVA-L3")
def test_one_who_has_but_one_card_then_draws_one_after_laying_it() -> None:
    match = at("hand.0: r\nhand.1: p op\nblock: p\nhouse.1: g\nbox: *")
    play(match, "draw", "draw")
    match.play(0, "block r")
    assert cards(match, "block") == ["r"]
    assert len(hand(match, 0)) == 1
    assert hand(match, 0)[0] in {"p", "g"}
    assert match.to_act == {0}


@proves("VIVA-T6")
def test_a_personal_blocking_card_stays_as_only_houses_and_blocking_card_are_cleared() -> None:
    match = deadlock("personal.1: y\nholder: 1")
    assert cards(match, "personal.1") == ["y"]
    assert known(match, "cleared") == ["p"]


@proves("VIVA-T6", "VIVA-L5")
def test_only_players_still_in_count_for_it() -> None:
    still_in = "playing: 0 1\nfirst_out: 2\nhouse.1: g"
    assert size(deadlock(still_in, players=3, turns=1), "block") == 1
    match = deadlock(still_in, players=3, turns=2)
    assert size(match, "block") == 0
    assert match.to_act == {0}


@proves("VIVA-T6")
def test_it_takes_every_player_still_in() -> None:
    match = deadlock("hand.2: p op", players=3, turns=2)
    assert size(match, "block") == 1
    play(match, "draw")
    assert size(match, "block") == 0
    assert match.to_act == {0}


@proves("VIVA-T6")
def test_a_play_in_between_starts_the_count_anew() -> None:
    match = at(f"{PURPLE}hand.2: r o p\nhouse.1: g\nhouse.2: o\nbox: *", players=3)
    play(match, "draw", "draw", "r>3")
    play(match, "draw", "draw")
    assert cards(match, "block") == ["p"]
    assert [size(match, f"house.{n}") for n in (1, 2, 3)] == [1, 1, 1]


@proves("VIVA-T6")
def test_who_draws_the_last_card_has_drawn() -> None:
    match = at(f"{PURPLE}house.1: g\nstack: op\nbox: *")
    play(match, "draw", "done", "draw")
    assert cards(match, "block") == ["p"]
    play(match, "draw")
    assert size(match, "block") == 0
    assert match.to_act == {1}


@proves("VIVA-T6")
def test_those_who_draw_what_was_cleared_start_the_count_anew() -> None:
    """Seat 0 does nothing, seat 1 goes out; then the two cards of the table are drawn."""
    match = at("hand.0: p op\nhand.1: p\nhand.2: g gp\nblock: p\nbox: *", players=3)
    play(match, "draw", "out p", "block gp")
    play(match, "draw", "done", "draw", "done")
    play(match, "draw")
    assert cards(match, "block") == ["gp"]
    play(match, "draw")
    assert size(match, "block") == 0
    assert match.to_act == {2}


@proves("VIVA-T6")
def test_it_can_come_to_that_again_and_takes_every_player_once_more() -> None:
    match = at("hand.0: r\nhand.1: y\nblock: g\nbox: *")
    play(match, "draw", "draw", "block r")
    assert hand(match, 0) == ["g"]
    play(match, "draw")
    assert cards(match, "block") == ["r"]
    play(match, "draw")
    assert size(match, "block") == 0
    assert match.to_act == {0}


NOTHING_TO_DRAW = f"{PURPLE}house.1: g\nbox: *"
"""No card is left for a penalty either."""


@proves("VIVA-T6", "VIVA-X1")
@pytest.mark.parametrize("turns", [("try p>1", "draw"), ("draw", "try p>1"), ("try p>1",) * 2])
def test_who_is_caught_and_finds_no_card_has_neither_played_nor_drawn(
    turns: tuple[str, str],
) -> None:
    match = at(NOTHING_TO_DRAW, caught="yes")
    play(match, turns[0])
    assert cards(match, "block") == ["p"]
    play(match, turns[1])
    assert size(match, "block") == size(match, "house.1") == 0
    assert match.to_act == {0}
    assert set(match.legal(0)) == {"block p", "block op"}


@proves("VIVA-T6", "VIVA-X1")
@pytest.mark.parametrize(("stack", "cleared"), [("g", ""), ("", "r"), ("g g g", "")])
def test_who_is_caught_and_takes_a_card_has_drawn(stack: str, cleared: str) -> None:
    """Before and after it seat 1 does nothing: these are not two turns in a row."""
    text = f"{PURPLE}house.1: g\nidle: 1\nstack: {stack}\ncleared: {cleared}\nbox: *"
    match = play(at(text, caught="yes"), "try p>1", "draw")
    assert sizes(match, "hand")[1] == 2
    assert cards(match, "block") == ["p"]
    assert match.to_act == {0}


@proves("VIVA-T6", "VIVA-X1")
def test_who_drew_a_card_and_is_then_caught_without_a_penalty_has_drawn() -> None:
    """The last card there was: seat 0 draws it, is caught with it, and finds no more."""
    match = at(f"{PURPLE}house.1: g\nstack: rp\nbox: *", caught="yes")
    play(match, "draw", "try rp>1", "draw")
    assert cards(match, "block") == ["p"]
    assert match.to_act == {0}
    play(match, "draw")
    assert size(match, "block") == 0
    assert match.to_act == {1}


@proves("VIVA-T6", "VIVA-X1")
@pytest.mark.parametrize(("stack", "cleared", "drawn"), [("g", "", 1), ("g", "r", 2), ("", "r", 1)])
def test_a_penalty_that_finds_too_few_cards_takes_what_there_is(
    stack: str, cleared: str, drawn: int
) -> None:
    match = at(
        f"hand.0: p op\nhand.1: p op\nblock: p\nstack: {stack}\ncleared: {cleared}\nbox: *",
        caught="yes",
    )
    match.play(0, "try p>1")
    assert sizes(match, "hand") == [2 + drawn, 2]
    assert size(match, "stack") == size(match, "cleared") == 0
    assert match.to_act == {1}


@proves("VIVA-T6", "VIVA-X1")
def test_a_penalty_that_finds_no_card_takes_none() -> None:
    match = at(f"{PURPLE}house.1: g\nbox: *", caught="yes")
    match.play(0, "try p>1")
    assert sizes(match, "hand") == [2, 2]
    assert match.to_act == {1}


@proves("VIVA-T6", "VIVA-V2")
def test_a_vivas_penalty_goes_on_with_the_cards_just_cleared() -> None:
    """The next draws the last card of the stack, the previous two of those on the table."""
    match = at(
        "hand.0: r g g\nhand.1: p p\nhand.2: p p\nhouse.1: ro\nhouse.2: ry\nblock: b\n"
        "stack: gp\nbox: *",
        players=3,
    )
    match.play(0, "r>3")
    assert sorted(hand(match, 1)) == ["gp", "p", "p"]
    assert set(hand(match, 2)) <= {"p", "r", "ro", "ry", "b"}
    assert sizes(match, "hand") == [2, 3, 4]
    assert size(match, "stack") == 2
    assert size(match, "cleared") == 0
