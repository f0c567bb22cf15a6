"""Tournaments are fair, can be repeated, and say how sure they are."""

from collections import Counter

import pytest

from kibitz.bots.levels import LEVELS, Budget
from kibitz.engine.errors import KibitzError
from kibitz.engine.match import Match
from kibitz.games import find, names
from kibitz.lab.arena import Contest, Played, deal, ladder, play, play_match, seating
from kibitz.lab.crew import crew
from kibitz.lab.standings import (
    interval,
    places,
    ratings,
    results,
    shares_by_deal,
    student,
    whole_deals,
    wilson,
)

FEW = Budget(simulations=4)


def test_games_are_rounded_up_to_whole_sets_of_rotations() -> None:
    contest = Contest("lantern", ("random", "random", "random"), games=7)
    assert (contest.deals, contest.matches) == (3, 9)


def test_every_bot_gets_every_seat_of_a_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seen from within: who is asked to play, and from which seat."""
    asked = []

    class Spy:
        def __init__(self, name: str) -> None:
            self.name = name

        def action(self, match: Match, seat: int, seed: int, *_: object) -> str:
            asked.append((self.name, seat))
            return LEVELS["random"].action(match, seat, seed)

    monkeypatch.setattr("kibitz.lab.arena.level", Spy)
    contest = Contest("lantern", ("random", "easy", "medium"), games=3)
    for rotation in range(3):
        asked.clear()
        play_match(contest, 0, rotation)
        bots = contest.bots
        assert set(asked) == {(bots[(seat + rotation) % 3], seat) for seat in range(3)}


@pytest.mark.parametrize("bots", [2, 3, 5])
def test_every_bot_sits_on_every_seat_of_a_deal_once(bots: int) -> None:
    for number in range(6):
        tables = [seating(bots, number, rotation) for rotation in range(bots)]
        assert all(sorted(table) == list(range(bots)) for table in tables)
        assert all(len({table[seat] for table in tables}) == bots for seat in range(bots))


def test_over_the_deals_every_bot_has_every_neighbour() -> None:
    tables = [seating(4, number, 0) for number in range(6)]
    lefts = {(table[p], table[(p + 1) % 4]) for table in tables for p in range(4)}
    assert len(lefts) == 12


def test_rotations_share_a_deal_and_deals_differ() -> None:
    contest = Contest("kolpa", ("random", "random"), games=4, seed=3)
    first = deal(contest, 0).state.tobytes()
    assert first == deal(contest, 0).state.tobytes()
    assert first != deal(contest, 1).state.tobytes()
    assert first != deal(Contest("kolpa", ("random", "random"), 4, seed=4), 0).state.tobytes()


def test_scores_and_winners_are_told_by_bot() -> None:
    contest = Contest("kolpa", ("medium", "random", "random"), games=12)
    played = [play_match(contest, n, r) for n in range(4) for r in range(3)]
    won = Counter(bot for match in played for bot in match.winners)
    assert won[0] >= 9


def test_a_contest_ends_the_same_on_any_number_of_cores() -> None:
    contest = Contest("kolpa", ("hard", "medium", "random"), games=6, seed=5, budget=FEW)
    alone = sorted(play_match(contest, n, r) for n in range(2) for r in range(3))
    with crew(workers=3) as hired:
        assert sorted(play(contest, hired)) == alone


def test_another_seed_is_another_contest() -> None:
    bots = ("random", "random")
    assert play_match(Contest("kolpa", bots, 2, 1), 0, 0) != play_match(
        Contest("kolpa", bots, 2, 2), 0, 0
    )


def test_identical_bots_do_not_play_alike_in_every_rotation() -> None:
    contest = Contest("kolpa", ("random", "random"), games=2)
    one, other = (play_match(contest, 0, rotation) for rotation in range(2))
    assert one.scores != other.scores[::-1]


@pytest.mark.parametrize("name", names())
def test_the_ladder_fits_every_game(name: str) -> None:
    game = find(name)
    for contest in ladder(game, 10, 0, None):
        assert len(contest.bots) in game.identity.seats
        assert len(set(contest.bots[1:])) == 1


@pytest.mark.parametrize(
    ("game", "bots", "games", "budget", "says"),
    [
        ("chess", ("random", "random"), 1, None, "no game 'chess'"),
        ("kolpa", ("random", "deep blue"), 1, None, "no bot 'deep blue'"),
        ("zocken", ("random", "random"), 1, None, "so name 3 to 5 bots, not 2"),
        ("kolpa", ("random", "random"), 0, None, "at least 1, not 0"),
        ("kolpa", ("random", "random"), 1, Budget(seconds=0.0), "more than 0, not 0"),
        ("kolpa", ("random", "random"), 1, Budget(seconds=float("nan")), "more than 0"),
        ("kolpa", ("random", "random"), 1, Budget(simulations=-1), "at least 1, not -1"),
    ],
)
def test_a_contest_that_cannot_be(
    game: str, bots: tuple[str, ...], games: int, budget: Budget | None, says: str
) -> None:
    with pytest.raises(KibitzError, match=says):
        Contest(game, bots, games, budget=budget)


@pytest.mark.parametrize(
    ("scores", "winners", "low_wins", "expected"),
    [
        ((9, 5, 7), (0,), False, [1, 3, 2]),
        ((9, 5, 7), (1,), True, [3, 1, 2]),
        ((9, 9, 7), (0, 1), False, [1.5, 1.5, 3]),
        ((9, 9, 7), (1,), False, [2, 1, 3]),  # a tie-break has decided
        ((9, 4, 4, 4), (0,), False, [1, 3, 3, 3]),
        ((2, 2, 2), (0, 1, 2), False, [2, 2, 2]),
    ],
)
def test_places(
    scores: tuple[int, ...], winners: tuple[int, ...], low_wins: bool, expected: list[float]
) -> None:
    assert places(Played(0, 0, scores, winners), low_wins=low_wins) == expected


def test_results_of_a_contest_made_by_hand() -> None:
    contest = Contest("kolpa", ("medium", "random"), games=4)
    played = [
        Played(0, 0, (50, 10), (0,)),
        Played(0, 1, (50, 50), (0, 1)),
        Played(1, 0, (20, 50), (1,)),
        Played(1, 1, (60, 10), (0,)),
    ]
    first, second = results(contest, played)
    assert (first.bot, first.win_share, first.mean_score, first.mean_place) == (
        "medium", 0.625, 45, 1.375,
    )  # fmt: skip
    assert first.win_share + second.win_share == 1
    assert first.win_share_low < first.win_share < first.win_share_high
    assert first.rating > 25 > second.rating
    assert results(contest, played[::-1]) == [first, second]


def test_a_shared_victory_is_counted_in_parts() -> None:
    played = [Played(0, 0, (5, 5, 1), (0, 1)), Played(0, 1, (5, 1, 1), (0,))]
    assert shares_by_deal(played, 0) == [0.75]
    assert shares_by_deal(played, 1) == [0.25]
    assert shares_by_deal(played, 2) == [0]


def test_equal_places_leave_equals_equal() -> None:
    one, other = ratings([[1.5, 1.5]] * 5)
    assert one == pytest.approx(other)


def test_deals_that_agree_within_count_once() -> None:
    """Four rotations that always end alike are no better than one."""
    alike = interval([0.0, 1.0] * 20, matches=160)
    apart = interval([0.5, 0.25, 0.75, 0.5] * 10, matches=160)
    assert alike == pytest.approx(wilson(0.5, 39, student(39)))
    assert apart == pytest.approx(wilson(0.5, 160, student(39)))
    assert alike[1] - alike[0] > 1.5 * (apart[1] - apart[0])


@pytest.mark.parametrize(
    ("shares", "low", "high"),
    [
        ([0.5], 0, 1),
        ([0.0] * 10, 0, 0.28),
        ([1.0] * 10, 0.72, 1),
        ([0.25] * 100, 0.21, 0.30),
        ([0.0] * 99 + [0.25], 0.0, 0.02),
    ],
)
def test_the_interval_stays_sane_at_the_edges(shares: list[float], low: float, high: float) -> None:
    found = interval(shares, matches=4 * len(shares))
    assert found == pytest.approx((low, high), abs=0.01)
    assert 0 <= found[0] <= sum(shares) / len(shares) <= found[1] <= 1


@pytest.mark.parametrize(("freedom", "t"), [(1, 12.706), (10, 2.228), (11, 2.201), (60, 2.000)])
def test_student(freedom: int, t: float) -> None:
    assert student(freedom) == pytest.approx(t, abs=0.003)


def test_a_stopped_contest_counts_whole_deals() -> None:
    whole = [Played(0, 0, (1, 2), (1,)), Played(0, 1, (1, 2), (1,))]
    half = Played(1, 0, (1, 2), (1,))
    assert whole_deals([half, *whole]) == whole
    assert whole_deals([half]) == [half]
