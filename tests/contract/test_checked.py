"""Compiled and checked rules agree, move by move and byte by byte."""

import random

import pytest

from contract.settings import Setting
from kibitz.engine import playout
from kibitz.engine.checked import Checked, CheckedMoves
from kibitz.engine.moves import new_moves

MATCHES = 200
BATCHES = 4
MOST_STEPS = 4_000


@pytest.mark.parametrize("batch", range(BATCHES))
def test_compiled_and_checked_play_are_the_same(setting: Setting, batch: int) -> None:
    """200 matches of every game, player count and variant; all of them eager to move on, so
    that they reach their end (see `wander`)."""
    ended = 0
    for seed in range(batch, MATCHES, BATCHES):
        ended += play_both(setting, seed)
    assert ended > 0.8 * MATCHES / BATCHES


def play_both(setting: Setting, seed: int) -> bool:
    match = setting.match(seed)
    game, state, lists = match.game, match.state, new_moves()
    telling = [" " in action.text or ">" in action.text for action in game.actions.all]
    checked = Checked(game.layout, game.plain, state[0])
    moves, rng = CheckedMoves(), random.Random(seed)
    for _ in range(MOST_STEPS):
        if state["over"][0]:
            return True
        due = int(state["due"][0])
        seat = rng.choice([p for p in range(setting.players) if due >> p & 1])
        playout.legal_at(state, 0, seat, lists)
        legal = lists[0]["move"][: lists[0]["count"]].tolist()
        moves.count = 0
        game.plain.legal(checked, seat, moves)
        assert moves.listed() == legal
        eager = [action for action in legal if telling[action]]
        action = rng.choice(eager if eager and rng.random() < 0.9 else legal)
        before = checked.copy() if game.memory else checked
        playout.advance(state, 0, seat, action)
        game.plain.apply(checked, seat, action)
        if game.memory:
            game.plain.remember(before, checked, seat, action)
        assert checked.record().tobytes() == state.tobytes()
    return False
