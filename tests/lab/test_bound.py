"""What a search would win that sees all hands."""

from kibitz.lab import bound
from kibitz.lab.arena import seating


def test_two_of_four_see_all_hands_and_each_sits_on_every_seat() -> None:
    for number in range(6):
        seats = [
            [bound.seen_by(seating(4, number, r), seat) for seat in range(4)] for r in range(4)
        ]
        assert all(sum(row) == 2 for row in seats)
        assert all(sum(column) == 2 for column in zip(*seats, strict=True))


def test_who_sees_all_hands_wins_more_than_half() -> None:
    shares = [share for deal in range(2) for share in bound.play_deal("kolpa", deal, 60)]
    assert len(shares) == 8
    assert all(0 <= share <= 1 for share in shares)
    assert sum(shares) >= 6  # a fair coin does so once in seven times


def test_a_deal_can_be_played_again() -> None:
    assert bound.play_deal("kolpa", 5, 10) == bound.play_deal("kolpa", 5, 10)
