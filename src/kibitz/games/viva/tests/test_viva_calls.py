"""Viva: one colour on all three houses, and what follows (VIVA-V1 to V5)."""

import pytest

from kibitz.engine.match import Match
from kibitz.games.viva.tests.viva_positions import at
from kibitz.testing import cards, field, hand, known, play, refused, size, sizes

proves = pytest.mark.proves

RED = """
house.1: g ro
house.2: ry
block: b
"""
"""Two red houses; a red card in the third makes Viva."""


def heights(match: Match) -> list[int]:
    return [size(match, f"house.{n}") for n in (1, 2, 3)]


def is_viva(match: Match) -> bool:
    """Whether the play just made was a Viva: the table is clear, and its player still due."""
    return heights(match) == [0, 0, 0] and field(match, "phase") == "blocking"


@proves("VIVA-V1")
@pytest.mark.parametrize(
    ("houses", "played", "viva"),
    [
        (("r", "r", ""), "r>3", True),
        (("ro", "ry", ""), "rg>3", True),
        (("rg", "rg", ""), "rg>3", True),
        (("ro", "ry", "oy"), "r>1", False),
        (("ro", "ry", ""), "oy>3", False),  # each two share a colour, all three do not
        (("r", "", ""), "r>2", False),  # a house is empty
        (("ro", "g o", ""), "oy>3", True),
        (("ro", "o g", ""), "oy>3", False),  # only top cards count
        (("r", "o", "y"), "ro>1", False),
        (("ro", "g", "yg"), "og>1", True),
    ],
)
def test_viva_is_one_colour_on_the_top_cards_of_all_three_houses(
    houses: tuple[str, str, str], played: str, viva: bool
) -> None:
    lines = [f"house.{n}: {pile}" for n, pile in enumerate(houses, 1)]
    card = played.split(">", maxsplit=1)[0]
    match = at("\n".join([*lines, f"hand.0: {card} p p", "block: p", "hand.1: b b"]))
    match.play(0, played)
    assert is_viva(match) == viva


@proves("VIVA-V1")
def test_all_house_cards_and_the_blocking_card_are_cleared() -> None:
    match = at(f"{RED}hand.0: r g g", players=3)
    match.play(0, "r>3")
    assert heights(match) == [0, 0, 0]
    assert size(match, "block") == 0
    assert sorted(known(match, "cleared")) == ["b", "g", "r", "ro", "ry"]


@proves("VIVA-V1")
def test_viva_happens_by_itself() -> None:
    match = at(f"{RED}hand.0: r g g")
    match.play(0, "r>3")
    assert is_viva(match)
    assert match.log == [(0, "r>3")]


@proves("VIVA-V1", "VIVA-T3")
def test_several_identical_cards_can_make_viva_together() -> None:
    """The houses show yb and rg; two gb, on rg and into the empty house, leave blue everywhere."""
    match = at("house.1: yb\nhouse.2: rg\nblock: p\nhand.0: gb gb o o", players=3)
    match.play(0, "gb>2+3")
    assert is_viva(match)
    assert sorted(known(match, "cleared")) == ["gb", "gb", "p", "rg", "yb"]


@proves("VIVA-V1")
def test_viva_is_looked_for_after_the_whole_play_and_happens_once() -> None:
    """The first of three cards would do; all of them lie there first, with one penalty."""
    match = at(f"{RED}hand.0: r r r g g", players=3)
    match.play(0, "r>1+2+3")
    assert sorted(known(match, "cleared")) == ["b", "g", "r", "r", "r", "ro", "ry"]
    assert sizes(match, "hand") == [2, 3, 4]


@proves("VIVA-V1", "VIVA-T4")
def test_a_drawn_card_can_make_viva() -> None:
    match = play(at(f"{RED}hand.0: g g\nstack: r\nbox: *"), "draw", "r>3")
    assert is_viva(match)
    assert match.legal(0) == ["block g"]


PENALTIES = [
    (2, 0, [0, 2]),
    (2, 1, [2, 0]),
    (3, 0, [0, 1, 2]),
    (3, 1, [2, 0, 1]),
    (4, 1, [2, 0, 1, 0]),  # the rulebook's example
    (4, 3, [1, 0, 2, 0]),
    (5, 0, [0, 1, 0, 0, 2]),
    (6, 5, [1, 0, 0, 0, 2, 0]),
]


@proves("VIVA-V2")
@pytest.mark.parametrize(("players", "caller", "drawn"), PENALTIES)
def test_the_next_player_draws_one_and_the_previous_two(
    players: int, caller: int, drawn: list[int]
) -> None:
    match = at(f"{RED}due: {caller}\nhand.{caller}: r g g", players)
    stack = size(match, "stack")
    match.play(caller, "r>3")
    assert sizes(match, "hand") == [2 + n for n in drawn]
    assert size(match, "stack") == stack - sum(drawn)


@proves("VIVA-V2", "VIVA-L5")
@pytest.mark.parametrize(
    ("playing", "drawn"),
    [
        ("0 2", [0, 0, 2, 0]),
        ("0 1", [0, 2, 0, 0]),
        ("0 2 3", [0, 0, 1, 2]),
        ("0 1 2", [0, 1, 2, 0]),
    ],
)
def test_penalties_hit_those_still_in_the_round(playing: str, drawn: list[int]) -> None:
    match = at(f"{RED}hand.0: r g g\nplaying: {playing}", players=4)
    before = sizes(match, "hand")
    match.play(0, "r>3")
    assert sizes(match, "hand") == [before[0] - 1, *(before[p] + drawn[p] for p in (1, 2, 3))]


@proves("VIVA-V2", "VIVA-V5")
def test_the_next_player_draws_first() -> None:
    """The last card of the stack goes to the next player, whatever the chance."""
    for seed in range(10):
        match = at(f"{RED}hand.0: r g g\nstack: gp\nbox: *", players=3, seed=seed)
        match.play(0, "r>3")
        assert sorted(hand(match, 1)) == ["gp", "op", "p"]
        assert "gp" not in hand(match, 2)


@proves("VIVA-V2")
def test_nobody_sees_which_penalty_cards_the_others_drew() -> None:
    match = at(f"{RED}hand.0: r g g", players=3)
    match.play(0, "r>3")
    for seat in (0, 2, None):
        assert known(match, "hand.1", seat) == []


@proves("VIVA-V3")
def test_then_the_player_lays_a_card_of_their_choice_as_blocking_card() -> None:
    match = play(at(f"{RED}hand.0: r g yb yb o", players=3), "r>3")
    assert match.to_act == {0}
    assert set(match.legal(0)) == {"block g", "block yb", "block o"}
    match.play(0, "block yb")
    assert cards(match, "block") == ["yb"]
    assert size(match, "block") == 1
    assert sorted(hand(match, 0)) == ["g", "o", "yb"]


@proves("VIVA-V3")
def test_then_the_turn_passes() -> None:
    match = play(at(f"{RED}hand.0: r g g", players=3), "r>3", "block g")
    assert match.to_act == {1}
    assert field(match, "phase") == "turn"


@proves("VIVA-V3")
def test_laying_the_blocking_card_cannot_be_put_off() -> None:
    match = play(at(f"{RED}hand.0: r g yb\nhand.1: g p"), "r>3")
    for action in ("draw", "done", "g>1", "out g"):
        assert refused(match, action) == "VIVA-V3"
    assert match.legal(1) == []
    refused(match, "g>1", seat=1)


@proves("VIVA-V3")
def test_the_blocking_card_comes_from_the_hand() -> None:
    match = play(at(f"{RED}hand.0: r g yb"), "r>3")
    assert refused(match, "block o") == "VIVA-V3"


@proves("VIVA-V3")
def test_nobody_lays_a_blocking_card_without_viva() -> None:
    assert refused(at(f"{RED}hand.0: r g yb"), "block g") == "VIVA-V3"


@proves("VIVA-V3", "VIVA-T5")
def test_the_new_blocking_card_bars_its_colours_and_the_old_one_does_not() -> None:
    match = play(at(f"{RED}hand.0: r g g\nhand.1: g b"), "r>3", "block g")
    assert refused(match, "g>1", seat=1) == "VIVA-T5"
    assert "b>1" in match.legal(1)


@proves("VIVA-V4")
def test_an_only_card_becomes_the_blocking_card_and_one_is_drawn() -> None:
    match = play(at(f"{RED}hand.0: r g", players=3), "r>3")
    assert match.legal(0) == ["block g"]
    assert hand(match, 0) == ["g"]
    stack = size(match, "stack")
    match.play(0, "block g")
    assert cards(match, "block") == ["g"]
    assert len(hand(match, 0)) == 1
    assert size(match, "stack") == stack - 1
    assert match.to_act == {1}
    assert field(match, "playing") == [0, 1, 2]


@proves("VIVA-V4")
def test_who_has_more_cards_left_draws_none() -> None:
    match = play(at(f"{RED}hand.0: r g g", players=3), "r>3")
    stack = size(match, "stack")
    match.play(0, "block g")
    assert hand(match, 0) == ["g"]
    assert size(match, "stack") == stack


@proves("VIVA-V4", "VIVA-V5")
def test_that_card_is_drawn_after_the_penalties_and_the_blocking_card() -> None:
    """Two cards for the penalty; the third comes out of those just cleared, but not as g."""
    for seed in range(10):
        match = at(
            "house.1: ro\nhouse.2: ry\nblock: b\nhand.0: r g\nstack: gp yp\nbox: *", seed=seed
        )
        match.play(0, "r>3")
        assert sorted(hand(match, 1)) == ["gp", "op", "p", "yp"]
        match.play(0, "block g")
        assert hand(match, 0)[0] in {"ro", "ry", "r", "b"}


PERSONAL = f"{RED}hand.0: r g\nholder: {{0}}\npersonal.{{0}}: y"


@proves("VIVA-V5")
@pytest.mark.parametrize("holder", [1, 2, 3])
def test_a_personal_card_is_cleared_and_its_holder_gets_a_new_one(holder: int) -> None:
    match = at(PERSONAL.format(holder), players=4)
    stack = size(match, "stack")
    match.play(0, "r>3")
    assert "y" in known(match, "cleared")
    assert size(match, f"personal.{holder}") == 1
    assert size(match, "stack") == stack - 3 - 1
    assert field(match, "holder") == holder


@proves("VIVA-V5")
def test_the_new_personal_card_is_turned_up_after_the_penalties() -> None:
    """The stack has just the penalty cards: the personal one comes of those cleared."""
    for seed in range(10):
        match = at(f"{PERSONAL.format(1)}\nstack: gp gp gp\nbox: *", players=3, seed=seed)
        match.play(0, "r>3")
        assert sorted(hand(match, 1)) == ["gp", "op", "p"]
        assert sorted(hand(match, 2)) == ["gp", "gp", "op", "p"]
        assert cards(match, "personal.1")[0] in {"g", "ro", "ry", "r", "b", "y"}
        assert size(match, "stack") == 5
        assert size(match, "cleared") == 0


@proves("VIVA-V5")
def test_the_new_personal_card_lies_there_before_the_blocking_card_is_chosen() -> None:
    match = at(PERSONAL.format(1), players=3)
    match.play(0, "r>3")
    assert size(match, "personal.1") == 1
    assert sizes(match, "hand") == [1, 3, 4]
    assert size(match, "block") == 0
    before = cards(match, "personal.1")
    match.play(0, "block g")
    assert cards(match, "personal.1") == before


@proves("VIVA-V5", "VIVA-V4")
def test_the_draw_for_an_only_card_comes_last() -> None:
    """Penalties and personal card take the whole stack but one: that one is left for V4."""
    match = at(f"{PERSONAL.format(1)}\nstack: gp gp gp gp gp\nbox: *", players=3)
    match.play(0, "r>3")
    assert hand(match, 0) == ["g"]
    assert cards(match, "personal.1") == ["gp"]
    assert size(match, "stack") == 1
    match.play(0, "block g")
    assert hand(match, 0) == ["gp"]
    assert size(match, "stack") == 0


@proves("VIVA-V5")
def test_who_calls_viva_is_rid_of_the_personal_card() -> None:
    match = at(PERSONAL.format(0), players=3)
    stack = size(match, "stack")
    match.play(0, "r>3")
    assert size(match, "personal.0") == 0
    assert "y" in known(match, "cleared")
    assert size(match, "stack") == stack - 3
    assert field(match, "holder") is None


@proves("VIVA-V5")
def test_who_is_rid_of_it_gets_none_at_the_next_viva() -> None:
    match = at(f"{PERSONAL.format(0)}\nhand.1: b b b b", players=2)
    play(match, "r>3", "block g", "b>1+2+3")
    assert field(match, "phase") == "blocking"
    assert size(match, "personal.0") == size(match, "personal.1") == 0


@proves("VIVA-V5", "VIVA-T5")
def test_a_viva_by_another_does_not_free_the_holder() -> None:
    text = PERSONAL.format(1).replace("hand.0: r g", "hand.0: r g g")
    match = play(at(f"{text}\nhand.1: r o y g b p"), "r>3", "block g")
    for colour in cards(match, "personal.1")[0]:
        assert refused(match, f"{colour}>1", seat=1) == "VIVA-T5"
