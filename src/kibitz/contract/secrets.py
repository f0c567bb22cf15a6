"""What is told is what was seen, whoever saw keeps knowing, and what was dealt stays a secret."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from kibitz.contract import promise
from kibitz.contract.settings import Setting, wander
from kibitz.contract.views import difference, is_open, known_places, named, viewers
from kibitz.engine import chance, dispatch
from kibitz.engine.action_list import find_actions, new_list
from kibitz.engine.actions import Secrecy
from kibitz.engine.bits import lowest
from kibitz.engine.compiled import from_python
from kibitz.engine.game import Game
from kibitz.engine.match import Match
from kibitz.engine.playout import random_action
from kibitz.engine.redeal import redeal
from kibitz.engine.rounds import next_round
from kibitz.engine.seats import has
from kibitz.engine.view import cards_of

# ---- the log


@promise
def the_log_tells_nobody_what_they_did_not_see(setting: Setting) -> None:
    """A masked action shows its verb alone, a sealed one nothing; the seat itself reads it all."""
    match = setting.match(seed=6)
    actions = match.game.actions
    for _ in wander(match, random.Random(6), 200):
        pass
    for viewer in viewers(setting):
        lines = {n: match.line(n, viewer) for n in range(len(match.done))}
        told = {n: line for n, line in lines.items() if line is not None}
        assert match.history(viewer) == list(told.values())
        for n, done in enumerate(match.done):
            if done.seat is None:
                assert told[n].action is None
                continue
            secrecy = actions.all[done.action].verb.secrecy
            saw = viewer in done.seen_by or secrecy is Secrecy.OPEN
            assert (n in told) == (saw or secrecy is Secrecy.MASKED)
            if n in told:
                assert told[n].seat == done.seat
                assert told[n].action == (done.text if saw else None)
            if done.seat == viewer:
                assert told[n].action == done.text


def steps(setting: Setting, *secrecies: Secrecy) -> Iterator[tuple[Match, Match, int, str]]:
    """Actions at many places, or those that are so secret: the match before, and after it."""
    for match, seat, action in setting.walks(matches=100, steps=16):
        verb = match.verb(action)
        if seat is not None and verb is not None and verb.secrecy in (secrecies or Secrecy):
            after = match.copy()
            after.play(seat, action)
            yield match, after, seat, action


@promise
def those_who_are_told_a_masked_card_know_where_it_lies(setting: Setting) -> None:
    """Whoever is among `s.witnesses` has seen the card go, so it must know it afterwards."""
    for match, after, actor, action in steps(setting, Secrecy.MASKED):
        card = match.game.actions.all[match.game.actions.read(action) or 0].words["card"]
        for viewer in after.done[-1].seen_by:
            seen = {code for _, code in known_places(after.view(viewer))}
            assert card in seen, (
                f"the log tells seat {viewer} of {action!r} by seat {actor}, but that seat does "
                "not know where the card lies: set s.witnesses to those who saw it"
            )


@promise
def events_show_no_card_to_those_who_do_not_see_it(setting: Setting) -> None:
    """Whatever a rule reports, cards that lie unseen afterwards are told to nobody.

    What is shown while cards are dealt may be shuffled away at once.
    """
    for _, after, _, action in steps(setting):
        for viewer in viewers(setting):
            line = after.line(len(after.done) - 1, viewer)
            told = [event for event in (line.events if line else ()) if event.cards]
            if not told:
                continue
            seen = Counter(card for _, card in known_places(after.view(viewer)).elements())
            for event in told:
                unseen = Counter(event.cards) - seen
                assert not unseen, (
                    f"after {action!r} the event {event.name!r} tells {named(viewer)} of "
                    f"{' '.join(sorted(unseen))}, which it cannot see: declare other `witnesses`"
                )


@promise
def a_sealed_action_shows_others_nothing(setting: Setting) -> None:
    """Others do not read its line; so what it reports would never be told."""
    for match, after, actor, action in steps(setting, Secrecy.SEALED):
        verb = match.verb(action)
        assert not after.done[-1].events, (
            f"{action!r} is sealed, so nobody is told what it reports: let an open action, such as "
            "`ready`, bring about what all see"
        )
        for viewer in viewers(setting):
            if viewer != actor and verb is not None and verb.continues:
                telling = difference(match.view(viewer), after.view(viewer))
                assert telling is None, (
                    f"{action!r} is sealed, but {named(viewer)} notices it by {telling}"
                )


# ---- knowing


@promise
def whoever_gives_a_card_away_knows_where_it_lies(setting: Setting) -> None:
    """Of a card that goes from a seat's own to another's, unless it was shuffled on its way."""
    for match, after, actor, action in steps(setting):
        names = {match.game.events.kinds[event.kind].name for event in after.done[-1].events}
        if after.round_over or "reshuffled" in names:
            continue
        record = after.state[0]
        for card, giver, taker in given(match, after):
            words = record["seen"] | record["known"][giver]
            code = match.game.layout.deck.codes[match.game.layout.deck.kind[card]]
            assert card in set(cards_of(words)), (
                f"after {action!r} of seat {actor}, seat {giver} has forgotten that {code}, which "
                f"was its own, lies with seat {taker}: move it by `pass_secretly` or `exchange`"
            )


def given(before: Match, after: Match) -> Iterator[tuple[int, int, int]]:
    """The cards that a seat could look at before, and that lie with another now, unseen by it."""
    owners = {card: owner for owner, card in own_cards(before)}
    for zone in after.game.layout.zones.at(after.players):
        if not zone.family.is_pile and zone.owner is not None:
            for card in cards_of(after.state["cards"][0][zone.index]):
                giver = owners.get(card, zone.owner)
                if giver != zone.owner and not is_open(zone, giver):
                    yield card, giver, zone.owner


def own_cards(match: Match) -> Iterator[tuple[int, int]]:
    """For each card of a set that its owner alone may look at: owner and card."""
    for zone in match.game.layout.zones.at(match.players):
        if not zone.family.is_pile and zone.owner is not None and is_open(zone, zone.owner):
            for card in cards_of(match.state["cards"][0][zone.index]):
                yield zone.owner, card


# ---- worlds that could be


@from_python
def stuck_seat(states: Any, lists: Any, viewer: int, steps: int) -> int:
    """Deal state 1 anew from state 0 for a viewer, and play on in it: who is due and cannot act."""
    states[1] = states[0]
    s = states[1]
    redeal(s, viewer)
    for _ in range(steps):
        if s.round_over:
            break
        for seat in range(s.players):
            if has(s.due, seat):
                find_actions(s, seat, lists[0])
                if lists[0].count == 0:
                    return seat
        seat = lowest(s.due)
        dispatch.apply(s, seat, random_action(s, seat, lists[0]))
    return -1


@promise
def every_redealt_world_can_be_played_on(setting: Setting) -> None:
    """It could be the truth for all that the viewer knows; so whoever is due in it can act.

    Not within a choice of several steps: of those others only ever see the last.
    """
    for seed in setting.seeds(400):
        match = setting.under_way(seed)
        goes_on = True
        for _, action in wander(match, random.Random(seed), 60):
            if not goes_on:
                break
            verb = match.verb(action)
            goes_on = verb is not None and verb.continues
        states = np.concatenate([match.state, match.state])
        for viewer in viewers(setting):
            stuck = stuck_seat(states, new_list(), -1 if viewer is None else viewer, 12)
            assert stuck < 0, (
                f"seed {seed}: in a world dealt anew for {named(viewer)}, seat {stuck} is due and "
                "has no action. If its being due tells that it holds a card, `see` that card"
            )


# ---- deals


@from_python
def deal_on(states: Any, i: int, lists: Any, seed: int, rounds: int) -> bool:
    """Deal state i, play rounds at random, and deal again; False if the match is over first."""
    s = states[i]
    chance.reseed(s, seed, 7)
    next_round(s)
    for _ in range(rounds - 1):
        while not s.round_over:
            seat = lowest(s.due)
            dispatch.apply(s, seat, random_action(s, seat, lists[0]))
        if s.over:
            return False
        next_round(s)
    return True


@from_python
def redeal_all(states: Any) -> None:
    """Deal all states anew as a spectator would see them."""
    for i in range(len(states)):
        redeal(states[i], -1)


DEALS, ROUNDS = 1000, 5
FAR_OFF = 6  # standard deviations


@promise
def what_is_shown_after_a_deal_tells_nothing_of_unseen_cards(setting: Setting) -> None:
    """Who is due, or named by a field, holds each card as often as in a redeal.

    Otherwise being named tells of the card, and everyone must `see` it.
    """
    game = setting.match(0).game
    dealt = deals(game, setting)
    anew = dealt.copy()
    redeal_all(anew)
    hands = [z for z in game.layout.zones.at(setting.players) if has_secrets(z)]
    for what, seats in named_seats(game, dealt, setting.players):
        truth, chances = (held_by(states, hands, seats) for states in (dealt, anew))
        more, less = (truth & ~chances).sum(axis=0), (chances & ~truth).sum(axis=0)
        for card in np.flatnonzero((more - less) ** 2 > FAR_OFF**2 * (more + less)).tolist():
            code = game.layout.deck.codes[game.layout.deck.kind[card]]
            raise AssertionError(
                f"in {len(dealt)} deals, {what} holds {code} {truth[:, card].sum()} times, but "
                f"{chances[:, card].sum()} times by chance: everyone can tell, so `see` the card"
            )


def deals(game: Game, setting: Setting) -> Any:
    """States that have just been dealt, of the first and later rounds."""
    blank = game.blank(setting.players, game.settings(setting.players, setting.options), DEALS)
    lists, good = new_list(), np.zeros(DEALS, bool)
    for i in range(DEALS):
        good[i] = deal_on(blank, i, lists, i, 1 + i % ROUNDS)
    return blank[good]


def has_secrets(zone: Any) -> bool:
    """Whether a zone is a seat's, and closed to spectators."""
    return not zone.family.is_pile and zone.owner is not None and not is_open(zone, None)


def named_seats(game: Game, states: Any, players: int) -> Iterator[tuple[str, Any]]:
    """What names seats for all to see: for each state and seat whether it is among them."""
    seats = np.arange(players)
    yield "who is due", states["due"][:, None] >> seats & 1 != 0
    for name, field in game.layout.shown.items():
        if field.is_seat and not field.shape:
            yield f"who is named by {name!r}", states[name][:, None] == seats
        elif field.is_seats:
            yield f"who is among {name!r}", states[name][:, None] >> seats & 1 != 0


def held_by(states: Any, hands: list[Any], seats: Any) -> Any:
    """For each state and card whether one of the seats in question holds it."""
    bits = np.arange(64)
    held = np.zeros((len(states), 128), bool)
    for zone in hands:
        words = states["cards"][:, zone.index, :, None] >> bits & 1 != 0
        held |= words.reshape(len(states), 128) & seats[:, zone.owner, None]
    return held
