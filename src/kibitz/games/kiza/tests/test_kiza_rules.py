"""Kiza, rule by rule: cards, setting up, presenting."""

import re
from collections import Counter
from itertools import permutations, product

import pytest

import kibitz
from kibitz.art.glyphs import STROKES
from kibitz.engine.errors import UnfinishedChoice
from kibitz.games.kiza.art import face
from kibitz.games.kiza.deck import DECK
from kibitz.games.kiza.tests.kiza_positions import at, present, worth
from kibitz.testing import cards, events, hand, next_round, refused, sizes, told

proves = pytest.mark.proves


# Cards


@proves("KIZA-C1")
def test_the_deck_has_each_colour_shape_and_value_once() -> None:
    assert len(DECK) == 112
    assert {kind.copies for kind in DECK.kinds} == {1}
    parts = {(kind.words["colour"], kind.words["shape"]) for kind in DECK.kinds}
    assert len(parts) == 16
    assert len({colour for colour, _ in parts}) == len({shape for _, shape in parts}) == 4
    wanted = set(product(parts, (1, 2, 3, 5, 7, 10, 15)))
    assert wanted == {
        ((kind.words["colour"], kind.words["shape"]), int(kind.words["value"]))
        for kind in DECK.kinds
    }
    assert sum(worth(code) for code in DECK.codes) == 688


def outlines(drawing: str) -> list[str]:
    """What is left of a card without its colours and patterns, and without its name."""
    return re.findall(r' d="([^"]*)"', re.sub(r"<defs>.*?</defs>", "", drawing, flags=re.S))


@proves("KIZA-C2")
@pytest.mark.parametrize("colour", "rbgy")
def test_each_shape_carries_the_letter_of_its_colour_and_no_other(colour: str) -> None:
    for code in (code for code in DECK.codes if code[0] == colour):
        drawn = outlines(face(code))
        letters = {letter for letter in "RBGY" if STROKES[letter][1] in drawn}
        assert letters == {colour.upper()}


@proves("KIZA-C2")
def test_all_cards_differ_in_outline_where_no_hue_can_be_seen() -> None:
    assert len({tuple(outlines(face(code))) for code in DECK.codes}) == 112


@proves("KIZA-C3")
@pytest.mark.parametrize("players", range(2, 7))
def test_every_player_has_a_gain_card_with_nothing_on_it(players: int) -> None:
    match = kibitz.new("kiza", players=players, seed=3)
    assert sizes(match, "gain") == match.scores == [0] * players


@proves("KIZA-C3")
@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_captured_cards_are_open_to_all_and_countable_at_any_time(seat: int | None) -> None:
    match = at("hand.0: r●1\ngain.1: b■15 g▲3\ngain.2: y♦7")
    assert cards(match, "gain.1", seat) == ["b■15", "g▲3"]
    assert match.view(seat).scores == (0, 18, 7)


# Setting up


def draws_and_donor(players: int, seed: int) -> tuple[list[list[int]], int]:
    """What each seat drew for the first Donor, in values, and who became Donor."""
    fields = kibitz.new("kiza", players=players, seed=seed).view().fields
    return [[worth(code) for code in row if code] for row in fields["drawn"]], fields["donor"]


def donor_by_the_rule(draws: list[list[int]]) -> int:
    """Highest value; tied seats, and they alone, draw again until one is highest."""
    tied, n = list(range(len(draws))), 0
    while len(tied) > 1:
        assert [seat for seat, drawn in enumerate(draws) if len(drawn) > n] == tied
        highest = max(draws[seat][n] for seat in tied)
        tied = [seat for seat in tied if draws[seat][n] == highest]
        n += 1
    assert all(len(drawn) <= n for drawn in draws)
    return tied[0]


@proves("KIZA-S1")
@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_highest_card_becomes_donor_and_only_tied_players_draw_again(players: int) -> None:
    ties = 0
    for seed in range(150):
        draws, donor = draws_and_donor(players, seed)
        assert donor == donor_by_the_rule(draws)
        ties += len(draws[donor]) > 1
    assert ties > 5


@proves("KIZA-S1")
@pytest.mark.parametrize(("players", "seed"), [(2, 205), (3, 13), (4, 117), (6, 26)])
def test_what_tied_seats_draw_is_kept_draw_by_draw(players: int, seed: int) -> None:
    """Three or four draws, as they were told one after the other."""
    match = kibitz.new("kiza", players=players, seed=seed)
    drawn: list[list[str]] = [[] for _ in range(players)]
    for event in events(match, "drew_for_donor"):
        assert event.seat is not None
        drawn[event.seat] += event.cards
    assert max(map(len, drawn)) >= 3
    for row, cards_drawn in zip(match.view().fields["drawn"], drawn, strict=False):
        assert [code for code in row if code] == list(row[: len(cards_drawn)]) == cards_drawn


@proves("KIZA-S1")
def test_every_seat_becomes_donor_equally_often() -> None:
    donors = Counter(draws_and_donor(3, seed)[1] for seed in range(300))
    assert min(donors[seat] for seat in range(3)) > 70


@proves("KIZA-S1")
def test_all_see_the_cards_drawn_for_the_donor() -> None:
    match = kibitz.new("kiza", players=3, seed=5)
    drawn = match.view().fields["drawn"]
    cards_drawn = [code for row in drawn for code in row if code]
    assert len(set(cards_drawn)) == len(cards_drawn) >= 3
    assert all(match.view(seat).fields["drawn"] == drawn for seat in range(3))


@proves("KIZA-S1")
def test_the_cards_drawn_for_the_donor_go_back_into_the_shuffled_deck() -> None:
    found = Counter[str]()
    for seed in range(300):
        match = kibitz.new("kiza", players=2, seed=seed)
        card = match.view().fields["drawn"][0][0]
        found["own"] += card in cards(match, "hand.0", 0)
        found["other"] += card in cards(match, "hand.1", 1)
        assert match.view().zones["lot"].size == 0
    assert found["own"] == pytest.approx(300 * 18 / 112, abs=22)
    assert found["other"] == pytest.approx(300 * 18 / 112, abs=22)


@proves("KIZA-S2")
@pytest.mark.parametrize("players", range(2, 7))
def test_each_gets_18_cards_and_the_rest_form_the_discard(players: int) -> None:
    match = kibitz.new("kiza", players=players, seed=players)
    assert sizes(match, "hand") == [18] * players
    assert match.view().zones["discard"].size == 112 - 18 * players
    hands = [card for seat in range(players) for card in cards(match, f"hand.{seat}", seat)]
    assert len(set(hands)) == 18 * players


@proves("KIZA-S2")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_the_discard_lies_face_down_and_hands_are_their_owners(seat: int | None) -> None:
    zones = kibitz.new("kiza", players=2, seed=1).view(seat).zones
    assert zones["discard"].cards == zones["discard"].known == ()
    for owner in range(2):
        if owner != seat:
            assert zones[f"hand.{owner}"].cards == zones[f"hand.{owner}"].known == ()


# Presenting

HANDS = "due: 0 1 2\nhand.0: r●1 r●2 r●3\nhand.1: b■1 b■2\nhand.2: g▲1 g▲2"


@proves("KIZA-R1")
def test_all_players_present_at_the_same_time() -> None:
    match = kibitz.new("kiza", players=5, seed=2)
    assert match.to_act == set(range(5))
    for seat in range(5):
        hand = cards(match, f"hand.{seat}", seat)
        assert set(match.legal(seat)) == {f"present {card}" for card in hand}


@proves("KIZA-R1")
def test_when_all_are_ready_the_kiza_cards_lie_open_and_the_rest_stays_in_hand() -> None:
    match = at(HANDS)
    present(match, "r●1 r●3", "b■2", "g▲1 g▲2")
    assert [cards(match, f"kiza.{seat}") for seat in range(3)] == [
        ["r●1", "r●3"], ["b■2"], ["g▲1", "g▲2"],
    ]  # fmt: skip
    assert cards(match, "hand.0", 0) == ["r●2"]
    assert cards(match, "hand.1", 1) == ["b■1"]
    assert sizes(match, "hand") == [1, 1, 0]
    assert match.to_act == {0}


@proves("KIZA-R1")
def test_in_which_order_the_seats_choose_does_not_matter() -> None:
    moves = [(0, "present r●1"), (0, "present r●3"), (0, "ready"), (1, "present b■2"),
             (1, "ready"), (2, "present g▲1"), (2, "ready")]  # fmt: skip
    ends = set()
    for order in permutations(range(3)):
        match = at(HANDS)
        for seat, action in sorted(moves, key=lambda move: order[move[0]]):
            match.play(seat, action)
        ends.add(match.position())
    interleaved = at(HANDS)
    for n in (3, 0, 5, 4, 1, 6, 2):
        interleaved.play(*moves[n])
    assert ends == {interleaved.position()}


@proves("KIZA-R1")
@pytest.mark.parametrize("seat", [1, 2, None])
def test_nobody_sees_anothers_choice_nor_its_number_before_all_have_chosen(
    seat: int | None,
) -> None:
    match = at(HANDS)
    before = match.view(seat)
    for card in ("r●1", "r●2", "r●3"):
        match.play(0, f"present {card}")
        assert match.view(seat) == before
        assert match.history(seat) == []
    match.play(0, "ready")
    assert match.view(seat).zones == before.zones
    assert match.view(seat).fields == before.fields
    assert told(match, seat) == [(0, "ready")]


@proves("KIZA-R1")
@pytest.mark.parametrize("seat", [2, None])
def test_different_choices_look_alike_until_the_last_is_ready(seat: int | None) -> None:
    matches = [at(HANDS), at(HANDS)]
    for match, choices in zip(matches, [("r●1", "b■1 b■2"), ("r●3 r●2", "b■2")], strict=True):
        present(match, *choices)
        match.play(2, "present g▲1")
    one, other = matches
    assert one.view(seat) == other.view(seat)
    assert one.history(seat) == other.history(seat)
    for match in matches:
        match.play(2, "ready")
    assert one.view(seat) != other.view(seat)
    assert one.history(seat) != other.history(seat)


@proves("KIZA-R1", "KIZA-R6")
@pytest.mark.parametrize(
    ("text", "step", "last"),
    [("hand.0: r●1 r●2", "present r●1", "ready"),
     ("phase: auction\nlot: r●10\nhand.0: r●1 r●2\nkiza.1: y▲1", "bid r●1", "done")],
)  # fmt: skip
def test_cards_are_laid_one_by_one_until_one_says_that_it_is_all(
    text: str, step: str, last: str
) -> None:
    match = at(text)
    with pytest.raises(UnfinishedChoice):
        match.try_choice(0, [step])
    assert match.try_choice(0, [step, last]).to_act


@proves("KIZA-R1")
@pytest.mark.parametrize("seat", [1, 2, None])
def test_a_later_rounds_choices_are_as_secret_as_the_first(seat: int | None) -> None:
    match = at(HANDS)
    present(match, "r●1", "b■2", "g▲1")
    for donor, card in enumerate(("r●1", "b■2", "g▲1")):
        match.play(donor, f"offer {card}")
        for step in range(3):
            match.play((donor + step) % 3, "pass")
    next_round(match)
    assert match.round == 2
    before, view = told(match, seat), match.view(seat)
    assert before[-2:] == [(1, "pass"), (None, "deal")]
    card = hand(match, 0)[0]
    match.play(0, f"present {card}")
    assert match.view(seat) == view
    assert told(match, seat) == before
    match.play(0, "ready")
    assert match.view(seat).zones == view.zones
    assert told(match, seat) == [*before, (0, "ready")]
    assert told(match, 0)[-2:] == [(0, f"present {card}"), (0, "ready")]


@proves("KIZA-R1")
def test_what_was_presented_is_not_read_in_the_log_of_others_later_either() -> None:
    """When all are ready the cards are shown at once, whatever the order of the choices."""
    match = at(HANDS)
    present(match, "r●1 r●3", "b■2", "g▲1")
    ready = [(seat, "ready") for seat in range(3)]
    assert told(match) == ready
    assert told(match, 0) == [(0, "present r●1"), (0, "present r●3"), *ready]


@proves("KIZA-R1")
def test_ones_own_choice_can_be_seen() -> None:
    match = at(HANDS)
    match.play(0, "present r●2")
    assert cards(match, "chosen.0", 0) == ["r●2"]
    assert cards(match, "hand.0", 0) == ["r●1", "r●3"]
    assert told(match, 0) == [(0, "present r●2")]


@proves("KIZA-R1")
def test_at_least_one_card_is_presented() -> None:
    match = at(HANDS)
    assert refused(match, "ready") == "KIZA-R1"
    match.play(0, "present r●1")
    assert "ready" in match.legal(0)


@proves("KIZA-R1")
def test_the_whole_hand_may_be_presented() -> None:
    match = kibitz.new("kiza", players=2, seed=4)
    hand = cards(match, "hand.0", 0)
    for card in hand:
        match.play(0, f"present {card}")
    assert match.legal(0) == ["ready"]
    match.play(0, "ready")
    match.play(1, match.legal(1)[0])
    match.play(1, "ready")
    assert cards(match, "kiza.0") == hand


@proves("KIZA-R1")
def test_who_holds_one_card_presents_it() -> None:
    match = at("due: 0 1\nhand.0: r●1\nhand.1: b■2 b■3", players=2)
    assert match.legal(0) == ["present r●1"]
    match.play(0, "present r●1")
    assert match.legal(0) == ["ready"]


@proves("KIZA-R1")
@pytest.mark.parametrize(
    "action", ["present b■1", "present y♦15", "present r●1", "offer r●1", "bid r●2", "pass", "done"]
)
def test_only_cards_of_ones_hand_are_presented_each_once_and_nothing_else_is_done(
    action: str,
) -> None:
    match = at(HANDS)
    match.play(0, "present r●1")
    assert refused(match, action) == "KIZA-R1"


@proves("KIZA-R2")
def test_nothing_is_taken_back_or_added_once_one_is_ready() -> None:
    match = at(HANDS)
    match.play(0, "present r●1")
    match.play(0, "ready")
    assert match.to_act == {1, 2}
    assert match.legal(0) == []
    assert refused(match, "present r●2") == "KIZA-R2"


@proves("KIZA-R2")
@pytest.mark.parametrize("phase", ["phase: offer", "phase: auction\nlot: b■10"])
def test_no_kiza_card_can_be_added_during_the_round(phase: str) -> None:
    match = at(f"{phase}\nkiza.0: r●1\nhand.0: r●2\nhand.1: b■2")
    assert refused(match, "present r●2") == "KIZA-R2"
    assert refused(match, "present b■2", seat=1) == "KIZA-R2"
    assert refused(match, "present r●1") == "KIZA-R2"


@proves("KIZA-R2")
def test_kiza_cards_lie_where_they_are_until_they_are_offered() -> None:
    match = at("phase: auction\nlot: b■10\nkiza.0: b■1\nkiza.1: b■2\nhand.0: b■3 b■5")
    match.play(0, "bid b■3")
    match.play(0, "done")
    match.play(1, "pass")
    match.play(2, "pass")
    assert cards(match, "kiza.0") == ["b■1"]
    assert cards(match, "kiza.1") == ["b■2"]
    assert cards(match, "hand.0", 0) == ["b■5"]
