"""Worlds are weighed by what the others did, and by nothing that a seat cannot see."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

import kibitz
from effort import tried
from kibitz.bots import story, weighing
from kibitz.bots.inference import Onlooker
from kibitz.bots.levels import Budget, level
from kibitz.bots.searching import Search
from kibitz.bots.story import Story
from kibitz.bots.weighing import Worlds
from kibitz.engine import border
from kibitz.engine.compiled import from_python
from kibitz.engine.match import Match, bytes_of
from kibitz.games import find
from kibitz.games.kolpa.tests.kolpa_positions import EMPTY_DRAW, at
from short import PUBLISHED

POSITION = """kolpa 2 target=50
hand.0: b1 b2 b4
hand.1: {hand}
discard: r3
draw: *
starter: 1
due: 1
"""
SHOWN = "display.0.blue: b5\ndisplay.0.green: g4\ndisplay.0.yellow: y2\n"
STRICT: dict[str, float] = {"heat": 2.0, "doubt": 0.02}


def searched(match: Match, seat: int, **changes: float) -> Search:
    """A search for a seat that has followed the match."""
    world, beliefs = match.sample_world(seat), Onlooker(match).beliefs(match, seat, tell=True)
    return Search(match.game, np.concatenate([world, world]), seat, 1, changes, beliefs)


def cards(match: Match, words: Any) -> Counter[str]:
    """The codes of a set of cards, given as two words."""
    deck = match.game.layout.deck
    return Counter(deck.codes[deck.kind[card]] for card in deck.cards if has(words, card))


def has(words: Any, card: int) -> bool:
    """Whether a card is in a set of two words."""
    return bool(int(words[card >> 6]) >> (card & 63) & 1)


def hands(match: Match, worlds: Worlds, seat: int) -> list[set[str]]:
    """What a seat holds in each world."""
    zone = next(z for z in match.game.layout.zones.at(match.players) if z.name == f"hand.{seat}")
    return [set(cards(match, state["cards"][zone.index])) for state in worlds.states]


def share(match: Match, worlds: Worlds, kinds: set[str]) -> tuple[float, float]:
    """In how many worlds seat 1 holds one of these kinds: as they were dealt, and by weight."""
    weights = np.diff(worlds.up_to, prepend=0.0)
    held = np.array([bool(hand & kinds) for hand in hands(match, worlds, 1)])
    return float(held.mean()), float(weights @ held)


def test_a_card_that_would_have_been_played_is_hardly_in_the_hand() -> None:
    """Who plays a red 0 has no red card that would force one out of the next one's display."""
    match = kibitz.position("kolpa", POSITION.format(hand="r0 g1 g2") + SHOWN)
    match.play(1, "kol r0")
    worlds = searched(match, 0, worlds=1_000, **STRICT).worlds
    dealt, weighed = share(match, worlds, {"r2", "r4", "r5"})
    assert dealt > 0.15
    assert weighed < 0.03


def test_what_was_drawn_since_may_be_any_card() -> None:
    """Who displays a 0 had no 5 to display, but may have drawn one then: the one card of two."""
    match = kibitz.position("kolpa", POSITION.format(hand="g0 g1"))
    match.play(1, "kolpa g0")
    worlds = searched(match, 0, worlds=4_000, **STRICT).worlds
    fives = {f"{colour}5" for colour in "bgpy"}
    dealt, weighed = share(match, worlds, fives)
    one_card = 1 - (1 - dealt) ** 0.5
    assert dealt > one_card + 0.08
    assert abs(weighed - one_card) < 0.04


def test_what_a_seat_did_itself_tells_it_nothing() -> None:
    match = kibitz.position("kolpa", POSITION.format(hand="r0 g1 g2"))
    match.play(1, "kol r0")
    found = searched(match, 1, worlds=64, **STRICT)
    assert len(found.beliefs.story.seat) == 1
    assert np.allclose(np.diff(found.worlds.up_to, prepend=0.0), 1 / 64)


def test_without_a_story_all_worlds_weigh_the_same() -> None:
    match = kibitz.new("kolpa", players=4, seed=3)
    (seat,) = match.to_act
    found = searched(match, seat, worlds=64)
    assert np.allclose(np.diff(found.worlds.up_to, prepend=0.0), 1 / 64)


@from_python
def drawn(worlds: Worlds, seed: int, found: Any) -> None:
    """How often each world comes in so many simulations."""
    for n in range(1_000):
        found[weighing.drawn_world(worlds, seed, n)] += 1


@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_worlds_come_as_often_as_they_weigh(seed: int) -> None:
    weights, found = np.array([0.5, 0.0, 0.3, 0.19, 0.01]), np.zeros(5)
    states = find("kolpa").blank(4, find("kolpa").settings(4, {}), 5)
    drawn(Worlds(states, np.cumsum(weights)), seed, found)
    assert np.abs(found / 1_000 - weights).max() < 0.01


def test_the_same_seed_finds_the_same_and_another_deals_other_worlds() -> None:
    match = wandered("zocken", 4, seed=4, lines=30)
    seat, bot = min(match.to_act), level("hard:learned=0:worlds=64")
    beliefs = Onlooker(match).beliefs(match, seat, tell=True)

    def choose(seed: int) -> tuple[int, bytes]:
        world = match.sample_world(seat)
        states = np.concatenate([world, world])
        search = Search(match.game, states, seat, seed, bot.changes, beliefs)
        search.run(100)
        chosen = bot.choose(match.game, world, seat, seed, Budget(simulations=100), beliefs)
        assert chosen == search.best()
        return chosen, search.worlds.up_to.tobytes()

    assert choose(1) == choose(1)
    assert choose(1)[1] != choose(2)[1]


# ---- the story


def wandered(game: str, players: int, seed: int, lines: int) -> Match:
    """A match in the middle of a round, after so many lines or some more."""
    match = kibitz.new(game, players=players, seed=seed)
    bot, rng = level("easy"), random.Random(seed)
    while len(match.done) < lines or match.round_over or match.over:
        if match.over:
            match = kibitz.new(game, players=players, seed=rng.randrange(1000))
        elif match.round_over:
            match.next_round()
        else:
            seat = min(match.to_act)
            match.play(seat, bot.action(match, seat, rng.randrange(1 << 30)))
    return match


@from_python
def undone(states: Any, lines: Story, me: int, found: Any, now: Any) -> bool:
    """What each seat held before each line, told backwards from state 0; whether that could be."""
    s = states[0]
    for p in range(s.players):
        for w in range(2):
            now[p, w] = story.held(s, p, w)
    for n in range(len(lines.seat) - 1, -1, -1):
        if not weighing.undo(s, lines, n, me, now):
            return False
        for p in range(s.players):
            for w in range(2):
                found[n, p, w] = now[p, w]
    return True


@pytest.mark.parametrize("game", tried(("kiza", "zocken"), PUBLISHED))
def test_told_backwards_every_hand_had_as_many_cards_as_it_had(game: str) -> None:
    """And, as long as nothing came unseen, the very cards."""
    told, sure = 0, 0
    for seed in range(6):
        match = wandered(game, 3 + seed % 2, seed, lines=12 + 5 * seed)
        me = min(match.to_act)
        seen = [n for n in range(len(match.done)) if match.line(n, me) is not None]
        lines = Onlooker(match).beliefs(match, me, tell=True).story
        found = np.zeros((len(lines.seat), *lines.left.shape[1:]), np.int64)
        now = np.zeros(found.shape[1:], np.int64)
        assert undone(match.state.copy(), lines, me, found, now)
        unseen_since = np.cumsum(lines.drawn[::-1], 0)[::-1]
        for n in range(len(lines.seat)):
            then = match.rewound(seen[n - len(lines.seat)])
            for p in set(range(match.players)) - {me}:
                true = [held_at(then.state, p, w) for w in range(2)]
                assert cards(match, found[n, p]).total() == cards(match, true).total()
                told += 1
                if not unseen_since[n:, :].any() and not (lines.giver[n:] >= 0).any():
                    assert found[n, p].tolist() == true
                    sure += 1
    assert told > 30
    assert sure > 5 or game == "ramon"  # where everyone draws all the time


@from_python
def held_at(states: Any, p: int, word: int) -> int:
    """The cards of a hand, as one of two words."""
    return story.held(states[0], p, word)


def test_a_story_begins_after_the_cards_were_shuffled() -> None:
    """What lay open may be in any hand now, so what was done before tells nothing any more."""
    match = at(EMPTY_DRAW.format(hand="g5 b2", discard="b2 g5 joker joker r2"))
    match.play(0, "kolpa g5")
    onlooker = Onlooker(match)
    assert len(onlooker.beliefs(match, 1, tell=True).story.seat) == 0
    match.play(1, match.legal(1)[0])
    assert onlooker.beliefs(match, 0, tell=True).story.seat.tolist() == [1]


def test_a_story_begins_after_a_deal() -> None:
    match = wandered("kolpa", 2, seed=1, lines=5)
    onlooker = Onlooker(match)
    assert len(onlooker.beliefs(match, 0, tell=True).story.seat)
    while not match.round_over:
        (seat,) = match.to_act
        match.play(seat, level("medium").action(match, seat, 1))
    match.next_round()
    assert len(onlooker.beliefs(match, 0, tell=True).story.seat) == 0


@pytest.mark.parametrize("game", tried(["kiza", "kolpa"], ["kiza", "kolpa", "viva", "zocken"]))
def test_a_story_is_the_same_in_worlds_that_look_alike(game: str) -> None:
    """What a seat cannot see is dealt anew, and the others do the same there: so long as the seat
    sees the same, it tells the same."""
    compared = same_copies = 0
    for seed in range(8):
        match = wandered(game, 4, seed, lines=5)
        for me in range(4):
            rng, true, other = random.Random(seed), match.copy(), match.copy()
            border.redeal_at(other.state, 0, me, seed, 9)
            pair, start = ([keep(true)], [keep(other)]), len(true.done)
            while len(true.done) < start + 12 and not true.round_over:
                seat = min(true.to_act)
                options = [a for a in true.legal(seat) if a in other.legal(seat)]
                if not options:
                    break
                action = rng.choice(options)
                true.play(seat, action)
                other.play(seat, action)
                if true.round_over or true.view(me) != other.view(me):
                    break
                pair[0].append(keep(true))
                pair[1].append(keep(other))
                one, two = (
                    story.told(match.game, states, of.done[start:], me)
                    for states, of in zip(pair, (true, other), strict=True)
                )
                assert_alike(true, one, two, me)
                compared += 1
                if len(one.seat) and np.array_equal(one.unseen, two.unseen):
                    assert one.shown.tobytes() == two.shown.tobytes()
                    same_copies += 1
    assert compared > 40
    assert same_copies > 5


def test_a_story_does_not_tell_how_many_cards_others_lay_aside_unseen() -> None:
    stories = []
    for n in (1, 3):
        match = kibitz.new("kiza", players=3, seed=1)
        for action in match.legal(1)[:n]:
            match.play(1, action)
        match.play(1, "ready")
        stories.append(Onlooker(match).beliefs(match, 0, tell=True).story)
    one, two = stories
    assert len(one.seat) == 1
    for part in Story._fields:
        assert getattr(one, part).tobytes() == getattr(two, part).tobytes(), part


def keep(match: Match) -> bytes:
    """A state, as an onlooker keeps it."""
    return bytes(bytes_of(match.state))


def assert_alike(match: Match, one: Story, two: Story, me: int) -> None:
    """Two stories are the same; of cards that look alike, any may have moved."""
    for part in ("seat", "action", "drawn", "giver"):
        assert np.array_equal(getattr(one, part), getattr(two, part)), part
    for n in range(len(one.seat)):
        assert cards(match, one.unseen[n]) == cards(match, two.unseen[n])
        shown = [match.in_world(part.shown[n : n + 1]).view(me) for part in (one, two)]
        assert shown[0] == shown[1]
        for p in range(match.players):
            assert cards(match, one.left[n, p]) == cards(match, two.left[n, p])
            assert cards(match, one.came[n, p]) == cards(match, two.came[n, p])
