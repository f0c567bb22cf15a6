"""Bots that search know in compiled matches what they would know at a table."""

from typing import Any

import numpy as np
import pytest

from kibitz.bots.inference import Beliefs, Onlooker
from kibitz.bots.levels import Level, level
from kibitz.engine import border, dispatch
from kibitz.engine.compiled import from_python
from kibitz.engine.match import Match
from kibitz.games import find
from kibitz.lab import self_play
from kibitz.lab.self_play import Player, Setup, deal_round

DEAL, ROTATION = 3, 1
Heard = list[tuple[int, int, str]]  # after how many actions, by whom, and what was noted


@from_python
def deal_at(states: Any, i: int, deal: int, rotation: int) -> None:
    deal_round(states[i], 0, deal, rotation)


@from_python
def apply_on(states: Any, i: int, seat: int, action: int) -> None:
    states[i].witnesses = 0
    dispatch.apply(states[i], seat, action)


def played(setup: Setup, monkeypatch: pytest.MonkeyPatch) -> tuple[list[int], list[int], Heard]:
    """The actions of a match, its totals, and what bots that search were told on the way."""
    player, heard, medium = Player(setup), Heard(), level("medium")
    player.log = np.zeros(player.game.identity.longest, np.int16)
    find_out = Player._search
    told: list[Beliefs] = []

    def choose(
        self: Level, game: Any, world: Any, seat: int, seed: int, budget: Any, beliefs: Beliefs
    ) -> int:
        """Instead of a search, which would take its time."""
        told.append(beliefs)
        *_, action = medium.choosing(game, world, seat, seed)
        assert action is not None
        return action

    def search(self: Player, bot: str, seat: int, deal: int, actions: int) -> int:
        action = find_out(self, bot, seat, deal, actions)
        heard.append((actions, seat, str(told.pop().noted.tolist())))
        return action

    monkeypatch.setattr(Level, "choose", choose)
    monkeypatch.setattr(Player, "_search", search)
    match = player.play(DEAL, ROTATION)
    actions = player.log[: match["actions"]].tolist()
    return actions, match["total"][: setup.players].tolist(), heard


@pytest.mark.parametrize(("game", "players"), [("viva", 3), ("hearts", 4)])
def test_they_are_told_what_an_onlooker_at_the_match_would_tell(
    game: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = ("hard", *["medium"] * (players - 1))
    actions, totals, heard = played(Setup(game, bots), monkeypatch)
    # The same match once more, with the luck of those that are compiled.
    monkeypatch.setattr(border, "next_round_at", lambda r, i, *_: deal_at(r, i, DEAL, ROTATION))
    monkeypatch.setattr(border, "apply_at", lambda r, i, seat, a, *_: apply_on(r, i, seat, a))
    match = Match.new(find(game), players, 0, {})
    onlooker, at = Onlooker(match), {n: (seat, noted) for n, seat, noted in heard}
    for n, action in enumerate(actions):
        if match.round_over:
            match.next_round()
        if n in at:
            seat, noted = at[n]
            assert seat in match.to_act
            assert str(onlooker.beliefs(match, seat).noted.tolist()) == noted
        match.play(min(match.to_act), match.game.actions.write(action))
    assert match.over
    assert match.scores == totals
    assert len(heard) > 20
    assert len({noted for _, _, noted in heard}) > 10


def test_nothing_is_noted_where_nobody_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would take time."""
    listened = []
    play_on = self_play.play_on

    def spied(*words: Any) -> int:
        *_, listens, beliefs = words
        seat: int = play_on(*words)
        listened.append((bool(listens), bool(beliefs.view(np.uint8).any())))
        return seat

    monkeypatch.setattr(self_play, "play_on", spied)
    Player(Setup("viva", ("medium", "easy", "random"))).play(0, 0)
    assert listened == [(False, False)]
    listened.clear()
    Player(Setup("kolpa", ("medium", "hard"), (("target", "20"),))).play(0, 0)
    assert set(listened) == {(False, False)}  # play of Kolpa! tells nothing
