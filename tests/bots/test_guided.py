"""A guided search is the same tree however it is cut into runs, and grows where it should."""

import random
from typing import Any

import numpy as np
import pytest

import kibitz
from effort import tried
from kibitz.bots import network
from kibitz.bots.inference import Onlooker
from kibitz.bots.searching import GuidedSearch
from kibitz.contract.settings import wander
from kibitz.engine.compiled import NONE
from kibitz.engine.match import Match
from short import under_way

SIMULATIONS = 128
GAMES = tried(["ramon"], ["kolpa", "ramon"])  # compiling it takes long, and few need it


def searched(match: Match, *runs: int, **changes: Any) -> GuidedSearch:
    """A search for the seat that is due."""
    seat = min(match.to_act)
    world, beliefs = match.sample_world(seat), Onlooker(match).beliefs(match, seat)
    net = network.of(match.game)
    assert net is not None
    found = GuidedSearch(match.game, net, np.concatenate([world, world]), seat, 1, changes, beliefs)
    for simulations in runs:
        found.run(simulations)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_many_simulations_at_once_and_a_few_at_a_time_grow_the_same_tree(game: str) -> None:
    match = under_way(game)
    at_once, cut = searched(match, SIMULATIONS), searched(match, 1, 27, 100)
    assert at_once.used == cut.used > 10
    assert np.array_equal(at_once.tree[: at_once.used], cut.tree[: cut.used])


@pytest.mark.parametrize("others", [0, 1])
@pytest.mark.parametrize("game", GAMES)
def test_every_simulation_is_booked_once_on_its_way(game: str, others: int) -> None:
    found = searched(under_way(game), SIMULATIONS, others=others)
    tree = found.tree[: found.used]
    visits = np.zeros(found.used, int)
    for node in tree[1:]:
        visits[node["parent"]] += node["visits"]
        assert 0 <= node["worth"] <= node["visits"]
    # All but the first go through a child of the root; a node has no fewer than its children.
    assert visits[0] == tree[0]["visits"] - 1 == SIMULATIONS - 1
    assert (visits[1:] <= tree["visits"][1:]).all()


@pytest.mark.parametrize("game", GAMES)
def test_the_root_has_a_child_for_each_legal_action_as_likely_as_the_network_says(
    game: str,
) -> None:
    match = under_way(game)
    seat, found = min(match.to_act), searched(match, SIMULATIONS)
    policy = network.glance_of(found.network, match.sample_world(seat), 0, seat).policy
    likely = {int(node["action"]): float(node["likely"]) for node in found.children()}
    assert likely == pytest.approx(policy, abs=1e-4)
    assert found.best() in match.legal_numbers(seat)


@pytest.mark.parametrize("game", GAMES)
def test_heat_divides_the_log_odds_of_what_it_likes(game: str) -> None:
    match = under_way(game)
    plain, hot = ([*searched(match, 1, heat=heat).children()] for heat in (1.0, 4.0))
    assert [node["action"] for node in plain] == [node["action"] for node in hot]
    before, after = ([float(node["likely"]) for node in nodes] for nodes in (plain, hot))
    assert sum(after) == pytest.approx(1)
    assert len(before) > 1
    for i in range(1, len(before)):
        odds = np.log(before[i] / before[0])
        assert np.log(after[i] / after[0]) == pytest.approx(odds / 4, abs=1e-3)


def test_a_walk_is_no_longer_than_it_may_be() -> None:
    found = searched(under_way("kolpa"), SIMULATIONS, depth=3)
    for node in found.tree[1 : found.used]:
        length, at = 0, node
        while at["parent"] != NONE:
            at, length = found.tree[at["parent"]], length + 1
        assert length <= 3 + 1  # the last ones are only known, not tried
        assert length <= 3 or node["visits"] == 0


def test_certain_victory_is_found() -> None:
    """One card left, far ahead, and the target reached by playing it."""
    match = kibitz.new("kolpa", players=2, seed=1, target=20)
    for _ in wander(match, random.Random(1), 3000):
        if not match.to_act or len(match.legal(min(match.to_act))) < 2:
            continue
        seat = min(match.to_act)
        winning = set()
        for text in match.legal(seat):
            after = match.copy()
            after.play(seat, text)
            if after.over and after.winners == [seat]:
                winning.add(match.game.actions.read(text))
        if winning and len(winning) < len(match.legal(seat)):
            assert searched(match, SIMULATIONS).best() in winning
            return
    raise AssertionError("no such position came up")
