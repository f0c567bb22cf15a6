"""Kiza, rule by rule: rounds, the end, options."""

import random

import pytest

import kibitz
from kibitz.games.kiza.tests.kiza_positions import (
    FIFTEENS,
    at,
    last_auction,
    nobody_bids,
    present,
    shared_out,
    worth,
)
from kibitz.testing import cards, hand, known, next_round, refused, size, sizes

proves = pytest.mark.proves


# Rounds


@proves("KIZA-R11")
def test_the_player_to_the_left_is_the_next_donor() -> None:
    match = at("phase: auction\nlot: r●5\nkiza.0: r■1\nkiza.1: r■2\nkiza.2: r■3")
    donors = []
    for _ in range(3):
        for _ in range(3):
            match.play(min(match.to_act), "pass")
        (donor,) = match.to_act
        assert match.view().fields["donor"] == donor
        donors.append(donor)
        match.play(donor, match.legal(donor)[0])
    assert donors == [1, 2, 0]


@proves("KIZA-R11")
def test_who_wins_an_auction_does_not_change_the_next_donor() -> None:
    bids = "phase: auction\nlot: r●5\nbid.2: r●1\nleader: 2\nhigh: 1\npassed: 1"
    match = at(f"{bids}\nkiza.0: r■1\nkiza.1: r■2\nkiza.2: r■3")
    match.play(0, "pass")
    assert cards(match, "gain.2") == ["r●5"]
    assert match.to_act == {1}
    assert match.legal(1) == ["offer r■2"]


@proves("KIZA-R11")
def test_one_without_kiza_cards_is_skipped() -> None:
    match = last_auction("kiza.0: r■1\nkiza.2: r■2")
    match.play(0, "pass")
    assert match.to_act == {2}
    assert match.view().fields["donor"] == 2


@proves("KIZA-R11")
def test_a_lone_holder_is_donor_again_and_again() -> None:
    match = at("phase: offer\nkiza.0: r■1 r■2 r■3")
    for card in ("r■2", "r■1", "r■3"):
        assert not match.round_over
        assert match.to_act == {0}
        match.play(0, f"offer {card}")
        for seat in range(3):
            match.play(seat, "pass")
    assert match.round_over


@proves("KIZA-R12")
def test_the_round_ends_with_the_last_kiza_card_even_if_hands_are_not_empty() -> None:
    match = last_auction("hand.0: y♦1 y♦2\nhand.2: y♦3")
    match.play(0, "pass")
    assert match.round_over
    assert match.to_act == set()
    assert match.scores == [0, 5, 0]
    assert match.sheet == [[{"captured": 0}, {"captured": 5}, {"captured": 0}]]
    next_round(match)
    assert match.round == 2
    assert match.to_act == {0, 1, 2}
    assert match.view().fields["phase"] == "present"


@proves("KIZA-R12")
def test_the_round_goes_on_while_a_kiza_card_is_left_even_if_hands_are_empty() -> None:
    match = last_auction("kiza.2: r■2")
    match.play(0, "pass")
    assert not match.round_over
    assert match.to_act == {2}
    assert sizes(match, "hand") == [0, 0, 0]


@proves("KIZA-R12", "KIZA-R13")
@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_when_the_round_is_over_cards_left_in_hands_lie_open_until_the_next_is_dealt(
    seat: int | None,
) -> None:
    match = last_auction("hand.0: y♦1 y♦2\nhand.2: y♦3")
    match.play(0, "pass")
    assert [cards(match, f"hand.{p}", seat) for p in range(3)] == [["y♦1", "y♦2"], [], ["y♦3"]]
    assert size(match, "discard") == 112 - 1 - 3
    assert known(match, "discard", seat) == ["r●1"]
    next_round(match)
    assert [bool(cards(match, f"hand.{p}", seat)) for p in range(3)] == [
        p == seat for p in range(3)
    ]


@proves("KIZA-R13")
def test_nobody_acts_before_the_next_round_is_dealt() -> None:
    match = last_auction("hand.0: y♦1 y♦2")
    match.play(0, "pass")
    assert match.legal(0) == []
    for action in ("present y♦1", "ready", "pass", "bid y♦1", "offer y♦1"):
        assert refused(match, action) is None
    next_round(match)
    assert match.legal(0)


@proves("KIZA-R13")
def test_the_next_round_deals_18_to_each_and_captured_cards_stay_captured() -> None:
    match = last_auction("hand.0: y♦1 y♦2\ngain.0: b▲7 b▲10\ngain.2: g▲15")
    match.play(0, "pass")
    next_round(match)
    assert sizes(match, "hand") == [18, 18, 18]
    assert size(match, "discard") == 112 - 3 * 18 - 4
    assert cards(match, "gain.0") == ["b▲7", "b▲10"]
    assert cards(match, "gain.1") == ["r●5"]
    assert match.scores == [17, 5, 15]
    assert sizes(match, "bid") == sizes(match, "kiza") == [0, 0, 0]


@proves("KIZA-R13")
def test_cards_left_in_hands_are_discarded_and_shuffled_with_all_others() -> None:
    kept, anywhere = 0, 0
    for seed in range(60):
        match = last_auction("hand.0: y♦1 y♦2", seed=seed)
        match.play(0, "pass")
        next_round(match)
        kept += "y♦1" in hand(match, 0)
        anywhere += any("y♦1" in hand(match, seat) for seat in range(3))
    assert kept == pytest.approx(60 * 18 / 111, abs=9)
    assert anywhere == pytest.approx(60 * 54 / 111, abs=15)


@proves("KIZA-R13")
@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_after_the_shuffle_nobody_knows_where_a_card_is(seat: int | None) -> None:
    match = last_auction("hand.0: y♦1 y♦2\nseen.discard: y♦3 y♦5")
    match.play(0, "pass")
    assert known(match, "discard", seat) == ["r●1", "y♦3", "y♦5"]
    next_round(match)
    assert all(zone.known == () for zone in match.view(seat).zones.values())


@proves("KIZA-R14")
@pytest.mark.parametrize(
    ("captured", "hands"),
    [
        ("r■1 r■2 r■3 r■5", [18, 18, 18, 18, 18, 18]),
        ("r■1 r■2 r■3 r■5 r■7", [17, 18, 18, 18, 18, 18]),
        ("r■1 r■2 r■3 r■5 b■1 b■2 b■3 b■5", [17, 18, 18, 17, 17, 17]),
    ],
)
def test_too_few_cards_are_all_dealt_one_at_a_time_from_the_new_donors_left(
    captured: str, hands: list[int]
) -> None:
    """The new Donor is seat 0, so seat 1 is dealt the first card."""
    match = nobody_bids(f"donor: 5\ndue: 5\ngain.3: {captured}", players=6)
    next_round(match)
    assert match.view().fields["donor"] == 0
    assert sizes(match, "hand") == hands
    assert size(match, "discard") == 0


@proves("KIZA-R14")
def test_who_was_dealt_nothing_presents_nothing() -> None:
    match = at("due: 0 2\ndonor: 1\nhand.0: r●1 r●2\nhand.2: g▲1")
    assert match.legal(1) == []
    assert refused(match, "present r●1", seat=1) is not None
    assert refused(match, "ready", seat=1) is not None
    for seat, card in ((0, "r●1"), (2, "g▲1")):
        match.play(seat, f"present {card}")
        match.play(seat, "ready")
    assert match.to_act == {2}  # the Donor, who has no Kiza card, is skipped


@proves("KIZA-R15")
@pytest.mark.parametrize("last", range(3))
def test_the_next_round_begins_with_the_player_to_the_left_of_the_last_donor(last: int) -> None:
    match = next_round(nobody_bids(f"donor: {last}\ndue: {last}"))
    donor = (last + 1) % 3
    assert match.view().fields["donor"] == donor
    for seat in range(3):
        match.play(seat, match.legal(seat)[0])
        match.play(seat, "ready")
    assert match.to_act == {donor}


# End


@proves("KIZA-E1")
@pytest.mark.parametrize("gain", ["b■15 g■15 y■15", "b■15 g■15 y■15 b■7"])
def test_the_game_ends_the_moment_someone_has_50_points_or_more(gain: str) -> None:
    match = last_auction(f"gain.1: {gain}\ngain.2: b●15 g●15 y●15\nkiza.0: r■7\nhand.0: r●2")
    match.play(0, "pass")
    assert match.over
    assert match.winners == [1]
    assert match.scores[1] == worth(*gain.split()) + 5
    assert match.to_act == frozenset()
    assert cards(match, "kiza.0") == ["r■7"]
    assert refused(match, "offer r■7") == "KIZA-E1"


@proves("KIZA-E1")
def test_49_points_are_not_enough() -> None:
    match = last_auction("gain.1: b■15 g■15 b■7 g■7\nkiza.0: r■7")
    match.play(0, "pass")
    assert match.scores == [0, 49, 0]
    assert not match.over


@proves("KIZA-E2")
@pytest.mark.parametrize(
    ("gain", "last"),
    [("gain.0:", 3), ("gain.0: b■7", 3), ("gain.0: b■7\ncaptured: 1 0\nround_scores: 7 0", 4)],
)
def test_three_rounds_in_a_row_without_a_capture_end_the_game(gain: str, last: int) -> None:
    """The first round is dry, or saw a capture; then there are two, or three, dry ones."""
    match = nobody_bids(gain, players=2)
    for number in range(2, last + 1):
        assert not match.over
        next_round(match)
        assert match.round == number
        present(match, hand(match, 0)[0], hand(match, 1)[0])
        for _ in range(2):
            (donor,) = match.to_act
            match.play(donor, match.legal(donor)[0])
            for _ in range(2):
                match.play(min(match.to_act), "pass")
    assert match.over


@proves("KIZA-E2")
def test_the_highest_total_wins_after_three_dry_rounds() -> None:
    match = nobody_bids("dry_rounds: 2\ngain.1: b■10\ngain.2: b■7")
    assert match.over
    assert match.winners == [1]


@proves("KIZA-E2")
def test_equal_totals_share_the_victory() -> None:
    match = nobody_bids("dry_rounds: 2\ngain.0: b■10\ngain.1: b■1\ngain.2: b■7 b■3")
    assert match.winners == [0, 2]


@proves("KIZA-E2")
@pytest.mark.parametrize("earlier", [True, False])
def test_a_capture_in_the_round_ends_the_row_of_dry_rounds(earlier: bool) -> None:
    if earlier:
        match = nobody_bids("dry_rounds: 2\ngain.1: b■10\ncaptured: 0 1 0\nround_scores: 0 10 0")
    else:
        match = last_auction("dry_rounds: 2\ngain.1: b■10")
        match.play(0, "pass")
    assert not match.over
    assert match.view().fields["dry_rounds"] == 0


@proves("KIZA-E2")
def test_the_game_ends_when_at_most_one_card_per_player_can_be_dealt() -> None:
    match = nobody_bids(shared_out(FIFTEENS[:6]), players=6, target=100)
    assert match.over
    assert match.winners == [p for p in range(6) if match.scores[p] == max(match.scores)]


@proves("KIZA-E2", "KIZA-R14")
def test_cards_left_in_hands_can_be_dealt_too() -> None:
    position = f"{shared_out(FIFTEENS)}\nhand.1: {' '.join(FIFTEENS[1:4])}"
    match = nobody_bids(position, players=6, target=100)
    assert not match.over
    next_round(match)
    assert sum(sizes(match, "hand")) == 7


@proves("KIZA-E2", "KIZA-R14")
def test_the_game_goes_on_when_one_player_can_be_dealt_two_cards() -> None:
    match = nobody_bids(shared_out(FIFTEENS), players=6, target=100)
    assert not match.over
    assert max(match.scores) < 100
    next_round(match)
    assert sizes(match, "hand") == [1, 1, 2, 1, 1, 1]


@proves("KIZA-E2")
@pytest.mark.parametrize(("number", "over"), [(99, False), (100, True)])
def test_a_match_ends_after_100_rounds_and_the_highest_total_wins(number: int, over: bool) -> None:
    match = nobody_bids(f"round: {number}\ngain.0: b■7\ngain.2: b■10")
    assert match.over is over
    assert match.winners == ([2] if over else [])


@proves("KIZA-E3")
def test_the_final_table_shows_everyones_captured_cards_and_totals() -> None:
    match = last_auction("gain.0: b▲1 b▲7\ngain.1: b■15 g■15 y■15")
    match.play(0, "pass")
    view = match.view()
    assert view.over
    assert view.winners == {1}
    assert [view.zones[f"gain.{seat}"].cards for seat in range(3)] == [
        ("b▲1", "b▲7"), ("b■15", "g■15", "y■15", "r●5"), (),
    ]  # fmt: skip
    assert view.scores == (8, 50, 0)
    assert match.sheet[-1] == [{"captured": 0}, {"captured": 5}, {"captured": 0}]


@proves("KIZA-E1", "KIZA-E2", "KIZA-E3")
def test_whole_games_lose_no_card_and_end_with_totals_that_are_the_captured_cards() -> None:
    for seed in range(12):
        match = kibitz.new("kiza", players=2 + seed % 5, seed=seed, target=20)
        rng = random.Random(seed)
        while not match.over and len(match.log) < 5000:
            if match.round_over:
                match.next_round()
            seat = rng.choice(sorted(match.to_act))
            match.play(seat, rng.choice(match.legal(seat)))
            assert max(match.scores) < 20 or match.over
        assert match.over
        view = match.view()
        assert sum(zone.size for zone in view.zones.values()) == 112
        totals = [worth(*view.zones[f"gain.{seat}"].cards) for seat in range(match.players)]
        assert match.scores == totals
        assert match.winners == [p for p, total in enumerate(totals) if total == max(totals)]
        assert match.scores == [
            sum(r[p]["captured"] for r in match.sheet) for p in range(match.players)
        ]


# Options


@proves("KIZA-E1")
def test_the_target_is_50_unless_another_is_given() -> None:
    assert kibitz.new("kiza", players=2).options == {"target": 50}
    match = last_auction("gain.1: b■15 g■15 b■7 g■7\nkiza.0: r■7", target=49)
    match.play(0, "pass")
    assert match.winners == [1]


@proves("KIZA-E1")
@pytest.mark.parametrize("target", [10, 100])
def test_the_target_may_be_from_10_to_100(target: int) -> None:
    assert kibitz.new("kiza", players=2, target=target).options == {"target": target}


@proves("KIZA-E1")
@pytest.mark.parametrize("target", [9, 101, -50, "many", 49.5, None])
def test_any_other_target_is_refused(target: object) -> None:
    with pytest.raises(kibitz.BadOption):
        kibitz.new("kiza", players=2, target=target)


@proves("KIZA-C3")
@pytest.mark.parametrize("players", [1, 7])
def test_there_are_gain_cards_for_2_to_6_players(players: int) -> None:
    with pytest.raises(kibitz.BadOption):
        kibitz.new("kiza", players=players)
