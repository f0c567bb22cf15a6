"""Back to a match that is over: the same deal, or on from one of its moments."""

import json
import random
from pathlib import Path

import pytest

import kibitz
from effort import tried
from kibitz.games import find
from kibitz.server import protocol as p
from kibitz.server.again import begun as going_back
from kibitz.server.decide import decide
from kibitz.server.proof import faults
from kibitz.server.protocol import Refused
from kibitz.server.table import Table
from server.guests import AtTable, Data, House, play_on, run, serving
from server.test_decide import begun, command, fold, situation


def finished(game: str, seed: int = 1) -> Table:
    """A match of people who choose at random, step by step."""
    table = begun(game, find(game).identity.seats[0])
    rng = random.Random(seed)
    while table.phase != "over":
        assert table.match is not None
        if table.rests:
            for seat in table.players_in:
                draft = decide(table, seat, command(p.NextRound), situation())
                fold(table, draft)
            continue
        seat = min(table.match.to_act)
        steps: list[str] = []
        trial = table.match.copy()
        while True:
            steps.append(rng.choice(trial.legal(seat)))
            trial.play(seat, steps[-1])
            verb = trial.verb(steps[-1])
            assert verb is not None
            if not verb.continues:
                break
        fold(table, decide(table, seat, command(p.Play, actions=steps), situation()))
    return table


@pytest.mark.parametrize("game", kibitz.games())
def test_every_moment_of_a_match_can_be_taken_up(game: str) -> None:
    """The new match stands as the old one stood then, and can be played on."""
    table = finished(game)
    assert table.match is not None
    moments = len(set(table.line_seq)) - 1
    for at in range(0, moments, max(1, moments // tried(8, 100))):
        source = going_back(table, p.Again(table.id, at))
        assert source.position is not None
        taken_up = kibitz.position(game, source.position)
        lines = next(
            (n for n, seq in enumerate(table.line_seq) if seq > sorted(set(table.line_seq))[at]),
            len(table.line_seq),
        )
        then = table.match.rewound(lines)
        if then.round_over:
            then.next_round()
        assert taken_up.position() == then.position()
        assert taken_up.scores == then.scores
        for seat in range(then.players):
            assert taken_up.legal(seat) == then.legal(seat)
            assert taken_up.view(seat).zones == then.view(seat).zones


def test_nothing_is_left_to_play_at_the_end_and_nothing_lies_beyond_it() -> None:
    table = finished("lantern")
    moments = len(set(table.line_seq)) - 1
    for at, error in ((moments, "phase"), (moments + 1, "malformed"), (-1, "malformed")):
        with pytest.raises(Refused) as why:
            going_back(table, p.Again(table.id, at))
        assert why.value.error == error


@pytest.mark.parametrize("at", [None, 0])
def test_nobody_peeks_into_a_match_that_goes_on(at: int | None) -> None:
    with pytest.raises(Refused) as why:
        going_back(begun("lantern", 2), p.Again("lantern", at))
    assert why.value.error == "phase"


# ---- over the network


async def over(house: House) -> AtTable:
    ada, bo = await house.started("lantern", people=2, options={"rounds": 2})
    await play_on([ada, bo], random.Random(1))
    return ada


async def begin(house: House, made: Data) -> Data:
    """The host starts; the table as it was then."""
    ada = await house.at(made["table"], made["token"])
    assert (await ada.ask("start"))["t"] == "ok"
    return await ada.hears("table", phase="playing")


def test_the_same_deal_again(file: Path) -> None:
    async def play() -> None:
        async with serving(file) as house:
            old = await over(house)
            _, first = await house.get(f"/api/tables/{old.table}/history?all=1")
            wish: Data = {"again": {"table": old.table}, "promise": "0" * 64}
            made = await house.make("lantern", **wish)
            bo = await house.sit(made, "Bo", promise="1" * 64)
            challenge = await house.make("lantern", seat=1, **wish)
            assert challenge["seat"] == 1
            assert (await house.sit(challenge, "Bo"))["seat"] == 0
            about = (await house.get(f"/api/tables/{made['table']}"))[1]
            assert about["again"] == {"table": old.table, "at": None}
            assert about["settings"]["options"] == {"rounds": 2}
            assert [seat["promise"] for seat in about["seats"]] == [None, None]
            dealt = await begin(house, made)
            assert dealt["again"] == {"table": old.table, "at": None}
            assert dealt["view"]["zones"]["hand.0"] == first["start"]["zones"]["hand.0"]
            players = [await house.at(made["table"], t["token"]) for t in (made, bo)]
            await play_on(players, random.Random(2))
            _, saved = await house.get(f"/api/tables/{made['table']}/match")
            wrong = faults(saved, kibitz.load(json.dumps(saved)), commitment=made["commitment"])
            assert wrong == [
                f"this deal was chosen: it is that of match {old.table}; verify that one"
            ]
            assert (await house.post("/api/tables", {"game": "lantern", "name": "Cy", **wish}))[
                0
            ] == 201

    run(play())


def test_playing_on_from_a_moment_against_bots(file: Path) -> None:
    async def play() -> None:
        async with serving(file) as house:
            old = await over(house)
            _, first = await house.get(f"/api/tables/{old.table}/history?all=1")
            made = await house.make(
                "lantern", bots=["easy", None], again={"table": old.table, "at": 1}
            )
            assert made["seat"] == 1
            dealt = await begin(house, made)
            assert dealt["view"]["zones"]["tower.0"] == first["moves"][0]["view"]["zones"].get(
                "tower.0", {"size": 0}
            )
            ada = await house.at(made["table"], made["token"])
            await play_on([ada], random.Random(2))
            _, saved = await house.get(f"/api/tables/{made['table']}/match")
            (wrong,) = faults(saved, kibitz.load(json.dumps(saved)), commitment=made["commitment"])
            assert f"a written position of match {old.table}" in wrong
            status, _ = await house.get(f"/api/tables/{made['table']}/history?all=1")
            assert status == 200
            again = await house.make("lantern", again={"table": made["table"]})
            assert (await begin(house, again))["view"]["zones"] != {}
        async with serving(file) as house:
            read = (await house.at(made["table"], made["token"])).whole
            assert (read["phase"], read["again"]) == ("over", {"table": old.table, "at": 1})

    run(play())


def test_what_is_no_match_that_is_over_is_refused(file: Path) -> None:
    async def ask() -> None:
        async with serving(file) as house:
            ada, _ = await house.started("lantern", people=2)
            for again, error, game in (
                ({"table": ada.table}, "phase", "lantern"),
                ({"table": ada.table, "at": 0}, "phase", "lantern"),
                ({"table": "nowhere"}, "no_table", "lantern"),
                ({"table": ada.table, "at": "x"}, "malformed", "lantern"),
            ):
                wish = {"game": game, "name": "Cy", "again": again}
                assert (await house.post("/api/tables", wish))[1]["error"] == error
            await ada.guest.leaves()
            old = await over(house)
            wish = {"game": "kolpa", "name": "Cy", "again": {"table": old.table}}
            assert (await house.post("/api/tables", wish))[1]["error"] == "bad_option"

    run(ask())
