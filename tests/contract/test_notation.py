"""Actions, saved matches and positions as text: written and read back the same."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kibitz
from contract.settings import Setting, wander
from kibitz.engine.game import Game


def test_every_action_reads_back_as_itself(game: Game) -> None:
    for action in game.actions.all:
        assert game.actions.read(action.text) == action.number
        assert game.actions.read(f"  {action.text.upper()} ") == action.number


def test_every_card_can_be_typed_on_a_plain_keyboard(game: Game) -> None:
    deck = game.layout.deck
    assert all((kind.alias or kind.code).isascii() for kind in deck.kinds)
    for k, kind in enumerate(deck.kinds):
        assert deck.index[kind.code.lower()] == k
        assert deck.index[(kind.alias or kind.code).lower()] == k


def test_a_saved_match_replays_to_the_same_bytes(setting: Setting) -> None:
    match = setting.match(seed=1)
    for n, _ in enumerate(wander(match, random.Random(1), 120)):
        if n % 40 == 0:
            again = kibitz.load(match.save())
            assert again.state.tobytes() == match.state.tobytes()
            assert again.log == match.log
            assert again.sheet == match.sheet
            assert again.history(0) == match.history(0)
            assert again.save() == match.save()


def test_the_same_seed_gives_the_same_match_and_another_seed_another(default: Setting) -> None:
    one, two, other = default.match(1), default.match(1), default.match(2)
    assert one.state.tobytes() == two.state.tobytes()
    assert one.state.tobytes() != other.state.tobytes()


def test_a_position_reads_back_to_what_everyone_sees(setting: Setting) -> None:
    match = setting.match(seed=2)
    for n, _ in enumerate(wander(match, random.Random(2), 150)):
        if n % 6:
            continue
        text = match.position()
        again = kibitz.position(setting.game, text)
        assert again.position() == text
        for seat in (None, *range(setting.players)):
            assert again.view(seat) == match.view(seat)
        for seat in range(setting.players):
            assert again.legal(seat) == match.legal(seat)


def test_a_match_from_a_position_can_be_saved(default: Setting) -> None:
    match = default.match(seed=3)
    for _ in wander(match, random.Random(3), 5):
        pass
    taken_up = kibitz.position(default.game, match.position(), seed="again")
    for _ in wander(taken_up, random.Random(4), 10):
        pass
    assert kibitz.load(taken_up.save()).state.tobytes() == taken_up.state.tobytes()


def test_a_finished_match_can_be_written_as_a_position(game: Game) -> None:
    match = kibitz.new(game.name, players=game.identity.seats[0], seed=5)
    for _ in wander(match, random.Random(5), game.identity.longest):
        pass
    again = kibitz.position(game.name, match.position())
    assert again.over
    assert again.winners == match.winners


def test_a_round_that_is_over_can_be_written_as_a_position_and_gone_on_from(
    setting: Setting,
) -> None:
    match = setting.match(seed=9)
    for seat, _ in wander(match, random.Random(9), 3_000):
        if seat is None:
            again = kibitz.position(setting.game, match.position(), seed=1)
            assert again.round_over
            assert again.position() == match.position()
            for viewer in (None, *range(setting.players)):
                assert again.view(viewer) == match.view(viewer)
            again.next_round()
            assert again.round == match.round + 1
            assert again.to_act


FEW = settings(max_examples=150, deadline=None)


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
