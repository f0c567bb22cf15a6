"""Kolpa!, rule by rule."""

import random
from collections import Counter

import pytest

import kibitz
from kibitz.games.kolpa.deck import DECK
from kibitz.games.kolpa.tests.kolpa_positions import (
    CALLS,
    EMPTY_DRAW,
    announced,
    at,
    calls,
    nothing_to_draw,
    on_an_uncovered_joker,
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


@proves("KOLPA-J1")
def test_a_joker_goes_on_any_discard_but_never_to_the_display() -> None:
    for top in DECK.codes[:30]:
        match = at(f"hand.0: joker {'p5' if top != 'p5' else 'y1'}\ndiscard: {top}")
        assert "joker red" in match.legal(0)
    with pytest.raises(kibitz.IllegalAction, match="no action"):
        match.play(0, "kolpa joker")


@proves("KOLPA-J1")
def test_a_joker_one_does_not_hold_is_refused() -> None:
    assert refused(at("hand.0: r1 g5\ndiscard: r3"), "joker red") == "KOLPA-J1"


@proves("KOLPA-J2")
def test_a_joker_announces_one_of_eleven() -> None:
    match = at("hand.0: joker g5\ndiscard: r3")
    assert calls(match) == set(CALLS) == {*"012345", "red", "blue", "green", "yellow", "purple"}
    assert refused(match, "joker") == "KOLPA-J2"


@proves("KOLPA-J2")
@pytest.mark.parametrize("call", CALLS)
def test_what_a_joker_announces_holds(call: str) -> None:
    match = at("hand.0: joker g5\ndiscard: r3")
    match.play(0, f"joker {call}")
    assert [str(held) for held in announced(match)] == [call]


@proves("KOLPA-J2")
@pytest.mark.parametrize(
    ("call", "fits", "other"), [("blue", "b0", "r3"), ("4", "g4", "g5"), ("3", "r3", "r4")]
)
def test_until_it_is_covered_only_the_announcement_matches(
    call: str, fits: str, other: str
) -> None:
    match = on_an_uncovered_joker(call, f"hand.0: {fits} {other}")
    assert set(match.legal(0)) == {f"kol {fits}", f"kolpa {other}"}


@proves("KOLPA-J2", "KOLPA-J5", "KOLPA-T1")
@pytest.mark.parametrize("call", ["green", "4"])
@pytest.mark.parametrize("source", ["hand", "display"])
def test_once_a_card_covers_the_joker_that_card_is_to_be_matched(call: str, source: str) -> None:
    """Whether it comes from the hand or from the display, and what was announced is forgotten."""
    own = "hand.0: g4 y5" if source == "hand" else "hand.0: y5\ndisplay.0.green: g4"
    match = on_an_uncovered_joker(call, f"{own}\nhand.1: g1 b4 r2")
    match.play(0, "kol g4" if source == "hand" else "kol display g4")
    assert announced(match) == []
    assert set(match.legal(1)) == {"kol g1", "kol b4", "kolpa r2"}


@proves("KOLPA-J3")
def test_a_display_top_with_the_announced_colour_must_be_answered() -> None:
    match = on_an_uncovered_joker("blue", "hand.0: b5 r3 joker\ndisplay.0.blue: b0")
    jokers = {f"joker {call}" for call in CALLS if call != "blue"}
    assert set(match.legal(0)) == {"kol b5", "kol display b0"} | jokers
    assert refused(match, "kolpa r3") == "KOLPA-T5"


@proves("KOLPA-J2", "KOLPA-J3")
@pytest.mark.parametrize("call", CALLS)
def test_on_an_uncovered_joker_what_holds_cannot_be_announced_again(call: str) -> None:
    match = on_an_uncovered_joker(call, "hand.0: joker g5")
    assert calls(match) == set(CALLS) - {call}
    assert len(calls(match)) == 10
    assert refused(match, f"joker {call}") == "KOLPA-J3"


@proves("KOLPA-J3", "KOLPA-J4")
@pytest.mark.parametrize("call", ["blue", "5"])
@pytest.mark.parametrize(
    "own",
    [
        pytest.param("hand.0: r3 joker\ndisplay.0.blue: b5", id="match in the display"),
        pytest.param("hand.0: r3 joker\ndisplay.0.green: g5 g1", id="no match on top of it"),
        pytest.param("hand.0: r3 joker", id="no display"),
        pytest.param("hand.0: b5 joker", id="match in the hand"),
        pytest.param("hand.0: joker joker", id="nothing but jokers"),
    ],
)  # fmt: skip
def test_this_goes_for_every_joker_laid_on_a_joker(call: str, own: str) -> None:
    match = on_an_uncovered_joker(call, own)
    assert calls(match) == set(CALLS) - {call}
    assert refused(match, f"joker {call}") == "KOLPA-J3"


@proves("KOLPA-J3", "KOLPA-J5")
def test_in_a_row_of_jokers_each_announces_something_else_than_the_one_beneath_it() -> None:
    match = at("hand.0: joker r1\nhand.1: joker r2\nhand.2: joker joker r4\ndiscard: r3", players=3)
    assert calls(match) == set(CALLS)
    match.play(0, "joker 4")
    assert calls(match, 1) == set(CALLS) - {"4"}
    match.play(1, "joker green")
    assert calls(match, 2) == set(CALLS) - {"green"}
    assert refused(match, "joker green", seat=2) == "KOLPA-J3"
    match.play(2, "joker 4")  # what the first one announced holds no longer
    assert announced(match) == [4]


@proves("KOLPA-J3", "KOLPA-J5")
def test_who_comes_later_cannot_announce_it_again_either_while_the_joker_is_uncovered() -> None:
    match = on_an_uncovered_joker(
        "blue", "hand.0: r3 r4\nhand.1: g2 g3\nhand.2: joker y1", players=3
    )
    match.play(0, "kolpa r3")
    match.play(1, "kolpa g2")
    assert calls(match, 2) == set(CALLS) - {"blue"}
    assert refused(match, "joker blue", seat=2) == "KOLPA-J3"


@proves("KOLPA-J3")
@pytest.mark.parametrize("call", ["blue", "5"])
@pytest.mark.parametrize("source", ["hand", "display"])
def test_once_a_card_covers_the_joker_all_eleven_can_be_announced_again(
    call: str, source: str
) -> None:
    own = "hand.0: b5 g1" if source == "hand" else "hand.0: g1\ndisplay.0.blue: b5"
    match = on_an_uncovered_joker(call, f"{own}\nhand.1: joker y1")
    match.play(0, "kol b5" if source == "hand" else "kol display b5")
    assert calls(match, 1) == set(CALLS)
    match.play(1, f"joker {call}")
    assert [str(held) for held in announced(match)] == [call]


@proves("KOLPA-J3", "KOLPA-T7")
@pytest.mark.parametrize("call", ["yellow", "1"])
def test_a_joker_that_stays_on_top_when_the_pile_is_turned_over_still_binds(call: str) -> None:
    field = "called_colour" if call == "yellow" else "called_number"
    text = EMPTY_DRAW.format(hand="g5 joker", discard="b2 r2 g5 b2 joker")
    match = at(f"{text}{field}: {call}")
    match.play(0, "kolpa g5")
    assert match.view().zones["discard"].size == 1
    assert calls(match, 1) == set(CALLS) - {call}
    assert refused(match, f"joker {call}", seat=1) == "KOLPA-J3"


@proves("KOLPA-J2", "KOLPA-J3")
@pytest.mark.parametrize("call", ["blue", "5"])
def test_an_announcement_ends_with_its_round(call: str) -> None:
    match = on_an_uncovered_joker(call, "hand.0: g1 g2\nhand.1: y1\nturns: 1999")
    match.play(0, "kolpa g1")
    next_round(match)
    assert announced(match) == []


@proves("KOLPA-J4")
def test_otherwise_the_next_player_is_free_but_cannot_pass() -> None:
    match = on_an_uncovered_joker("5", "hand.0: b5 r3 joker\ndisplay.0.green: g1")
    jokers = {f"joker {call}" for call in CALLS if call != "5"}
    assert set(match.legal(0)) == {"kol b5", "kolpa r3"} | jokers
    only_jokers = on_an_uncovered_joker("5", "hand.0: joker joker")
    assert set(only_jokers.legal(0)) == jokers
    with pytest.raises(kibitz.IllegalAction, match="no action"):
        only_jokers.play(0, "pass")


@proves("KOLPA-J5")
def test_the_announcement_holds_for_the_next_player_and_the_next() -> None:
    match = at(
        "hand.0: r3 r4\nhand.1: g2 g3\nhand.2: b1 y1\ndiscard: joker\ncalled_colour: blue",
        players=3,
    )
    match.play(0, "kolpa r3")
    match.play(1, "kolpa g2")
    assert match.view().fields["called_colour"] == "blue"
    assert "kol b1" in match.legal(2)
    assert "kolpa y1" in match.legal(2)


@proves("KOLPA-E1")
@pytest.mark.parametrize(("hand", "action"), [("r1", "kol r1"), ("joker", "joker")])
def test_the_round_ends_when_the_last_card_goes_to_the_discard_pile(hand: str, action: str) -> None:
    match = at(f"hand.0: {hand}\ndiscard: r3")
    assert action in match.legal(0)
    match.play(0, action)
    assert match.round_over
    assert match.to_act == set()
    next_round(match)
    assert match.round == 2


@proves("KOLPA-E1")
def test_a_last_card_to_the_display_is_followed_by_a_draw_and_does_not_end_the_round() -> None:
    match = at("hand.0: g5\ndiscard: r3")
    match.play(0, "kolpa g5")
    assert not match.round_over
    assert match.to_act == {1}
    assert len(cards(match, "hand.0", 0)) == 1


@proves("KOLPA-E1")
def test_a_last_joker_needs_no_announcement() -> None:
    match = at("hand.0: joker\ndiscard: r3")
    assert match.legal(0) == ["joker"]
    assert refused(match, "joker red") == "KOLPA-E1"


@proves("KOLPA-E2")
def test_display_minus_hand_covered_cards_included() -> None:
    """The booklet's example: 4, 3, 0, 3, 5, 4, 2 displayed, 0, 3 and a joker in hand: 8."""
    match = at("""
        hand.0: r1
        hand.1: g0 y3 joker
        display.1.red: r4 r3
        display.1.blue: b0
        display.1.green: g3 g5
        display.1.purple: p4 p2
        discard: r3
    """)
    match.play(0, "kol r1")
    assert match.scores == [0, 8]
    assert match.sheet == [[{"display": 0, "hand": 0}, {"display": 21, "hand": -13}]]


@proves("KOLPA-E2")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_when_the_round_is_over_the_hands_that_were_scored_lie_open(seat: int | None) -> None:
    match = at("hand.0: r1\nhand.1: g0 y3 joker\ndiscard: r3")
    match.play(0, "kol r1")
    assert cards(match, "hand.1", seat) == ["g0", "y3", "joker"]
    next_round(match)
    assert bool(cards(match, "hand.1", seat)) is (seat == 1)


@proves("KOLPA-E2")
def test_totals_may_be_negative() -> None:
    match = at("hand.0: r1\nhand.1: joker joker r5\ndiscard: r3\nscores: 3 4")
    match.play(0, "kol r1")
    assert match.scores == [3, -21]


@proves("KOLPA-E3")
def test_the_match_ends_after_a_round_in_which_someone_reaches_the_target() -> None:
    match = at("hand.0: r1\nhand.1: g0\ndisplay.1.red: r5\ndiscard: r3\nscores: 49 45")
    match.play(0, "kol r1")
    assert match.over
    assert match.scores == [49, 50]
    assert match.winners == [1]
    assert refused(match, "kol r1") == "KOLPA-E3"


@proves("KOLPA-E3")
def test_below_the_target_another_round_is_dealt() -> None:
    match = at("hand.0: r1\nhand.1: g0\ndisplay.1.red: r5\ndiscard: r3\nscores: 49 44")
    match.play(0, "kol r1")
    assert not match.over
    assert match.scores == [49, 49]
    assert refused(match, "kol r1") is None  # nobody plays before it is dealt
    next_round(match)
    assert match.round == 2
    assert match.scores == [49, 49]


@proves("KOLPA-E3")
def test_equal_highest_totals_share_the_victory() -> None:
    match = at("hand.0: r1\nhand.1: g0\nhand.2: g1\ndiscard: r3\nscores: 50 50 20", players=3)
    match.play(0, "kol r1")
    assert match.winners == [0, 1]


@proves("KOLPA-E4")
def test_what_is_public() -> None:
    match = at("hand.0: r1 g4\nhand.1: b1 joker\ndisplay.1.red: r5 r2\ndiscard: y3 r3")
    view = match.view()
    assert view.zones["hand.0"].size == 2
    assert view.zones["hand.0"].cards == view.zones["hand.0"].known == ()
    assert view.zones["draw"].cards == view.zones["draw"].known == ()
    assert view.zones["draw"].size == 64 - 8
    assert view.zones["display.1.red"].cards == ("r5", "r2")
    assert view.zones["discard"].cards == ("r3",)


@proves("KOLPA-E5")
@pytest.mark.parametrize(("turns", "over"), [(1998, False), (1999, True)])
def test_a_round_ends_after_2000_turns_and_is_scored_as_it_lies(turns: int, over: bool) -> None:
    match = at(f"hand.0: g5 g4\nhand.1: y1\ndisplay.1.red: r5\ndiscard: b2\nturns: {turns}")
    match.play(0, "kolpa g5")
    assert match.round_over is over
    if over:
        assert match.sheet[0][1] == {"display": 5, "hand": -1}


@proves("KOLPA-E5")
def test_the_turns_of_the_next_round_are_counted_anew() -> None:
    match = at("hand.0: g5 g4\nhand.1: y1\ndiscard: b2\nturns: 1999")
    match.play(0, "kolpa g5")
    next_round(match)
    (seat,) = match.to_act
    match.play(seat, match.legal(seat)[0])
    assert not match.round_over


@proves("KOLPA-E5")
def test_a_match_ends_after_100_rounds_and_the_totals_decide() -> None:
    match = at("hand.0: r1\nhand.1: joker\ndiscard: r3\nround: 100\nscores: -9 -2")
    match.play(0, "kol r1")
    assert match.over
    assert match.winners == [0]
