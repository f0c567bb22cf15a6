"""The kibitzer: an opinion on every action, honest about what it does not know."""

import random
import threading
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

import kibitz
from kibitz.bots.kibitzer import Thought, calibrated
from kibitz.bots.levels import level
from kibitz.contract.settings import Setting, defaults_of, wander
from kibitz.engine import border
from kibitz.games import find

SETTINGS = [setting for name in kibitz.games() for setting in defaults_of(find(name))]


def last(thoughts: Iterator[Thought]) -> Thought:
    *_, thought = thoughts
    return thought


@pytest.fixture(scope="module")
def match() -> kibitz.Match:
    return kibitz.new("kolpa", players=4, seed=3)


def test_every_legal_action_gets_an_opinion(match: kibitz.Match) -> None:
    (seat,) = match.to_act
    thought = last(kibitz.think(match, seat, simulations=500))
    assert {opinion.action for opinion in thought.opinions} == set(match.legal(seat))
    assert sum(opinion.visits for opinion in thought.opinions) == thought.simulations == 500
    for opinion in thought.opinions:
        assert 0 <= opinion.chance <= 1
        assert 0 < opinion.error <= 1
        assert 1 <= opinion.place <= 4


def test_the_longer_it_thinks_the_smaller_the_error(match: kibitz.Match) -> None:
    (seat,) = match.to_act
    thoughts = list(kibitz.think(match, seat, simulations=3000))
    assert len(thoughts) > 3
    assert all(a.simulations < b.simulations for a, b in pairwise(thoughts))
    assert thoughts[-1].best.error < thoughts[0].best.error / 2


def test_with_simulations_a_thought_can_be_repeated(match: kibitz.Match) -> None:
    (seat,) = match.to_act
    one, two, other = (
        last(kibitz.think(match, seat, simulations=300, seed=seed)).opinions for seed in (1, 1, 2)
    )
    assert one == two
    assert one != other


def test_how_often_it_speaks_does_not_change_what_it_thinks(
    match: kibitz.Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    (seat,) = match.to_act
    several = list(kibitz.think(match, seat, simulations=300))
    monkeypatch.setattr("kibitz.bots.kibitzer.FIRST", 300)
    (once,) = kibitz.think(match, seat, simulations=300)
    assert len(several) > 1
    assert several[-1].opinions == once.opinions


def test_two_threads_think_twice_as_much(match: kibitz.Match) -> None:
    (seat,) = match.to_act
    assert last(kibitz.think(match, seat, simulations=200, threads=2)).simulations == 400


def test_thinking_can_be_cancelled(match: kibitz.Match) -> None:
    (seat,) = match.to_act
    stop = threading.Event()
    stop.set()
    assert len(list(kibitz.think(match, seat, seconds=60, stop=stop))) == 1
    stream = kibitz.think(match, seat, seconds=60)
    next(stream)
    stream.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_no_opinion_changes_when_unseen_cards_are_redealt(setting: Setting) -> None:
    match = setting.match(seed=4)
    for n, _ in enumerate(wander(match, random.Random(4), 30)):
        if n % 10 or match.round_over:
            continue
        seat = min(match.to_act)
        other = match.copy()
        border.redeal_at(other.state, 0, seat, n, 9)
        mine, theirs = (last(kibitz.think(m, seat, simulations=20)) for m in (match, other))
        assert mine.opinions == theirs.opinions


def test_a_win_at_hand_is_seen() -> None:
    match = kibitz.position(
        "kolpa",
        "kolpa 2\ndue: 0\nstarter: 0\nscores: 49 10\nhand.0: r1\nhand.1: joker joker\n"
        "display.0.blue: b5 b1\ndiscard: r3\ndraw: *",
    )
    thought = last(kibitz.think(match, 0, simulations=200))
    assert thought.best.action == "kol r1"
    assert thought.chance == 1.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seconds": 0}, "give the kibitzer some time"),
        ({"seconds": None}, "give the kibitzer some time"),
        ({"simulations": 0}, "at least one simulation"),
    ],
)
def test_no_time_given(match: kibitz.Match, change: dict[str, Any], words: str) -> None:
    (seat,) = match.to_act
    with pytest.raises(kibitz.KibitzError, match=words):
        kibitz.think(match, seat, **change)


def test_a_seat_that_is_not_due(match: kibitz.Match) -> None:
    (seat,) = match.to_act
    with pytest.raises(kibitz.KibitzError, match=f"not due; these are: {seat}"):
        kibitz.think(match, (seat + 1) % 4)


@pytest.fixture(scope="module")
def finished() -> kibitz.Match:
    """A short match of two rounds."""
    match = kibitz.new("ramon", players=3, seed=12, target=30)
    rng = random.Random(4)
    while not match.over:
        if match.round_over:
            match.next_round()
        (seat,) = match.to_act
        match.play(seat, rng.choice(match.legal(seat)))
    return match


def test_a_review_goes_through_every_move(finished: kibitz.Match) -> None:
    """And through every deal but the first, at which there is nothing to choose."""
    review = kibitz.review(finished, simulations=120)
    assert finished.log[0] == (None, "deal")
    assert [(m.seat, m.action) for m in review.moves] == finished.log[1:]
    deals = [m for m in review.moves if m.seat is None]
    assert [m.round for m in deals] == list(range(2, finished.round + 1)) != []
    assert {(m.best, m.loss, m.error) for m in deals} == {(None, None, None)}
    for move in review.moves:
        assert sum(move.chances) == pytest.approx(1)
        assert abs(move.swing) <= 1
    winner = finished.winners[0]
    assert review.moves[-1].chances[winner] == 1 / len(finished.winners)
    assert len(review.decisive) <= 3
    assert all(m.loss is not None and m.best != m.action for m in review.decisive)


def careless(game: str, seed: int, **options: object) -> kibitz.Match:
    """A match in which seat 0 plays at random, and the others do not."""
    match, rng = kibitz.new(game, players=4, seed=seed, **options), random.Random(seed)
    while not match.over:
        if match.round_over:
            match.next_round()
        seat, luck = min(match.to_act), rng.getrandbits(40)
        bot = level("medium" if seat else "random")
        action = bot.choose(match.game, match.sample_world(seat), seat, luck)
        match.play(seat, match.game.actions.write(action))
    return match


@pytest.mark.parametrize(("game", "target"), [("kolpa", 20), ("ramon", 30)])
def test_who_plays_at_random_is_told_what_cost_most(game: str, target: int) -> None:
    for seed in range(4):
        decisive = kibitz.review(careless(game, seed, target=target)).decisive
        assert 0 in [move.seat for move in decisive]
        assert all(move.error is not None and move.error < 0.06 for move in decisive)


def test_a_review_can_be_repeated_with_any_number_of_threads(finished: kibitz.Match) -> None:
    one = kibitz.review(finished, simulations=40).data()
    assert one == kibitz.review(finished, simulations=40, threads=2).data()


def test_a_match_that_is_not_over_and_one_that_is(finished: kibitz.Match) -> None:
    with pytest.raises(kibitz.KibitzError, match="not over yet"):
        kibitz.review(kibitz.new("kolpa", players=2))
    with pytest.raises(kibitz.KibitzError, match="the match is over"):
        kibitz.think(finished, 0)


def test_between_two_rounds_there_is_nothing_to_think_about(finished: kibitz.Match) -> None:
    deal = finished.log.index((None, "deal"), 1)
    match = finished.rewound(deal)
    assert match.round_over
    with pytest.raises(kibitz.KibitzError, match="the round is over"):
        kibitz.think(match, 0)


def test_certainty_is_not_corrected_and_order_is_kept() -> None:
    assert calibrated(1.0, 4, -0.5, 0.6)[0] == 1.0
    assert calibrated(0.0, 4, -0.5, 0.6)[0] == 0.0
    chances = [calibrated(n / 20, 4, -0.5, 0.6)[0] for n in range(21)]
    assert chances == sorted(chances)
    assert calibrated(0.3, 4, 0.0, 1.0) == pytest.approx((0.3, 1.0))
