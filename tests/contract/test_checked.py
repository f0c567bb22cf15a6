"""Compiled and checked rules agree, action by action and byte by byte, events included."""

import random

import numpy as np
import pytest

from contract.settings import Setting, wander
from kibitz.engine import border, dispatch
from kibitz.engine.action_list import new_list
from kibitz.engine.checked import Checked, CheckedList, plain
from kibitz.engine.compiled import from_python
from kibitz.engine.rounds import next_round

MATCHES = 200
BATCHES = 4
MOST_STEPS = 4_000  # of a match
ENOUGH_STEPS = 6_000  # of a batch


@from_python
def apply_on(states: np.ndarray, seat: int, action: int) -> None:
    """Make an action; the generator runs on."""
    states[0].events = 0
    dispatch.apply(states[0], seat, action)


@from_python
def next_round_on(states: np.ndarray) -> None:
    """Deal the next round; the generator runs on."""
    states[0].events = 0
    next_round(states[0])


@pytest.mark.parametrize("batch", range(BATCHES))
def test_compiled_and_checked_play_are_the_same(setting: Setting, batch: int) -> None:
    """200 matches of every game, player count and variant, or 24,000 actions where these are more;
    all of them eager to move on, so that they reach their end (see `wander`)."""
    played = ended = steps = 0
    for seed in range(batch, MATCHES, BATCHES):
        steps_made, has_ended = play_both(setting, seed)
        steps, played, ended = steps + steps_made, played + 1, ended + has_ended
        if steps > ENOUGH_STEPS:
            break
    assert ended > 0.8 * played - 1


def play_both(setting: Setting, seed: int) -> tuple[int, bool]:
    """Play a match in both forms; how many steps it had, and whether it has ended."""
    game = setting.match(0).game
    settings = game.settings(setting.players, setting.options)
    state = game.blank(setting.players, settings, reporting=True)
    lists = new_list()
    border.next_round_at(state, 0, seed, 0)
    telling = [" " in action.text or ">" in action.text for action in game.actions.all]
    checked = Checked(game.layout, game.plain, state[0])
    found, rng = CheckedList(), random.Random(seed)
    for n in range(MOST_STEPS):
        if state["over"][0]:
            return n, True
        if state["round_over"][0]:
            next_round_on(state)
            checked.events = 0
            plain(next_round)(checked)
        else:
            due = int(state["due"][0])
            seat = rng.choice([p for p in range(setting.players) if due >> p & 1])
            border.legal_at(state, 0, seat, lists)
            legal = lists[0]["action"][: lists[0]["count"]].tolist()
            found.count = found.groups = 0
            game.plain.legal(checked, seat, found)
            assert found.listed() == legal
            eager = [action for action in legal if telling[action]]
            action = rng.choice(eager if eager and rng.random() < 0.9 else legal)
            apply_on(state, seat, action)
            checked.events = 0
            game.plain.apply(checked, seat, action)
        assert same(checked.record(), state)
    return MOST_STEPS, False


def same(one: np.ndarray, two: np.ndarray) -> bool:
    """Byte by byte; of the events only those that there are."""
    n = int(one["events"][0])
    for name in one.dtype.names or ():
        a, b = one[name], two[name]
        if name.startswith("event_"):
            a, b = a[:, :n], b[:, :n]
        if a.tobytes() != b.tobytes():
            return False
    return True


def test_reporting_events_changes_nothing_else(setting: Setting) -> None:
    """A state that reports and one that does not go the same way."""
    match = setting.match(seed=5)
    rng = random.Random(5)
    quiet = match.state.copy()
    for _ in range(400):
        if match.over:
            break
        low, high = rng.getrandbits(60), rng.getrandbits(60)
        loud = match._record
        if match.round_over:
            border.next_round_at(quiet, 0, low, high)
            border.next_round_at(loud, 0, low, high)
        else:
            seat = rng.choice(sorted(match.to_act))
            action = rng.choice(match.legal_numbers(seat))
            border.apply_at(quiet, 0, seat, action, low, high)
            border.apply_at(loud, 0, seat, action, low, high)
        loud["events"] = 0
        assert quiet.tobytes() == match.state.tobytes()


def test_derived_fields_follow_from_where_the_cards_lie(setting: Setting) -> None:
    """They are kept for speed alone: computed anew, they are the same."""
    match = setting.match(seed=6)
    for _ in wander(match, random.Random(6), 300):
        for name in match.game.layout.derived:
            anew = match.state.copy()
            anew[name] = 0
            match.game.rules.derive(anew[0])
            assert (anew[name] == match.state[name]).all()
