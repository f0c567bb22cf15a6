"""The environments, tried with the packages that they are made for."""

import pickle
import random
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.python.algorithms import ismcts, mcts, outcome_sampling_mccfr

import kibitz.lab.gymnasium
from kibitz.engine.errors import BadOption, IllegalAction, KibitzError
from kibitz.engine.match import Match
from kibitz.extras import ask_for
from kibitz.lab import openspiel, pettingzoo
from kibitz.lab.picture import as_svg, as_text
from kibitz.lab.single import SingleEnv
from short import PUBLISHED, players_for, short

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # where pygame is installed, they import what they deprecate
    from pettingzoo.test import api_test, performance_benchmark, seed_test

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def allowing_warnings() -> Iterator[None]:
    """PettingZoo warns of every observation that is a dict, as it asks masks to be."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def steps_of(table: SingleEnv, seed: int) -> Iterator[int]:
    """Play a match at random; before each action, who is to make it."""
    table.reset(seed)
    rng = random.Random(seed)
    while not table.match.over:
        yield table.seat
        mask = table.observe(table.seat)["action_mask"]
        table.play(rng.choice(np.flatnonzero(mask).tolist()))


# ---- a single match


def test_an_action_is_turned_back_before_it_is_played() -> None:
    """Ramon: `b3>0` of a mask lays a card beside the own kitty, whoever lays it."""
    table, laid = SingleEnv("ramon", 4), set()
    actions = table.game.actions
    for seat in steps_of(table, 1):
        for told in np.flatnonzero(table.observe(seat)["action_mask"]).tolist():
            meant = actions.all[table.meant(seat, told)]
            steps = int(actions.all[told].words["seat"])
            assert int(meant.words["seat"]) == (seat + steps) % 4
            assert table.told(seat, meant.number) == told
            laid.add((seat, steps))
    assert laid == {(seat, steps) for seat in range(4) for steps in range(4)}


def test_a_copy_and_a_kept_match_play_on_by_themselves() -> None:
    table = SingleEnv("kolpa", 3, target=20)
    for n, _ in enumerate(steps_of(table, 4)):
        if n == 30:
            break
    kept: SingleEnv = pickle.loads(pickle.dumps(table))
    copied = table.copy()
    assert kept.match.position() == copied.match.position() == table.match.position()
    assert kept.match.history(1) == table.match.history(1)
    before = table.match.position()
    for other in (kept, copied):
        other.play(int(other.observe(other.seat)["action_mask"].argmax()))
        assert other.match.position() != before
    assert kept.match.position() == copied.match.position()
    assert table.match.position() == before


def test_there_is_a_match_to_step_through_between_a_reset_and_its_end() -> None:
    aec = pettingzoo.env("kolpa", players=2, render_mode="ansi", target=20)
    seat = kibitz.lab.gymnasium.SeatEnv("kolpa", players=2, target=20)
    for early in (lambda: aec.step(0), aec.render):
        with pytest.raises(BadOption, match="there is no match, or it is over for all"):
            early()
    with pytest.raises(gymnasium.error.ResetNeeded, match="there is no match yet"):
        seat.step(np.int64(0))
    aec.reset(seed=1)
    for agent in aec.agent_iter():
        over = aec.terminations[agent]
        aec.step(None if over else int(aec.observe(agent)["action_mask"].argmax()))
    with pytest.raises(BadOption, match="or it is over for all"):
        aec.step(0)
    found, over = seat.reset(seed=1)[0], False
    while not over:
        found, _, over, _, _ = seat.step(found["action_mask"].argmax())
    with pytest.raises(IllegalAction, match="the match is over; reset"):
        seat.step(np.int64(0))


def test_bad_input_gets_one_line() -> None:
    table = SingleEnv("kolpa", 3)
    table.reset(1)
    before = table.match.position()
    for wrong in (-1, 10**6, int((table.observe(table.seat)["action_mask"] == 0).argmax())):
        with pytest.raises(IllegalAction, match=f"action {wrong} of seat .* choose one of [0-9]"):
            table.play(wrong)
    assert table.match.position() == before
    with pytest.raises(BadOption, match="there is no seat 3; seats are 0 to 2"):
        table.observe(3)
    with pytest.raises(BadOption, match="there is no agent 'seat_3'; there are seat_0, seat_1"):
        pettingzoo.env("kolpa", 3).observe("seat_3")
    with pytest.raises(BadOption, match="render_mode is None, ansi or svg, not 'human'"):
        pettingzoo.env("kolpa", render_mode="human")
    with pytest.raises(BadOption, match="name 3 bots, one for each other seat, not 1"):
        kibitz.lab.gymnasium.SeatEnv("kolpa", 4, bots=["medium"])
    with pytest.raises(KibitzError, match="there is no bot 'clever'"):
        kibitz.lab.gymnasium.SeatEnv("kolpa", 4, bots="clever")
    with pytest.raises(BadOption, match="there is no seat 4"):
        kibitz.lab.gymnasium.SeatEnv("kolpa", 4, seat=4)
    with pytest.raises(BadOption, match="simulations must be a whole number, 1 or more, not 0"):
        kibitz.lab.gymnasium.SeatEnv("kolpa", 4, simulations=0)
    for no_number in (None, 1.5, "a"):
        with pytest.raises(IllegalAction, match="is outside the mask"):
            table.play(no_number)  # type: ignore[arg-type]
    with pytest.raises(IllegalAction, match="there is no deal 5; deals are 0 to 4"):
        openspiel.load("kolpa", deals=5).new_initial_state().apply_action(5)
    with pytest.raises(BadOption, match="Kolpa! is for 2 to 6 players, not 7"):
        openspiel.load("kolpa", players=7)
    with pytest.raises(BadOption, match="deals must be a whole number, 1 or more, not 0"):
        openspiel.load("kolpa", deals=0)


@pytest.mark.parametrize(
    ("module", "extra"),
    [("pettingzoo", "pettingzoo"), ("gymnasium", "gymnasium"), ("pyspiel", "openspiel")],
)
def test_a_missing_extra_is_named(module: str, extra: str) -> None:
    code = f"import sys; sys.modules[{module!r}] = None; import kibitz.lab.{extra}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    last = done.stderr.strip().splitlines()[-1]
    assert last.endswith(f"which is not installed: pip install 'kibitz[{extra}]'")
    stranger = ModuleNotFoundError("No module named 'x'", name="x")
    assert ask_for(stranger) is stranger


# ---- pictures


@pytest.mark.parametrize("game", PUBLISHED)
def test_pictures_show_what_the_seat_sees_and_no_more(game: str) -> None:
    table = SingleEnv(game, players_for(game, 3), **short(game))
    for n, seat in enumerate(steps_of(table, 2)):
        if n % 25 == 0:
            view = table.match.view(seat)
            text, svg = as_text(table.game, view), as_svg(table.game, view)
            ElementTree.fromstring(svg)
            for zone in view.zones.values():
                if zone.size:
                    assert f"  {zone.name}: {' '.join(zone.cards)}" in text
                    assert f">{zone.name} {zone.size}</text>" in svg
            shown = sum(len(z.cards) + len(z.known) or 1 for z in view.zones.values() if z.size)
            assert svg.count("<use ") == shown


# ---- PettingZoo


@pytest.mark.parametrize("game", PUBLISHED)
def test_pettingzoos_own_tests_pass(game: str, allowing_warnings: None) -> None:
    def make() -> Any:
        return pettingzoo.env(game, players_for(game, 2), render_mode="svg", **short(game))

    api_test(make(), num_cycles=300)
    seed_test(make, num_cycles=20)


def test_pettingzoos_benchmark_runs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = iter(range(0, 1000, 3))
    monkeypatch.setattr("time.time", lambda: next(ticks))  # a few cycles are enough
    performance_benchmark(pettingzoo.env("kolpa", 3))
    assert "turns per second" in capsys.readouterr().out


def test_winners_are_rewarded_when_the_match_is_over() -> None:
    env = pettingzoo.env("kolpa", 3, target=20)
    env.reset(seed=5)
    paid = {}
    for agent in env.agent_iter():
        seen, reward, termination, _, _ = env.last()
        if termination:
            paid[agent] = reward
            env.step(None)
        else:
            assert reward == 0
            env.step(int(seen["action_mask"].argmax()))
    winners = env.table.match.winners
    assert {agent for agent, reward in paid.items() if reward > 0} == {
        f"seat_{seat}" for seat in winners
    }
    assert sum(paid.values()) == pytest.approx(0)


# ---- Gymnasium


def test_gymnasiums_checker_passes() -> None:
    for game in PUBLISHED:
        made = gymnasium.make(f"kibitz/{game}", players=players_for(game, 3), **short(game))
        check_env(made.unwrapped, skip_render_check=True)
    for mode in ("ansi", "svg"):
        shown = gymnasium.make("kibitz/kolpa", render_mode=mode)
        shown.reset(seed=1)
        assert "hand.0" in str(shown.render())


def test_a_seed_settles_a_match_against_bots_that_do_not_search() -> None:
    def play(seed: int, **more: Any) -> tuple[str, float]:
        env = gymnasium.make("kibitz/ramon", players=3, seat=1, target=30, **more)
        seen, _ = env.reset(seed=seed)
        env.action_space.seed(1)
        reward, over = 0.0, False
        while not over:
            action = env.action_space.sample()
            assert seen["action_mask"][action]
            seen, paid, over, _, _ = env.step(action)
            reward = float(paid)
        match: Match = env.unwrapped.table.match  # type: ignore[attr-defined]
        assert (reward > 0) == (1 in match.winners)
        return match.position(), reward

    assert play(3) == play(3)
    assert play(3) != play(4)
    searching = {"bots": ["hard", "random"], "simulations": 20}
    assert play(3, **searching) == play(3, **searching)


# ---- OpenSpiel


@pytest.mark.parametrize("game", [*PUBLISHED, "hearts"])
def test_openspiels_random_simulation_passes(game: str) -> None:
    loaded = openspiel.load(game, players_for(game, 3), deals=5, **short(game))
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=True, verbose=False)


def test_a_game_of_openspiel_is_written_down_with_its_options() -> None:
    game = openspiel.load("viva", players=3, deals=7, rounds=1)
    again = pyspiel.load_game(str(game))
    assert (again.num_players(), again.max_chance_outcomes()) == (3, 7)
    state = again.new_initial_state()
    assert [p for _, p in state.chance_outcomes()] == pytest.approx([1 / 7] * 7)
    state.apply_action(3)
    assert state.table.match.options["rounds"] == 1


def test_states_are_kept_and_cloned() -> None:
    game = openspiel.load("kolpa", players=3, target=20)
    state = game.new_initial_state()
    state.apply_action(3)
    for _ in range(20):
        state.apply_action(state.legal_actions()[-1])
    same = game.deserialize_state(state.serialize())
    assert str(same) == str(state)
    assert same.information_state_string(1) == state.information_state_string(1)
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert str(clone) != str(state)
    assert clone.information_state_string(1) != state.information_state_string(1)


def test_observations_of_openspiel_are_ours() -> None:
    game = openspiel.load("ramon", players=4)
    state = game.new_initial_state()
    state.apply_action(1)
    for player in range(4):
        seen = state.table.observe(player)
        assert state.observation_tensor(player) == seen["observation"].tolist()
        legal = state.legal_actions(player)
        assert legal == np.flatnonzero(seen["action_mask"]).tolist()
    player = state.current_player()
    words = [state.action_to_string(player, action) for action in state.legal_actions()]
    assert sorted(words) == sorted(state.table.match.legal(player))


@pytest.mark.parametrize("game", ["kolpa", "zocken", "kiza"])
def test_a_resampled_state_is_another_world_that_looks_the_same(game: str) -> None:
    loaded = openspiel.load(game, 3, **short(game))
    state = loaded.new_initial_state()
    state.apply_action(2)
    rng = random.Random(1)
    differs = 0
    for _ in range(40):
        if state.is_terminal():
            break
        player = state.current_player()
        world = state.resample_from_infostate(player, rng.random)
        assert world.information_state_string(player) == state.information_state_string(player)
        assert world.observation_tensor(player) == state.observation_tensor(player)
        assert world.legal_actions() == state.legal_actions()
        differs += str(world) != str(state)
        again = world.clone()
        assert str(again) == str(world)
        state.apply_action(rng.choice(state.legal_actions()))
    assert differs > 10


def test_luck_to_come_is_sampled_anew() -> None:
    """Otherwise a search in sampled worlds would foresee the cards that are drawn."""
    state = openspiel.load("kolpa", players=2).new_initial_state()
    state.apply_action(1)
    rng = random.Random(1)
    worlds = [state.resample_from_infostate(state.current_player(), rng.random) for _ in range(8)]
    assert len({world.table.match.seed for world in worlds} | {state.table.match.seed}) == 9


def test_openspiels_ismcts_and_mccfr_run() -> None:
    rng = np.random.RandomState(1)
    game = openspiel.load("zocken", players=3, limit=20)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 1.5, 15, random_state=rng)
    state = game.new_initial_state()
    state.apply_action(4)
    for _ in range(8):
        action = int(bot.step(state))
        assert action in state.legal_actions()
        state.apply_action(action)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(
        openspiel.load("lantern", players=2, rounds=1, deals=2)
    )
    for _ in range(30):
        solver.iteration()
    policy = solver.average_policy()
    state = openspiel.load("lantern", players=2, rounds=1, deals=2).new_initial_state()
    state.apply_action(0)
    chances = policy.action_probabilities(state)
    assert sum(chances.values()) == pytest.approx(1)
    assert len(set(chances.values())) > 1, "something has been learned of a state that comes again"


# ---- examples


SHORT = sorted((ROOT / "examples").glob("with_*.py"))


@pytest.mark.parametrize("file", SHORT, ids=lambda f: f.stem)
def test_examples_run_and_are_short(file: Path) -> None:
    assert len(file.read_text("utf-8").splitlines()) <= 20
    done = subprocess.run(
        [sys.executable, "-W", "error", file], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout
