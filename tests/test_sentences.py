"""What is asked, offered and told at a table fits what is there."""

import re

import pytest

import kibitz
from kibitz.engine.match import Match
from kibitz.texts import LANGUAGES
from kibitz.texts.phrasebook import Phrasebook, percent

NAMES = ("Ada", "Blaise", "Carl")

# In each language the word, or its beginning, by which a prompt would offer to pass or to draw.
PASS = {"en": "pass", "fr": "passez", "de": "passe.", "es": "pasa.", "nl": "of pas."}
DRAW = {"en": "draw", "fr": "piochez", "de": "ziehe", "es": "roba", "nl": "trek"}


def position(game: str, text: str, players: int = 2) -> Match:
    return kibitz.position(game, f"{game} {players}\n{text.strip()}", seed=1)


def asked(match: Match, lang: str, seat: int = 0) -> str:
    words = Phrasebook(match.game, lang, NAMES)
    return words.prompt(match.view(seat).fields, match.legal(seat))


def told(match: Match, lang: str) -> str:
    line = match.line(len(match.done) - 1, None)
    assert line is not None
    return Phrasebook(match.game, lang, NAMES).done(line)


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.0, "0%"), (0.005, "1%"), (0.065, "7%"), (0.285, "29%"), (0.4 - 0.335, "7%"), (1.0, "100%")],
)
def test_half_a_percent_is_rounded_up_as_browsers_do(share: float, said: str) -> None:
    assert percent(share) == said


def kiza_auction(hand: str, other: str = "y■1") -> Match:
    return position(
        "kiza",
        f"""
        phase: auction
        due: 0
        donor: 0
        lot: r●10
        kiza.0: y▲1
        kiza.1: y▲2
        hand.0: {hand}
        hand.1: {other}
        scores: 0 0
        discard: *
        """,
    )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_after_a_card_of_a_bid_no_pass_is_offered(lang: str) -> None:
    match = kiza_auction("r■1 r■2")
    assert PASS[lang] in asked(match, lang).lower()
    match.play(0, "bid r■1")
    assert "pass" not in match.legal(0)
    assert PASS[lang] not in asked(match, lang).lower()
    one_more = asked(match, lang)
    match.play(0, "bid r■2")
    assert match.legal(0) == ["done"]
    assert asked(match, lang) != one_more


@pytest.mark.parametrize("lang", LANGUAGES)
def test_who_cannot_outbid_is_asked_to_pass_and_nothing_else(lang: str) -> None:
    match = kiza_auction("b■1")
    assert match.legal(0) == ["pass"]
    assert asked(match, lang) == match.game.texts.say(lang, "prompts.auction_pass")


KOLPA = "due: 0\ndiscard: r3\ndraw: *\nhand.1: b1 b2"


@pytest.mark.parametrize(
    ("hand", "display", "prompt"),
    [
        ("r5 g1 joker", "", "turn"),
        ("r5 g1", "", "turn_no_joker"),
        ("g1 joker", "", "turn_joker"),
        ("g1 g2", "", "turn_kolpa"),
        ("r5 g1 joker", "display.0.blue: b3", "turn_match"),  # KOLPA-T5
    ],
)
def test_kolpa_asks_for_what_the_hand_and_the_display_allow(
    hand: str, display: str, prompt: str
) -> None:
    match = position("kolpa", f"{KOLPA}\nhand.0: {hand}\n{display}")
    for lang in LANGUAGES:
        assert asked(match, lang) == match.game.texts.say(lang, f"prompts.{prompt}")


VIVA = "due: 0\nstarter: 0\nplaying: 0 1\nhand.1: p op"


@pytest.mark.parametrize(
    ("text", "prompt"),
    [
        ("hand.0: r g\nblock: p\nstack: *", "turn"),
        ("hand.0: r\nblock: rb\nstack: *", "turn_last"),
        ("hand.0: r\nblock: p\nstack: *", "turn_draw"),
        ("hand.0: p p\nblock: p\nstack: *", "turn_draw"),
        ("hand.0: r\nblock: p\npersonal.0: rb\nstack: *", "turn_last_own"),
        ("hand.0: r g\nblock: p\nbox: *", "turn_play"),
        ("hand.0: r\nblock: rb\nbox: *", "turn_out"),
        ("phase: keep\nhand.0: r\ndrawn.0: p\nblock: p\nstack: *", "keep_done"),
    ],
)
def test_viva_asks_for_what_is_allowed_also_with_the_last_card(text: str, prompt: str) -> None:
    holder = "\nholder: 0" if "personal" in text else ""
    match = position("viva", f"{VIVA}\n{text}{holder}")
    for lang in LANGUAGES:
        assert asked(match, lang) == match.game.texts.say(lang, f"prompts.{prompt}")
        assert bool(re.search(rf"\b{DRAW[lang]}\b", asked(match, lang).lower())) == (
            "draw" in match.legal(0)
        )


@pytest.mark.parametrize("lang", LANGUAGES)
def test_several_cards_are_told_as_several(lang: str) -> None:
    match = position("viva", f"{VIVA}\nhand.0: g g g r\nblock: p\nstack: *")
    label = Phrasebook(match.game, lang, NAMES).label("g>1+1+2", 0)
    match.play(0, "g>1+1+2")
    for sentence in (label, told(match, lang)):
        assert "3 × " in sentence
        assert "1, 1, 2" in sentence
        assert "+" not in sentence


@pytest.mark.parametrize("lang", LANGUAGES)
def test_nobody_lays_into_the_kitty_of_their_own_name(lang: str) -> None:
    match = kibitz.new("ramon", players=3, seed=1)
    (seat,) = match.to_act
    words = Phrasebook(match.game, lang, NAMES)
    card = match.view(seat).zones[f"hand.{seat}"].cards[0]
    own, other = f"{card}>{seat}", f"{card}>{(seat + 1) % 3}"
    assert NAMES[seat] not in words.label(own, seat)
    assert NAMES[(seat + 1) % 3] in words.label(other, seat)
    match.play(seat, own)
    assert told(match, lang).count(NAMES[seat]) == 1


@pytest.mark.parametrize(
    ("last", "joint"),
    [
        ("Inés", "e"), ("íñigo", "e"), ("Hilda", "e"), ("Yvonne", "e"),
        ("Ada", "y"), ("Ian", "y"), ("hielo", "y"), ("Yolanda", "y"), ("🦊", "y"), ("", "y"),
    ],
)  # fmt: skip
def test_spanish_and_before_the_sound_i(last: str, joint: str) -> None:
    """As `web/tests/words.test.ts` has it for the page."""
    game = kibitz.new("kolpa", players=2, seed=1).game
    assert Phrasebook(game, "es", NAMES).listed(["Ada", "Blaise", last]) == (
        f"Ada, Blaise {joint} {last}"
    )
    assert Phrasebook(game, "de", NAMES).listed(["Ada", last]) == f"Ada und {last}"
