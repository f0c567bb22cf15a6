"""Random numbers: the same in every mode, never to be foreseen in a real match."""

import hmac
from collections import Counter

import pytest

import kibitz
from kibitz.engine import chance
from kibitz.engine.checked import plain


def numbers(seed: int, n: int) -> list[int]:
    state = kibitz.new("kolpa", players=2, seed=0).checked()
    plain(chance.reseed)(state, seed, 0)
    return [plain(chance.next32)(state) for _ in range(n)]


def test_sfc32_gives_its_published_numbers() -> None:
    """A direct transcription of the algorithm, for comparison."""
    a, b, c, d = 5, 0, 0, 0
    mask = 0xFFFFFFFF
    expected = []
    for _ in range(12 + 50):
        t = (a + b + d) & mask
        d = (d + 1) & mask
        a = b ^ (b >> 9)
        b = (c + ((c << 3) & mask)) & mask
        c = ((c << 21 & mask) | (c >> 11)) & mask
        c = (c + t) & mask
        expected.append(t)
    assert numbers(5, 50) == expected[12:]


@pytest.mark.parametrize("sides", [2, 6, 63])
def test_every_side_of_a_die_comes_up_as_often(sides: int) -> None:
    state = kibitz.new("kolpa", players=2, seed=0).checked()
    counts = Counter(plain(chance.below)(state, sides) for _ in range(6000))
    expected = 6000 / sides
    assert set(counts) == set(range(sides))
    assert all(abs(n - expected) < 5 * expected**0.5 for n in counts.values())


def test_the_numbers_of_one_move_say_nothing_about_another() -> None:
    moves = {chance.seed_of_move("a secret", n) for n in range(100)}
    assert len(moves) == 100
    assert chance.seed_of_move("a secret", 7) != chance.seed_of_move("a secre7", 7)
    assert all(0 <= half < 1 << 63 for pair in moves for half in pair)


def test_a_draw_depends_on_the_seed_and_the_number_of_the_move() -> None:
    drawn = set()
    for seed in range(20):
        match = kibitz.new("viva", players=2, seed=seed)
        (seat,) = match.to_act
        match.play(seat, "draw")
        drawn.add(match.view(seat).zones[f"drawn.{seat}"].cards)
    assert len(drawn) > 5


@pytest.mark.parametrize("seed", ["", "7", "käse", "k" * 64, "k" * 65, "ab" * 100])
def test_luck_is_hmac_sha256_of_the_seed_and_the_number_of_the_move(seed: str) -> None:
    luck = chance.Luck(seed)
    for move in (0, 1, 9, 10, 12345):
        digest = hmac.digest(seed.encode(), str(move).encode(), "sha256")
        numbers = int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:16], "big")
        assert luck.of_move(move) == tuple(number % (1 << 63) for number in numbers)
        assert luck.of_move(move) == chance.seed_of_move(seed, move)
