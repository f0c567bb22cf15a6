"""Viva: the rounds of a match, the tie-break and the longest round (VIVA-G1 to G3)."""

import pytest

import kibitz
from kibitz.engine.match import Match
from kibitz.games.viva.tests.viva_positions import at
from kibitz.testing import cards, field, next_round, play, refused, size, sizes

proves = pytest.mark.proves


def last_out(
    first_out: int, loser: int, scores: str, rounds: int = 3, players: int = 3, round_no: int = 3
) -> Match:
    """A round ends: one was the first out, and now another leaves the loser alone.

    `scores` are those before the round; the first one out has taken a winner's card since.
    """
    out = next(p for p in range(players) if p not in (first_out, loser))
    taken = [int(n) + (p == first_out) for p, n in enumerate(scores.split())]
    scores = " ".join(map(str, taken))
    text = f"playing: {out} {loser}\ndue: {out}\nhand.{out}: r\nblock: r\n"
    text += f"first_out: {first_out}\nscores: {scores}\nround: {round_no}"
    return play(at(text, players, rounds=rounds), "out r")


@proves("VIVA-G1")
def test_another_round_is_dealt_until_the_agreed_number_is_played() -> None:
    match = last_out(first_out=0, loser=1, scores="1 0 0", round_no=2)
    assert match.round_over
    assert not match.over
    assert match.scores == [2, 0, 0]
    next_round(match)
    assert match.round == 3
    assert sizes(match, "hand") == [5, 5, 5]


@proves("VIVA-G1")
def test_a_lead_that_nobody_can_catch_up_with_does_not_end_the_match() -> None:
    match = last_out(first_out=0, loser=1, scores="6 0 0", rounds=12, round_no=7)
    assert match.round_over
    assert not match.over
    assert next_round(match).round == 8


@proves("VIVA-G1")
@pytest.mark.parametrize("rounds", [1, 5, 12])
def test_the_match_ends_after_the_agreed_number_of_rounds(rounds: int) -> None:
    match = last_out(first_out=0, loser=1, scores="0 0 0", rounds=rounds, round_no=rounds)
    assert match.over
    assert match.to_act == frozenset()
    assert match.legal(0) == []
    assert refused(match, "draw") == "VIVA-G1"
    with pytest.raises(kibitz.IllegalAction, match="the next round"):
        match.next_round()


@proves("VIVA-G1")
@pytest.mark.parametrize(("first_out", "winner"), [(0, 2), (2, 2), (1, 2)])
def test_most_winners_cards_win_whoever_takes_the_last_one(first_out: int, winner: int) -> None:
    loser = 1 if first_out != 1 else 0
    match = last_out(first_out, loser, scores="0 0 2", rounds=3)
    assert match.over
    assert match.winners == [winner]
    assert match.scores[first_out] == (3 if first_out == 2 else 1)


@proves("VIVA-G2")
def test_a_draw_is_decided_by_one_more_round_among_the_tied() -> None:
    match = last_out(first_out=0, loser=2, scores="0 1 0", rounds=2, round_no=2)
    assert match.round_over
    assert not match.over
    assert match.winners == []
    next_round(match)
    assert match.round == 3
    assert sizes(match, "hand") == [5, 5, 0]
    assert field(match, "playing") == [0, 1]
    assert field(match, "tie_break") == 1
    assert match.scores == [1, 1, 0]


@proves("VIVA-G2")
def test_players_who_are_not_tied_are_never_due() -> None:
    match = next_round(last_out(first_out=0, loser=2, scores="0 1 0", rounds=2, round_no=2))
    play(match, "draw", "done")
    assert match.to_act == {1}
    play(match, "draw", "done")
    assert match.to_act == {0}
    refused(match, "draw", seat=2)


@proves("VIVA-G2")
def test_all_may_be_tied() -> None:
    match = next_round(last_out(first_out=0, loser=2, scores="0 1 1", rounds=3))
    assert field(match, "playing") == [0, 1, 2]
    assert sizes(match, "hand") == [5, 5, 5]


@proves("VIVA-G2")
def test_a_tied_winner_of_the_last_round_starts_the_tie_break() -> None:
    match = next_round(last_out(first_out=1, loser=2, scores="1 0 0", rounds=2, round_no=2))
    assert match.to_act == {1}


@proves("VIVA-G2")
@pytest.mark.parametrize(
    ("first_out", "scores", "starter"),
    [(2, "0 2 0 2", 3), (0, "0 2 0 2", 1), (3, "0 2 2 0", 1), (1, "2 0 0 2", 3), (3, "2 0 2 0", 0)],
)
def test_or_else_the_first_tied_player_to_their_left(
    first_out: int, scores: str, starter: int
) -> None:
    loser = 1 if first_out != 1 else 0
    match = next_round(last_out(first_out, loser, scores, rounds=5, players=4, round_no=5))
    assert field(match, "tie_break") == 1
    assert match.to_act == {starter}


@proves("VIVA-G2", "VIVA-S4")
def test_a_tied_loser_of_the_last_round_has_a_personal_blocking_card() -> None:
    match = next_round(last_out(first_out=0, loser=1, scores="0 1 0", rounds=2, round_no=2))
    assert [size(match, f"personal.{seat}") for seat in range(3)] == [0, 1, 0]
    assert field(match, "holder") == 1


@proves("VIVA-G2")
def test_a_loser_who_takes_no_part_in_the_tie_break_brings_no_personal_card_into_it() -> None:
    match = next_round(last_out(first_out=0, loser=2, scores="0 1 0", rounds=2, round_no=2))
    assert [size(match, f"personal.{seat}") for seat in range(3)] == [0, 0, 0]
    assert field(match, "holder") is None
    assert size(match, "stack") == 126 - 10 - 1


@proves("VIVA-G2", "VIVA-S4")
def test_nor_does_a_holder_who_takes_no_part() -> None:
    text = "round_over: 1\nround: 2\ntie_break: 1\nscores: 1 1 0\nplaying: 0 1\nloser: 2"
    match = next_round(at(f"{text}\nhand.2: g\nholder: 2\npersonal.2: y\nblock: r", players=3))
    assert field(match, "holder") is None


@proves("VIVA-S1", "VIVA-L2")
def test_of_how_the_last_round_ended_nothing_is_left_in_the_next() -> None:
    text = "round_over: 1\nround: 2\nstarter: 0\nloser: 1\nfirst_out: 0\nidle: 1\nphase: duty"
    match = next_round(at(f"{text}\nblock: r", players=3))
    assert [field(match, name) for name in ("first_out", "idle", "phase")] == [None, 0, "turn"]


@proves("VIVA-G2")
@pytest.mark.parametrize("playing", ["0 1 2", "0 2"])
def test_the_first_one_out_of_the_tie_break_wins_the_match(playing: str) -> None:
    text = f"tie_break: 1\nround: 4\nscores: 1 1 1\nhand.0: r\nblock: r\nplaying: {playing}"
    match = play(at(text, players=3, rounds=3), "out r")
    assert match.over
    assert match.winners == [0]


@proves("VIVA-G2")
def test_no_winners_card_is_taken_in_the_tie_break() -> None:
    text = "tie_break: 1\nround: 4\nscores: 1 1 1\nhand.0: r\nblock: r"
    match = play(at(text, players=3, rounds=3), "out r")
    assert match.scores == [1, 1, 1]
    assert match.sheet == [[{"winners_cards": 0}] * 3]


def after_1000_turns(text: str) -> Match:
    """Seat 0 makes the thousandth turn of a round, by playing r into the first house."""
    match = at(f"turns: 999\nblock: p\n{text}", players=3)
    assert not match.round_over
    return play(match, "r>1")


@proves("VIVA-G3")
def test_a_round_ends_after_1000_turns_and_not_before() -> None:
    assert after_1000_turns("hand.0: r y").round_over
    match = at("turns: 998\nblock: p\nhand.0: r y", players=3)
    play(match, "r>1")
    assert not match.round_over
    play(match, "draw")
    assert not match.round_over
    play(match, "done")
    assert match.round_over


@proves("VIVA-G3")
@pytest.mark.parametrize(
    ("hands", "starter", "winner", "loser"),
    [
        (["r y y", "g", "g g g"], 0, 1, 2),  # 2, 1 and 3 cards: no two alike
        (["r y", "g g", "g g g"], 0, 0, 2),
        (["r y y y", "g g", "g"], 0, 2, 0),
        (["r y", "g", "g g"], 0, 0, 2),  # equals: the first in turn order is the best
        (["r y", "g", "g g"], 1, 1, 2),
        (["r y", "g g", "g"], 2, 2, 1),
        (["r y y", "g", "g g"], 0, 1, 2),  # and the last is the worst
        (["r y y", "g", "g g"], 1, 1, 0),
        (["r y y", "g", "g g"], 2, 1, 0),
        (["r y y", "g g", "g g"], 0, 0, 2),  # all alike
        (["r y y", "g g", "g g"], 1, 1, 0),
        (["r y y", "g g", "g g"], 2, 2, 1),
    ],
)
def test_fewest_cards_win_and_most_cards_lose_equals_by_turn_order(
    hands: list[str], starter: int, winner: int, loser: int
) -> None:
    lines = [f"hand.{seat}: {held}" for seat, held in enumerate(hands)]
    match = after_1000_turns("\n".join([f"starter: {starter}", *lines]))
    assert match.scores == [int(seat == winner) for seat in range(3)]
    assert field(match, "loser") == loser
    next_round(match)
    assert match.to_act == {winner}
    assert size(match, f"personal.{loser}") == 1


@proves("VIVA-G3", "VIVA-L2")
def test_one_already_out_stays_the_winner_and_the_loser_is_one_still_in() -> None:
    match = after_1000_turns(
        "hand.0: r y\nhand.2: g g\nplaying: 0 2\nfirst_out: 1\nscores: 0 1 0\nstarter: 1"
    )
    assert match.scores == [0, 1, 0]
    assert field(match, "loser") == 2
    assert next_round(match).to_act == {1}


@proves("VIVA-G3")
def test_the_thousandth_turn_may_be_a_viva() -> None:
    houses = "house.1: ro\nhouse.2: ry\nblock: b"
    match = at(f"turns: 999\n{houses}\nhand.0: r g g\nhand.1: p\nhand.2: p", players=3)
    play(match, "r>3")
    assert not match.round_over
    play(match, "block g")
    assert match.round_over
    assert match.scores == [1, 0, 0]
    assert field(match, "loser") == 2


@proves("VIVA-G3", "VIVA-L3")
def test_laying_a_blocking_card_as_a_duty_is_part_of_a_turn() -> None:
    match = at("turns: 998\nhand.0: r\nhand.1: y y y\nblock: r", players=3)
    play(match, "out r", "block y")
    assert not match.round_over
    play(match, "draw", "done")
    assert match.round_over
    assert match.scores == [1, 0, 0]
    assert field(match, "loser") == 1


@proves("VIVA-G3")
def test_going_out_in_the_thousandth_turn_ends_the_round_too() -> None:
    match = at("turns: 999\nhand.0: r\nhand.1: y y y\nblock: r", players=3)
    play(match, "out r")
    assert match.round_over
    assert match.scores == [1, 0, 0]
    assert field(match, "loser") == 1


@proves("VIVA-G3", "VIVA-G2")
def test_a_tie_break_ends_after_1000_turns_too_and_the_fewest_cards_win_the_match() -> None:
    text = "tie_break: 1\nround: 4\nscores: 1 1 1\nturns: 999\nblock: p\nhand.0: r y y\nhand.2: g"
    match = play(at(text, players=3, rounds=3), "r>1")
    assert match.over
    assert match.winners == [2]
    assert match.scores == [1, 1, 1]


@proves("VIVA-G3")
def test_the_turns_are_counted_anew_in_each_round() -> None:
    match = next_round(after_1000_turns("hand.0: r y"))
    play(match, "draw", "done")
    assert not match.round_over
    assert match.round == 2


@proves("VIVA-G3")
def test_after_1000_turns_all_hands_lie_open() -> None:
    match = after_1000_turns("hand.0: r y y\nhand.1: g\nhand.2: ob g g")
    for seat in (0, 1, 2, None):
        held = [cards(match, f"hand.{owner}", seat) for owner in range(3)]
        assert held == [["y", "y"], ["g"], ["g", "g", "ob"]]
