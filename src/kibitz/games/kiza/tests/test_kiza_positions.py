"""Kiza: positions written down, those that can be and those that cannot."""

import pytest

import kibitz
from kibitz.games.kiza.tests.kiza_positions import at, auction
from kibitz.testing import next_round, sizes

proves = pytest.mark.proves

REST = "kiza 3\nround: 2\nround_over: 1\ndonor: 0\n"


@proves("KIZA-R14", "KIZA-R1")
def test_from_a_rest_all_are_dealt_to_and_all_present() -> None:
    match = next_round(kibitz.position("kiza", f"{REST}hand.1: r●1\ndiscard: *"))
    assert match.to_act == {0, 1, 2}
    assert sizes(match, "hand") == [18, 18, 18]


@proves("KIZA-R6")
def test_a_bid_that_is_being_laid_can_be_written_down_and_taken_up() -> None:
    match = auction("hand.0: r●1 r●2 r●3")
    match.play(0, "bid r●1")
    again = kibitz.position("kiza", match.position())
    assert again.legal(0) == match.legal(0)
    again.play(0, "done")
    assert again.view().fields["high"] == 1


@pytest.mark.parametrize(
    "text",
    ["discard: *\nleader: 1", "discard: *\nhigh: 3", "discard: *\nlaying: 1",
     "discard: *\nbid.2: r●1", "discard: *\nkiza.1: r●1", "discard: *\nchosen.0: r●1",
     "discard: *\nlot: r●1"],
)  # fmt: skip
def test_between_two_rounds_nothing_is_under_way(text: str) -> None:
    with pytest.raises(kibitz.BadPosition, match="between two rounds nothing is"):
        kibitz.position("kiza", REST + text)


@proves("KIZA-E2")
def test_no_round_is_dealt_with_at_most_one_card_for_each() -> None:
    """Six players, all cards but six on their Gain cards."""
    codes = kibitz.position("kiza", f"{REST}discard: *").game.layout.deck.codes
    gains = [codes[6 + seat :: 6] for seat in range(6)]
    scores = [sum(int(code[2:]) for code in gain) for gain in gains]
    lines = ["kiza 6 target=100", "round: 2", "round_over: 1", "donor: 0"]
    lines += [f"gain.{seat}: {' '.join(gain)}" for seat, gain in enumerate(gains)]
    lines += [f"scores: {' '.join(map(str, scores))}", "discard: *"]
    with pytest.raises(kibitz.BadPosition, match="at most one card for each"):
        kibitz.position("kiza", "\n".join(lines))


@pytest.mark.parametrize("line", ["leader: 1", "high: 3", "laying: 1", "bid.2: r●1"])
@pytest.mark.parametrize("phase", ["offer", "present"])
def test_bids_belong_to_an_auction(phase: str, line: str) -> None:
    with pytest.raises(kibitz.BadPosition, match="bids belong to an auction"):
        at(f"phase: {phase}\nkiza.0: r●10\nhand.0: r●2\n{line}")
