"""Reasons are never made up: whatever is claimed is seen again in other simulations."""

import random
from collections.abc import Iterator
from statistics import fmean

import pytest

import kibitz
from effort import tried
from kibitz.bots import knowledge
from kibitz.bots.claims import Claim, Comparison, What
from kibitz.bots.inference import Onlooker
from kibitz.bots.kibitzer import Thought, explained, think
from kibitz.bots.levels import level
from kibitz.bots.policy import greedy_at
from kibitz.bots.search import style_of
from kibitz.engine import border
from kibitz.engine.action_list import new_list
from kibitz.engine.match import Match
from short import PUBLISHED

POSITIONS = 24  # of each game
APART = 4  # decisions between two of them
LAST_CARD = (
    "kolpa 3\ndue: 0\nhand.0: r5\nhand.1: g5 g4 y5\nhand.2: b5 y4 p5\n"
    "discard: r3\ndraw: *"
)  # to end the round with, or to lay down
OTHER_SEED, MORE_WORLDS = 77, 3_000
IN_PYTHON = 150  # worlds that are played in plain steps
Figure = tuple[What, int | None, str | None]  # what, of which seat, which part of its score
DEAR = (
    "kolpa 3\ndue: 0\nhand.0: r1 r5 g2\nhand.1: g5 g4 y5\nhand.2: b5 y4 p5\n"
    "display.0.red: r4\ndiscard: r3\ndraw: *"
)  # with a choice that matters


def thoughts(
    game: str, simulations: int = 300, players: int = 4, positions: int = POSITIONS
) -> Iterator[tuple[Match, Thought]]:
    """What is thought of positions from matches of careless players."""
    found, seed, rng = 0, 0, random.Random(5)
    while found < positions:
        match, seed = kibitz.new(game, players=players, seed=seed), seed + 1
        easy, n = level("easy"), 0
        while not match.over and found < positions:
            if match.round_over:
                match.next_round()
            seat = min(match.to_act)
            if len(match.legal_numbers(seat)) > 1:
                n += 1
                if n % APART == 0:
                    *_, thought = think(match, seat, None, simulations=simulations)
                    yield match, thought
                    found += 1
            match.play(seat, easy.action(match, seat, rng.getrandbits(40)))


def claimed(game: str, positions: int = POSITIONS) -> Iterator[tuple[Comparison, Comparison]]:
    """The best action beside the last, and the same again in other worlds, and in more of them."""
    for match, thought in thoughts(game, positions=positions):
        best, last = thought.opinions[0].action, thought.opinions[-1].action
        once = Comparison(match, thought.seat, best, last)
        if once.claims():
            words = {"seed": OTHER_SEED, "worlds": MORE_WORLDS}
            yield once, Comparison(match.copy(), thought.seat, best, last, None, **words)


def assert_first_speaks_for_the_better_action(found: Comparison) -> None:
    first = found.claims()[0]
    is_own = first.seat == found.seat
    sign = found.sign if first.what in ("points", "part") else 1
    assert (sign * first.difference > 0) == is_own
    assert first.what not in ("ends", "actions", "choices")


@pytest.mark.parametrize("game", tried(("kolpa", "viva"), PUBLISHED))
def test_what_is_claimed_is_borne_out_by_other_simulations(game: str) -> None:
    claims = 0
    for once, again in claimed(game):
        assert_first_speaks_for_the_better_action(once)
        for claim in once.claims():
            seen = again.claim(claim.what, claim.seat, claim.part)
            assert seen.is_sure(), f"{claim} is not seen again: {seen}"
            assert seen.difference * claim.difference > 0, f"{claim} is seen reversed: {seen}"
            off = abs(seen.difference - claim.difference)
            assert off <= seen.error + claim.error, f"{claim} is too far from {seen}"
            claims += 1
    assert claims >= 6


def outcomes(match: Match, seat: int, action: str) -> list[dict[Figure, float]]:
    """What comes of an action, by the match's own means, in worlds of our own."""
    found = []
    sign = -1 if match.game.identity.low_wins else 1
    for n in range(IN_PYTHON):
        now = kibitz.position(match.game.name, match.position(), seed=n)  # with luck of its own
        border.redeal_at(now.state, 0, seat, n, 4321)
        now.play(seat, action)
        due = min(now.to_act, default=seat)
        told: dict[Figure, float] = {}
        told["choices", seat, None] = len(now.legal(due)) if due != seat else 0.0
        while not now.round_over:
            mover = min(now.to_act)
            state = now.state.copy()
            number = greedy_at(state, 0, new_list(), mover, style_of(match.game).noise)
            now.play(mover, match.game.actions.write(number))
        points = [sign * sum(parts.values()) for parts in now.sheet[-1]]
        told["points", seat, None] = sign * points[seat]
        told["best", seat, None] = float(points[seat] == max(points))
        told |= {("part", seat, name): n for name, n in now.sheet[-1][seat].items()}
        told["actions", None, None] = len(now.done) - len(match.done) - 1
        for p in range(match.players):
            told["ends", p, None] = float(now.done[-1].seat == p)
        found.append(told)
    return found


@pytest.mark.parametrize("game", tried(("kiza", "zocken"), PUBLISHED))
def test_the_figures_are_those_of_rounds_played_step_by_step(game: str) -> None:
    """In a position without a past, so that there is nothing to be concluded from it."""
    match, thought = next((m, t) for m, t in thoughts(game) if len(t.opinions) > 1)
    match = kibitz.position(game, match.position())
    seat, best, last = thought.seat, thought.opinions[0].action, thought.opinions[-1].action
    compared = Comparison(match, seat, best, last, worlds=MORE_WORLDS)
    for number, action in enumerate((best, last)):
        rows = outcomes(match, seat, action)
        for what, of_seat, part in rows[0]:
            claim = compared.claim(what, of_seat, part)
            if what == "choices" and compared.claim("choices", None).better == 0:
                continue
            stated = claim.other if number else claim.better
            values = [row[what, of_seat, part] for row in rows]
            mean = fmean(values)
            spread = (sum((v - mean) ** 2 for v in values) / len(values)) ** 0.5
            assert abs(stated - mean) <= 4.5 * spread / len(values) ** 0.5 + 0.02, claim


@pytest.mark.parametrize("game", ["kolpa", "ramon"])
def test_who_ends_the_round_is_told_where_it_differs(game: str) -> None:
    """And it is seen again in other worlds."""
    claim, again = next(
        (claim, Comparison(found.match, found.seat, *found.actions, seed=OTHER_SEED + 1))
        for _, found in claimed(game, 10 * POSITIONS)
        for claim in found.claims()
        if claim.what == "ends"
    )
    assert abs(claim.difference) >= 0.1
    seen = again.claim("ends", claim.seat)
    assert seen.is_sure()
    assert abs(seen.difference - claim.difference) <= seen.error + claim.error
    everyone = [again.claim("ends", seat) for seat in range(again.match.players)]
    assert sum(one.better for one in everyone) == pytest.approx(1.0)  # somebody ends each round
    assert sum(one.other for one in everyone) == pytest.approx(1.0)


@pytest.mark.parametrize("game", ["kiza", "viva", "zocken"])
def test_who_ends_the_round_is_not_told_where_it_means_nothing(game: str) -> None:
    """There it ends after the last auction, the last trick, or when but one is left."""
    match = next(m for m, t in thoughts(game) if len(t.opinions) > 1)
    assert not knowledge.of(match.game).tells_who_ends
    for once, _ in tried(iter(()), claimed(game)):
        assert all(claim.what != "ends" for claim in once.claims())


def test_an_action_that_ends_the_round_needs_no_word_about_it() -> None:
    match = kibitz.position("kolpa", LAST_CARD)
    at_once = Comparison(match, 0, "kol r5", "kolpa r5")
    ends = at_once.claim("ends", 0)
    assert ends.better == 1.0
    assert ends.is_sure(0.1)
    assert at_once.claims()
    assert all(claim.what != "ends" for claim in at_once.claims())


def test_nothing_is_claimed_of_an_action_against_itself() -> None:
    match = kibitz.position("kolpa", DEAR)
    assert Comparison(match, 0, "kol r5", "kol r5").claims() == ()


def test_nothing_is_claimed_for_the_worse_action() -> None:
    for once, _ in claimed("kolpa"):
        better, other = once.actions
        assert Comparison(once.match, once.seat, other, better).claims() == ()


def test_a_thought_says_why_only_where_the_best_is_surely_better() -> None:
    found = 0
    for match, thought in thoughts("kolpa", 5_000):
        (told,) = explained(match, [thought], Onlooker(match).beliefs(match))
        best, *others = told.opinions
        assert told.opinions == thought.opinions
        if told.claims:
            found += 1
            assert best.chance - others[0].chance > best.error
    assert found


def test_between_two_the_same_is_not_said_twice() -> None:
    """What one gains in chances, the other loses: that goes without saying."""
    told = 0
    for match, thought in thoughts("viva", players=2):
        best, last = thought.opinions[0].action, thought.opinions[-1].action
        claims = Comparison(match, thought.seat, best, last).claims()
        told += len(claims)
        whats = [claim.what for claim in claims if claim.what in ("best", "chance")]
        assert len(whats) < 2
    assert told


def test_what_is_unsure_or_small_is_not_told() -> None:
    assert Claim("points", 3.0, 1.0, 1.9).is_sure()
    assert not Claim("points", 3.0, 1.0, 2.1).is_sure()
    assert not Claim("points", 3.0, 2.5, 0.1).is_sure(0.75)
