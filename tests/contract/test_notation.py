"""No text does harm as an action, a saved match or a position."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz
from effort import tried
from kibitz.contract.settings import wander
from kibitz.engine.game import Game

FEW = settings(max_examples=tried(60, 1000), deadline=None)


@FEW
@given(text=st.text(max_size=40), seat=st.integers(-2, 7))
def test_no_text_played_as_an_action_does_harm(game: Game, text: str, seat: int) -> None:
    match = kibitz.new(game.name, players=game.identity.seats[0], seed=6)
    before = match.state.tobytes()
    try:
        match.play(seat, text)
    except kibitz.IllegalAction:
        assert match.state.tobytes() == before
    else:
        assert match.log[-1][0] == seat


@FEW
@given(data=st.data())
def test_no_damaged_save_gets_further_than_an_error(game: Game, data: st.DataObject) -> None:
    match = kibitz.new(game.name, players=game.identity.seats[0], seed=7)
    for _ in wander(match, random.Random(7), 4):
        pass
    text = mutated(match.save(), data)
    try:
        loaded = kibitz.load(text)
    except kibitz.KibitzError:
        return
    assert kibitz.load(loaded.save()).state.tobytes() == loaded.state.tobytes()


@FEW
@given(data=st.data())
def test_no_damaged_position_gets_further_than_an_error(game: Game, data: st.DataObject) -> None:
    match = kibitz.new(game.name, players=game.identity.seats[0], seed=8)
    steps = data.draw(st.integers(0, 12))
    for _ in wander(match, random.Random(steps), steps):
        pass
    try:
        read = kibitz.position(game.name, mutated(match.position(), data), seed=1)
    except kibitz.KibitzError:
        return
    for _ in wander(read, random.Random(1), 25):
        pass


def mutated(text: str, data: st.DataObject) -> str:
    """A text with a few lines lost, doubled, swapped or with other words in them."""
    lines = text.splitlines()
    words = sorted(set(text.replace(":", " ").split()) | {"*", "-", "-1", "7", "99", "", "x"})
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(lines) - 1))
        change = data.draw(st.sampled_from(["drop", "double", "swap", "word", "text"]))
        if change == "drop":
            lines[at : at + 1] = []
        elif change == "double":
            lines.insert(at, lines[at])
        elif change == "swap":
            other = data.draw(st.integers(0, len(lines) - 1))
            lines[at], lines[other] = lines[other], lines[at]
        elif change == "word":
            parts = lines[at].split(" ")
            parts[data.draw(st.integers(0, len(parts) - 1))] = data.draw(st.sampled_from(words))
            lines[at] = " ".join(parts)
        else:
            lines[at] = data.draw(st.text(max_size=20))
        if not lines:
            break
    return "\n".join(lines)


@FEW
@given(text=st.text(max_size=200))
def test_no_text_is_a_save_or_a_position_by_accident(game: Game, text: str) -> None:
    with pytest.raises(kibitz.KibitzError):
        kibitz.load(text)
    with pytest.raises(kibitz.KibitzError):
        kibitz.position(game.name, text)
