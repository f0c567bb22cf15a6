"""An observation holds what a view shows and what everyone could remember, and nothing else."""

import random
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from effort import tried
from kibitz.contract.settings import Setting, settings_of
from kibitz.engine import border
from kibitz.engine.action_list import new_list
from kibitz.engine.actions import Actions
from kibitz.engine.compiled import NONE
from kibitz.engine.errors import BrokenGame
from kibitz.engine.match import Match
from kibitz.engine.observation import DTYPE, Observation, Section, seat_step
from kibitz.engine.observe import observe_at, ready, turn_action_at, turn_action_back_at
from kibitz.engine.record import I8, Field, number
from kibitz.engine.view import ZoneView, cards_of
from kibitz.engine.zones import SEATS, Zone, Zones
from kibitz.games import find, names

POSITIONS = tried(4, 16)  # of each setting


def observed(match: Match, seat: int) -> tuple[Any, Any]:
    """What a seat may know, and the mask of its actions."""
    layout = ready(match.game)
    row, mask = np.full(layout.size, 99, DTYPE), np.full(layout.actions, 99, np.int8)
    observe_at(match.state, 0, seat, new_list(), row, mask)
    return row, mask


@cache
def positions(game: str) -> list[Match]:
    """Matches anywhere between their beginning and their end, with all settings."""
    return [
        match
        for setting in settings_of(find(game))
        for match in (
            *(setting.under_way(seed) for seed in range(POSITIONS)),
            setting.match(seed=1),
            ended(setting, rounds=1),
            ended(setting, rounds=1000),
        )
    ]


def ended(setting: Setting, rounds: int) -> Match:
    """A match whose round, or which itself, has just ended."""
    match = setting.match(seed=2)
    rng = random.Random(2)
    while not match.over and (not match.round_over or match.round < rounds):
        if match.round_over:
            match.next_round()
        seat = rng.choice(sorted(match.to_act))
        match.play(seat, rng.choice(match.legal(seat)))
    return match


# ---- the view, read back from what the layout says


class Reader:
    """An observation read by its layout, as its documentation has it."""

    def __init__(self, layout: Observation, row: Any, seat: int) -> None:
        self.layout, self.row, self.seat = layout, row.tolist(), seat
        self.codes = layout.layout.deck.codes
        (self.players,) = self.numbers(layout.sections["players"])

    def numbers(self, section: Section) -> list[int]:
        return self.row[section.offset : section.end]  # type: ignore[no-any-return]

    def seat_at(self, steps: int) -> int:
        return (self.seat + steps) % self.players

    def by_seat(self, values: list[Any]) -> list[Any]:
        """Values that stand from the own seat on, from seat 0 on."""
        return [values[(p - self.seat) % self.players] for p in range(self.players)]

    def field(self, name: str, field: Field) -> Any:
        numbers = self.numbers(self.layout.sections[name])
        width = self.layout.width(field)
        values = [self.value(field, numbers[n : n + width]) for n in range(0, len(numbers), width)]
        if not field.shape:
            return values[0]
        if len(field.shape) == 2:
            values = [values[n : n + field.shape[1]] for n in range(0, len(values), field.shape[1])]
        return self.by_seat(values) if field.shape[0] == SEATS else values

    def value(self, field: Field, numbers: list[int]) -> Any:
        """One value, as a view shows it."""
        marked = [n for n, is_marked in enumerate(numbers) if is_marked]
        if field.is_seats:
            return sorted(map(self.seat_at, marked))
        if field.is_seat:
            return self.seat_at(marked[0]) if marked else None
        if field.is_kind and field.shape:
            return self.codes[numbers[0] - 1] if numbers[0] else None
        if field.is_kind:
            return self.codes[marked[0]] if marked else None
        if field.words:
            return field.words[marked[0]] if marked else None
        return None if numbers[0] == NONE == field.empty else numbers[0]

    def cards(self, counts: list[int]) -> tuple[str, ...]:
        return tuple(code for code, n in zip(self.codes, counts, strict=True) for _ in range(n))

    def zones(self, *, is_ended: bool) -> dict[str, ZoneView]:
        """All zones by their real names."""
        found, kinds = {}, len(self.codes)
        ordered = iter(self.numbers(self.layout.sections["order"]))
        for family in self.layout.layout.zones.families.values():
            for steps in range(self.layout.seats) if family.per_seat else [None]:
                for part in family.parts or [None]:
                    turned = [family.name, None if steps is None else f"+{steps}", part]
                    section = self.layout.sections.get(".".join(word for word in turned if word))
                    if section is None:
                        assert steps, "only what others have hidden is not told"
                        assert family.hidden_in
                        size, rest = 0, [0] * kinds
                    else:
                        size, *rest = self.numbers(section)
                    if steps is not None and steps >= self.players:
                        assert not any((size, *rest)), "the places of absent seats stay empty"
                        continue
                    seat = None if steps is None else str(self.seat_at(steps))
                    name = ".".join(word for word in (family.name, seat, part) if word)
                    seen = self.cards(rest[:kinds])
                    if family.is_pile:
                        pile = tuple(self.codes[next(ordered) - 1] for _ in range(size))[::-1]
                        assert sorted(pile) == sorted(seen)
                        assert self.cards(rest[kinds:]) == pile[-1:]
                        shown = len(pile) if family.looked_through else 1
                        cut = max(0, len(pile) - shown)
                        found[name] = ZoneView(name, size, pile[cut:], pile[:cut])
                        continue
                    owner_looks = family.sight.value == "owner" and steps == 0
                    is_open = family.sight.value == "everyone" or owner_looks
                    if is_open or (family.open_at_end and is_ended):
                        found[name] = ZoneView(name, size, seen, ())
                    else:
                        found[name] = ZoneView(name, size, (), seen)
        assert not any(ordered)
        return found


@pytest.mark.parametrize("game", names())
def test_the_view_can_be_read_back(game: str) -> None:
    layout = ready(find(game))
    for match in positions(game):
        for seat in range(match.players):
            view = match.view(seat)
            reader = Reader(layout, observed(match, seat)[0], seat)
            common = layout.layout.common
            assert reader.players == view.players
            assert reader.field("round", common["round_no"]) == view.round
            assert reader.field("due", common["due"]) == sorted(view.to_act)
            assert bool(reader.field("round_over", common["round_over"])) == view.round_over
            assert bool(reader.field("over", common["over"])) == view.over
            assert reader.field("winners", common["winners"]) == sorted(view.winners)
            assert reader.field("scores", common["total"]) == list(view.scores)
            for name, field in layout.layout.shown.items():
                assert reader.field(name, field) == view.fields[name], name
            assert reader.zones(is_ended=view.round_over) == view.zones


@pytest.mark.parametrize("game", names())
def test_what_everyone_knows_of_closed_sets_stands_in_it(game: str) -> None:
    layout, some = ready(find(game)), 0
    kinds, kind = layout.kinds, layout.layout.deck.kind
    for match in positions(game):
        everyone = set(cards_of(match.state["seen"][0]))
        for seat in range(match.players):
            row = observed(match, seat)[0]
            for zone in layout.layout.zones.at(match.players):
                family = zone.family
                if family.is_pile or family.sight.value == "everyone" or family.hidden_in:
                    continue
                lies = believed_in(match, zone) & everyone
                steps = "" if zone.owner is None else f".+{(zone.owner - seat) % match.players}"
                place = layout.sections[family.name + steps].offset + 1 + kinds
                counts = np.bincount([kind[card] for card in lies], minlength=kinds)
                assert row[place : place + kinds].tolist() == counts.tolist()
                some += len(lies)
    assert bool(some) == (game in ("hearts", "kiza", "viva", "zocken"))


def believed_in(match: Match, zone: Zone) -> set[int]:
    """The cards that all who cannot look into a set believe to be there."""
    places = [zone.index]
    if not (zone.family.open_at_end and match.round_over):
        for family in match.game.layout.zones.families.values():
            if family.hidden_in == zone.family.name:
                places.append(family.first + (zone.owner or 0))
    return {card for place in places for card in cards_of(match.state["cards"][0][place])}


# ---- secrets


@pytest.mark.parametrize("game", names())
def test_no_observation_changes_when_unseen_cards_are_dealt_anew(game: str) -> None:
    differs = 0
    for match in positions(game):
        for seat in range(match.players):
            world = match.state.copy()
            border.redeal_at(world, 0, seat, 17, seat)
            differs += world["cards"].tobytes() != match.state["cards"].tobytes()
            before, mask = observed(match, seat)
            after, mask_after = observed(match.in_world(world), seat)
            assert before.tolist() == after.tolist()
            assert mask.tolist() == mask_after.tolist()
    assert differs > 10


# ---- the table turned


def turned_table(match: Match) -> Match:
    """The same match with everyone one seat further on; the rules do not mind."""
    game, players = match.game, match.players
    state, layout = match.state.copy(), match.game.layout
    place = {p: (p + 1) % players for p in range(players)}

    def moved(values: Any) -> Any:
        after = values.copy()
        for old, new in place.items():
            after[new] = values[old]
        return after

    for zone in layout.zones.at(players):
        if zone.owner is not None:
            index = zone.index + (place[zone.owner] - zone.owner) * zone.family.count
            rows = "top" if zone.family.is_pile else "cards"
            state[rows][0][index] = match.state[rows][0][zone.index]
    state["known"][0] = moved(match.state["known"][0])
    for name, field in {**layout.common, **layout.fields, **layout.derived}.items():
        value = match.state[name][0]
        if field.is_seats:
            value = sum(1 << place[p] for p in range(players) if int(value) >> p & 1)
        elif field.is_seat:
            value = np.vectorize(lambda p: place.get(int(p), p), otypes=[field.dtype])(value)
        state[name][0] = moved(value) if field.shape[:1] == (SEATS,) else value
    return Match(game, state, match.settings, match.seed, None)


@pytest.mark.parametrize("game", names())
def test_all_look_the_same_from_the_next_seat_of_a_table_turned_by_one(game: str) -> None:
    named = 0
    for match in positions(game):
        turned = turned_table(match)
        for seat in range(match.players):
            row, mask = observed(match, seat)
            row_turned, mask_turned = observed(turned, (seat + 1) % match.players)
            assert row.tolist() == row_turned.tolist()
            assert mask.tolist() == mask_turned.tolist()
        named += sum(match.legal(p) != turned.legal((p + 1) % match.players) for p in match.to_act)
    names_seats = any(seat_step(verb) for verb in find(game).actions.verbs)
    assert bool(named) == names_seats, "where actions name seats, the rules' own numbers differ"


@pytest.mark.parametrize("game", names())
def test_a_mask_has_the_legal_actions_as_turned(game: str) -> None:
    for match in positions(game):
        for seat in range(match.players):
            _, mask = observed(match, seat)
            told = np.flatnonzero(mask).tolist()
            back = [turn_action_back_at(match.state, 0, seat, action) for action in told]
            assert sorted(back) == sorted(match.legal_numbers(seat))
            assert set(mask.tolist()) <= {0, 1}


@pytest.mark.parametrize("game", names())
def test_turning_actions_is_a_permutation_both_ways(game: str) -> None:
    actions = find(game).actions
    for players in find(game).identity.seats:
        state = Setting(game, players).match(seed=1).state
        ready(find(game))
        for seat in range(players):
            there = [turn_action_at(state, 0, seat, a) for a in range(len(actions))]
            back = [turn_action_back_at(state, 0, seat, a) for a in range(len(actions))]
            assert sorted(there) == sorted(back) == list(range(len(actions)))
            assert all(back[there[a]] == a for a in range(len(actions)))
            for action in actions.all:
                other = actions.all[there[action.number]]
                rest = {key: word for key, word in action.words.items() if key != "seat"}
                assert other.verb is action.verb
                assert rest.items() <= other.words.items()
                if "seat" in action.words and int(action.words["seat"]) < players:
                    assert int(other.words["seat"]) == (int(action.words["seat"]) - seat) % players


# ---- games that cannot be observed


def test_a_game_that_cannot_be_observed_is_told_why() -> None:
    game = find("lantern")
    shown = {**game.layout.shown, "many": number(I8)}
    with pytest.raises(BrokenGame, match="the shown field 'many' does not fit"):
        Observation(replace(game, layout=replace(game.layout, shown=shown)))
    shown = {**game.layout.shown, "draw": number()}
    with pytest.raises(BrokenGame, match="a field and a zone are both called 'draw'"):
        Observation(replace(game, layout=replace(game.layout, shown=shown)))
    actions = Actions(game.layout.deck)
    actions.verb("to", "to {seat}", seat=("1", "2"))
    with pytest.raises(BrokenGame, match="the seats of the verb 'to' must be 0 to 5"):
        seat_step(actions.verbs[0])


def test_piles_of_one_name_have_a_limit() -> None:
    game, zones = find("lantern"), Zones()
    zones.pile("well", per_seat=True, parts=tuple("abcdefghijklmnopqrst"))
    layout = replace(game.layout, zones=zones)
    with pytest.raises(BrokenGame, match=r"'well' has 80 piles, of which .* tell 62"):
        Observation(replace(game, layout=layout)).piles  # noqa: B018  looks at them
