"""Kolpa!, rule by rule: the deck, the deal and the turn."""

import random
from collections import Counter

import pytest

import kibitz
from kibitz.games.kolpa.deck import DECK
from kibitz.games.kolpa.tests.kolpa_positions import (
    EMPTY_DRAW,
    at,
    nothing_to_draw,
)
from kibitz.testing import cards, next_round, refused, sizes

proves = pytest.mark.proves


@proves("KOLPA-C1")
def test_the_deck_has_two_of_every_number_in_five_colours_and_four_jokers() -> None:
    assert len(DECK) == 64
    copies = {kind.code: kind.copies for kind in DECK.kinds}
    assert copies.pop("joker") == 4
    assert set(copies) == {f"{colour}{n}" for colour in "rbgyp" for n in range(6)}
    assert set(copies.values()) == {2}


@proves("KOLPA-S1")
@pytest.mark.parametrize("players", range(2, 7))
def test_everyone_gets_five_cards_and_one_starts_the_discard_pile(players: int) -> None:
    view = kibitz.new("kolpa", players=players, seed=3).view()
    assert [view.zones[f"hand.{p}"].size for p in range(players)] == [5] * players
    assert view.zones["discard"].size == 1
    assert view.zones["draw"].size == 64 - 5 * players - 1


@proves("KOLPA-S1")
def test_jokers_are_dealt_too() -> None:
    hands = Counter(
        card
        for seed in range(200)
        for card in cards(kibitz.new("kolpa", players=2, seed=seed), "hand.0", 0)
    )
    assert hands["joker"] == pytest.approx(200 * 5 * 4 / 64, abs=25)


@proves("KOLPA-S2")
def test_the_first_discard_is_never_a_joker() -> None:
    tops = {cards(kibitz.new("kolpa", players=6, seed=seed), "discard")[0] for seed in range(300)}
    assert "joker" not in tops
    assert len(tops) == 30


@proves("KOLPA-S2")
def test_a_joker_that_came_up_goes_back_among_the_others() -> None:
    """One in sixteen: among a hundred matches there are some."""
    for seed in range(100):
        match = kibitz.new("kolpa", players=2, seed=seed)
        assert match.view().zones["discard"].size == 1
        assert match.view().zones["draw"].size == 64 - 2 * 5 - 1


@proves("KOLPA-S3")
def test_the_first_starter_is_drawn_at_random() -> None:
    starters = Counter(min(kibitz.new("kolpa", players=3, seed=s).to_act) for s in range(300))
    assert set(starters) == {0, 1, 2}
    assert min(starters.values()) > 70


@proves("KOLPA-S3")
@pytest.mark.parametrize("last", range(4))
def test_later_rounds_are_started_by_the_player_to_the_left_of_the_last_starter(last: int) -> None:
    match = at(f"starter: {last}\nhand.0: r1\ndiscard: r2", players=4)
    match.play(0, "kol r1")
    next_round(match)
    assert match.round == 2
    assert match.to_act == {(last + 1) % 4}


@proves("KOLPA-S1")
def test_later_rounds_are_dealt_like_the_first_from_all_cards() -> None:
    match = at("hand.0: r1\nhand.1: joker joker\ndisplay.1.red: r5 r4\ndiscard: y1 y3 r2")
    match.play(0, "kol r1")
    next_round(match)
    assert sizes(match, "hand") == [5, 5]
    assert match.view().zones["discard"].size == 1
    assert match.view().zones["draw"].size == 64 - 2 * 5 - 1
    assert all(zone.known == () for zone in match.view().zones.values())


@proves("KOLPA-T1")
def test_a_card_of_the_same_colour_or_number_goes_to_the_discard_pile() -> None:
    match = at("hand.0: b2 r3 g5\ndiscard: r2")
    assert {"kol b2", "kol r3"} <= set(match.legal(0))
    drawn = match.view().zones["draw"].size
    match.play(0, "kol b2")
    assert cards(match, "discard") == ["b2"]
    assert cards(match, "hand.0", 0) == ["r3", "g5"]
    assert match.view().zones["draw"].size == drawn


@proves("KOLPA-T1")
def test_a_matching_card_can_come_from_the_top_of_the_display() -> None:
    match = at("hand.0: g5\ndisplay.0.blue: b2\ndiscard: r2")
    match.play(0, "kol display b2")
    assert cards(match, "discard") == ["b2"]
    assert cards(match, "display.0.blue") == []


@proves("KOLPA-T1")
def test_a_card_that_does_not_match_or_is_not_held_is_refused_on_the_discard_pile() -> None:
    match = at("hand.0: g5 b2\ndiscard: r2")
    assert refused(match, "kol g5") == "KOLPA-T1"
    assert refused(match, "kol r3") == "KOLPA-T1"


@proves("KOLPA-T2")
def test_a_card_that_does_not_match_goes_to_the_display_and_one_is_drawn() -> None:
    """The booklet's example: the green 5 does not go on the blue 2."""
    match = at("hand.0: g5 r1\ndiscard: b2")
    assert refused(match, "kol g5") == "KOLPA-T1"
    match.play(0, "kolpa g5")
    assert cards(match, "display.0.green") == ["g5"]
    assert len(cards(match, "hand.0", 0)) == 2
    assert cards(match, "discard") == ["b2"]


@proves("KOLPA-T2")
def test_a_matching_card_never_goes_to_the_display() -> None:
    assert refused(at("hand.0: r3 g5\ndiscard: r2"), "kolpa r3") == "KOLPA-T2"


@proves("KOLPA-T3")
def test_the_display_has_one_pile_per_colour_and_the_newest_covers_the_others() -> None:
    match = at("hand.0: g5 r1\ndisplay.0.green: g3\ndiscard: b2")
    match.play(0, "kolpa g5")
    assert cards(match, "display.0.green") == ["g3", "g5"]


@proves("KOLPA-T3")
def test_covered_cards_cannot_be_played_and_do_not_bind() -> None:
    match = at("hand.0: g5 r1\ndisplay.0.yellow: y2 y4\ndiscard: b2")
    assert refused(match, "kol display y2") == "KOLPA-T3"
    assert "kolpa g5" in match.legal(0)


@proves("KOLPA-T3", "KOLPA-T5")
def test_a_card_uncovered_by_a_play_binds_at_once() -> None:
    match = at("hand.0: g5 r1\nhand.1: p0 p1\ndisplay.0.yellow: y2 y4\ndiscard: b4")
    match.play(0, "kol display y4")
    match.play(1, "kolpa p0")
    assert refused(match, "kolpa g5") == "KOLPA-T5"
    assert "kol display y2" in match.legal(0)


@proves("KOLPA-T4")
def test_kolpa_is_allowed_with_a_matching_card_in_hand() -> None:
    assert {"kol b3", "kolpa g5"} == set(at("hand.0: b3 g5\ndiscard: b2").legal(0))


@proves("KOLPA-T5")
def test_a_matching_display_top_forbids_adding_to_the_display() -> None:
    """The booklet's example: discard red 3, blue 3 in the display, red 1 in hand."""
    match = at("hand.0: r1 g5\ndisplay.0.blue: b3\ndiscard: r3")
    assert set(match.legal(0)) == {"kol r1", "kol display b3"}
    assert refused(match, "kolpa g5") == "KOLPA-T5"
    assert refused(match, "kol g5") == "KOLPA-T5"


@proves("KOLPA-T5")
def test_a_joker_also_satisfies_a_matching_display_top() -> None:
    match = at("hand.0: joker g5\ndisplay.0.blue: b3\ndiscard: r3")
    legal = set(match.legal(0))
    assert "joker red" in legal
    assert "kol display b3" in legal
    assert "kolpa g5" not in legal


@proves("KOLPA-T6")
def test_the_turn_passes_clockwise_and_only_the_seat_on_turn_may_play() -> None:
    match = at("hand.0: r1 r2\nhand.1: b1 b2\nhand.2: g1 g2\ndiscard: r3", players=3)
    assert refused(match, "kol b1", seat=1) == "KOLPA-T6"
    match.play(0, "kol r1")
    assert match.to_act == {1}
    match.play(1, "kol b1")
    match.play(2, "kol g1")
    assert match.to_act == {0}


@proves("KOLPA-T6")
def test_there_is_always_a_legal_card() -> None:
    """Every hand card matches, does not match, or is a joker; a display top only binds if it
    matches, and can then be played itself."""
    for seed in range(40):
        match = kibitz.new("kolpa", players=2 + seed % 5, seed=seed)
        rng = random.Random(seed)
        while not match.over and len(match.log) < 400:
            if match.round_over:
                match.next_round()
            (seat,) = match.to_act
            legal = match.legal(seat)
            assert legal
            match.play(seat, rng.choice(legal))


@proves("KOLPA-T7")
def test_an_empty_draw_pile_is_made_of_the_discards_below_the_top() -> None:
    match = at(EMPTY_DRAW.format(hand="g5 joker", discard="b2 joker r2 g5 b2"))
    match.play(0, "kolpa g5")
    assert cards(match, "discard") == ["b2"]
    assert match.view().zones["discard"].size == 1
    assert match.view().zones["draw"].size == 3
    (drawn,) = [card for card in cards(match, "hand.0", 0)[:2] if card != "joker"] or ["joker"]
    assert drawn in {"b2", "joker", "r2", "g5"}


@proves("KOLPA-T7")
def test_the_draw_pile_is_refilled_when_a_card_is_due_and_not_before() -> None:
    text = EMPTY_DRAW.format(hand="g5 g5", discard="joker joker b2").replace("draw:", "draw: r2 b2")
    match = at(text)
    match.play(0, "kolpa g5")
    assert match.view().zones["draw"].size == 1
    assert match.view().zones["discard"].size == 3


@proves("KOLPA-T7")
def test_a_joker_set_aside_stays_on_top_with_its_announcement() -> None:
    text = EMPTY_DRAW.format(hand="g5 joker", discard="b2 r2 g5 b2 joker")
    match = at(text + "called_colour: yellow")
    match.play(0, "kolpa g5")
    assert cards(match, "discard") == ["joker"]
    assert match.view().fields["called_colour"] == "yellow"
    assert match.view().zones["draw"].size == 3


@proves("KOLPA-T7", "KOLPA-E1")
def test_with_nothing_to_draw_an_empty_hand_ends_the_round() -> None:
    match = nothing_to_draw("g5")
    match.play(0, "kolpa g5")
    assert match.round_over
    assert sizes(match, "hand") == [0, 4]


@proves("KOLPA-T7")
def test_a_card_that_could_not_be_drawn_is_not_made_up_for_later() -> None:
    match = nothing_to_draw("g5 y5 r1", other="b1 b3 joker joker joker joker")
    match.play(0, "kolpa g5")
    assert sizes(match, "hand") == [2, 6]
    match.play(1, "kol b1")
    match.play(0, "kolpa y5")
    assert sizes(match, "hand") == [2, 5]
