"""Kiza: what happened, and who is told."""

import pytest

import kibitz
from kibitz.engine.log import Event, Line
from kibitz.games.kiza.tests.kiza_positions import (
    FIFTEENS,
    at,
    auction,
    bid,
    last_auction,
    nobody_bids,
    present,
    shared_out,
    worth,
)
from kibitz.testing import events, next_round, play

proves = pytest.mark.proves

ENDS = ("reached", "no_captures", "cards_gone", "too_long", "won", "shared")


def scored(seat: int, *cards: str) -> Event:
    """What a seat has captured in the round, its cards in the order of the deck."""
    return Event("scored", seat, worth(*cards), word="captured", cards=cards, size=len(cards))


# Setting up


@proves("KIZA-S1")
@pytest.mark.parametrize("players", [2, 4, 6])
def test_all_are_told_what_each_seat_drew_for_the_donor_and_who_it_is(players: int) -> None:
    ties = 0
    for seed in range(60):
        match = kibitz.new("kiza", players=players, seed=seed)
        fields = match.view().fields
        draws = [(seat, row[n]) for n in range(4) for seat, row in enumerate(fields["drawn"])]
        shown = [
            Event("drew_for_donor", seat, worth(card), cards=(card,), size=1)
            for seat, card in draws
            if card
        ]
        ties += len(shown) > players
        line = Line(None, "deal", None, (*shown, Event("first_donor", fields["donor"])))
        assert all(match.history(viewer) == [line] for viewer in (None, *range(players)))
    assert ties


@proves("KIZA-S1", "KIZA-R13")
def test_dealing_a_later_round_tells_nothing_but_that_it_was_dealt() -> None:
    match = next_round(nobody_bids())
    assert match.history()[-1] == Line(None, "deal", None, ())


# Presenting

HANDS = "due: 0 1 2\nhand.0: r●1 r●2 r●3\nhand.1: b■1 b■2\nhand.2: g▲1 g▲2"


@proves("KIZA-R1")
@pytest.mark.parametrize("viewer", [0, 1, 2, None])
def test_what_everyone_presents_is_told_when_the_last_is_ready(viewer: int | None) -> None:
    match = at(HANDS)
    present(match, "r●3 r●1", "b■2")
    match.play(2, "present g▲1")
    match.play(2, "present g▲2")
    assert not any(line.events for line in match.history(viewer))
    match.play(2, "ready")
    assert match.history(viewer)[-1] == Line(
        2,
        "ready",
        "ready",
        (
            Event("presented", 0, 2, cards=("r●1", "r●3"), size=2),
            Event("presented", 1, 1, cards=("b■2",), size=1),
            Event("presented", 2, 2, cards=("g▲1", "g▲2"), size=2),
        ),
    )


@proves("KIZA-R1")
def test_it_is_told_in_the_order_of_the_seats_whoever_is_ready_last() -> None:
    match = at(HANDS)
    for seat, card in ((2, "g▲1"), (1, "b■1"), (0, "r●1")):
        match.play(seat, f"present {card}")
        match.play(seat, "ready")
    assert [event.seat for event in events(match)] == [0, 1, 2]


@proves("KIZA-R14")
def test_nothing_is_told_of_who_was_dealt_nothing_and_presents_nothing() -> None:
    match = at("due: 0 2\nhand.0: r●1 r●2\nhand.2: g▲1")
    for seat, card in ((0, "r●1"), (2, "g▲1")):
        match.play(seat, f"present {card}")
        match.play(seat, "ready")
    assert events(match) == [
        Event("presented", 0, 1, cards=("r●1",), size=1),
        Event("presented", 2, 1, cards=("g▲1",), size=1),
    ]


# Bidding


@proves("KIZA-R4", "KIZA-R5", "KIZA-R9")
@pytest.mark.parametrize("viewer", [0, 3, None])
def test_the_booklets_auction_is_told_to_all(viewer: int | None) -> None:
    """9, then 12, two pass, then 14, and the Donor takes the card."""
    match = auction(
        """
        phase: offer
        lot:
        kiza.0: r●10 y▲1
        hand.0: r■7 b●2 r▲5
        hand.1: g●10 r♦2
        """,
        players=4,
    )
    match.play(0, "offer r●10")
    bid(match, 0, "r■7", "b●2")
    bid(match, 1, "g●10", "r♦2")
    play(match, "pass", "pass")
    bid(match, 0, "r▲5")
    match.play(1, "pass")
    lines = match.history(viewer)
    assert [line.action for line in lines] == [
        "offer r●10", "bid r■7", "bid b●2", "done", "bid g●10", "bid r♦2", "done",
        "pass", "pass", "bid r▲5", "done", "pass",
    ]  # fmt: skip
    assert {n: line.events for n, line in enumerate(lines) if line.events} == {
        3: (Event("bids", 0, 9),),
        6: (Event("bids", 1, 12),),
        10: (Event("bids", 0, 14),),
        11: (Event("lot_won", 0, 14, cards=("r●10",), size=1),),
    }


@proves("KIZA-R8")
def test_when_the_last_one_bids_the_bid_and_the_capture_are_told_together() -> None:
    match = play(auction("hand.2: r♦1 r♦2"), "pass", "pass", "bid r♦2", "done")
    assert events(match) == [
        Event("bids", 2, 2),
        Event("lot_won", 2, 2, cards=("r●10",), size=1),
    ]


@proves("KIZA-R10")
@pytest.mark.parametrize("donor", range(3))
def test_a_card_that_nobody_bids_for_is_told_as_unsold_by_its_donor(donor: int) -> None:
    match = play(auction(f"donor: {donor}\ndue: {donor}"), "pass", "pass", "pass")
    assert events(match) == [Event("lot_unsold", donor, cards=("r●10",), size=1)]
    assert not any(line.events for line in match.history()[:-1])


# How a round ends


@proves("KIZA-R12")
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_when_all_kiza_cards_have_been_auctioned_the_captures_are_told(viewer: int | None) -> None:
    """Only those of this round, not what was captured before."""
    match = play(last_auction("gain.0: b▲7\ngain.1: b■1\nhand.2: y♦1"), "pass")
    assert events(match, viewer=viewer) == [
        Event("lot_won", 1, 1, cards=("r●5",), size=1),
        Event("all_sold", None),
        scored(0),
        scored(1, "r●5"),
        scored(2),
    ]


@proves("KIZA-R10", "KIZA-R12")
def test_a_round_also_ends_with_an_unsold_card() -> None:
    assert events(nobody_bids()) == [
        Event("lot_unsold", 0, cards=("r●15",), size=1),
        Event("all_sold", None),
        *map(scored, range(3)),
    ]


@proves("KIZA-R12")
@pytest.mark.parametrize("left", range(3))
def test_nothing_of_the_kind_is_told_while_a_kiza_card_is_left(left: int) -> None:
    match = play(last_auction(f"kiza.{left}: r■1"), "pass")
    assert events(match) == [Event("lot_won", 1, 1, cards=("r●5",), size=1)]


@proves("KIZA-R9", "KIZA-R12")
def test_all_that_a_seat_has_captured_in_the_round_is_told_together() -> None:
    """Seat 0 takes two cards, seat 2 one; seat 0 had captured a 7 before."""
    match = at("""
        phase: offer
        kiza.0: r●10 g■3
        kiza.1: b■5
        hand.0: r▲1 g▲1
        hand.2: b▲2
        gain.0: y♦7
    """)
    match.play(0, "offer r●10")
    bid(match, 0, "r▲1")
    play(match, "pass", "pass", "offer b■5", "pass")
    bid(match, 2, "b▲2")
    play(match, "pass", "offer g■3")
    bid(match, 0, "g▲1")
    play(match, "pass", "pass")
    assert events(match, "scored") == [scored(0, "r●10", "g■3"), scored(1), scored(2, "b■5")]
    assert match.scores == [20, 0, 5]


@proves("KIZA-R12", "KIZA-E3")
def test_a_round_taken_up_in_its_middle_is_scored_with_what_was_captured_before() -> None:
    """Seat 1 captured the 10 earlier in the round that the position is from, and now a 5."""
    match = play(
        last_auction("gain.1: b■7 b■10\ncaptured: 0 1 0\nround_scores: 0 10 0\nhand.2: y♦1"), "pass"
    )
    assert events(match, "scored") == [scored(0), scored(1, "r●5", "b■10"), scored(2)]
    assert match.sheet == [[{"captured": 0}, {"captured": 15}, {"captured": 0}]]


# How the match ends


@proves("KIZA-E1", "KIZA-E3")
@pytest.mark.parametrize("kiza", ["", "kiza.0: r■7"])
@pytest.mark.parametrize(("gain", "total"), [("b■15 g■15 y■15", 50), ("b■15 g■15 y■15 b■7", 57)])
def test_who_reaches_the_target_ends_the_match_whatever_is_left_to_auction(
    gain: str, total: int, kiza: str
) -> None:
    match = play(last_auction(f"gain.1: {gain}\n{kiza}"), "pass")
    assert events(match) == [
        Event("lot_won", 1, 1, cards=("r●5",), size=1),
        Event("reached", 1, total),
        scored(0),
        scored(1, "r●5"),
        scored(2),
        Event("won", 1, total),
    ]


@proves("KIZA-E1")
def test_49_points_are_not_told_as_reached() -> None:
    match = play(last_auction("gain.1: b■15 g■15 b■7 g■7"), "pass")
    assert not events(match, *ENDS)


@proves("KIZA-E2")
@pytest.mark.parametrize(
    ("dry", "told"), [(1, []), (2, [Event("no_captures", None, 3), Event("won", 1, 10)])]
)
def test_the_third_round_in_a_row_without_a_capture_is_told_to_end_the_match(
    dry: int, told: list[Event]
) -> None:
    match = nobody_bids(f"dry_rounds: {dry}\ngain.1: b■10\ngain.2: b■7")
    assert events(match, *ENDS) == told
    assert [event.name for event in events(match)][:2] == ["lot_unsold", "all_sold"]


@proves("KIZA-E2")
def test_a_capture_in_the_third_round_is_not_told_as_none() -> None:
    assert not events(play(last_auction("dry_rounds: 2"), "pass"), *ENDS)


@proves("KIZA-E2")
@pytest.mark.parametrize(("left", "told"), [(7, []), (6, [Event("cards_gone", None, 6)])])
def test_too_few_cards_to_go_on_are_told_with_their_number(left: int, told: list[Event]) -> None:
    """Six players: with seven cards left, one of them would be dealt two."""
    match = nobody_bids(shared_out(FIFTEENS[:left]), players=6, target=100)
    assert events(match, "reached", "no_captures", "cards_gone", "too_long") == told
    assert bool(events(match, "won", "shared")) is bool(told)


@proves("KIZA-E2")
@pytest.mark.parametrize(
    ("number", "told"), [(99, []), (100, [Event("too_long", None, 100), Event("won", 2, 10)])]
)
def test_the_hundredth_round_is_told_to_end_the_match(number: int, told: list[Event]) -> None:
    match = nobody_bids(f"round: {number}\ngain.0: b■7\ngain.2: b■10")
    assert events(match, *ENDS) == told


@proves("KIZA-E2")
def test_one_reason_is_told_where_there_are_several() -> None:
    position = f"{shared_out(FIFTEENS[:6])}\ndry_rounds: 2\nround: 100"
    match = nobody_bids(position, players=6, target=100)
    reasons = events(match, "reached", "no_captures", "cards_gone", "too_long")
    assert reasons == [Event("no_captures", None, 3)]


@proves("KIZA-E2", "KIZA-E3")
def test_equal_totals_are_told_to_share_the_victory() -> None:
    match = nobody_bids("dry_rounds: 2\ngain.0: b■10\ngain.1: b■1\ngain.2: b■7 b■3")
    assert events(match) == [
        Event("lot_unsold", 0, cards=("r●15",), size=1),
        Event("all_sold", None),
        Event("no_captures", None, 3),
        *map(scored, range(3)),
        Event("shared", 0, 10),
        Event("shared", 2, 10),
    ]
