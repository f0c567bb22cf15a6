"""Hearts, rule by rule."""

import pytest

import kibitz
from kibitz.engine.match import Match
from kibitz.testing import events, field, hand, known, play, refused, sizes, told

proves = pytest.mark.proves

RANKS = [*"23456789", "10", *"jqka"]
SUITS = {suit: [suit + rank for rank in RANKS] for suit in "cdsh"}


def passing(direction: str) -> Match:
    """Everyone holds a suit and is to pass three of its cards."""
    hands = "\n".join(f"hand.{p}: {' '.join(SUITS[suit])}" for p, suit in enumerate("cdsh"))
    return kibitz.position(
        "hearts", f"hearts 4\nphase: pass\ndirection: {direction}\ndue: 0 1 2 3\n{hands}", seed=1
    )


def pass_three(match: Match, seat: int) -> None:
    """The lowest three, and ready."""
    for _ in range(3):
        match.play(seat, match.legal(seat)[0])
    match.play(seat, "ready")


def passed(direction: str) -> Match:
    match = passing(direction)
    for seat in (2, 0, 3, 1):
        pass_three(match, seat)
    return match


def trick(hands: list[str], *, leader: int = 0, more: str = "") -> Match:
    """Somebody is to lead; all other cards have been taken by seat 0."""
    written = "\n".join(f"hand.{p}: {cards}" for p, cards in enumerate(hands))
    return kibitz.position(
        "hearts",
        f"hearts 4\nphase: play\nleader: {leader}\ndue: {leader}\n{written}\n{more}\ntaken.0: *",
    )


@proves("HEARTS-C1", "HEARTS-S1")
def test_thirteen_of_fifty_two_cards_each() -> None:
    match = kibitz.new("hearts", players=4, seed=1)
    assert sizes(match, "hand") == [13] * 4
    cards = sorted(card for seat in range(4) for card in hand(match, seat))
    assert cards == sorted(card for suit in SUITS.values() for card in suit)


@proves("HEARTS-P1")
def test_three_cards_are_chosen_unseen_and_at_the_same_time() -> None:
    match = passing("left")
    assert match.to_act == {0, 1, 2, 3}
    assert len(match.legal(1)) == 13
    play_all(match, 1, "pass d2", "pass dk")
    assert match.view(0).zones["hand.1"].size == 13
    assert match.view(0).zones["gift.1"].size == 0
    assert told(match, 0) == []
    assert refused(match, "ready", 1) == "HEARTS-P1"
    match.play(1, "pass d5")
    assert match.legal(1) == ["ready"]
    assert refused(match, "pass d6", 1) == "HEARTS-P1"
    match.play(1, "ready")
    assert match.to_act == {0, 2, 3}
    assert refused(match, "pass d6", 1) == "HEARTS-P1"


def play_all(match: Match, seat: int, *actions: str) -> None:
    match.play_all(seat, actions)


@proves("HEARTS-P1")
def test_the_direction_goes_round_and_in_the_fourth_round_nothing_is_passed() -> None:
    match = kibitz.new("hearts", players=4, seed=2)
    directions: list[tuple[object, object]] = []
    while len(directions) < 5 and not match.over:
        if match.round_over:
            match.next_round()
        if match.round > len(directions):
            directions.append((field(match, "direction"), field(match, "phase")))
        seat = min(match.to_act)
        match.play(seat, match.legal(seat)[0])
    assert directions == [
        ("left", "pass"), ("right", "pass"), ("across", "pass"), ("keep", "play"), ("left", "pass"),
    ]  # fmt: skip


@pytest.mark.parametrize(("direction", "step"), [("left", 1), ("right", 3), ("across", 2)])
@proves("HEARTS-P2")
def test_gifts_change_hands_at_once(direction: str, step: int) -> None:
    match = passed(direction)
    for giver, suit in enumerate("cdsh"):
        taker = (giver + step) % 4
        gift = SUITS[suit][:3]
        assert set(gift) <= set(hand(match, taker))
        assert len(hand(match, giver)) == 13


@pytest.mark.parametrize(("direction", "step"), [("left", 1), ("right", 3), ("across", 2)])
@proves("HEARTS-P2")
def test_giver_and_taker_know_what_was_passed_and_nobody_else_does(
    direction: str, step: int
) -> None:
    match = passed(direction)
    for giver, suit in enumerate("cdsh"):
        taker = (giver + step) % 4
        gift = SUITS[suit][:3]
        for viewer in (None, *(set(range(4)) - {taker})):
            seen = set(known(match, f"hand.{taker}", viewer)) - {"c2"}  # HEARTS-T1
            assert seen == (set(gift) - {"c2"} if viewer == giver else set())
        for viewer in (None, 0, 1, 2, 3):
            (event,) = [e for e in events(match, "received", viewer=viewer) if e.seat == taker]
            assert (event.other, event.number, event.size) == (giver, 3, 3)
            assert event.cards == (tuple(gift) if viewer == taker else ())


@proves("HEARTS-T1")
def test_the_two_of_clubs_leads_and_everyone_knows_who_holds_it() -> None:
    match = passed("left")
    assert match.to_act == {1}
    assert known(match, "hand.1") == ["c2"]
    assert match.legal(1) == ["play c2"]
    assert refused(match, "play c3", 1) == "HEARTS-T1"
    (event,) = events(match, "leads")
    assert (event.seat, event.cards) == (1, ("c2",))


@proves("HEARTS-T2")
def test_the_suit_led_is_followed_in_turn() -> None:
    match = trick(["c5 d5", "c9 da", "ca h2", "s9 s10"])
    assert refused(match, "play c9", 1) == "HEARTS-T2"
    match.play(0, "play c5")
    assert match.legal(1) == ["play c9"]
    assert refused(match, "play da", 1) == "HEARTS-T2"
    assert refused(match, "play c5", 1) == "HEARTS-T2"
    play(match, "play c9", "play ca")
    assert match.legal(3) == ["play s9", "play s10"]


@proves("HEARTS-T3")
def test_no_penalty_goes_to_the_first_trick_unless_there_is_nothing_else() -> None:
    match = kibitz.position(
        "hearts",
        "hearts 4\nphase: play\nleader: 0\ndue: 0\n"
        f"hand.0: {' '.join(SUITS['c'])}\n"
        f"hand.1: {' '.join(SUITS['h'])}\n"
        f"hand.2: {' '.join(SUITS['s'])}\n"
        f"hand.3: {' '.join(SUITS['d'])}",
    )
    play(match, "play c2")
    assert len(match.legal(1)) == 13
    play(match, "play h5")
    assert "play sq" not in match.legal(2)
    assert len(match.legal(2)) == 12
    assert refused(match, "play sq", 2) == "HEARTS-T3"


@proves("HEARTS-T4")
def test_no_heart_is_led_before_one_has_been_played() -> None:
    match = trick(["c5 h5", "s9 h2", "ca h3", "c10 h4"])
    assert match.legal(0) == ["play c5"]
    assert refused(match, "play h5") == "HEARTS-T4"
    play(match, "play c5", "play h2")
    assert events(match, "hearts_broken")
    play(match, "play ca", "play c10")
    assert match.legal(2) == ["play h3"]
    broken = trick(["c5 h5", "s9 h2", "ca h3", "c10 h4"], more="broken: 1")
    assert broken.legal(0) == ["play c5", "play h5"]


@proves("HEARTS-T4")
def test_who_has_only_hearts_leads_one_and_the_queen_breaks_nothing() -> None:
    assert trick(["h5 h6", "s9 h2", "ca h3", "c10 h4"]).legal(0) == ["play h5", "play h6"]
    match = play(trick(["c5 h5", "sq h2", "ca h3", "c10 h4"]), "play c5", "play sq")
    assert field(match, "broken") == 0


@proves("HEARTS-T5")
def test_the_highest_card_of_the_suit_led_takes_the_trick_and_leads() -> None:
    match = play(
        trick(["c5 d2", "cj d3", "sa d4", "c9 d5"]), "play c5", "play cj", "play sa", "play c9"
    )
    (event,) = events(match, "takes")
    assert (event.seat, event.number, set(event.cards)) == (1, 0, {"c5", "cj", "sa", "c9"})
    assert match.to_act == {1}
    assert sizes(match, "taken") == [44, 4, 0, 0]


@proves("HEARTS-E1")
def test_hearts_are_a_point_and_the_queen_of_spades_thirteen() -> None:
    rest = " ".join(SUITS["h"][4:])
    match = kibitz.position(
        "hearts",
        "hearts 4\nphase: play\nleader: 0\ndue: 0\nhand.0: s2\nhand.1: sq\nhand.2: h2\nhand.3: c3\n"
        f"taken.1: h3 h4 h5\ntaken.2: {rest}\ntaken.3: *",
    )
    play(match, "play s2", "play sq", "play h2", "play c3")
    assert match.round_over
    assert match.scores == [0, 17, 9, 0]
    scored = {e.seat: (e.number, e.cards) for e in events(match, "scored")}
    assert scored[1] == (17, ("sq", "h2", "h3", "h4", "h5"))
    assert scored[2][0] == len(scored[2][1]) == 9


@proves("HEARTS-E2")
def test_who_takes_all_penalties_shoots_the_moon() -> None:
    match = trick(["sa", "sq", "h2", "h3"], more="scores: 10 20 30 40")
    play(match, "play sa", "play sq", "play h2", "play h3")
    assert match.scores == [10, 46, 56, 66]
    assert match.sheet[-1][1] == {"cards": 0, "moon": 26}
    assert events(match, "moon")[0].seat == 0


@proves("HEARTS-E3")
def test_at_the_limit_fewest_points_win() -> None:
    match = trick(["sa", "sq", "h2", "h3"], more="scores: 10 73 10 40")
    play(match, "play sa", "play sq", "play h2", "play h3")
    assert not match.over
    match = trick(["sa", "sq", "h2", "h3"], more="scores: 36 74 10 40")
    play(match, "play sa", "play sq", "play h2", "play h3")
    assert match.over
    assert match.winners == [0, 2]
    assert refused(match, "play h3", 3) == "HEARTS-E3"


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("phase: pass\ndirection: keep\ndue: 0 1 2 3\nhand.0: *", "no cards are passed"),
        ("phase: pass\ndue: 0 1 2 3\nhand.0: *", "seat 0 has 13 cards"),
        (
            "phase: play\nleader: 0\ndue: 0\nhand.0: c3\nhand.1: c4\nhand.2: c5\nhand.3: *",
            "as many",
        ),
        ("phase: play\ndue: 0\nhand.0: c3\ntaken.0: *", "a seat has led"),
        ("phase: play\nleader: 0\ndue: 1\nhand.0: c3\ntaken.0: *", "played a card each"),
    ],
)
def test_positions_that_cannot_be_are_refused(lines: str, says: str) -> None:
    with pytest.raises(kibitz.BadPosition, match=says):
        kibitz.position("hearts", f"hearts 4\n{lines}")
