"""`play` accepts exactly what `legal` lists, and names a rule for everything else."""

import random
import re

import pytest

import kibitz
from contract.settings import Setting, wander
from kibitz.engine.checked import Checked, CheckedMoves


def test_every_action_of_the_space_is_legal_or_forbidden_by_a_rule(setting: Setting) -> None:
    """Also in checked play, for all seats, whether they are due or not."""
    match = setting.match(seed=1)
    game, rng = match.game, random.Random(1)
    ids = re.compile(rf"{game.name.upper()}-[A-Z]+\d+")
    for n, _ in enumerate(wander(match, rng, 240)):
        if n % 12:
            continue
        checked = match.checked()
        for seat in range(setting.players):
            legal = set(match.legal_numbers(seat))
            for action in range(len(game.actions)):
                rule = game.refusal(checked, seat, action)
                assert (rule is None) == (action in legal), game.actions.write(action)
                assert rule is None or ids.fullmatch(rule)


def test_a_refused_action_changes_nothing_and_says_why(setting: Setting) -> None:
    match = setting.match(seed=2)
    rng = random.Random(2)
    for _ in wander(match, rng, 60):
        seat = rng.randrange(setting.players)
        action = rng.choice(match.game.actions.all).text
        before = match.state.tobytes()
        if action not in match.legal(seat):
            with pytest.raises(kibitz.IllegalAction) as refusal:
                match.play(seat, action)
            assert refusal.value.rule
            assert refusal.value.reason
            assert match.state.tobytes() == before


def test_checked_rules_refuse_no_legal_action(setting: Setting) -> None:
    """Every legal action, not only the one that is played, runs through in checked play."""
    match = setting.match(seed=3)
    game = match.game
    for n, _ in enumerate(wander(match, random.Random(3), 150)):
        if n % 10:
            continue
        for seat in match.to_act:
            moves = CheckedMoves()
            game.plain.legal(match.checked(), seat, moves)
            assert moves.listed() == match.legal_numbers(seat)
            for action in moves.listed():
                game.plain.apply(Checked(game.layout, game.plain, match.state[0]), seat, action)


def test_no_action_is_listed_twice(setting: Setting) -> None:
    match = setting.match(seed=4)
    for _ in wander(match, random.Random(4), 150):
        for seat in match.to_act:
            legal = match.legal(seat)
            assert len(set(legal)) == len(legal)
