"""Whole choices: what they are by the rules, and what is thought of them."""

import random
from collections.abc import Iterator

import pytest

import kibitz
from kibitz.bots.choices import choices_of, key, steps_of, written
from kibitz.bots.claims import Comparison
from kibitz.bots.kibitzer import think, think_through
from kibitz.engine.errors import IllegalAction, UnfinishedChoice
from kibitz.engine.match import Match

MANY = 1_000
BIDS = (
    "kiza 3 target=50\ndue: 0\ndonor: 0\nphase: auction\nlot: r●5\nbid.1: r●1\nleader: 1\n"
    "high: 1\npassed: 2\nscores: 0 0 0\nhand.0: r●2 r●3 r●7\ndiscard: *"
)  # three cards that match
LAST_BID = (
    "kiza 2 target=20\ndue: 0\ndonor: 1\nphase: auction\nlot: r●10\nbid.1: r●7\nleader: 1\n"
    "high: 7\nscores: 10 12\ngain.0: b■10\ngain.1: b■5 b■7\nhand.0: r●3 r●5\ndiscard: *"
)  # who gets the lot has won, and both cards together are just enough for it


def by_hand(match: Match, seat: int, steps: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """All orders of all choices."""
    for action in (match.preview(seat, steps) if steps else match).legal(seat):
        made = (*steps, action)
        try:
            match.try_choice(seat, made)
        except UnfinishedChoice:
            yield from by_hand(match, seat, made)
        else:
            yield made


def positions(game: str, seats: int) -> Iterator[tuple[Match, int]]:
    """Beginnings of choices that may go on."""
    rng = random.Random(3)
    match = kibitz.new(game, players=seats, seed=2)
    goes_on = False
    while not match.over:
        if match.round_over:
            match.next_round()
        seat = min(match.to_act)
        if not goes_on and len(match.to_act) == 1:
            yield match, seat
        action = rng.choice(match.legal(seat))
        match.play(seat, action)
        goes_on = match.verb(action).continues  # type: ignore[union-attr]


@pytest.mark.parametrize(("game", "seats"), [("kiza", 3), ("zocken", 4), ("kolpa", 3)])
def test_they_are_all_that_can_be_made_in_any_order(game: str, seats: int) -> None:
    several = found = 0
    for match, seat in positions(game, seats):
        choices = choices_of(match, seat, MANY)
        if choices is None or len(choices.begun) > 40 or max(map(len, choices.whole)) > 5:
            continue
        orders = list(by_hand(match, seat))
        assert set(choices.whole) == {key(written(steps)) for steps in orders}
        for choice in choices.whole.values():
            match.try_choice(seat, steps_of(choice))
        begun = {tuple(sorted(steps[:n])) for steps in orders for n in range(1, len(steps))}
        assert {tuple(sorted(steps)) for steps in choices.begun} == begun
        several += len(choices.begun) > 1
        found += 1
        if found == 40:
            break
    assert found > 20
    assert bool(several) == (game != "kolpa")


def test_there_may_be_too_many() -> None:
    match = kibitz.position("kiza", BIDS)
    found = choices_of(match, 0, MANY)
    assert found is not None
    assert len(found.whole) == 8  # each of the cards or not; none is to pass
    assert choices_of(match, 0, 8) == found
    assert choices_of(match, 0, 7) is None
    with pytest.raises(IllegalAction):
        match.try_choice(0, ("done",))


def test_one_action_is_thought_of_as_by_the_search_for_all() -> None:
    match = kibitz.new("kolpa", players=3, seed=4, target=30)
    seat = min(match.to_act)
    *_, usual = think(match, seat, None, simulations=6_000)
    one_by_one = think_through(match, seat, match.legal(seat), 1_500, seed=3)
    assert {o.action for o in one_by_one.opinions} == set(match.legal(seat))
    assert [o.chance for o in one_by_one.opinions] == sorted(
        (o.chance for o in one_by_one.opinions), reverse=True
    )
    known = {opinion.action: opinion for opinion in one_by_one.opinions}
    for opinion in usual.opinions:
        other = known[opinion.action]
        assert other.visits == 1_500
        assert abs(other.chance - opinion.chance) <= opinion.error + other.error + 0.03
        assert abs(other.place - opinion.place) < 0.25


def test_the_choice_that_wins_is_best_and_the_reason_is_told() -> None:
    """By no first step alone: only both cards together are more than the other's bid."""
    match = kibitz.position("kiza", LAST_BID)
    choices = choices_of(match, 0, MANY)
    assert choices is not None
    thought = think_through(match, 0, choices.whole.values(), 300)
    assert key(thought.best.action) == ("bid r●3", "bid r●5", "done")
    assert thought.best.chance == 1.0
    assert all(opinion.chance < 0.5 for opinion in thought.opinions[1:])
    claims = Comparison(match, 0, thought.best.action, "pass").claims()
    assert claims[0].what == "points"
    assert claims[0].seat == 0
    assert claims[0].better == 10.0
