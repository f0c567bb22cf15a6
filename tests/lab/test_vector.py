"""Many matches side by side: the same as one by one, on any number of threads."""

import numpy as np
import pytest

from kibitz.engine.action_list import new_list
from kibitz.engine.border import apply_at
from kibitz.engine.errors import BadOption, IllegalAction
from kibitz.engine.observe import observe_at, turn_action_back_at
from kibitz.engine.view import set_of
from kibitz.games import find
from kibitz.lab.results import reward
from kibitz.lab.vector import VectorEnv
from short import players_for, short

N = 7


def env(game: str, wish: int = 3, n: int = N, seed: int = 5, threads: int = 1) -> VectorEnv:
    return VectorEnv(game, n, players_for(game, wish), seed=seed, threads=threads, **short(game))


@pytest.mark.parametrize("game", ["hearts", "kolpa", "lantern", "ramon"])
def test_rows_are_what_the_seats_that_are_due_see(game: str) -> None:
    matches = env(game)
    layout = matches.layout
    row, mask = np.zeros(layout.size, np.int16), np.zeros(layout.actions, np.int8)
    ended = rounds = 0
    for _ in range(400):
        step = matches.step(matches.random_actions())
        for i in range(N):
            state = matches.states[i : i + 1]
            assert step.seats[i] == min(set_of(int(state["due"][0])))
            observe_at(state, 0, int(step.seats[i]), new_list(), row, mask)
            assert (step.observations[i] == row).all()
            assert (step.masks[i] == mask).all()
            assert mask.any()
        assert (step.rewards.any(axis=1) <= step.dones).all()
        assert np.allclose(step.rewards.sum(axis=1), 0, atol=1e-6)
        assert np.abs(step.rewards).max() <= 1
        ended += step.dones.sum()
        rounds = max(rounds, int(matches.states["round_no"].max()))
    assert ended > 0 or rounds > 1


def test_two_threads_play_what_one_plays() -> None:
    one, two = env("ramon", 4, threads=1), env("ramon", 4, threads=2)
    for _ in range(300):
        actions = one.random_actions().copy()
        assert (actions == two.random_actions()).all()
        for a, b in zip(one.step(actions), two.step(actions), strict=True):
            assert (a == b).all()
    two.close()


def test_what_is_chosen_at_random_does_not_change_the_deals() -> None:
    asked, unasked = env("kolpa"), env("kolpa")
    asked.random_actions()
    actions = asked.now.masks.argmax(axis=1)
    assert (asked.step(actions).observations == unasked.step(actions).observations).all()


def test_seeds_and_rows_differ_and_a_reset_repeats() -> None:
    first, other = env("kolpa", seed=1), env("kolpa", seed=2)
    rows = {row.tobytes() for e in (first, other) for row in e.states["cards"]}
    assert len(rows) == 2 * N
    before = first.now.observations.copy()
    for _ in range(50):
        first.step(first.random_actions())
    assert (first.reset().observations == before).all()
    assert (first.reset(seed=2).observations == other.now.observations).all()


def test_the_next_match_of_a_row_is_another_one() -> None:
    matches = env("lantern", n=1)
    seen = set()
    for _ in range(200):
        if matches.step(matches.random_actions()).dones[0]:
            seen.add(matches.states["cards"][0].tobytes())
    assert len(seen) > 5


def test_winners_are_paid() -> None:
    matches = env("kolpa", n=1)
    for _ in range(2000):
        copy = matches.states.copy()
        action, seat = int(matches.random_actions()[0]), int(matches.now.seats[0])
        step = matches.step([action])
        if step.dones[0]:
            match = find("kolpa").blank(3, find("kolpa").settings(3, {}))
            match[:] = copy
            apply_at(match, 0, seat, turn_action_back_at(copy, 0, seat, action), 0, 0)
            winners = set_of(int(match["winners"][0]))
            paid = [reward(p in winners, len(winners), 3) for p in range(3)]
            assert step.rewards[0].tolist() == pytest.approx(paid)
            return
    pytest.fail("no match has ended")


def test_arrays_are_handed_over_without_a_copy() -> None:
    matches = env("kolpa")
    for array in matches.now:
        other = np.from_dlpack(array)
        assert np.shares_memory(other, array)
    before = matches.now.observations.copy()
    assert matches.step(matches.random_actions()).observations is matches.now.observations
    assert (matches.now.observations != before).any()


def test_rewards_are_shares_of_the_victory() -> None:
    assert reward(True, 1, 4) == 1
    assert reward(False, 1, 4) == pytest.approx(-1 / 3)
    assert reward(True, 2, 4) == pytest.approx(1 / 3)
    assert reward(True, 4, 4) == 0
    assert reward(False, 0, 4) == 0
    for players in range(2, 7):
        for winners in range(1, players + 1):
            paid = [reward(p < winners, winners, players) for p in range(players)]
            assert sum(paid) == pytest.approx(0)
            assert -1 <= min(paid) <= max(paid) <= 1


def test_an_action_names_seats_as_its_own_seat_counts_them() -> None:
    """Laying a card beside the own kitty is the same action for every seat."""
    matches = env("ramon", 4, n=40)
    actions = find("ramon").actions
    seats = set()
    for _ in range(40):
        before, who = matches.states.copy(), matches.now.seats.copy()
        own = np.array(["seat" in a.words and a.words["seat"] == "0" for a in actions.all])
        legal = matches.now.masks.astype(bool)
        chosen = np.where((legal & own).any(axis=1), (legal & own).argmax(axis=1), 0)
        chosen = np.where(legal[np.arange(40), chosen], chosen, legal.argmax(axis=1))
        step = matches.step(chosen)
        for i in range(40):
            if own[chosen[i]] and not step.dones[i] and matches.states["round_no"][i] == 1:
                seat = int(who[i])
                changed = (before["top"][i] != matches.states["top"][i]).reshape(6, 6).any(axis=1)
                assert changed.nonzero()[0].tolist() in ([seat], []), "only the own kitty grows"
                seats.add(seat)
    assert seats == {0, 1, 2, 3}


def test_an_observation_of_any_seat() -> None:
    matches = env("kolpa")
    due = int(matches.now.seats[0])
    assert (matches.observe(due)[0] == matches.now.observations[0]).all()
    assert (matches.observe((due + 1) % 3)[0] != matches.now.observations[0]).any()


def test_bad_input_gets_one_line() -> None:
    matches = env("kolpa")
    before = matches.states.copy()
    illegal = int((matches.now.masks[3] == 0).argmax())
    actions = matches.random_actions().copy()
    actions[3] = illegal
    with pytest.raises(IllegalAction, match=rf"match 3: action {illegal} is outside the mask"):
        matches.step(actions)
    for wrong in (-1, 10**6):
        actions[3] = wrong
        with pytest.raises(IllegalAction, match="outside the mask; choose one of"):
            matches.step(actions)
    with pytest.raises(IllegalAction, match="give 7 actions as whole numbers, one for each"):
        matches.step([1, 2])
    for wrong_type in (matches.random_actions() + 0.5, ["a"] * 7, None, [2**70] * 7):
        with pytest.raises(IllegalAction, match="give 7 actions as whole numbers"):
            matches.step(wrong_type)
    for field in ("rng", "cards", "top", "due", "total"):
        assert (matches.states[field] == before[field]).all()
    with pytest.raises(BadOption, match="there is no seat 3; seats are 0 to 2"):
        matches.observe(3)
    for rows in (np.zeros((2, 3), np.int16), np.zeros((7, matches.layout.size), np.int8)):
        with pytest.raises(BadOption, match="give an array of int16 of shape"):
            matches.observe(0, rows)
    with pytest.raises(BadOption, match="seed must be at most 9223372036854775807, not"):
        matches.reset(2**63)
    with pytest.raises(BadOption, match="players must be a whole number, 1 or more, not '3'"):
        VectorEnv("kolpa", 1, "3")  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="n must be a whole number, 1 or more, not 0"):
        VectorEnv("kolpa", 0)
    with pytest.raises(BadOption, match="Kolpa! is for 2 to 6 players, not 9"):
        VectorEnv("kolpa", 1, 9)
    with pytest.raises(BadOption, match="threads must be"):
        VectorEnv("kolpa", 1, threads=0)


@pytest.mark.parametrize("threads", [1, 2])
def test_nothing_is_played_in_an_environment_that_is_closed(threads: int) -> None:
    matches = VectorEnv("kolpa", 4, threads=threads)
    actions = matches.random_actions().copy()
    matches.close()
    matches.close()
    for use in (matches.random_actions, matches.reset, lambda: matches.step(actions)):
        with pytest.raises(BadOption, match="closed; make another"):
            use()


def test_numbers_may_be_those_of_numpy() -> None:
    """A seat from `step.seats`, a seed from a generator."""
    matches = VectorEnv("kolpa", np.int64(4), np.int8(3), threads=1, target=np.int64(30))  # type: ignore[arg-type]
    step = matches.reset(np.uint16(5))  # type: ignore[arg-type]
    assert (matches.observe(step.seats[0])[0] == step.observations[0]).all()
    same = VectorEnv("kolpa", 4, 3, seed=5, threads=1, target=30)
    assert (same.now.observations == step.observations).all()
