"""Viva: the cards, setting up a round, and the options."""

import re
from collections import Counter

import pytest

import kibitz
from kibitz.engine.match import Match
from kibitz.games.viva.art import face
from kibitz.games.viva.deck import DECK
from kibitz.games.viva.tests.viva_positions import COLOURS, KINDS, at
from kibitz.testing import cards, field, hand, next_round, play, refused, size, sizes

proves = pytest.mark.proves


@proves("VIVA-C1")
def test_the_deck_has_six_of_each_single_colour_and_of_each_pair() -> None:
    assert len(KINDS) == 6 + 15
    assert {kind.code: kind.copies for kind in DECK.kinds} == dict.fromkeys(KINDS, 6)
    assert len(DECK) == 126


@proves("VIVA-C1")
@pytest.mark.parametrize(("deck", "dealt"), [("regular", 126), ("pocket", 84)])
@pytest.mark.parametrize("players", range(2, 7))
def test_the_cards_in_play_are_those_of_the_deck(players: int, deck: str, dealt: int) -> None:
    match = kibitz.new("viva", players=players, seed=5, deck=deck)
    assert sum(sizes(match, "hand")) + size(match, "block") + size(match, "stack") == dealt


@proves("VIVA-C1")
def test_the_pocket_deck_lacks_two_of_each_kind() -> None:
    match = kibitz.new("viva", players=3, seed=5, deck="pocket")
    assert Counter(cards(match, "box")) == Counter(dict.fromkeys(KINDS, 2))


@proves("VIVA-C1")
def test_the_pocket_deck_stays_one_in_later_rounds() -> None:
    box = " ".join(f"{kind} {kind}" for kind in KINDS)
    match = at(f"hand.0: r\nblock: r\nbox: {box}", deck="pocket")
    next_round(play(match, "out r"))
    assert match.round == 2
    assert sum(size(match, z) for z in ("hand.0", "hand.1", "block", "personal.1", "stack")) == 84


def without_hue(svg: str) -> str:
    """A drawing in which all colours look alike, nor do names or titles tell them apart."""
    svg = re.sub(r"#[0-9a-f]{6}", "#000000", svg)
    svg = re.sub(r"kibitz-[a-z]+-[a-z]+-(coarse|fine)", r"pattern-\1", svg)
    return re.sub(r"<title>.*?</title>", "", svg)


def patterns(svg: str) -> frozenset[str]:
    """The tiles with which a drawing is painted, by their shapes alone."""
    return frozenset(re.findall(r"<pattern .*?</pattern>", without_hue(svg)))


def without_patterns(svg: str) -> str:
    """What is left of a drawing when hues and patterns are gone: its letters."""
    return re.sub(r"<pattern .*?</pattern>", "", without_hue(svg))


@proves("VIVA-C2")
def test_the_letters_alone_tell_all_cards_apart() -> None:
    assert len({without_patterns(face(kind)) for kind in KINDS}) == 21


@proves("VIVA-C2")
def test_each_colour_has_a_letter_on_all_its_cards_and_on_no_other() -> None:
    strokes = {kind: set(re.findall(r' d="(.*?)"', without_patterns(face(kind)))) for kind in KINDS}
    shared = set.intersection(*(strokes[colour] for colour in COLOURS))
    for colour in COLOURS:
        letter = strokes[colour] - shared
        assert letter
        assert {kind for kind in KINDS if letter <= strokes[kind]} == {
            kind for kind in KINDS if colour in kind
        }
        assert not any(letter & strokes[kind] for kind in KINDS if colour not in kind)


@proves("VIVA-C2")
def test_the_patterns_alone_tell_all_colours_apart() -> None:
    painted = {colour: patterns(face(colour)) for colour in COLOURS}
    assert all(painted.values())
    for kind in KINDS:
        assert patterns(face(kind)) == frozenset().union(*(painted[colour] for colour in kind))
    assert len({patterns(face(kind)) for kind in KINDS}) == 21


@proves("VIVA-C2")
def test_each_field_of_a_card_is_filled_with_the_pattern_of_its_colour() -> None:
    fills = {colour: set(re.findall(r'fill="url\(#(.*?)\)', face(colour))) for colour in COLOURS}
    assert all(fills.values())
    for kind in KINDS:
        used = set(re.findall(r'fill="url\(#(.*?)\)', face(kind)))
        assert used == set().union(*(fills[colour] for colour in kind))


@proves("VIVA-S1")
@pytest.mark.parametrize("players", range(2, 7))
def test_everyone_gets_five_cards_and_the_next_is_the_blocking_card(players: int) -> None:
    match = kibitz.new("viva", players=players, seed=3)
    assert sizes(match, "hand") == [5] * players
    assert size(match, "block") == 1
    assert cards(match, "block")[0] in KINDS
    assert size(match, "stack") == 126 - 5 * players - 1


@proves("VIVA-S1")
def test_hands_and_stack_are_face_down() -> None:
    match = kibitz.new("viva", players=2, seed=3)
    assert len(cards(match, "hand.0", 0)) == 5
    for seat in (1, None):
        for zone in ("hand.0", "stack"):
            view = match.view(seat).zones[zone]
            assert view.cards == view.known == ()


@proves("VIVA-S1")
def test_any_kind_can_be_dealt_and_turned_up() -> None:
    matches = [kibitz.new("viva", players=2, seed=seed) for seed in range(300)]
    assert {cards(match, "block")[0] for match in matches} == set(KINDS)
    dealt = Counter(card for match in matches for card in hand(match, 0))
    assert set(dealt) == set(KINDS)
    assert max(dealt.values()) < 2 * min(dealt.values())


@proves("VIVA-S2")
@pytest.mark.parametrize("players", [2, 6])
def test_three_houses_lie_empty(players: int) -> None:
    view = kibitz.new("viva", players=players, seed=3).view()
    houses = {name: zone.size for name, zone in view.zones.items() if name.startswith("house")}
    assert houses == {"house.1": 0, "house.2": 0, "house.3": 0}


@proves("VIVA-S3")
def test_the_first_starter_is_drawn_at_random_and_the_dealer_sits_to_the_right() -> None:
    starters: Counter[int] = Counter()
    for seed in range(300):
        match = kibitz.new("viva", players=3, seed=seed)
        (starter,) = match.to_act
        starters[starter] += 1
        assert field(match, "starter") == starter
        assert field(match, "dealer") == (starter - 1) % 3
    assert set(starters) == {0, 1, 2}
    assert min(starters.values()) > 70


def second_round() -> Match:
    """Seat 1 was the first out of round 1, seat 2 is left over as seat 0 lays its last card."""
    out = "playing: 0 2\nfirst_out: 1\nstarter: 2"
    match = at(f"{out}\nhand.0: r\nhand.2: b o\nblock: rg", players=3)
    return next_round(play(match, "out r"))


@proves("VIVA-S3")
def test_later_rounds_are_started_by_the_last_winner_and_dealt_by_the_last_loser() -> None:
    match = second_round()
    assert match.round == 2
    assert match.to_act == {1}
    assert field(match, "starter") == 1
    assert field(match, "dealer") == 2


@proves("VIVA-S4")
def test_the_last_loser_takes_a_personal_blocking_card_from_the_stack() -> None:
    match = second_round()
    assert sizes(match, "hand") == [5, 5, 5]
    assert [size(match, f"personal.{seat}") for seat in range(3)] == [0, 0, 1]
    assert size(match, "block") == 1
    assert size(match, "stack") == 126 - 15 - 2
    for seat in (0, 1, 2, None):
        assert cards(match, "personal.2", seat)[0] in KINDS


@proves("VIVA-S4")
def test_nobody_has_a_personal_blocking_card_in_the_first_round() -> None:
    match = kibitz.new("viva", players=6, seed=2)
    assert [size(match, f"personal.{seat}") for seat in range(6)] == [0] * 6


@proves("VIVA-S1", "VIVA-S2", "VIVA-S4")
def test_a_later_round_is_set_up_like_the_first() -> None:
    match = at("hand.0: r\nblock: r\nhouse.1: o b\ncleared: g g\npersonal.0: y\nholder: 0")
    next_round(play(match, "out r"))
    assert sizes(match, "hand") == [5, 5]
    assert [size(match, f"house.{n}") for n in (1, 2, 3)] == [0, 0, 0]
    assert size(match, "cleared") == 0
    assert size(match, "personal.0") == 0
    assert size(match, "personal.1") == 1
    assert size(match, "stack") == 126 - 12
    assert field(match, "holder") == 1


@proves("VIVA-G1")
def test_unless_said_otherwise_five_rounds_with_the_regular_deck_and_no_extra_penalty() -> None:
    match = kibitz.new("viva", players=2, seed=1)
    assert match.options == {"deck": "regular", "rounds": 5, "caught": False}
    assert refused(match, "try r>1", min(match.to_act)) == "VIVA-X1"


@proves("VIVA-G1", "VIVA-C1")
@pytest.mark.parametrize(
    ("deck", "rounds"), [("regular", 1), ("regular", 12), ("pocket", 1), ("pocket", 8)]
)
def test_there_are_at_most_as_many_rounds_as_winners_cards(deck: str, rounds: int) -> None:
    match = kibitz.new("viva", players=2, seed=1, deck=deck, rounds=rounds)
    assert match.options["rounds"] == rounds


@proves("VIVA-G1", "VIVA-C1")
@pytest.mark.parametrize(
    ("deck", "rounds"), [("regular", 0), ("regular", 13), ("pocket", 0), ("pocket", 9)]
)
def test_more_rounds_than_winners_cards_are_refused(deck: str, rounds: int) -> None:
    with pytest.raises(kibitz.BadOption, match="rounds"):
        kibitz.new("viva", players=2, seed=1, deck=deck, rounds=rounds)


@proves("VIVA-C1")
@pytest.mark.parametrize("options", [{"deck": "giant"}, {"caught": "perhaps"}, {"speed": 3}])
def test_other_options_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(kibitz.BadOption):
        kibitz.new("viva", players=2, seed=1, **options)


@proves("VIVA-S1")
@pytest.mark.parametrize("players", [1, 7])
def test_viva_is_for_two_to_six(players: int) -> None:
    with pytest.raises(kibitz.BadOption):
        kibitz.new("viva", players=players, seed=1)
