"""Kiza, rule by rule: the auction, and what can be bid."""

import pytest

from kibitz.games.kiza.deck import DECK
from kibitz.games.kiza.tests.kiza_positions import auction, bid, high
from kibitz.testing import cards, refused, told

proves = pytest.mark.proves


@proves("KIZA-R4", "KIZA-R5", "KIZA-R6", "KIZA-R7", "KIZA-R8", "KIZA-R9")
def test_the_booklets_auction_with_four_players() -> None:
    match = auction(
        """
        phase: offer
        lot:
        kiza.0: r●10 y▲1
        hand.0: r■7 b●2 r▲5
        hand.1: g●10 r♦2 y●1
        hand.2: r●15
        hand.3: r■15
        """,
        players=4,
    )
    size = match.view().zones["discard"].size
    match.play(0, "offer r●10")
    bid(match, 0, "r■7", "b●2")
    assert high(match) == (9, 0)
    bid(match, 1, "g●10", "r♦2")
    assert high(match) == (12, 1)
    match.play(2, "pass")
    match.play(3, "pass")
    bid(match, 0, "r▲5")
    assert high(match) == (14, 0)
    assert match.to_act == {1}
    match.play(1, "pass")
    assert cards(match, "gain.0") == ["r●10"]
    assert match.scores == [10, 0, 0, 0]
    discard = match.view().zones["discard"]
    assert set(discard.known) == {"r■7", "b●2", "r▲5", "g●10", "r♦2"}
    assert discard.size == size + 5
    assert [cards(match, f"hand.{seat}", seat) for seat in range(4)] == [
        [],
        ["y●1"],
        ["r●15"],
        ["r■15"],
    ]
    assert match.to_act == {1}
    assert match.legal(1) == ["offer y▲2"]


# Offering

OFFER = "phase: offer\nlot:\nkiza.0: r●10 b■5\nkiza.1: g▲1\nhand.0: r●1\nhand.1: r●2"


@proves("KIZA-R3")
@pytest.mark.parametrize(("card", "left"), [("r●10", "b■5"), ("b■5", "r●10")])
def test_the_donor_puts_one_of_their_kiza_cards_in_the_centre(card: str, left: str) -> None:
    match = auction(OFFER)
    assert match.to_act == {0}
    assert set(match.legal(0)) == {"offer r●10", "offer b■5"}
    match.play(0, f"offer {card}")
    assert cards(match, "lot") == [card]
    assert cards(match, "kiza.0") == [left]


@proves("KIZA-R3")
@pytest.mark.parametrize(
    ("seat", "action"),
    [(0, "offer g▲1"), (0, "offer r●1"), (0, "offer y♦15"), (1, "offer g▲1"), (1, "offer r●10")],
)
def test_only_the_donor_offers_and_only_an_own_kiza_card(seat: int, action: str) -> None:
    assert refused(auction(OFFER), action, seat) == "KIZA-R3"


@proves("KIZA-R3")
@pytest.mark.parametrize(
    ("seat", "action"), [(0, "bid r●1"), (0, "pass"), (1, "bid r●2"), (1, "pass"), (0, "done")]
)
def test_nobody_bids_or_passes_before_a_card_is_up(seat: int, action: str) -> None:
    assert refused(auction(OFFER), action, seat) == "KIZA-R3"


@proves("KIZA-R3")
def test_one_card_at_a_time_is_up() -> None:
    match = auction(OFFER)
    match.play(0, "offer r●10")
    assert refused(match, "offer b■5") == "KIZA-R3"


# Turns


@proves("KIZA-R4")
@pytest.mark.parametrize("donor", range(3))
def test_the_donor_bids_first_and_then_it_goes_clockwise(donor: int) -> None:
    match = auction(f"phase: offer\nlot:\ndonor: {donor}\ndue: {donor}")
    match.play(donor, match.legal(donor)[0])
    for step in range(3):
        assert match.to_act == {(donor + step) % 3}
        match.play((donor + step) % 3, "pass")


@proves("KIZA-R4")
@pytest.mark.parametrize("action", ["bid r●1", "pass", "done"])
def test_nobody_acts_out_of_turn(action: str) -> None:
    match = auction("hand.1: r●1")
    assert match.legal(1) == []
    assert refused(match, action, seat=1) == "KIZA-R4"


# Bids


@proves("KIZA-R5")
@pytest.mark.parametrize("lot", ["r●10", "b■15", "g▲1", "y♦7"])
def test_cards_of_the_same_colour_or_shape_fit_and_no_others(lot: str) -> None:
    match = auction(f"lot: {lot}\nhand.0: *\ndiscard:\nkiza.0:\nkiza.1:\nkiza.2:")
    fits = {card for card in DECK.codes if (card[0] == lot[0] or card[1] == lot[1]) and card != lot}
    assert len(fits) == 27 + 21
    assert set(match.legal(0)) == {"pass"} | {f"bid {card}" for card in fits}


@proves("KIZA-R5")
@pytest.mark.parametrize("action", ["bid b■15", "bid y♦1", "bid r●15"])
def test_a_card_that_matches_in_nothing_or_is_not_held_is_refused(action: str) -> None:
    match = auction("hand.0: b■15 y♦1 r●1\nhand.1: r●15")
    assert refused(match, action) == "KIZA-R5"
    match.play(0, "bid r●1")
    assert refused(match, action) == "KIZA-R5"


@proves("KIZA-R5")
def test_a_bid_may_mix_colour_and_shape_and_is_worth_all_its_cards() -> None:
    match = auction("hand.0: r♦5 y●3 r●15 g■2")
    bid(match, 0, "r♦5", "y●3", "r●15")
    assert high(match) == (23, 0)
    assert sorted(cards(match, "bid.0")) == sorted(["r♦5", "y●3", "r●15"])
    assert cards(match, "hand.0", 0) == ["g■2"]


@proves("KIZA-R5")
def test_cards_laid_earlier_in_this_auction_still_count() -> None:
    match = auction("hand.0: r♦5 r♦1 r♦2\nhand.1: b●7", players=2)
    bid(match, 0, "r♦5")
    bid(match, 1, "b●7")
    match.play(0, "bid r♦2")
    assert refused(match, "done") == "KIZA-R6"
    match.play(0, "bid r♦1")
    match.play(0, "done")
    assert high(match) == (8, 0)


@proves("KIZA-R5")
def test_cards_laid_in_an_earlier_auction_do_not_count() -> None:
    match = auction("kiza.1: r●15\nhand.0: r♦5 r♦1\nhand.1: r♦2", players=2)
    bid(match, 0, "r♦5")
    match.play(1, "pass")
    match.play(1, "offer r●15")
    bid(match, 1, "r♦2")
    assert high(match) == (2, 1)
    assert match.legal(0) == ["pass"]


@proves("KIZA-R5")
def test_the_kiza_cards_own_value_does_not_count() -> None:
    match = auction("lot: r●15\nhand.0: r♦1\nhand.1: r♦2", players=2)
    bid(match, 0, "r♦1")
    assert high(match) == (1, 0)
    bid(match, 1, "r♦2")
    assert high(match) == (2, 1)


@proves("KIZA-R5", "KIZA-R9")
def test_bids_lie_open_to_all_while_they_are_laid() -> None:
    match = auction("hand.0: r♦5 r♦1")
    match.play(0, "bid r♦5")
    for seat in (0, 1, None):
        assert cards(match, "bid.0", seat) == ["r♦5"]
        assert told(match, seat) == [(0, "bid r♦5")]
