"""Zocken: who takes a trick (ZOCKEN-K1 to K6).

The tables say for the cards of a trick, in the order of play, which of them takes it, counted
from 0. They were worked out by hand from the rules; a second judge, written here from the rules'
text alone, is compared with the game over every pattern of kinds.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from kibitz.games.zocken.tests.zocken_positions import COPIES, at, taker, trick
from kibitz.testing import cards, field, known, next_round, play, size, sizes

proves = pytest.mark.proves

DISCARDED = None

ALL_DIFFERENT = [
    ("g1 g9 g5", 1),
    ("g9 g1 g5", 0),
    ("g1 g5 g9", 2),
    ("g2 g8 g3 g7", 1),
    ("g6 g2 g3 g4", 0),
    ("g1 g2 g3 g4", 3),
    ("g4 g3 g9 g1 g2", 2),
    ("g9 g8 g7 g6 g4", 0),
    ("g1 g2 g3 g4 g6", 4),
]

EQUAL_NUMBERS = [
    ("g5 wild draw", 2),
    ("wild draw g5", 2),
    ("draw g5 g1", 1),
    ("low g1 high", 2),
    ("high low g9", 2),
    ("g9 high low", 0),
    ("g5 wild g4 g1", 1),
    ("g5 low high wild", 3),
    ("g1 g5 g2 yellow", 3),
    ("g6 g5 wild low high", 0),
    ("g5 g4 wild g3 draw", 4),
    ("low g4 wild g3 g1", 2),
]

ONE_PAIR = [
    ("g9 g9 g1", 2),
    ("g9 g1 g9", 1),
    ("g1 g9 g9", 0),
    ("draw draw g1", 2),
    ("g9 g2 g9 g4", 3),
    ("g9 g4 g2 g9", 1),
    ("g4 g9 g9 g2", 0),
    ("g1 g1 g2 g3", 3),
    ("g5 g9 wild g9", 2),
    ("yellow g1 yellow g2", 3),
    ("g9 g9 g8 g1 g2", 2),
    ("g1 g8 g2 g9 g9", 1),
    ("g9 g3 g2 g1 g9", 1),
    ("g1 g1 g4 g2 g8", 4),
    ("g8 g9 g5 g9 low", 0),
    ("g3 g9 g5 g9 low", 4),
]

TWO_PAIRS = [
    ("g9 g9 g1 g1", 3),
    ("g9 g1 g9 g1", 3),
    ("g9 g1 g1 g9", 3),
    ("g1 g1 draw draw", 3),
    ("g9 g9 g8 g8 g1", 4),
    ("g1 g9 g9 g8 g8", 0),
    ("g9 g8 g1 g8 g9", 2),
    ("g9 g1 g8 g9 g8", 1),
    ("g9 g8 g9 g1 g8", 3),
]

TRIPLE = [
    ("g7 g7 g7", 2),
    ("g1 g1 g1", 2),
    ("g9 g9 g9 g1", 2),
    ("g9 g9 g1 g9", 3),
    ("g9 g1 g9 g9", 3),
    ("g1 g9 g9 g9", 3),
    ("g3 g3 g3 g4", 3),
    ("g3 g3 g4 g3", 2),
    ("g3 g4 g3 g3", 1),
    ("g4 g3 g3 g3", 0),
    ("g5 g5 g5 wild", 3),
    ("wild g5 g5 g5", 3),
    ("g5 wild g5 g5", 3),
    ("g9 g9 g9 g1 g2", 2),
    ("g9 g1 g9 g2 g9", 4),
    ("g3 g3 g3 g8 g1", 3),
    ("g8 g3 g3 g1 g3", 0),
    ("g3 g1 g3 g3 g2", 3),
    ("draw low draw draw g1", 3),
    ("draw draw draw low g1", 3),
]

TRIPLE_AND_PAIR = [
    ("g1 g1 g1 g9 g9", 2),
    ("g9 g9 g1 g1 g1", 4),
    ("g1 g9 g1 g9 g1", 4),
    ("g9 g1 g1 g1 g9", 3),
    ("g1 g1 g9 g1 g9", 3),
    ("g9 g1 g9 g1 g1", 4),
    ("g9 g9 g9 g1 g1", 2),
]

FOUR = [
    ("g9 g9 g9 g9", 3),
    ("g1 g1 g1 g1", 3),
    ("draw draw draw draw", 3),
]

FOUR_AND_ONE = [
    ("g9 g9 g9 g9 g1", 4),
    ("g9 g9 g9 g1 g9", 3),
    ("g9 g9 g1 g9 g9", 2),
    ("g9 g1 g9 g9 g9", 1),
    ("g1 g9 g9 g9 g9", 0),
    ("pass pass wild pass pass", 2),
]

FIVE = [("pass pass pass pass pass", DISCARDED)]


def check(played: str, taking: int | None) -> None:
    """The trick is taken by that card, whoever leads."""
    order = played.split()
    for leader in range(len(order)):
        expected = None if taking is None else (leader + taking) % len(order)
        assert taker(trick(order, leader)) == expected


@proves("ZOCKEN-K1", "ZOCKEN-K3")
@pytest.mark.parametrize(("played", "taking"), ALL_DIFFERENT)
def test_of_different_cards_the_highest_number_takes_the_trick(played: str, taking: int) -> None:
    check(played, taking)


@proves("ZOCKEN-K3", "ZOCKEN-C3")
@pytest.mark.parametrize(("played", "taking"), EQUAL_NUMBERS)
def test_of_different_cards_with_the_same_number_the_last_counts(played: str, taking: int) -> None:
    check(played, taking)


@proves("ZOCKEN-K2")
@pytest.mark.parametrize(("played", "taking"), ONE_PAIR)
def test_a_pair_does_not_count_at_all(played: str, taking: int) -> None:
    check(played, taking)


@proves("ZOCKEN-K2", "ZOCKEN-K4")
@pytest.mark.parametrize(("played", "taking"), TWO_PAIRS)
def test_of_two_pairs_none_counts_and_of_four_the_last_player_takes_the_trick(
    played: str, taking: int
) -> None:
    check(played, taking)


@proves("ZOCKEN-K2")
@pytest.mark.parametrize(("played", "taking"), TRIPLE)
def test_of_three_identical_cards_only_the_last_counts(played: str, taking: int) -> None:
    check(played, taking)


@proves("ZOCKEN-K2")
@pytest.mark.parametrize(("played", "taking"), TRIPLE_AND_PAIR)
def test_beside_a_pair_the_last_of_three_takes_the_trick(played: str, taking: int) -> None:
    check(played, taking)


@proves("ZOCKEN-K4")
@pytest.mark.parametrize(("played", "taking"), FOUR)
def test_of_four_players_with_identical_cards_the_last_takes_the_trick(
    played: str, taking: int
) -> None:
    check(played, taking)


@proves("ZOCKEN-K2")
@pytest.mark.parametrize(("played", "taking"), FOUR_AND_ONE)
def test_beside_four_identical_cards_the_fifth_takes_the_trick(played: str, taking: int) -> None:
    check(played, taking)


@proves("ZOCKEN-K5")
@pytest.mark.parametrize(("played", "taking"), FIVE)
def test_a_trick_of_five_identical_cards_is_discarded(played: str, taking: int | None) -> None:
    check(played, taking)


@proves("ZOCKEN-K2", "ZOCKEN-K3", "ZOCKEN-K4")
@pytest.mark.parametrize(
    ("played", "taking"),
    [
        ("g7 g3 g7 g5", 3),
        ("g6 g6 g2 g6", 3),
        ("g1 g9 g9 g1", 3),
        ("g5 g3 draw", 2),
        ("g4 g8 g4 g4 g8", 3),
        ("g8 g4 blue g6", 1),
    ],
)
def test_the_rulebooks_examples(played: str, taking: int) -> None:
    check(played, taking)


def number(card: str, pawn: str) -> int:
    """The number on a card: goblins 1/9 to 9/1, all others 5/5."""
    if not card.startswith("g") or card == "give":
        return 5
    return int(card[1:]) if pawn == "yellow" else 10 - int(card[1:])


def judge(played: Sequence[str], pawn: str) -> int | None:
    """K1 to K5, read out: which card of a trick takes it."""
    for card in played:
        if card in ("yellow", "blue"):
            pawn = card
    times = Counter(played)
    if 5 in times.values():
        return DISCARDED
    counting = []
    for n, card in enumerate(played):
        is_last_of_its_kind = card not in played[n + 1 :]
        if times[card] == 1 or (times[card] == 3 and is_last_of_its_kind):
            counting.append(n)
    if not counting:
        return len(played) - 1
    highest = max(number(played[n], pawn) for n in counting)
    return [n for n in counting if number(played[n], pawn) == highest][-1]


def patterns(players: int) -> Iterator[list[int]]:
    """Every way in which the cards of a trick can be alike: 0 1 0 is first and third."""
    if players == 0:
        yield []
        return
    for pattern in patterns(players - 1):
        for kind in range(max(pattern, default=-1) + 2):
            yield [*pattern, kind]


@proves("ZOCKEN-K1", "ZOCKEN-K2", "ZOCKEN-K3", "ZOCKEN-K4", "ZOCKEN-K5")
@pytest.mark.parametrize("pawn", ["yellow", "blue"])
@pytest.mark.parametrize(("players", "count"), [(3, 5), (4, 15), (5, 52)])
def test_the_game_judges_every_pattern_of_kinds_as_the_rules_read(
    players: int, count: int, pawn: str
) -> None:
    rng = random.Random(f"{players} {pawn}")
    tried = 0
    for pattern in patterns(players):
        tried += 1
        times = Counter(pattern)
        for _ in range(4):
            shuffled = rng.sample(list(COPIES), len(COPIES))
            kinds: list[str] = []
            for kind in range(len(times)):
                kinds.append(next(c for c in shuffled if COPIES[c] >= times[kind]))
                shuffled.remove(kinds[kind])
            played = [kinds[kind] for kind in pattern]
            leader, taking = rng.randrange(players), judge(played, pawn)
            expected = None if taking is None else (leader + taking) % players
            assert taker(trick(played, leader, pawn)) == expected, played
    assert tried == count


@proves("ZOCKEN-K1")
def test_the_two_four_symbol_jokers_differ_from_each_other_and_from_the_multicoloured() -> None:
    """Alike they would be a pair or a triple, and one of the others took the trick."""
    assert taker(trick(["low", "high", "g1"])) == 1
    assert taker(trick(["low", "g4", "wild", "high"])) == 3
    assert taker(trick(["high", "g1", "wild"])) == 2


@proves("ZOCKEN-K1")
def test_goblins_of_different_kinds_with_equal_numbers_are_not_identical() -> None:
    """In either colour only the 5/5 goblin and cards of other kinds share a number."""
    assert taker(trick(["g5", "draw", "g1"])) == 1
    assert taker(trick(["yellow", "blue", "g8"])) == 1


@proves("ZOCKEN-K1")
def test_identical_cards_are_dealt_with_before_numbers_are_compared() -> None:
    """Of the fives only the pair falls out; the g5, played before it, is left to count."""
    assert taker(trick(["g5", "draw", "draw", "g1"])) == 0


@proves("ZOCKEN-K3", "ZOCKEN-P1")
@pytest.mark.parametrize(
    ("played", "pawn", "taking"),
    [
        ("g9 blue g3", "yellow", 2),  # in yellow it would be the g9
        ("g9 g3 blue", "yellow", 1),
        ("blue g9 g3", "yellow", 2),
        ("g1 yellow g8", "blue", 2),  # in blue the g1, a nine
        ("g9 g1 blue yellow", "yellow", 0),  # turned twice: yellow at the end
        ("g9 g1 yellow blue", "yellow", 1),
        ("g9 yellow g3", "yellow", 0),  # no effect
        ("g9 blue g9 g1 blue", "yellow", 3),  # pairs do not count, but have turned the pawn
        ("blue g7 g7 g7 g4", "yellow", 4),  # the last g7 counts 3, the g4 6
        ("g7 g7 g7 g4 yellow", "blue", 2),
    ],
)
def test_the_colour_at_the_end_of_the_trick_decides(played: str, pawn: str, taking: int) -> None:
    assert taker(trick(played.split(), pawn=pawn)) == taking


@proves("ZOCKEN-K3")
@pytest.mark.parametrize(("pawn", "taking"), [("yellow", 1), ("blue", 0)])
def test_the_same_cards_are_taken_by_another_in_the_other_colour(pawn: str, taking: int) -> None:
    assert taker(trick(["g2", "g8", "g6"], pawn=pawn)) == taking


@proves("ZOCKEN-K3")
def test_whoever_takes_the_trick_takes_all_its_cards() -> None:
    match = trick(["g1", "g9", "g1", "draw"])
    assert sizes(match, "taken") == [0, 4, 0, 0]
    assert sorted(known(match, "taken.1")) == ["draw", "g1", "g1", "g9"]
    assert [cards(match, f"trick.{seat}") for seat in range(4)] == [[], [], [], []]


@proves("ZOCKEN-K5")
def test_the_cards_of_a_discarded_trick_score_for_nobody_and_their_leader_leads_again() -> None:
    match = trick(["pass"] * 5, leader=3)
    assert sizes(match, "taken") == [0, 0, 0, 0, 0]
    assert size(match, "lost") == 5
    assert match.to_act == {3}
    assert field(match, "leader") == 3


@proves("ZOCKEN-K5", "ZOCKEN-E2")
def test_a_discarded_trick_can_end_the_round_and_its_leader_leads_the_next() -> None:
    tricks = "leader: 2\ntrick.2: pass\ntrick.3: pass\ntrick.4: pass\ntrick.0: pass"
    match = at(f"{tricks}\ndue: 1\nhand.1: pass\nhand.0: g1", players=5)
    match.play(1, "play pass")
    assert match.round_over
    assert [line["tricks"] for line in match.sheet[0]] == [0, 0, 0, 0, 0]
    assert next_round(match).to_act == {2}


@proves("ZOCKEN-K6")
@pytest.mark.parametrize(
    ("played", "leader", "next_leader"),
    [("g9 g1 g2", 0, 1), ("g1 g9 g2", 0, 2), ("g1 g2 g9", 0, 0), ("g1 g9 g2", 2, 1)],
)
def test_the_player_to_the_left_of_the_taker_leads_the_next_trick(
    played: str, leader: int, next_leader: int
) -> None:
    match = trick(played.split(), leader)
    assert match.to_act == {next_leader}
    assert field(match, "leader") == next_leader


@proves("ZOCKEN-K6")
def test_the_next_trick_goes_round_from_its_leader() -> None:
    match = at("hand.0: g1 g1 g1\nhand.1: g2 g2 g2\nhand.2: g3 g3 g3")
    play(match, "play g1", "play g2", "play g3")
    assert match.to_act == {0}
    play(match, "play g1", "play g2", "play g3")
    assert sizes(match, "taken") == [0, 0, 6]
