"""Viva: what bots think at a glance, and how a match stands."""

import pytest

from kibitz.bots.levels import level
from kibitz.engine.checked import plain
from kibitz.engine.match import Match
from kibitz.games.viva import heuristics
from kibitz.games.viva.tests.viva_positions import at


def glance(match: Match) -> str:
    """What a bot does that looks no further."""
    number = level("medium").choose(match.game, match.sample_world(0), 0, seed=1)
    return match.game.actions.write(number)


def chances(match: Match) -> list[float]:
    """How the match stands for each seat."""
    return [plain(heuristics.win_chance)(match.checked(), p) for p in range(match.players)]


@pytest.mark.parametrize(
    ("position", "best"),
    [
        ("hand.0: r\nblock: rb", "out r"),
        ("hand.0: y y y\nblock: p", "y>"),
        ("hand.0: y gb r\nhouse.1: y\nhouse.2: y\nblock: p", "y>3"),
        ("hand.0: y ry gb\nphase: blocking", "block gb"),
        ("hand.0: r rb g\nphase: blocking", "block g"),
    ],
)
def test_at_a_glance(position: str, best: str) -> None:
    assert glance(at(position)).startswith(best)


def test_the_card_that_is_left_can_leave_on_the_own_blocking_card() -> None:
    assert glance(at("hand.0: ry rb\nphase: blocking")) in ("block ry", "block rb")


def test_all_chances_make_one() -> None:
    match = at("round_over: 1\nscores: 1 0 2 0\nloser: 1\nround: 3", players=4)
    assert sum(chances(match)) == pytest.approx(1)


def test_a_winners_card_counts_for_more_the_fewer_rounds_are_left() -> None:
    """After the fourth of five rounds, one card ahead is worth more than after the first."""
    early, late = (
        chances(at(f"round_over: 1\nscores: 1 0 0\nround: {n}", players=3)) for n in (1, 4)
    )
    assert late[0] > early[0] > 1 / 3 > early[1] > late[1]


def test_what_is_left_to_go_is_counted_after_the_round_that_is_over() -> None:
    resting = (at(f"round_over: 1\nround: {n}") for n in (1, 4, 5, 6))
    left = [plain(heuristics.left_to_go)(match.checked()) for match in resting]
    assert left == [4, 1, 0, 0]  # five rounds; then a tie-break decides


def test_the_last_loser_has_the_worst_chances() -> None:
    """VIVA-S4: a personal blocking card costs more the nearer the end is."""
    early = chances(at("round_over: 1\nloser: 1\nround: 1", players=3))
    late = chances(at("round_over: 1\nloser: 1\nround: 4", players=3))
    assert early[0] == early[2] > early[1] > late[1]
