"""Zocken: the cards, setting up a round, and the option."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import kibitz
from kibitz.games import zocken
from kibitz.games.zocken.deck import CARDS, DECK
from kibitz.games.zocken.tests.zocken_positions import (
    COPIES,
    GOBLINS,
    JOKERS,
    SPECIALS,
    at,
    taker,
    trick,
)
from kibitz.testing import cards, field, hand, next_round, play, refused, size, sizes

proves = pytest.mark.proves


@proves("ZOCKEN-C1")
def test_nine_kinds_of_goblin_four_of_each() -> None:
    goblins = {kind.code: kind.copies for kind in DECK.kinds if kind.form == "goblin"}
    assert goblins == dict.fromkeys(GOBLINS, 4)
    assert sum(goblins.values()) == 36


@proves("ZOCKEN-C1")
def test_a_goblins_yellow_and_blue_numbers_are_1_9_to_9_1() -> None:
    numbers = [(card.yellow, card.blue) for card in CARDS if card.code in GOBLINS]
    assert numbers == [
        (1, 9), (2, 8), (3, 7), (4, 6), (5, 5), (6, 4), (7, 3), (8, 2), (9, 1),
    ]  # fmt: skip


@proves("ZOCKEN-C1", "ZOCKEN-C4")
@pytest.mark.parametrize("n", range(1, 9))
def test_each_goblin_is_above_the_one_before_in_yellow_and_below_it_in_blue(n: int) -> None:
    """A pair beside them does not count."""
    pair = ["g1", "g1"] if n > 1 else ["g9", "g9"]
    assert taker(trick([f"g{n}", f"g{n + 1}", *pair], pawn="yellow")) == 1
    assert taker(trick([f"g{n}", f"g{n + 1}", *pair], pawn="blue")) == 0


@proves("ZOCKEN-C2")
def test_21_special_cards_of_five_kinds() -> None:
    specials = {kind.code: kind.copies for kind in DECK.kinds if kind.form == "special"}
    assert specials == {"yellow": 4, "blue": 4, "pass": 5, "draw": 4, "give": 4}
    assert sum(specials.values()) == 21


@proves("ZOCKEN-C3")
def test_three_jokers_all_different() -> None:
    jokers = {kind.code: kind.copies for kind in DECK.kinds if kind.form == "joker"}
    assert jokers == {"wild": 1, "low": 1, "high": 1}


@proves("ZOCKEN-C1", "ZOCKEN-C2", "ZOCKEN-C3")
def test_there_are_60_cards() -> None:
    assert len(DECK) == 60
    assert {kind.code: kind.copies for kind in DECK.kinds} == COPIES


@proves("ZOCKEN-C2", "ZOCKEN-C3")
@pytest.mark.parametrize("card", [*SPECIALS, *JOKERS])
@pytest.mark.parametrize("pawn", ["yellow", "blue"])
def test_specials_and_jokers_are_worth_five_in_either_colour(card: str, pawn: str) -> None:
    """It beats a four, gives way to a six, and of equals the last counts."""
    end = card if card in ("yellow", "blue") else pawn
    four, six = ("g4", "g6") if end == "yellow" else ("g6", "g4")
    one = "g1" if end == "yellow" else "g9"
    assert taker(trick([four, card, one], pawn=pawn)) == 1
    assert taker(trick([six, card, one], pawn=pawn)) == 0
    assert taker(trick(["g5", card, one], pawn=pawn)) == 1
    assert taker(trick([card, "g5", one], pawn=pawn)) == 1


@proves("ZOCKEN-C4")
@pytest.mark.parametrize(("pawn", "taken_by"), [("yellow", 2), ("blue", 0)])
def test_the_number_of_the_pawns_colour_counts(pawn: str, taken_by: int) -> None:
    assert taker(trick(["g1", "g6", "g8"], pawn=pawn)) == taken_by


OWNERS_CORRECTION = """
from dataclasses import replace

CHANGES = {
    "g1": {"yellow": 7, "copies": 5, "light_hats": 2},
    "draw": {"copies": 2},
    "low": {"copies": 2, "stands_for": ("g1", "g5")},
}
CARDS = tuple(replace(card, **CHANGES.get(card.code, {})) for card in CARDS if card.code != "high")
DECK = Deck(_kind(card) for card in CARDS)
"""

PLAYED_WITH_IT = """
import json
import sys

import kibitz
from kibitz.engine.checked import Checked, plain
from kibitz.engine.rounds import next_round
from kibitz.engine.view import codes_of, pile_codes

games = sys.modules["kibitz.games"]
games.__path__.insert(0, sys.argv[1])
game = games.find("zocken")


def deal(players):
    blank = game.blank(players, game.settings(players, {}))
    state = Checked(game.layout, game.plain, blank[0])
    plain(next_round)(state)
    return state.record()[0]


def after(text, *actions):
    state = kibitz.position("zocken", text).checked()
    for action in actions:
        game.plain.apply(state, state.due.bit_length() - 1, game.actions.read(action))
    return state.record()[0]


def cards(state, name):
    zone = next(z for z in game.layout.zones.at(int(state["players"])) if z.name == name)
    if zone.family.is_pile:
        return pile_codes(game, state, zone)
    return codes_of(game, state["cards"][zone.index])


four, three = deal(4), deal(3)
head = "zocken 3\\ndue: 0\\nleader: 0\\nphase: turn\\ndraw: *\\n"
taken = after(
    head + "hand.0: g1 g8\\nhand.1: g6 g8\\nhand.2: g2 g8", "play g1", "play g6", "play g2"
)
laid = after(
    head + "hand.0: g5 low low g8\\nhand.1: g6\\nhand.2: g2", *["series g5", *["series low"] * 2]
)
print(json.dumps({
    "deck": {kind.code: kind.copies for kind in game.layout.deck.kinds},
    "left with four players": len(cards(four, "draw")),
    "left with three players": len(cards(three, "draw")),
    "light hats": cards(three, "box"),
    "taken": [len(cards(taken, f"taken.{seat}")) for seat in range(3)],
    "series": cards(laid, "series.0.1"),
}))
"""


@proves("ZOCKEN-C5")
def test_an_owner_of_the_real_cards_corrects_the_deck_without_touching_a_rule(
    tmp_path: Path,
) -> None:
    """Another number, other counts and light hats, a joker for other goblins, one kind less."""
    folder = tmp_path / "games" / "zocken"
    source = Path(zocken.__path__[0])
    shutil.copytree(source, folder, ignore=shutil.ignore_patterns("tests", "__pycache__"))
    with (folder / "deck.py").open("a", encoding="utf-8") as file:
        file.write(OWNERS_CORRECTION)
    run = subprocess.run(
        [sys.executable, "-c", PLAYED_WITH_IT, str(folder.parent)],
        env={**os.environ, "KIBITZ_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    copies = {**COPIES, "g1": 5, "draw": 2, "low": 2}
    del copies["high"]
    assert found["deck"] == copies
    assert found["left with four players"] == 59 - 52
    assert found["left with three players"] == 59 - 15 - 39
    assert Counter(found["light hats"]) == Counter(
        {**dict.fromkeys([*GOBLINS, *SPECIALS], 1), "g1": 2}
    )
    assert found["taken"] == [3, 0, 0]
    assert found["series"] == ["g5", "low", "low"]


@proves("ZOCKEN-S1")
@pytest.mark.parametrize(("players", "dealt", "left"), [(3, 13, 7), (4, 13, 8), (5, 10, 10)])
def test_cards_are_dealt_and_the_rest_is_the_draw_pile(players: int, dealt: int, left: int) -> None:
    match = kibitz.new("zocken", players=players, seed=4)
    assert sizes(match, "hand") == [dealt] * players
    assert size(match, "draw") == left
    assert sizes(match, "taken") == [0] * players


@proves("ZOCKEN-S1")
def test_three_play_without_the_14_light_hats_one_of_each_goblin_and_each_special() -> None:
    match = kibitz.new("zocken", players=3, seed=4)
    assert sorted(cards(match, "box")) == sorted([*GOBLINS, *SPECIALS])
    assert size(match, "box") == 14


@proves("ZOCKEN-S1")
@pytest.mark.parametrize("players", [4, 5])
def test_more_players_play_with_all_cards(players: int) -> None:
    assert size(kibitz.new("zocken", players=players, seed=4), "box") == 0


@proves("ZOCKEN-S1")
def test_the_light_hats_stay_out_in_later_rounds() -> None:
    match = next_round(play(at("leader: 1\ntrick.1: g9\ntrick.2: g2\nhand.0: g1"), "play g1"))
    assert match.round == 2
    assert sizes(match, "hand") == [13, 13, 13]
    assert size(match, "draw") == 7
    assert sorted(cards(match, "box")) == sorted([*GOBLINS, *SPECIALS])


@proves("ZOCKEN-S1")
def test_hands_and_draw_pile_are_face_down() -> None:
    match = kibitz.new("zocken", players=4, seed=4)
    assert len(hand(match, 0)) == 13
    for seat in (1, 2, 3, None):
        for zone in ("hand.0", "draw"):
            view = match.view(seat).zones[zone]
            assert view.cards == view.known == ()


@proves("ZOCKEN-S1")
@pytest.mark.parametrize("players", [2, 6])
def test_zocken_is_for_three_to_five(players: int) -> None:
    with pytest.raises(kibitz.BadOption):
        kibitz.new("zocken", players=players, seed=1)


@proves("ZOCKEN-S2")
def test_the_first_player_is_drawn_at_random() -> None:
    first = Counter(min(kibitz.new("zocken", players=3, seed=s).to_act) for s in range(300))
    assert set(first) == {0, 1, 2}
    assert min(first.values()) > 70


@proves("ZOCKEN-S2", "ZOCKEN-C4")
@pytest.mark.parametrize("colour", ["yellow", "blue"])
def test_the_first_player_chooses_the_pawns_colour_after_looking_at_their_hand(colour: str) -> None:
    match = kibitz.new("zocken", players=3, seed=4)
    (first,) = match.to_act
    assert len(hand(match, first)) == 13
    assert set(match.legal(first)) == {"colour yellow", "colour blue"}
    match.play(first, f"colour {colour}")
    assert field(match, "pawn") == colour
    assert match.to_act == {first}
    assert {f"play {card}" for card in hand(match, first)} <= set(match.legal(first))


@proves("ZOCKEN-S2")
def test_before_that_nothing_can_be_played_and_nobody_else_chooses() -> None:
    match = kibitz.new("zocken", players=3, seed=4)
    (first,) = match.to_act
    assert refused(match, f"play {hand(match, first)[0]}", first) == "ZOCKEN-S2"
    refused(match, "colour blue", (first + 1) % 3)


@proves("ZOCKEN-S2")
def test_the_colour_is_chosen_once() -> None:
    match = kibitz.new("zocken", players=3, seed=4)
    play(match, "colour blue")
    assert refused(match, "colour yellow", min(match.to_act)) == "ZOCKEN-S2"


@proves("ZOCKEN-S2")
@pytest.mark.parametrize("pawn", ["yellow", "blue"])
def test_later_rounds_keep_the_colour_showing(pawn: str) -> None:
    match = at(f"leader: 1\npawn: {pawn}\ntrick.1: g9\ntrick.2: g2\nhand.0: g3")
    next_round(play(match, "play g3"))
    assert match.round == 2
    assert field(match, "pawn") == pawn
    assert field(match, "phase") == "turn"
    assert refused(match, "colour yellow", min(match.to_act)) == "ZOCKEN-S2"


@proves("ZOCKEN-S2", "ZOCKEN-P1")
def test_a_colour_turned_in_the_last_trick_is_the_one_showing() -> None:
    match = at("leader: 1\npawn: yellow\ntrick.1: g9\ntrick.2: g2\nhand.0: blue")
    next_round(play(match, "play blue"))
    assert match.round == 2
    assert field(match, "pawn") == "blue"


@proves("ZOCKEN-S2")
@pytest.mark.parametrize(
    ("tricks", "last", "leader"),
    [("g9 g2", "g1", 2), ("g2 g9", "g1", 0), ("g2 g3", "g9", 1)],
)
def test_a_later_round_is_led_from_the_left_of_whoever_took_the_last_trick(
    tricks: str, last: str, leader: int
) -> None:
    one, two = tricks.split()
    match = at(f"leader: 1\ntrick.1: {one}\ntrick.2: {two}\nhand.0: {last}")
    next_round(play(match, f"play {last}"))
    assert match.round == 2
    assert match.to_act == {leader}
    assert field(match, "leader") == leader
