"""Bad calls say what is wrong and what is allowed."""

import json
import re
from typing import Any

import pytest

import kibitz


def refuses(error: type[Exception], words: str) -> "pytest.RaisesExc[Exception]":
    return pytest.raises(error, match=words)


def test_games_are_found_by_looking_into_the_folder() -> None:
    assert {"kiza", "kolpa", "ramon", "viva", "zocken"} <= set(kibitz.games())


def test_an_unknown_game() -> None:
    with refuses(kibitz.UnknownGame, "no game 'chess'; there are .*kiza, kolpa"):
        kibitz.new("chess", players=2)


@pytest.mark.parametrize("players", [1, 7, True, "4"])
def test_a_wrong_number_of_players(players: int) -> None:
    with refuses(kibitz.BadOption, "2 to 6 players, not"):
        kibitz.new("kolpa", players=players)


@pytest.mark.parametrize(
    ("game", "option", "value", "words"),
    [
        ("kolpa", "target", 19, "target must be from 20 to 200, not 19"),
        ("kolpa", "target", 2.5, "target must be a whole number"),
        ("kolpa", "target", "²", "target must be a whole number"),
        ("kolpa", "target", "--30", "target must be a whole number"),
        ("kolpa", "speed", 1, "no option 'speed'; it has: target"),
        ("ramon", "variant", "thin", "one of standard, thick-skinned"),
        ("viva", "caught", "maybe", "caught must be yes or no"),
        ("viva", "rounds", 13, "rounds must be from 1 to 12"),
    ],
)
def test_an_option_out_of_range(game: str, option: str, value: Any, words: str) -> None:
    with refuses(kibitz.BadOption, re.escape(words)):
        kibitz.new(game, players=4, **{option: value})


def test_an_unknown_action_is_answered_with_what_resembles_it() -> None:
    match = kibitz.new("kolpa", players=2, seed=1)
    (seat,) = match.to_act
    first = match.legal(seat)[0]
    with refuses(kibitz.IllegalAction, "try .*" + re.escape(first)) as refusal:
        match.play(seat, first + "x")
    assert refusal.value.rule is None  # type: ignore[attr-defined]


def test_a_seat_that_is_not_due_and_one_that_is_not_there() -> None:
    match = kibitz.new("kolpa", players=2, seed=1)
    (seat,) = match.to_act
    action = match.legal(seat)[0]
    with refuses(kibitz.IllegalAction, "KOLPA-T6"):
        match.play(1 - seat, action)
    for absent in (-1, 2, True, "0", None):
        with refuses(kibitz.IllegalAction, "seats are 0 to 1"):
            match.play(absent, action)  # type: ignore[arg-type]
    with refuses(kibitz.IllegalAction, "an action is a text"):
        match.play(seat, 3)  # type: ignore[arg-type]


SAVE = json.loads(kibitz.new("kolpa", players=2, seed=1).save())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kibitz": 1}, "format 1; this Kibitz reads 2"),
        ({"rules": 99}, "version 99 of the rules of Kolpa!; these are version 2"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"players": 9}, "2 to 6 players"),
        ({"players": "2"}, "'players' is missing or of the wrong type"),
        ({"seed": None}, "'seed' is missing or of the wrong type"),
        ({"options": {"target": 5}}, "from 20 to 200"),
        ({"log": [[None, "deal"], [0, "kol x9"]]}, "line 1 of the saved match cannot be played"),
        ({"log": [[None, "deal"], [None, "deal"]]}, "line 1 of the saved match cannot be played"),
        ({"log": [[None, "deal"], [None, "shuffle"]]}, "line 1 of the saved match cannot"),
        ({"log": [[None, "deal"], 3]}, "line 1 of the saved match cannot be played"),
        ({"log": [[0, "kol r1"]]}, "its log does not begin with a deal"),
        ({"log": []}, "its log does not begin with a deal"),
        ({"position": 3}, "'position' is not a text"),
    ],
)
def test_a_damaged_or_foreign_save(change: dict[str, object], words: str) -> None:
    with refuses(kibitz.KibitzError, re.escape(words)):
        kibitz.load(json.dumps({**SAVE, **change}))


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[]", "{}", "null", '{"kibitz": []}', "[" * 10_000]
)
def test_a_text_that_is_no_save(text: str) -> None:
    with refuses(kibitz.BadSave, "."):
        kibitz.load(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "position is empty"),
        ("viva 2", "a position of 'viva', not of 'kolpa'"),
        ("kolpa", "number of players"),
        ("kolpa 9", "2 to 6 players"),
        ("kolpa 2 target", "write `name=value`"),
        ("kolpa 2\nhand.0", "write `name: values`"),
        ("kolpa 2\nhand.5: r1", "has no 'hand.5'"),
        ("kolpa 2\nhand.0: r9", "no card 'r9'"),
        ("kolpa 2\nhand.0: r1 r1 r1", "too many r1"),
        ("kolpa 2\nhand.0: r1\nhand.0: r2", "written twice"),
        ("kolpa 2\nturns: many", "turns is a number"),
        ("kolpa 2\ncalled_number: 6", "called_number is from 0 to 5"),
        ("kolpa 2\nstarter: 2", "no seat '2'"),
        ("kolpa 2\nscores: 1", "total takes 2 values"),
        ("kolpa 2\ncalled_colour: pink", "one of red, blue"),
        ("kolpa 2\nhand.0: r1", "63 cards lie nowhere"),
        ("kolpa 2\ndraw: *\nhand.0: *", "fits one set only"),
        ("kolpa 2\ndraw: *", "the discard pile needs a card"),
        ("kolpa 2\nhand.0: r1\nhand.1: r2\ndiscard: r3\ndraw: *", "nobody is due"),
        (
            "kolpa 2\nround_over: 1\ndue: 0\nhand.0: r1\ndiscard: r3\ndraw: *",
            "nobody is due when the round is over",
        ),
        ("kolpa 2\nseen.draw: r1\ndiscard: r1 r1\ndraw: *", "holds no such r1"),
        ("kolpa 2\nseen.discard: r1\ndiscard: r1\ndraw: *", "open to all"),
    ],
)
def test_a_text_that_is_no_position(text: str, words: str) -> None:
    with refuses(kibitz.BadPosition, re.escape(words)):
        kibitz.position("kolpa", text)


def test_a_choice_that_was_tried_is_not_taken_over_once_something_came_between() -> None:
    match = kibitz.new("kolpa", players=2, seed=1)
    (seat,) = match.to_act
    first, second = match.legal(seat)[:2]
    tried, late = match.try_choice(seat, [first]), match.try_choice(seat, [second])
    match.adopt(tried)
    after = match.state.tobytes()
    with refuses(ValueError, "not tried on the match as it stands"):
        match.adopt(late)
    again = kibitz.new("kolpa", players=2, seed=1)
    again.play(seat, first)
    assert match.state.tobytes() == after == again.state.tobytes()
    assert match.done == again.done


def test_a_view_is_plain_data() -> None:
    view = kibitz.new("kiza", players=3, seed=1).view(1)
    assert json.loads(json.dumps(view.data())) == view.data()
    assert [zone["name"] for zone in view.data()["zones"]][:2] == ["hand.0", "hand.1"]
