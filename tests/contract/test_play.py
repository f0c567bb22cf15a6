"""Random play: it ends, nobody is ever stuck, no card is lost."""

import random

import pytest

import kibitz
from contract.settings import Setting, numbers, wander
from kibitz.engine import playout
from kibitz.engine.action_list import new_list
from kibitz.engine.game import Game
from kibitz.engine.view import cards_of, pile_of


def cards_on_the_table(match: kibitz.Match) -> list[int]:
    """Every card number, once for each place where it lies."""
    record, zones = match.state[0], match.game.layout.zones
    found = [card for zone in record["cards"] for card in cards_of(zone)]
    return found + [card for pile in range(zones.piles) for card in pile_of(record, pile)]


@pytest.mark.parametrize("seed", range(8))
def test_after_every_action_every_card_is_in_exactly_one_place(setting: Setting, seed: int) -> None:
    match = setting.match(seed)
    deck = sorted(match.game.layout.deck.cards)
    for _ in wander(match, random.Random(seed), 600):
        assert sorted(cards_on_the_table(match)) == deck
    assert sorted(cards_on_the_table(match)) == deck


def test_a_round_ends_and_the_table_rests_until_the_next_is_dealt(setting: Setting) -> None:
    """Nobody is due, nothing can be played, the scores are booked; the match goes on from there."""
    match = setting.match(seed=7)
    rested = 0
    for seat, _ in wander(match, random.Random(7), match.game.identity.longest):
        if seat is not None:
            with pytest.raises(kibitz.IllegalAction, match="next round is dealt when"):
                match.next_round()
            continue
        rested += 1
        assert match.round_over
        assert not match.over
        assert match.to_act == frozenset()
        assert len(match.sheet) == match.round
        assert all(match.legal(seat) == [] for seat in range(setting.players))
        with pytest.raises(kibitz.IllegalAction, match="the round is over"):
            match.play(0, match.game.actions.all[0].text)
    assert match.over
    assert match.round == rested + 1


def test_at_the_end_of_a_round_everyone_sees_the_same(setting: Setting) -> None:
    """Hands lie open: what one seat sees of another's, all do."""
    match = setting.match(seed=8)
    for seat, _ in wander(match, random.Random(8), 2_000):
        if seat is not None:
            continue
        hands = [f for f in match.game.layout.zones.families.values() if f.open_at_end]
        assert hands
        for family in hands:
            for owner in range(setting.players):
                zone = f"{family.name}.{owner}"
                seen = {match.view(viewer).zones[zone].cards for viewer in (None, 0, owner)}
                assert len(seen) == 1
                assert len(seen.pop()) == match.view(owner).zones[zone].size


def test_somebody_is_due_and_has_an_action_until_the_match_is_over(setting: Setting) -> None:
    for seed in range(3):
        match = setting.match(seed)
        for _ in wander(match, random.Random(seed), 300):
            if match.round_over:
                continue
            assert match.to_act
            assert match.to_act <= set(range(setting.players))
            assert all(match.legal(seat) for seat in match.to_act)


def test_whoever_is_not_due_has_no_action(setting: Setting) -> None:
    match = setting.match(seed=2)
    for _ in wander(match, random.Random(2), 60):
        for seat in set(range(setting.players)) - match.to_act:
            assert match.legal(seat) == []


@pytest.mark.parametrize("seed", range(5))
def test_random_matches_end_within_the_bound_that_the_game_declares(
    default: Setting, seed: int
) -> None:
    match = default.match(seed)
    card = match.game.identity
    n = playout.playout_at(match.state, 0, new_list(), card.longest + 1)
    assert match.over
    assert n <= card.longest
    assert match.winners
    assert match.to_act == frozenset()
    assert all(card.scores[0] <= score <= card.scores[1] for score in match.scores)


@pytest.mark.parametrize("end", ["low", "high"])
def test_both_ends_of_every_number_can_be_played(game: Game, end: str) -> None:
    for name, option in numbers(game).items():
        players = game.identity.seats[0]
        match = kibitz.new(game.name, players=players, seed=3, **{name: getattr(option, end)})
        playout.playout_at(match.state, 0, new_list(), game.identity.longest + 1)
        assert match.over
        low, high = game.identity.scores
        assert all(low <= score <= high for score in match.scores)


def test_winners_have_the_best_score(default: Setting) -> None:
    for seed in range(20):
        match = default.match(seed)
        playout.playout_at(match.state, 0, new_list(), match.game.identity.longest)
        best = min(match.scores) if match.game.identity.low_wins else max(match.scores)
        assert all(match.scores[seat] == best for seat in match.winners)


def test_the_sheet_adds_up_to_the_scores(setting: Setting) -> None:
    match = setting.match(seed=4)
    for _ in wander(match, random.Random(4), match.game.identity.longest):
        pass
    assert match.over
    totals = [0] * setting.players
    for round_ in match.sheet:
        for seat, parts in enumerate(round_):
            totals[seat] += sum(parts.values())
    assert totals == match.scores
    assert len(match.sheet) == match.round
    assert match.round_over


def test_nothing_can_be_played_when_the_match_is_over(default: Setting) -> None:
    match = default.match(seed=5)
    playout.playout_at(match.state, 0, new_list(), match.game.identity.longest)
    before = match.state.tobytes()
    for action in match.game.actions.all[:: max(1, len(match.game.actions) // 40)]:
        for seat in range(default.players):
            with pytest.raises(kibitz.IllegalAction):
                match.play(seat, action.text)
    assert match.state.tobytes() == before
