"""Learning by self-play: it learns, it can be left and taken up again, and its sums are right."""

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed: pip install 'kibitz[train]'")

from kibitz.bots.network import FILE, glance_of, layout_name, read, write  # noqa: E402
from kibitz.cli import main  # noqa: E402
from kibitz.engine.observation import observation_of  # noqa: E402
from kibitz.engine.observe import turn_action_back_at  # noqa: E402
from kibitz.engine.zones import SEATS  # noqa: E402
from kibitz.games import find  # noqa: E402
from kibitz.lab.learning.course import Course, default_plan, network  # noqa: E402
from kibitz.lab.learning.episodes import Decisions, judge, play, watch  # noqa: E402
from kibitz.lab.learning.net import (  # noqa: E402
    forward,
    log_chances,
    log_policy,
    new_weights,
    seats_in_turn,
)
from kibitz.lab.learning.practice import Learner, Plan  # noqa: E402
from kibitz.lab.learning.tables import KINDS, Tables, kinds_of_tables  # noqa: E402
from kibitz.lab.learning.trial import at_random, shares  # noqa: E402

SMALL_GAME = "lantern"


def tables(game: str, n: int = 40, *, seed: int = 1, rounds: bool = False) -> Tables:
    return Tables(game, n, seed=seed, gpu=False, rounds=rounds)


# ---- tables


@pytest.mark.parametrize("game", ["kolpa", "viva"])
def test_tables_are_of_every_number_of_players_and_some_have_other_options(game: str) -> None:
    kinds = kinds_of_tables(find(game), 0)
    players = [int(kind["players"]) for kind in kinds]
    assert players == list(find(game).identity.seats) * KINDS
    option = "target" if game == "kolpa" else "rounds"
    assert len({int(kind[option]) for kind in kinds}) > 2
    usual = find(game).identity.options[option].default
    assert sum(int(kind[option]) == usual for kind in kinds) >= len(kinds) * 3 // 4


def test_a_row_is_always_of_a_seat_that_has_a_choice() -> None:
    some = tables("kiza")
    for _ in range(200):
        assert (some.masks.sum(1) > 1).all()
        some.step(some.masks.argmax(1))


@pytest.mark.parametrize("rounds", [False, True])
def test_an_episode_ends_with_everyones_share(rounds: bool) -> None:
    some, ends = tables("kolpa", rounds=rounds), 0
    for _ in range(600):
        some.step(some.ask_teacher(0))
        for worth, players in zip(some.worth[some.ended], some.players[some.ended], strict=True):
            assert float(worth.sum()) == pytest.approx(1, abs=1e-5)
            assert (worth[players:] == 0).all()
            if not rounds:
                assert len(set(worth[worth > 0].tolist())) == 1  # the winners share alike
            ends += 1
    assert ends > 40


def test_the_same_seed_gives_the_same_matches() -> None:
    one, other, different = tables("zocken"), tables("zocken"), tables("zocken", seed=2)
    for _ in range(50):
        for some in (one, other, different):
            some.step(some.ask_teacher(0))
        assert torch.equal(one.observations, other.observations)
    assert not torch.equal(one.observations, different.observations)


# ---- what came of it


def test_chances_are_followed_from_one_decision_of_a_seat_to_its_next() -> None:
    """By hand: two players, one match; seat 0 decides, then 1, then 0, and 0 wins."""
    own = torch.tensor([[0.5], [0.4], [0.7]])
    chances = torch.zeros(3, 1, SEATS)
    chances[:, :, 0] = own
    chances[:, :, 1] = 1 - own
    worth = torch.zeros(3, 1, SEATS)
    worth[2, 0, 0] = 1
    decisions = Decisions(
        observations=None, masks=None, actions=None, own=None,
        seats=torch.tensor([[0], [1], [0]], dtype=torch.int8), likely=torch.zeros(3, 1),
        chances=chances, ended=torch.tensor([[False], [False], [True]]), worth=worth,
        after=torch.full((1, SEATS), 0.5), players=torch.tensor([2]),
    )  # fmt: skip
    better, foreseen = judge(decisions, trust=0.5)
    # The last: 1 - 0.7. The second: seat 1 loses, 0 - 0.4. The first: 0.7 - 0.5, and half of 0.3.
    assert better.flatten().tolist() == pytest.approx([0.35, -0.4, 0.3])
    # To seat 0 at first: 0.85 for itself, 0 for the other, who loses: as shares, 1 and 0.
    assert foreseen[0, 0, :2].tolist() == pytest.approx([1, 0])
    assert foreseen[1, 0, :2].tolist() == pytest.approx([0, 1])
    assert foreseen[2, 0, :2].tolist() == pytest.approx([1, 0])


def test_seats_are_turned_as_the_observation_turns_them() -> None:
    turned = seats_in_turn(torch.tensor([2, 0]), torch.tensor([3, 4]))
    assert turned.tolist() == [[2, 0, 1, 3, 4, 5], [0, 1, 2, 3, 4, 5]]


def test_what_is_watched_is_what_the_heuristics_would_do() -> None:
    some = tables("kolpa")
    weights = new_weights(observation_of(some.game), 16, "cpu", 0)
    room = Decisions.room(some, 8)
    watch(some, weights, room, (250,))
    legal = room.masks.gather(2, room.actions[:, :, None]).squeeze(2)
    assert (legal == 1).all()


def test_what_is_played_is_legal_and_as_likely_as_it_is_said_to_be() -> None:
    some = tables("ramon")
    weights = new_weights(observation_of(some.game), 16, "cpu", 0)
    room = Decisions.room(some, 8)
    play(some, weights, room)
    legal = room.masks.gather(2, room.actions[:, :, None]).squeeze(2)
    assert (legal == 1).all()
    odds, _ = forward(weights, room.observations[3])
    likely = log_policy(odds, room.masks[3]).gather(1, room.actions[3][:, None]).squeeze(1)
    assert torch.allclose(likely, room.likely[3], atol=1e-5)


# ---- learning


def test_it_learns_to_beat_chance_in_a_small_game_within_a_minute() -> None:
    """From nothing but play: the game has no heuristics to imitate."""
    learner = Learner(default_plan(SMALL_GAME, 60.0, 0, gpu=False), gpu=False)

    def won() -> float:
        found = shares(learner.weights, tables(SMALL_GAME, 2000, seed=99), at_random)
        return sum(s.won * s.players for s in found) / sum(s.matches for s in found)

    before = won()
    better = max(1.5, 1.3 * before)  # times its fair share
    assert any(progress.rounds % 5 == 0 and won() > better for progress in learner.learn())


def test_it_comes_to_agree_with_the_heuristics_that_it_imitates() -> None:
    plan = Plan("zocken", 1000.0, matches=128, steps=8, width=32, imitate=1.0, rate=0.002)
    learner = Learner(plan, gpu=False)
    agreed = [progress.agreement for progress in islice(learner.learn(), 40)]
    assert np.mean(agreed[30:]) > np.mean(agreed[:10]) + 0.1


def state_of(learner: Learner) -> dict[str, Any]:
    return {name: tensor.detach().clone() for name, tensor in learner.weights.items()}


def test_a_course_can_be_left_and_taken_up_again(tmp_path: Path) -> None:
    plan = replace(default_plan(SMALL_GAME, 1000.0, 3, gpu=False), matches=64, rivals=0.5)
    course = Course(tmp_path, plan, gpu=False)
    going = course.go()
    for _ in range(3):
        next(going)
    going.close()  # as Ctrl-C does
    left = state_of(course.learner)
    again = Course(tmp_path, plan, gpu=False)
    assert all(torch.equal(left[name], again.learner.weights[name]) for name in left)
    assert again.learner.progress == course.learner.progress
    following = again.go()
    assert next(following).rounds == 4
    following.close()
    entries = [json.loads(line) for line in (tmp_path / "log.jsonl").read_text().splitlines()]
    assert [entry["rounds"] for entry in entries] == [3, 4]
    assert entries[0]["wins"]


@pytest.mark.parametrize("game", ["ramon", SMALL_GAME])
def test_bots_see_the_same_in_a_network_as_pytorch_does(game: str, tmp_path: Path) -> None:
    """The written file, read by what plays without PyTorch; actions that name a seat are turned."""
    some = tables(game)
    weights = new_weights(observation_of(some.game), 32, "cpu", 5)
    weights["policy"] = weights["policy"] * 5  # so that it has likes and dislikes
    write(tmp_path / FILE, network(weights), {"layout": layout_name(observation_of(some.game))})
    net, _ = read(tmp_path / FILE, some.game)
    states = some._env.states
    with torch.no_grad():
        odds, seat_odds = forward(weights, some.observations)
    policy, chances = log_policy(odds, some.masks).exp(), log_chances(seat_odds, some.players).exp()
    for row in range(some.n):
        seat, players = int(some.seats[row]), int(some.players[row])
        found = glance_of(net, states, row, seat)
        legal = np.flatnonzero(some.masks[row].numpy())
        expected = {
            turn_action_back_at(states, row, seat, int(a)): float(policy[row, a]) for a in legal
        }
        assert found.policy == pytest.approx(expected, abs=0.02)
        by_seat = [float(chances[row, (p - seat) % players]) for p in range(players)]
        assert found.chances == pytest.approx(by_seat, abs=0.02)


# ---- the command


def test_the_command_trains_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["train", SMALL_GAME, "--out", str(tmp_path / "net"), "--cpu"]
    assert main([*words, "--minutes", "0.01", "--plan", "matches=32"]) == 0
    assert "decisions in" in capsys.readouterr().out
    _, about = read(tmp_path / "net" / FILE, find(SMALL_GAME))
    assert about["command"].startswith(f"kibitz train {SMALL_GAME} --minutes 0.01 --seed 0")
    assert "--plan matches=32" in about["command"]
    assert main([*words, "--minutes", "0.02"]) == 0
    assert "Going on in" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "nowhere"),
        ([SMALL_GAME, "--plan", "speed=3"], "a plan has no 'speed'; it has matches"),
        ([SMALL_GAME, "--plan", "matches=many"], "matches takes a whole number, not 'many'"),
        ([SMALL_GAME, "--plan", "matches=0"], "matches must be more than 0"),
    ],
)
def test_a_wrong_wish_gets_one_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *words, "--out", str(tmp_path / "x"), "--cpu"]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert len(err.splitlines()) == 1


def test_a_folder_of_another_game_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ["--out", str(tmp_path), "--cpu", "--minutes", "0.001"]
    assert main(["train", SMALL_GAME, *small, "--plan", "matches=16"]) == 0
    capsys.readouterr()
    assert main(["train", "kolpa", *small]) == 2
    assert f"has a network for {SMALL_GAME}; name another folder" in capsys.readouterr().err
    (tmp_path / "checkpoint.pt").write_bytes(b"nonsense")
    assert main(["train", SMALL_GAME, *small]) == 2
    assert "is not a checkpoint that `kibitz train` wrote" in capsys.readouterr().err
