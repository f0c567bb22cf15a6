"""Bots play well enough, repeat themselves when asked to, and never peek."""

import random
import time
from collections.abc import Iterator

import pytest

import kibitz
from effort import THOROUGH, tried
from kibitz.bots import knowledge, network
from kibitz.bots.inference import Onlooker
from kibitz.bots.kibitzer import weigh
from kibitz.bots.levels import Budget, level
from kibitz.bots.searching import Search
from kibitz.contract.settings import Setting, defaults_of, wander
from kibitz.engine import border
from kibitz.engine.match import Match
from kibitz.games import find
from short import PUBLISHED

FEW = Budget(simulations=40)
# Every way to choose; `expert` is a longer `hard`.
BOTS = (
    "random", "easy", "medium", "hard:learned=0", "hard:learned=0:worlds=8",
    "hard:learned=1:depth=0", "hard:learned=1",
)  # fmt: skip
SETTINGS = [setting for name in kibitz.games() for setting in defaults_of(find(name))]


def ways(match: Match) -> tuple[str, ...]:
    """The bots that can play a game: those that go by what was learned need such.

    A search by it takes long to compile, so it is only tried where a level of the game uses it;
    likewise one that weighs worlds, where the game has habits to weigh them by.
    """
    known = knowledge.of(match.game)
    bots: tuple[str, ...] = BOTS if known.guide is not None else BOTS[:-1]
    if network.of(match.game) is None:
        bots = BOTS[:-2]
    weighs = bool(known.habits.any()) or THOROUGH
    return tuple(bot for bot in bots if weighs or "worlds" not in bot)


def choice(match: Match, seat: int, name: str, seed: int = 1) -> int:
    beliefs = Onlooker(match).beliefs(match, seat, tell=True) if "worlds" in name else None
    return level(name).choose(match.game, match.sample_world(seat), seat, seed, FEW, beliefs)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_no_choice_changes_when_what_the_seat_cannot_see_is_redealt(setting: Setting) -> None:
    """Every bot, game and player count: the proof that they do not peek."""
    match = setting.match(seed=1)
    for n, _ in enumerate(wander(match, random.Random(1), 60)):
        if n % tried(14, 2):
            continue
        for seat in match.to_act:
            other = match.copy()
            border.redeal_at(other.state, 0, seat, n, 5)
            for name in ways(match):
                assert choice(match, seat, name, n) == choice(other, seat, name, n), name


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_every_choice_is_legal(setting: Setting) -> None:
    match = setting.match(seed=2)
    for n, _ in enumerate(wander(match, random.Random(2), 40)):
        for seat in match.to_act:
            for name in ways(match):
                assert choice(match, seat, name, n) in match.legal_numbers(seat)


def decided(match: Match) -> Iterator[int]:
    """Play a match of Viva that has one round; once it has a winner, the seats that choose."""
    n = 0
    while not match.over:
        seat, n = min(match.to_act), n + 1
        is_decided = int(match.state[0]["playing"]).bit_count() < match.players
        if is_decided and len(match.legal(seat)) > 1:  # the first one out has won
            yield seat
        match.play(seat, level("medium").action(match, seat, n))


def test_where_nothing_is_left_to_win_a_search_plays_on_as_it_looks_best() -> None:
    """It used to draw for hundreds of turns, as good as any other action to one who has won."""
    match, asked = kibitz.new("viva", players=4, seed=2, rounds=1), 0
    for seat in decided(match):
        best = {choice(match, seat, "medium", luck) for luck in range(30)}
        assert choice(match, seat, "hard:learned=0", asked) in best
        thought = weigh(match, seat, 100, asked, Onlooker(match).beliefs(match, seat))
        assert match.game.actions.read(thought.best.action) in best
        asked += 1
    assert asked > 5


def test_where_nothing_is_left_to_win_nobody_waits_for_a_search() -> None:
    match = kibitz.new("viva", players=4, seed=2, rounds=1)
    seat = next(decided(match))
    expert, world = level("expert"), match.sample_world(seat)
    expert.choose(match.game, world, seat, 1, Budget(simulations=1))
    started = time.perf_counter()
    expert.choose(match.game, world, seat, 1, Budget(seconds=20))
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize("name", BOTS)
def test_the_same_seed_and_simulations_give_the_same_choice(name: str) -> None:
    match = kibitz.new("ramon", players=3, seed=3)
    (seat,) = match.to_act
    choices = {choice(match, seat, name, seed=8) for _ in range(3)}
    assert len(choices) == 1


def play(bots: list[str], game: str, seed: int, budget: Budget = FEW) -> list[int]:
    """A match between bots; who has won."""
    match = kibitz.new(game, players=len(bots), seed=seed)
    onlooker = Onlooker(match)
    while not match.over:
        if match.round_over:
            match.next_round()
        seat, luck = min(match.to_act), 1000 * seed + len(match.done)
        match.play(seat, level(bots[seat]).action(match, seat, luck, onlooker, budget))
    return match.winners


@pytest.mark.parametrize("game", PUBLISHED)
def test_the_games_own_good_sense_beats_chance(game: str) -> None:
    """A loose bound for a fair share of a quarter; docs/bots.md has the measured figures."""
    wins = 0.0
    for seed in range(8):
        seat = seed % 4
        winners = play(["medium" if p == seat else "random" for p in range(4)], game, seed)
        wins += (seat in winners) / len(winners)
    assert wins >= 5


@pytest.mark.parametrize(("game", "other"), [("kolpa", "easy"), ("kiza", "medium")])
def test_a_little_search_beats_a_glance(game: str, other: str) -> None:
    """In Kolpa! a careless one: against what `medium` knows of it, a little is not enough."""
    wins = 0.0
    for seed in range(24):
        seat = seed % 4
        bots = ["hard" if p == seat else other for p in range(4)]
        winners = play(bots, game, seed, Budget(simulations=500))
        wins += (seat in winners) / len(winners)
    assert wins >= 9


def test_a_bot_keeps_its_time() -> None:
    match = kibitz.new("kolpa", players=4, seed=3)
    (seat,) = match.to_act
    expert, world = level("expert"), match.sample_world(seat)
    expert.choose(match.game, world, seat, 1, Budget(simulations=1))
    started = time.perf_counter()
    expert.choose(match.game, world, seat, 1, Budget(seconds=0.2))
    assert 0.2 <= time.perf_counter() - started < 0.6


def test_a_bot_with_hardly_any_time_still_chooses() -> None:
    """The steps of a choice share its time: each has half of what is left."""
    match = kibitz.new("kolpa", players=4, seed=3)
    (seat,) = match.to_act
    hard, world = level("hard"), match.sample_world(seat)
    chosen = hard.choose(match.game, world, seat, 1, Budget(seconds=1e-9))
    assert chosen in match.legal_numbers(seat)


def test_a_bot_that_goes_by_what_was_learned_says_so_where_nothing_was() -> None:
    match = kibitz.new("hearts", players=4, seed=3)
    with pytest.raises(kibitz.KibitzError, match="nothing was learned of hearts"):
        choice(match, min(match.to_act), "hard:learned=1:depth=0")


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(kibitz.KibitzError, match="no bot 'genius'; there are random, easy"):
        level("genius")


def test_a_search_can_be_given_another_style() -> None:
    plain = level("hard:learned=0:depth=1:noise=5")
    assert plain.changes == {"depth": 1, "noise": 5}
    assert plain.learned is False
    assert level("hard:learned=0:exploration=0.3").changes == {"exploration": 0.3}
    assert level("hard").changes == {}
    assert level("hard").learned is None
    guided = level("hard:learned=1:depth=3")
    assert guided.changes == {"depth": 3}
    assert guided.learned


def test_a_bot_can_have_a_budget_of_its_own() -> None:
    assert level("hard:simulations=300").fixed == Budget(simulations=300)
    assert level("expert:learned=1:seconds=0.5:depth=3").fixed == Budget(seconds=0.5)
    assert level("hard").fixed is None


def test_a_game_can_have_a_style_of_its_own_and_a_name_overrides_it() -> None:
    match = kibitz.new("viva", players=4, seed=1)
    (seat,) = match.to_act
    states = match.game.blank(4, match.settings, 2)
    assert Search(match.game, states, seat, 1).style.others == 1
    assert Search(match.game, states, seat, 1, {"others": 0}).style.others == 0


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("hard:learned=0:speed=1", "this search has no 'speed'; it has seconds"),
        ("hard:learned=1:noise=1", "this search has no 'noise'; it has seconds"),
        ("hard:learned=0:others=x", "others takes a number, not 'x'"),
        ("hard:simulations=0", "simulations must be more than 0, not 0"),
        ("hard:depth=1", "no 'depth'; it has seconds, simulations, and after learned=0 or"),
        ("hard:learned=0:depth=deep", "depth takes a number, not 'deep'"),
        ("medium:depth=1", "medium does not search"),
    ],
)
def test_a_wrong_style_is_refused(name: str, words: str) -> None:
    with pytest.raises(kibitz.KibitzError, match=words):
        level(name)
