"""Actions, saved matches and positions as text: written and read back the same."""

import random

import kibitz
from kibitz.contract import promise
from kibitz.contract.settings import Setting, wander
from kibitz.engine.game import Game


@promise
def every_action_reads_back_as_itself(game: Game) -> None:
    for action in game.actions.all:
        assert game.actions.read(action.text) == action.number, action.text
        assert game.actions.read(f"  {action.text.upper()} ") == action.number, action.text


@promise
def every_card_can_be_typed_on_a_plain_keyboard(game: Game) -> None:
    deck = game.layout.deck
    for k, kind in enumerate(deck.kinds):
        assert (kind.alias or kind.code).isascii(), f"{kind.code!r} needs an alias"
        assert deck.index[kind.code.lower()] == k, kind.code
        assert deck.index[(kind.alias or kind.code).lower()] == k, kind.code


@promise
def a_saved_match_replays_to_the_same_bytes(setting: Setting) -> None:
    match = setting.match(seed=1)
    for n, _ in enumerate(wander(match, random.Random(1), 120)):
        if n % 40 == 0:
            again = kibitz.load(match.save())
            assert again.state.tobytes() == match.state.tobytes()
            assert again.log == match.log
            assert again.sheet == match.sheet
            assert again.history(0) == match.history(0)
            assert again.save() == match.save()


@promise
def the_same_seed_gives_the_same_match_and_another_seed_another(default: Setting) -> None:
    one, two, other = default.match(1), default.match(1), default.match(2)
    assert one.state.tobytes() == two.state.tobytes()
    assert one.state.tobytes() != other.state.tobytes()


@promise
def a_position_reads_back_to_what_everyone_sees(setting: Setting) -> None:
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


@promise
def a_match_from_a_position_can_be_saved(default: Setting) -> None:
    match = default.match(seed=3)
    for _ in wander(match, random.Random(3), 5):
        pass
    taken_up = kibitz.position(default.game, match.position(), seed="again")
    for _ in wander(taken_up, random.Random(4), 10):
        pass
    assert kibitz.load(taken_up.save()).state.tobytes() == taken_up.state.tobytes()


@promise
def a_finished_match_can_be_written_as_a_position(game: Game) -> None:
    match = kibitz.new(game.name, players=game.identity.seats[0], seed=5)
    for _ in wander(match, random.Random(5), game.identity.longest):
        pass
    again = kibitz.position(game.name, match.position())
    assert again.over
    assert again.winners == match.winners


@promise
def a_round_that_is_over_can_be_written_as_a_position_and_gone_on_from(
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
