"""Compiled and checked rules agree, action by action and byte by byte, events included."""

import random
from typing import Any

from kibitz.contract import promise
from kibitz.contract.settings import Setting, wander
from kibitz.engine import border, dispatch
from kibitz.engine.action_list import new_list
from kibitz.engine.checked import Checked, CheckedList, plain
from kibitz.engine.compiled import from_python
from kibitz.engine.rounds import next_round

MATCHES = 200
MOST_STEPS = 4_000  # of a match
ENOUGH_STEPS = 3_000  # of all


@from_python
def apply_on(states: Any, seat: int, action: int) -> None:
    """Make an action; the generator runs on."""
    states[0].events = 0
    dispatch.apply(states[0], seat, action)


@from_python
def next_round_on(states: Any) -> None:
    """Deal the next round; the generator runs on."""
    states[0].events = 0
    next_round(states[0])


@promise
def compiled_and_checked_play_are_the_same(setting: Setting) -> None:
    """200 matches, or 3,000 actions where these have more.

    All are eager to move on, so that they reach their end (see `wander`).
    """
    played = ended = steps = 0
    matches, enough = len(setting.seeds(MATCHES)), len(setting.seeds(ENOUGH_STEPS))
    while played < matches and steps < enough:
        made, has_ended = _plays_both(setting, seed=played)
        played, ended, steps = played + 1, ended + has_ended, steps + made
    assert ended > 0.8 * played - 1, f"only {ended} of {played} matches have come to their end"


def _plays_both(setting: Setting, seed: int) -> tuple[int, bool]:
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
            step = "the deal of a round"
        else:
            due = int(state["due"][0])
            seat = rng.choice([p for p in range(setting.players) if due >> p & 1])
            border.legal_at(state, 0, seat, lists)
            legal = lists[0]["action"][: lists[0]["count"]].tolist()
            found.count = found.groups = 0
            game.plain.legal(checked, seat, found)
            assert found.listed() == legal, f"seed {seed}: `legal` lists other actions compiled"
            eager = [action for action in legal if telling[action]]
            action = rng.choice(eager if eager and rng.random() < 0.9 else legal)
            apply_on(state, seat, action)
            checked.events = 0
            game.plain.apply(checked, seat, action)
            step = f"{game.actions.write(action)!r} of seat {seat}"
        other = _difference(checked.record(), state)
        assert other is None, f"seed {seed}: after {step} the field {other!r} differs"
    return MOST_STEPS, False


def _difference(one: Any, two: Any) -> str | None:
    """A field that is not the same byte by byte; of the events only those that there are."""
    n = int(one["events"][0])
    for name in one.dtype.names or ():
        a, b = one[name], two[name]
        if name.startswith("event_"):
            a, b = a[:, :n], b[:, :n]
        if a.tobytes() != b.tobytes():
            return str(name)
    return None


@promise
def reporting_events_changes_nothing_else(setting: Setting) -> None:
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


@promise
def derived_fields_follow_from_where_the_cards_lie(setting: Setting) -> None:
    """They are kept for speed alone: computed anew, they are the same."""
    match = setting.match(seed=6)
    for _ in wander(match, random.Random(6), 300):
        for name in match.game.layout.derived:
            anew = match.state.copy()
            anew[name] = 0
            anew = match.game.with_derived(anew)
            assert (anew[name] == match.state[name]).all(), f"`derive` sets {name!r} otherwise"
