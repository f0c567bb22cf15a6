"""Choices: made once, made whole, and refused with the rule that forbids them."""

import random
from pathlib import Path

import pytest

import kibitz
from kibitz.games import find
from kibitz.server import protocol as p
from kibitz.server.protocol import Refused
from server.guests import AtTable, continues, due, run, serving
from server.memory import Gathering


def waiting(players: list[AtTable]) -> AtTable:
    return next(player for player in players if not player.now().get("legal"))


async def begun(game: str, players: int = 3) -> Gathering:
    gathering = Gathering(game, players)
    await gathering.begin()
    return gathering


def going_on(gathering: Gathering, seat: int) -> list[str]:
    """What a seat can do after which its choice goes on."""
    game = gathering.match.game.name
    return [action for action in gathering.match.legal(seat) if continues(game, action)]


async def refused(gathering: Gathering, seat: int | None, steps: list[str]) -> Refused:
    """Why a choice is refused; nothing has changed by it."""
    before = gathering.match.state.copy(), list(gathering.match.log), gathering.room.table.seq
    with pytest.raises(Refused) as no:
        await gathering.ask(seat, p.Play, actions=steps)
    after = gathering.match.state, gathering.match.log, gathering.room.table.seq
    assert before[0] == after[0]
    assert before[1:] == after[1:]
    return no.value


@pytest.mark.parametrize("game", kibitz.games())
def test_a_forbidden_action_is_refused_with_its_rule(game: str) -> None:
    """Every action of the game that is not legal, at some points of a match."""

    async def try_all() -> int:
        gathering, rng, tried = await begun(game), random.Random(1), 0
        for _ in range(12):
            if gathering.match.over:
                break
            await gathering.go_on()
            seat = min(gathering.match.to_act)
            legal = set(gathering.match.legal(seat))
            others = [a.text for a in gathering.match.game.actions.all if a.text not in legal]
            for action in rng.sample(others, min(20, len(others))):
                no = await refused(gathering, seat, [action])
                assert no.error == "illegal"
                assert no.rule is not None
                assert no.rule.startswith(game.upper())
                assert no.text == find(game).texts.say("en", f"reasons.{no.rule}")
                tried += 1
            await gathering.play(*await gathering.choice(rng))
        gathering.end()
        return tried

    assert run(try_all()) > 20


@pytest.mark.parametrize("game", kibitz.games())
@pytest.mark.parametrize(
    "text", ["", "dance", "kol r99", "🃏", "draw; DROP TABLE entry", "a" * 100]
)
def test_an_unknown_action_is_refused_with_a_word_of_help(game: str, text: str) -> None:
    async def play() -> Refused:
        gathering = await begun(game)
        no = await refused(gathering, min(gathering.match.to_act), [text])
        gathering.end()
        return no

    no = run(play())
    assert (no.error, no.rule) == ("illegal", None)
    assert "has no action" in no.text


def test_out_of_turn_watching_and_before_the_start_nobody_plays(file: Path) -> None:
    async def play() -> None:
        async with serving(file) as house:
            made = await house.make("lantern", players=2)
            host = await house.at(made["table"], made["token"])
            assert (await host.ask("play", actions=["stop"]))["error"] == "phase"
            assert (await host.ask("preview", actions=["stop"]))["error"] == "phase"
            players = await house.started("lantern", people=2)
            action = due(players).now()["legal"][0]
            for do in ("play", "preview"):
                assert (await waiting(players).ask(do, actions=[action]))["error"] == "not_due"
                watcher = await house.at(players[0].table)
                assert (await watcher.ask(do, actions=[action]))["error"] == "not_seated"

    run(play())


# ---- choices of several steps


async def before_a_choice_of_steps(game: str, most: int = 400) -> tuple[Gathering, int]:
    """A table at which somebody can make a step that is not yet a choice."""
    gathering, rng = await begun(game), random.Random(2)
    for _ in range(most):
        for seat in sorted(gathering.match.to_act):
            if going_on(gathering, seat):
                return gathering, seat
        await gathering.play(*await gathering.choice(rng))
    raise AssertionError(f"{game} has no choice of several steps")


STEPPED = ["kiza", "zocken"]


@pytest.mark.parametrize("game", STEPPED)
def test_half_a_choice_is_refused_and_the_whole_counts_as_one(game: str) -> None:
    async def play() -> None:
        gathering, seat = await before_a_choice_of_steps(game)
        rng, offer = random.Random(3), gathering.seats[seat].last("table", "moved")
        steps: list[str] = []
        while True:
            # On and on while it goes, then to its end.
            going = [a for a in offer["legal"] if continues(game, a)] if len(steps) < 3 else []
            steps.append(rng.choice(going or offer["legal"]))
            if not continues(game, steps[-1]):
                break
            assert (await refused(gathering, seat, steps)).error == "unfinished"
            offer = await gathering.ask(seat, p.Preview, actions=steps)
        seq, heard = gathering.room.table.seq, len(gathering.watcher.frames)
        answer = await gathering.play(seat, steps)
        assert answer["seq"] == seq + 1
        assert len(gathering.watcher.frames) == heard + 1
        assert [text for _, text in gathering.match.log[-len(steps) :]] == steps
        gathering.end()

    run(play())


@pytest.mark.parametrize("game", STEPPED)
def test_a_preview_shows_the_step_to_its_maker_and_leaves_no_trace(game: str) -> None:
    async def look() -> None:
        gathering, seat = await before_a_choice_of_steps(game)
        before = gathering.match.state.copy()
        heard = [len(eyes.frames) for _, eyes in gathering.everyone]
        for step in going_on(gathering, seat):
            shown = await gathering.ask(seat, p.Preview, actions=[step])
            hand = shown["view"]["zones"][f"hand.{seat}"]
            whole = gathering.match.view(seat).zones[f"hand.{seat}"]
            assert hand["size"] == whole.size - 1
            code = step.split()[1]
            assert hand["cards"].count(code) == whole.cards.count(code) - 1
        assert gathering.match.state == before
        assert [len(eyes.frames) for _, eyes in gathering.everyone] == heard
        gathering.end()

    run(look())


def test_a_sealed_choice_is_shown_to_nobody_until_all_have_chosen() -> None:
    """Then the line by which the last one was ready says what each has presented."""

    async def present() -> None:
        gathering = await begun("kiza")
        presented = []
        for seat in range(3):
            assert gathering.match.to_act == frozenset(range(seat, 3))
            cards = [a for a in gathering.match.legal(seat) if a.startswith("present")][:2]
            presented.append((seat, sorted(card.split()[1] for card in cards)))
            assert (await refused(gathering, seat, cards[:1])).error == "unfinished"
            await gathering.play(seat, [*cards, "ready"])
            for viewer, eyes in gathering.everyone:
                moved = eyes.last("moved")
                zones, lines = moved["view"]["zones"], moved["lines"]
                mine = [*cards, "ready"] if viewer == seat else ["ready"]
                assert [(line["seat"], line["action"]) for line in lines] == [
                    (seat, action) for action in mine
                ]
                events = [event for line in lines for event in line.get("events", ())]
                if seat == 2:
                    told = [(e["seat"], sorted(e["cards"])) for e in events]
                    assert told == presented
                    assert {e["name"] for e in events} == {"presented"}
                    assert zones["kiza.0"]["size"] == 2
                elif viewer == seat:
                    assert events == []
                    assert zones[f"chosen.{seat}"]["size"] == 2
                else:
                    assert events == []
                    assert zones == {}
        gathering.end()

    run(present())


@pytest.mark.parametrize("game", kibitz.games())
def test_what_an_action_would_bring_cannot_be_tried_out(game: str) -> None:
    """Only steps that reveal nothing can come before the last: else a refusal of the second
    action would tell what the first has drawn, and the first would be taken back."""

    async def probe() -> int:
        gathering, rng, tried = await begun(game), random.Random(4), 0
        everything = [a.text for a in gathering.match.game.actions.all]
        for _ in range(25):
            if gathering.match.over:
                break
            await gathering.go_on()
            seat = min(gathering.match.to_act)
            whole = [a for a in gathering.match.legal(seat) if not continues(game, a)]
            for first in whole[:5]:
                reasons = set()
                for second in rng.sample(everything, min(12, len(everything))):
                    no = await refused(gathering, seat, [first, second])
                    reasons.add((no.error, no.rule, no.text))
                    tried += 1
                assert len(reasons) == 1
            await gathering.play(*await gathering.choice(rng))
        gathering.end()
        return tried

    assert run(probe()) > 50
