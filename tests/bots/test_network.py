"""What was learned: the files are whole, the sums are right, and it sees what its seat sees."""

import json
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.bots import network
from kibitz.bots.network import FILE, Network, file_of, glance_at, glance_of, new_desk, read, write
from kibitz.contract.settings import Setting, defaults_of, wander
from kibitz.engine import border
from kibitz.engine.action_list import new_list
from kibitz.engine.errors import KibitzError
from kibitz.engine.game import Game
from kibitz.engine.observation import DTYPE, observation_of
from kibitz.engine.observe import observe_at, ready, turn_action_at
from kibitz.engine.zones import SEATS
from kibitz.games import find
from short import PUBLISHED

ALL_TOGETHER = 12_000_000  # bytes
SETTINGS = [setting for name in PUBLISHED for setting in defaults_of(find(name))]


def learned(game: Game) -> Network:
    found = network.of(game)
    assert found is not None
    return found


def a_file(game: str) -> Path:
    file = file_of(find(game))
    assert file is not None
    return file


def test_every_game_of_ours_has_learned_something_that_is_small() -> None:
    files = [a_file(game) for game in PUBLISHED]
    assert sum(file.stat().st_size for file in files) < ALL_TOGETHER


@pytest.mark.parametrize("game", PUBLISHED)
def test_a_network_tells_what_made_it(game: str) -> None:
    _, about = read(a_file(game), find(game))
    assert about["command"].startswith(f"kibitz train {game} ")
    assert f"--seed {about['seed']}" in about["command"]
    assert about["rules"] == find(game).identity.version


def test_a_game_without_a_network_has_none() -> None:
    assert network.of(find("hearts")) is None


def test_a_damaged_network_is_refused(tmp_path: Path) -> None:
    with np.load(a_file("kolpa")) as kept:
        arrays = dict(kept)
    arrays["bias"][0] += 1
    np.savez(tmp_path / FILE, **arrays)
    with pytest.raises(KibitzError, match="is damaged"):
        read(tmp_path / FILE, find("kolpa"))


@pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04"])
def test_what_is_no_network_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(KibitzError, match="is not a network"):
        read(tmp_path / FILE, find("kolpa"))


def test_a_network_for_other_rules_is_refused() -> None:
    with pytest.raises(KibitzError, match="kibitz train zocken"):
        read(a_file("kolpa"), find("zocken"))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    game = find("zocken")
    before, about = read(a_file("zocken"), game)
    write(tmp_path / FILE, before, about)
    after, told = read(tmp_path / FILE, game)
    assert np.abs(after.rows - before.rows).max() < 1e-5
    assert np.array_equal(after.bias, before.bias)
    assert json.dumps(told) == json.dumps(about)


def by_the_book(net: Network, seen: Any) -> tuple[Any, Any]:
    """The log odds of seats and actions, by plain sums over all weights."""
    width, at = net.rows.shape[1], net.inputs
    second, third = net.rows[at : at + width], net.rows[at + width : at + 2 * width]
    biases = net.rows[at + 2 * width : at + 2 * width + 3]
    outputs = net.rows[at + 2 * width + 3 :]
    x = np.maximum(seen @ net.rows[:at] + biases[0], 0)
    x = x + np.maximum(x @ second + biases[1], 0)
    x = x + np.maximum(x @ third + biases[2], 0)
    odds = outputs @ x + net.bias
    return odds[:SEATS], odds[SEATS:]


def shares(odds: Any) -> Any:
    weights = np.exp(odds - odds.max())
    return weights / weights.sum()


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_a_glance_is_the_sum_of_its_weights_for_the_seat_that_looks(setting: Setting) -> None:
    match = setting.match(seed=4)
    game = match.game
    net, layout = learned(game), observation_of(game)
    ready(game)
    for n, _ in enumerate(wander(match, random.Random(4), 40)):
        if n % 8 or not match.to_act:
            continue
        seat = max(match.to_act)
        found = glance_of(net, match.state, 0, seat)
        seen, mask = np.zeros(layout.size, DTYPE), np.zeros(layout.actions, np.int8)
        observe_at(match.state, 0, seat, new_list(), seen, mask)
        of_seats, of_actions = by_the_book(net, seen.astype(np.float64))
        legal = match.legal_numbers(seat)
        turned = [turn_action_at(match.state, 0, seat, action) for action in legal]
        expected = dict(zip(legal, shares(of_actions[turned]), strict=True))
        assert found.policy == pytest.approx(expected, abs=1e-3)
        chances = shares(of_seats[: match.players])
        by_seat = [chances[(p - seat) % match.players] for p in range(match.players)]
        assert found.chances == pytest.approx(by_seat, abs=1e-3)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_no_glance_changes_when_what_the_seat_cannot_see_is_redealt(setting: Setting) -> None:
    match = setting.match(seed=3)
    net = learned(match.game)
    for n, _ in enumerate(wander(match, random.Random(3), 60)):
        for seat in match.to_act:
            other = match.copy()
            border.redeal_at(other.state, 0, seat, n, 6)
            mine, same = (glance_of(net, m.state, 0, seat) for m in (match, other))
            assert mine == same


@pytest.mark.parametrize("game", PUBLISHED)
def test_a_glance_takes_less_than_a_millisecond(game: str) -> None:
    match, net = kibitz.new(game, players=4, seed=2), learned(find(game))
    seat, desk, lists = min(match.to_act), new_desk(net), new_list()
    took = []
    for _ in range(101):
        began = time.perf_counter()
        glance_at(match.state, 0, seat, lists, net, desk)
        took.append(time.perf_counter() - began)
    assert sorted(took)[50] < 0.001
