"""`play` accepts exactly what `legal` lists, and names a rule for everything else."""

import random
import re
from typing import Any

import kibitz
from kibitz.bots.levels import reseed_at
from kibitz.contract import promise
from kibitz.contract.settings import Setting, refused, wander
from kibitz.engine import border
from kibitz.engine.checked import Checked, CheckedList
from kibitz.engine.compiled import from_python
from kibitz.engine.redeal import pool


@promise
def whatever_is_not_legal_is_forbidden_by_a_rule(setting: Setting) -> None:
    """For all seats, whether they are due or not.

    A refusal only names the rule: what is legal is decided by `legal` alone.
    """
    match = setting.match(seed=1)
    game, rng = match.game, random.Random(1)
    ids = re.compile(rf"{game.name.upper()}-[A-Z]+\d+")
    for n, _ in enumerate(wander(match, rng, 240)):
        if n % 12 or match.round_over:
            continue
        checked = match.checked()
        for seat in range(setting.players):
            legal = set(match.legal_numbers(seat))
            for action in range(len(game.actions)):
                if action not in legal:
                    rule_ = game.refusal(checked, seat, action)
                    assert ids.fullmatch(rule_), f"{game.actions.write(action)!r}: {rule_!r}"


@promise
def a_refused_action_changes_nothing_and_says_why(setting: Setting) -> None:
    match = setting.match(seed=2)
    rng = random.Random(2)
    for _ in wander(match, rng, 60):
        seat = rng.randrange(setting.players)
        action = rng.choice(match.game.actions.all).text
        before = match.state.tobytes()
        if action not in match.legal(seat) and not match.round_over:
            with refused(kibitz.IllegalAction, f"{match.game.name.upper()}-"):
                match.play(seat, action)
            assert match.state.tobytes() == before, f"{action!r} was refused and changed something"


@promise
def checked_rules_refuse_no_legal_action(setting: Setting) -> None:
    """Every legal action, not only the one that is played, runs through in checked play."""
    match = setting.match(seed=3)
    game = match.game
    for n, _ in enumerate(wander(match, random.Random(3), 150)):
        if n % 10:
            continue
        for seat in match.to_act:
            found = CheckedList()
            game.plain.legal(match.checked(), seat, found)
            assert found.listed() == match.legal_numbers(seat)
            for action in found.listed():
                game.plain.apply(Checked(game.layout, game.plain, match.state[0]), seat, action)


@promise
def no_action_is_listed_twice(setting: Setting) -> None:
    match = setting.match(seed=4)
    for _ in wander(match, random.Random(4), 150):
        for seat in match.to_act:
            legal = match.legal(seat)
            twice = [action for action in legal if legal.count(action) > 1]
            assert not twice, f"`legal` lists {twice[0]!r} twice"


@promise
def a_step_after_which_a_choice_goes_on_reveals_nothing_and_draws_nothing(
    setting: Setting,
) -> None:
    """So it can be taken back.

    The seat is still due, alone or with others, no random number was used, and the seat knows no
    card that it did not know.
    """
    match = setting.match(seed=6)
    for n, (seat, action) in enumerate(wander(match, random.Random(6), 500)):
        verb = match.verb(action)
        if seat is None or verb is None or not verb.continues:
            continue
        before = match.state.copy()
        number = match.game.actions.read(action)
        assert number is not None
        after = before.copy()
        border.apply_at(after, 0, seat, number, n, 0)
        seeded = before.copy()
        reseed_at(seeded, 0, n, 0)
        assert (after["rng"] == seeded["rng"]).all(), f"{action!r} uses chance"
        assert int(after["due"][0]) >> seat & 1, f"after {action!r} the seat is not due"
        assert int(after["due"][0]) & ~int(before["due"][0]) == 0
        assert not after["round_over"][0]
        assert all(
            (a & ~b) == 0 for a, b in zip(pool_at(before, seat), pool_at(after, seat), strict=True)
        ), f"{action!r} shows the seat a card"


@from_python
def pool_at(states: Any, seat: int) -> tuple[int, int]:
    """The cards whose place a seat does not know."""
    return pool(states[0], seat)
