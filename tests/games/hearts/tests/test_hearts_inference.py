"""Hearts: void suits, and worlds that respect them."""

import random
from typing import Any

from kibitz.games.hearts import inference
from kibitz.games.hearts.rules import DECK, HAND, SUIT

import kibitz
from kibitz.bots.inference import Onlooker
from kibitz.engine.border import redeal_at
from kibitz.engine.chance import seed_of_move
from kibitz.engine.compiled import from_python
from kibitz.engine.match import Match
from kibitz.engine.view import codes_of
from kibitz.testing import next_round, play

SUITS = "cdsh"


@from_python
def condition_at(states: Any, me: int, beliefs: Any) -> None:
    inference.condition(states[0], me, beliefs[0])


def believed(match: Match) -> list[set[str]]:
    """The suits that each seat is believed to lack."""
    lacks = Onlooker(match).beliefs(match).noted["lacks"][0].tolist()
    found = [{suit for n, suit in enumerate(SUITS) if lack & SUIT[n]} for lack in lacks[:4]]
    assert lacks[:4] == [sum(int(SUIT[SUITS.index(suit)]) for suit in suits) for suits in found]
    return found


def at(*hands: str) -> Match:
    """Seat 0 is to lead; all other cards have been taken."""
    written = "\n".join(f"hand.{p}: {cards}" for p, cards in enumerate(hands))
    return kibitz.position(
        "hearts", f"hearts 4\nphase: play\nleader: 0\ndue: 0\nbroken: 1\n{written}\ntaken.0: *"
    )


def voids(match: Match) -> list[set[str]]:
    """The same, read from the log of this round as everyone can read it."""
    found: list[set[str]] = [set() for _ in range(4)]
    played: list[tuple[int, str]] = []
    for line in match.history():
        if line.seat is None:  # a deal
            found, played = [set() for _ in range(4)], []
        elif line.action and line.action.startswith("play "):
            played.append((line.seat, line.action.removeprefix("play ")[0]))
    for n, (seat, suit) in enumerate(played):
        led = played[n - n % 4][1]
        if suit != led:
            found[seat].add(led)
    return found


def test_who_does_not_follow_suit_has_none_of_it() -> None:
    match = at("c5 c4 d5", "c9 d3 da", "s3 h2 d4", "h9 s9 c6")
    play(match, "play c5", "play c9", "play s3")
    assert believed(match) == [set(), set(), {"c"}, set()]
    play(match, "play c6", "play d3", "play d4", "play h9", "play d5")
    assert believed(match) == [set(), set(), {"c"}, {"d"}]
    play(match, "play c4", "play da")
    assert believed(match) == [set(), {"c"}, {"c"}, {"d"}]


def finish_round(match: Match, rng: random.Random) -> Match:
    """Everyone plays at random until the round is over."""
    while not match.round_over:
        seat = min(match.to_act)
        match.play(seat, rng.choice(match.legal(seat)))
    return match


def test_void_suits_are_forgotten_at_the_next_round() -> None:
    match = kibitz.new("hearts", players=4, seed=1)
    onlooker = Onlooker(match)
    finish_round(match, random.Random(1))
    assert onlooker.beliefs(match).noted["lacks"].any()
    next_round(match)
    assert not onlooker.beliefs(match).noted["lacks"].any()
    assert believed(match) == [set()] * 4


def test_worlds_respect_what_everyone_has_shown_and_what_a_seat_knows() -> None:
    """Also after a round that is forgotten: void suits are those of this round alone."""
    rng, respected, broken = random.Random(3), 0, 0
    for seed in range(4):
        match = kibitz.new("hearts", players=4, seed=seed)
        onlooker = Onlooker(match)
        while match.round < 3:
            if match.round_over:
                match.next_round()
            seat = min(match.to_act)
            match.play(seat, rng.choice(match.legal(seat)))
            if match.round_over:
                continue
            beliefs, lacks = onlooker.beliefs(match).noted, voids(match)
            for watcher in range(4):
                world = match.state.copy()
                redeal_at(world, 0, watcher, *seed_of_move("worlds", len(match.done)))
                broken += not respects(match, world, watcher, lacks)
                condition_at(world, watcher, beliefs)
                assert respects(match, world, watcher, lacks)
                looks_the_same(match, world, watcher)
                respected += any(lacks)
    assert respected > 500
    assert broken > 100, "a plain redeal would do as well"


def respects(match: Match, world: Any, watcher: int, lacks: list[set[str]]) -> bool:
    """Whether no other hand has a suit in which its seat is void."""
    return not any(
        code[0] in lacks[seat]
        for seat in range(4)
        if seat != watcher
        for code in codes_of(match.game, world[0]["cards"][HAND + seat])
    )


def looks_the_same(match: Match, world: Any, watcher: int) -> None:
    """Sizes, the own hand, known cards: all that a seat sees. And every card is somewhere."""
    there = match.in_world(world)
    assert there.view(watcher) == match.view(watcher)
    codes = [code for cards in world[0]["cards"] for code in codes_of(match.game, cards)]
    piles = [DECK.codes[DECK.kind[card]] for card in world[0]["top"] if card >= 0]
    assert sorted(codes + piles) == sorted(DECK.codes)
