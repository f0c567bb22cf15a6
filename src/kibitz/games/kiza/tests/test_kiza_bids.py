"""Kiza, rule by rule: higher bids, passing, and who wins an auction."""

import random

import pytest

import kibitz
from kibitz.games.kiza.tests.kiza_positions import auction, bid, high
from kibitz.testing import cards, refused

proves = pytest.mark.proves


@proves("KIZA-R6")
@pytest.mark.parametrize("card", ["r♦1", "r♦10", "r♦15"])
def test_the_first_bid_may_be_above_or_below_the_kiza_cards_value(card: str) -> None:
    match = auction(f"hand.0: {card}")
    bid(match, 0, card)
    assert high(match) == (int(card[2:]), 0)
    assert match.to_act == {1}


@proves("KIZA-R6")
def test_the_first_bid_must_be_above_nothing() -> None:
    match = auction("hand.0: r♦1")
    assert refused(match, "done") == "KIZA-R6"


@proves("KIZA-R6")
def test_before_the_first_bid_nobody_is_the_highest_bidder() -> None:
    match = kibitz.new("kiza", players=2, seed=1)
    assert high(match) == (0, None)
    for seat in range(2):
        match.play(seat, match.legal(seat)[0])
        match.play(seat, "ready")
    assert high(match) == (0, None)


BIDS = "leader: 0\nhigh: 9\nbid.0: r■7 r■2\ndue: 1\n"


@proves("KIZA-R6")
@pytest.mark.parametrize(
    ("hand", "may"),
    [("r♦5 r♦3", False), ("r♦7 r♦2", False), ("r♦7 r♦3", True), ("r♦10", True)],
)
def test_who_cannot_get_above_the_highest_bid_may_not_begin_one(hand: str, may: bool) -> None:
    match = auction(f"{BIDS}hand.1: {hand} b■15")
    card = hand.split(maxsplit=1)[0]
    if may:
        bid(match, 1, *hand.split())
        assert high(match)[1] == 1
    else:
        assert match.legal(1) == ["pass"]
        assert refused(match, f"bid {card}", seat=1) == "KIZA-R6"


@proves("KIZA-R6", "KIZA-R7")
def test_a_bid_begun_is_laid_until_it_is_strictly_higher() -> None:
    match = auction(f"{BIDS}hand.1: r♦5 r♦3 r♦1 r▲1")
    for card in ("r♦5", "r♦3", "r♦1"):
        match.play(1, f"bid {card}")
        assert "done" not in match.legal(1)
        assert refused(match, "done", seat=1) == "KIZA-R6"
        assert refused(match, "pass", seat=1) == "KIZA-R7"
        assert match.to_act == {1}
        assert high(match) == (9, 0)
    match.play(1, "bid r▲1")
    assert match.legal(1) == ["done"]
    match.play(1, "done")
    assert high(match) == (10, 1)


@proves("KIZA-R6")
def test_more_cards_than_needed_may_be_laid() -> None:
    match = auction(f"{BIDS}hand.1: r♦10 r♦15")
    match.play(1, "bid r♦10")
    assert set(match.legal(1)) == {"done", "bid r♦15"}
    match.play(1, "bid r♦15")
    match.play(1, "done")
    assert high(match) == (25, 1)


@proves("KIZA-R6")
def test_it_is_the_highest_bid_that_is_to_be_beaten_not_ones_neighbours() -> None:
    match = auction("hand.0: r♦3\nhand.1: r♦10\nhand.2: r♦5")
    bid(match, 0, "r♦3")
    bid(match, 1, "r♦10")
    assert match.legal(2) == ["pass"]
    match.play(2, "pass")
    assert match.legal(0) == ["pass"]


# Passing


@proves("KIZA-R7")
@pytest.mark.parametrize("action", ["bid r♦15", "pass", "done"])
def test_who_passes_is_out_of_this_auction_for_good(action: str) -> None:
    match = auction("hand.0: r♦15\nhand.1: r♦1 r♦5\nhand.2: r♦3")
    match.play(0, "pass")
    bid(match, 1, "r♦1")
    assert refused(match, action) == "KIZA-R7"
    bid(match, 2, "r♦3")
    assert match.to_act == {1}
    assert refused(match, action) == "KIZA-R7"


@proves("KIZA-R7")
def test_who_passed_bids_again_in_the_next_auction() -> None:
    match = auction("hand.0: r♦15\nhand.1: r♦1\nkiza.1: r●1")
    match.play(0, "pass")
    bid(match, 1, "r♦1")
    match.play(2, "pass")
    match.play(1, "offer r●1")
    match.play(1, "pass")
    match.play(2, "pass")
    assert set(match.legal(0)) == {"bid r♦15", "pass"}


@proves("KIZA-R7")
def test_between_two_auctions_nobody_has_passed() -> None:
    match = auction("hand.0: r♦15\nhand.1: r♦1\nkiza.1: r●1")
    match.play(0, "pass")
    assert match.view().fields["passed"] == [0]
    match.play(1, "pass")
    match.play(2, "pass")
    assert match.to_act == {1}
    assert match.view().fields["passed"] == []


@proves("KIZA-R7")
def test_nobody_is_obliged_to_bid_the_donor_included() -> None:
    match = auction("hand.0: r♦15\nhand.1: r♦10")
    assert "pass" in match.legal(0)
    match.play(0, "pass")
    assert "pass" in match.legal(1)


@proves("KIZA-R7")
@pytest.mark.parametrize("hand", ["", "b■15", "r♦2"])
def test_who_cannot_bid_is_still_asked_and_passes_by_saying_so(hand: str) -> None:
    match = auction(f"hand.0: r♦3\nhand.1: {hand}")
    bid(match, 0, "r♦3")
    assert match.to_act == {1}
    assert match.legal(1) == ["pass"]


# How an auction ends


@proves("KIZA-R8")
def test_the_auction_goes_round_as_long_as_anyone_outbids() -> None:
    match = auction("hand.0: r♦1 r♦3\nhand.1: r♦2 b●3\nhand.2: r♦15 y●1")
    bid(match, 0, "r♦1")
    bid(match, 1, "r♦2")
    match.play(2, "pass")
    bid(match, 0, "r♦3")
    bid(match, 1, "b●3")
    assert high(match) == (5, 1)
    assert match.to_act == {0}
    assert cards(match, "lot") == ["r●10"]
    match.play(0, "pass")
    assert cards(match, "gain.1") == ["r●10"]


@proves("KIZA-R8")
@pytest.mark.parametrize("action", ["bid r♦15", "pass", "done"])
def test_the_highest_bidder_is_never_asked_to_outbid_themselves(action: str) -> None:
    match = auction("hand.0: r♦1 r♦15\nhand.1: r♦2")
    bid(match, 0, "r♦1")
    assert refused(match, action) == "KIZA-R8"
    match.play(1, "pass")
    match.play(2, "pass")
    assert cards(match, "gain.0") == ["r●10"]
    assert cards(match, "hand.0", 0) == ["r♦15"]


@proves("KIZA-R8")
def test_the_last_one_may_still_bid_when_all_others_have_passed() -> None:
    match = auction("hand.2: r♦1 b■15")
    match.play(0, "pass")
    match.play(1, "pass")
    assert match.to_act == {2}
    assert set(match.legal(2)) == {"bid r♦1", "pass"}
    bid(match, 2, "r♦1")
    assert cards(match, "gain.2") == ["r●10"]


@proves("KIZA-R9")
def test_the_highest_bidder_takes_the_card_and_all_that_was_laid_is_discarded() -> None:
    match = auction("hand.0: r♦1 r♦3\nhand.1: r♦2 r♦7\nhand.2: b●3")
    size = match.view().zones["discard"].size
    bid(match, 0, "r♦1")
    bid(match, 1, "r♦2")
    bid(match, 2, "b●3")
    match.play(0, "pass")
    match.play(1, "pass")
    assert cards(match, "gain.2") == ["r●10"]
    assert match.scores == [0, 0, 10]
    zones = match.view().zones
    assert set(zones["discard"].known) == {"r♦1", "r♦2", "b●3"}
    assert zones["discard"].size == size + 3
    assert zones["lot"].size == sum(zones[f"bid.{seat}"].size for seat in range(3)) == 0
    assert [cards(match, f"hand.{seat}", seat) for seat in range(3)] == [["r♦3"], ["r♦7"], []]


@proves("KIZA-R10")
def test_if_nobody_bids_the_kiza_card_is_discarded() -> None:
    match = auction("hand.0: r♦1\nhand.1: r♦2")
    size = match.view().zones["discard"].size
    for seat in range(3):
        match.play(seat, "pass")
    zones = match.view().zones
    assert zones["lot"].size == 0
    assert zones["discard"].size == size + 1
    assert zones["discard"].known == ("r●10",)
    assert match.scores == [0, 0, 0]
    assert all(zones[f"gain.{seat}"].size == 0 for seat in range(3))


# What nobody may do


@proves("KIZA-R1", "KIZA-R2", "KIZA-R3", "KIZA-R4", "KIZA-R5", "KIZA-R6", "KIZA-R7")
@pytest.mark.parametrize(
    ("position", "seat", "action", "rule"),
    [
        pytest.param("hand.0: b■15 r♦1", 0, "bid b■15", "KIZA-R5", id="no match"),
        pytest.param(f"{BIDS}hand.1: r♦7 r♦2", 1, "bid r♦7", "KIZA-R6", id="not above"),
        pytest.param(
            f"{BIDS}hand.1: r♦1\nbid.1: r♦7 r♦2\nlaying: 1", 1, "done", "KIZA-R6", id="equal"
        ),
        pytest.param("passed: 0\ndue: 1\nhand.0: r♦1", 0, "bid r♦1", "KIZA-R7", id="has passed"),
        pytest.param("kiza.0: r♦1\nhand.0: r♦2", 0, "bid r♦1", "KIZA-R2", id="own Kiza card"),
        pytest.param("hand.0: r♦2", 0, "bid r●10", "KIZA-R2", id="the card in the centre"),
        pytest.param("kiza.1: r♦1\nhand.0: r♦2", 0, "bid r♦1", "KIZA-R2", id="other Kiza card"),
        pytest.param("phase: offer\nlot:", 0, "offer y▲2", "KIZA-R3", id="someone else's"),
        pytest.param(
            "phase: present\nlot:\ndue: 0 1\nhand.0: r●1\nhand.1: r●2", 0, "ready", "KIZA-R1",
            id="present no card",
        ),
        pytest.param("hand.1: r♦1", 1, "bid r♦1", "KIZA-R4", id="out of turn"),
        pytest.param("phase: offer\nlot:", 1, "offer y▲2", "KIZA-R3", id="offer out of turn"),
    ],
)  # fmt: skip
def test_what_nobody_may_do_is_refused_with_a_reason_that_names_the_rule(
    position: str, seat: int, action: str, rule: str
) -> None:
    match = auction(position)
    assert action not in match.legal(seat)
    assert refused(match, action, seat) == rule
    with pytest.raises(kibitz.IllegalAction) as refusal:
        match.play(seat, action)
    assert refusal.value.reason
    assert rule in str(refusal.value)


@proves("KIZA-R6", "KIZA-R7", "KIZA-R8")
def test_there_is_never_a_dead_end_and_every_auction_is_won_by_the_highest_bid() -> None:
    for seed in range(15):
        match = kibitz.new("kiza", players=2 + seed % 5, seed=seed)
        rng = random.Random(seed)
        while not match.over and len(match.log) < 600:
            if match.round_over:
                match.next_round()
            seat = rng.choice(sorted(match.to_act))
            legal = match.legal(seat)
            assert legal
            before, scores = match.view(), match.scores
            match.play(seat, rng.choice(legal))
            if match.scores != scores:
                bids = [
                    sum(int(card[2:]) for card in before.zones[f"bid.{p}"].cards)
                    for p in range(match.players)
                ]
                assert bids.count(max(bids)) == 1
                winner = bids.index(max(bids))
                (lot,) = before.zones["lot"].cards
                scores[winner] += int(lot[2:])
                assert match.scores == scores
