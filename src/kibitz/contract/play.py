"""Random play: it ends, nobody is ever stuck, no card is lost."""

import random

import kibitz
from kibitz.contract import promise
from kibitz.contract.settings import Setting, numbers, refused, wander
from kibitz.engine import playout
from kibitz.engine.action_list import new_list
from kibitz.engine.game import Game
from kibitz.engine.match import Match
from kibitz.engine.view import cards_of, pile_of


def cards_on_the_table(match: Match) -> list[int]:
    """Every card number, once for each place where it lies."""
    record, zones = match.state[0], match.game.layout.zones
    found = [card for zone in record["cards"] for card in cards_of(zone)]
    return found + [card for pile in range(zones.piles) for card in pile_of(record, pile)]


@promise
def after_every_action_every_card_is_in_exactly_one_place(setting: Setting) -> None:
    deck = sorted(setting.match(0).game.layout.deck.cards)
    for match, seat, action in setting.walks(matches=100, steps=40):
        lying = sorted(cards_on_the_table(match))
        assert lying == deck, f"before {action!r} of seat {seat}: {wrong_cards(match, lying, deck)}"


def wrong_cards(match: Match, lying: list[int], deck: list[int]) -> str:
    """Which cards are lost, or lie at two places."""
    kinds = match.game.layout.deck
    lost = [kinds.codes[kinds.kind[card]] for card in deck if card not in lying]
    doubled = [kinds.codes[kinds.kind[card]] for card in {*lying} if lying.count(card) > 1]
    return f"lost: {' '.join(lost) or 'none'}; at two places: {' '.join(doubled) or 'none'}"


@promise
def a_round_ends_and_the_table_rests_until_the_next_is_dealt(setting: Setting) -> None:
    """Nobody is due, nothing can be played, the scores are booked; the match goes on from there."""
    match = setting.match(seed=7)
    rested = 0
    for seat, _ in wander(match, random.Random(7), match.game.identity.longest):
        if seat is not None:
            with refused(kibitz.IllegalAction, "next round is dealt when"):
                match.next_round()
            continue
        rested += 1
        assert match.round_over
        assert not match.over
        assert match.to_act == frozenset(), "end a round by `end_round` or `end_match`"
        assert len(match.sheet) == match.round
        assert all(match.legal(seat) == [] for seat in range(setting.players))
        with refused(kibitz.IllegalAction, "the round is over"):
            match.play(0, match.game.actions.all[0].text)
    assert match.over
    assert match.round == rested + 1


@promise
def at_the_end_of_a_round_everyone_sees_the_same(setting: Setting) -> None:
    """Hands lie open: what one seat sees of another's, all do."""
    match = setting.match(seed=8)
    for seat, _ in wander(match, random.Random(8), 2_000):
        if seat is not None:
            continue
        hands = [f for f in match.game.layout.zones.families.values() if f.open_at_end]
        assert hands, "declare the hands with `open_at_end=True`"
        for family in hands:
            for owner in range(setting.players):
                zone = f"{family.name}.{owner}"
                seen = {match.view(viewer).zones[zone].cards for viewer in (None, 0, owner)}
                assert len(seen) == 1
                assert len(seen.pop()) == match.view(owner).zones[zone].size


@promise
def somebody_is_due_and_has_an_action_until_the_match_is_over(setting: Setting) -> None:
    for match, _, _ in setting.walks(matches=50, steps=30):
        if match.round_over:
            continue
        assert match.to_act, "nobody is due, and the round is not over"
        assert match.to_act <= set(range(setting.players))
        for seat in range(setting.players):
            has_action = bool(match.legal(seat))
            assert has_action == (seat in match.to_act), f"seat {seat} is due without an action"


@promise
def random_matches_end_within_the_bound_that_the_game_declares(default: Setting) -> None:
    for seed in range(50):
        match = default.match(seed)
        card = match.game.identity
        n = playout.playout_at(match.state, 0, new_list(), card.longest + 1)
        assert match.over, f"after {n} actions (seed {seed}) the match is not over"
        assert n <= card.longest
        assert match.winners
        assert match.to_act == frozenset()
        in_bounds(match)


def in_bounds(match: Match) -> None:
    """No total is outside what the identity card says."""
    low, high = match.game.identity.scores
    assert all(low <= score <= high for score in match.scores), (
        f"scores {match.scores} are outside {low} to {high}, the bounds of the identity card"
    )


@promise
def both_ends_of_every_number_can_be_played(game: Game) -> None:
    for name, option in numbers(game).items():
        for value in (option.low, option.high):
            players = game.identity.seats[0]
            match = kibitz.new(game.name, players=players, seed=3, **{name: value})
            playout.playout_at(match.state, 0, new_list(), game.identity.longest + 1)
            assert match.over, f"with {name}={value} a match does not end"
            in_bounds(match)


@promise
def winners_have_the_best_score(default: Setting) -> None:
    for seed in range(50):
        match = default.match(seed)
        playout.playout_at(match.state, 0, new_list(), match.game.identity.longest)
        best = min(match.scores) if match.game.identity.low_wins else max(match.scores)
        assert all(match.scores[seat] == best for seat in match.winners)


@promise
def the_sheet_adds_up_to_the_scores(setting: Setting) -> None:
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


@promise
def nothing_can_be_played_when_the_match_is_over(default: Setting) -> None:
    match = default.match(seed=5)
    playout.playout_at(match.state, 0, new_list(), match.game.identity.longest)
    before = match.state.tobytes()
    for action in match.game.actions.all[:: max(1, len(match.game.actions) // 40)]:
        for seat in range(default.players):
            with refused(kibitz.IllegalAction):
                match.play(seat, action.text)
    assert match.state.tobytes() == before
