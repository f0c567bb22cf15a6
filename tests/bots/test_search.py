"""A search is the same tree however it is cut into runs, and all actions have the same luck."""

from typing import Any

import numpy as np
import pytest

from kibitz.bots.choices import numbers_of
from kibitz.bots.inference import Onlooker
from kibitz.bots.searching import Search
from kibitz.engine.match import Match
from short import PUBLISHED, under_way

SIMULATIONS = 512
AT_A_TIME = 64
# A simulation is its world, as it was dealt.
NO_MORE_THAN_DEAL = {"paired": 0, "depth": 0, "limit": 0}


def search(match: Match, seed: int = 1, **changes: int) -> Search:
    """A search for the seat that is due."""
    seat = min(match.to_act)
    world, beliefs = match.sample_world(seat), Onlooker(match).beliefs(match, seat)
    return Search(match.game, np.concatenate([world, world]), seat, seed, changes, beliefs)


def tree(match: Match, runs: list[int]) -> Any:
    """What so many simulations at a time, one run after the other, make of a tree."""
    grown = search(match)
    for simulations in runs:
        grown.run(simulations)
    assert grown.tree[0]["visits"] == SIMULATIONS
    return grown.tree[: grown.used]


@pytest.mark.parametrize("game", PUBLISHED)
def test_many_simulations_at_once_and_a_few_at_a_time_grow_the_same_tree(game: str) -> None:
    match = under_way(game)
    at_once = tree(match, [SIMULATIONS])
    assert len(at_once) > AT_A_TIME
    few = tree(match, [AT_A_TIME] * (SIMULATIONS // AT_A_TIME))
    assert np.array_equal(few, at_once)


@pytest.mark.parametrize("first", [1, 63, 100, 511])
def test_it_does_not_matter_where_a_search_is_cut(first: int) -> None:
    match = under_way("kolpa")
    assert np.array_equal(tree(match, [first, SIMULATIONS - first]), tree(match, [SIMULATIONS]))


def worlds(match: Match, seed: int = 1) -> list[bytes]:
    """The worlds of a search, one simulation after the other."""
    dealt, found = search(match, seed, **NO_MORE_THAN_DEAL), []
    for _ in range(SIMULATIONS):
        dealt.run(1)
        found.append(dealt.states[1]["cards"].tobytes())
    return found


@pytest.mark.parametrize("game", ["kiza", "kolpa"])  # where no action gives others a card
def test_all_actions_are_tried_in_the_same_worlds(game: str) -> None:
    match = under_way(game)
    (seat, *_), zones = sorted(match.to_act), match.game.layout.zones.at(match.players)
    hands = [z.index for z in zones if z.name.startswith("hand.") and z.owner != seat]
    grown, seen = search(match, depth=1, limit=0), dict[int, list[bytes]]()
    for _ in range(SIMULATIONS):
        before = {int(node["action"]): int(node["visits"]) for node in grown.children()}
        grown.run(1)
        (action,) = (
            int(node["action"])
            for node in grown.children()
            if node["visits"] > before.get(int(node["action"]), 0)
        )
        seen.setdefault(action, []).append(grown.states[1]["cards"][hands].tobytes())
    most = max(seen.values(), key=len)
    assert len(seen) > 1
    assert len(set(most)) == len(most)
    assert all(found == most[: len(found)] for found in seen.values())


@pytest.mark.parametrize("game", PUBLISHED)
def test_all_simulations_of_a_search_have_different_luck(game: str) -> None:
    found = worlds(under_way(game))
    assert len(set(found)) == SIMULATIONS


@pytest.mark.parametrize("game", PUBLISHED)
def test_a_simulation_has_the_same_luck_however_many_are_run_at_a_time(game: str) -> None:
    match = under_way(game)
    found, dealt = worlds(match), search(match, **NO_MORE_THAN_DEAL)
    for last in range(AT_A_TIME - 1, SIMULATIONS, AT_A_TIME):
        dealt.run(AT_A_TIME)
        assert dealt.states[1]["cards"].tobytes() == found[last]


def test_searches_with_different_seeds_share_no_world() -> None:
    """So it is when several threads think about the same move."""
    match = under_way("kolpa")
    assert not set(worlds(match, seed=1)) & set(worlds(match, seed=2))


def test_what_a_seat_may_do_with_a_drawn_card_is_that_of_the_world_in_which_it_drew_it() -> None:
    match = under_way("viva")
    (seat, *_) = sorted(match.to_act)
    world, steps = match.sample_world(seat), numbers_of(match.game, "draw")

    def after_drawing(**changes: int) -> Any:
        grown = Search(match.game, np.concatenate([world, world]), seat, 1, changes, steps=steps)
        grown.run(SIMULATIONS)
        return grown.tree[: grown.used]

    assert len({int(node["action"]) for node in after_drawing()[1:]}) > AT_A_TIME
    assert np.array_equal(after_drawing(paired=1), after_drawing(paired=0))


def test_a_playout_to_the_end_that_gets_stuck_ends() -> None:
    grown = search(under_way("kolpa"), to_the_end=1, limit=0)  # nobody makes a move in a playout
    grown.run(SIMULATIONS)
    assert grown.tree[0]["visits"] == SIMULATIONS


@pytest.mark.parametrize(
    ("sure", "won", "best"),
    [
        (1, (50, 55, 40), 0),  # of 100 tries each, in the order of their first: five mean nothing
        (1, (50, 60, 55), 1),  # ten are more than the standard error of seven
        (2, (50, 60, 55), 0),
        (0, (50, 55, 40), 1),
        (1, (40, 60, 55), 1),  # better than the first, and before the third
        (1, (40, 50, 55), 1),  # the first is surely worse, the second is not
        (1, (0, 0, 0), 0),
    ],
)
def test_who_wants_to_be_sure_keeps_to_what_looked_best(
    sure: int, won: tuple[int, ...], best: int
) -> None:
    asked = search(under_way("kiza"), sure=sure)
    for action, wins in enumerate(won):  # each is put before its elder siblings
        root, node = asked.tree[0], asked.tree[1 + action]
        node["sibling"], root["first"] = root["first"], 1 + action
        node["action"], node["visits"], node["worth"], node["square"] = action, 100, wins, wins
    assert asked.best() == best
