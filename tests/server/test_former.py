"""Rules change, and matches that were played by older ones stay readable."""

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

import kibitz
from kibitz.games import find
from kibitz.server.entries import LAST
from kibitz.server.tables import Tables
from server.guests import Data, House, play_on, run, serving

GAME = "kolpa"


class NewerRules:
    """Lets a game's rules be of a newer version from some moment on."""

    def __init__(self) -> None:
        self._identity = find(GAME).identity
        self.older = self._identity.version

    def come(self) -> None:
        object.__setattr__(self._identity, "version", self.older + 1)

    def go(self) -> None:
        object.__setattr__(self._identity, "version", self.older)


@pytest.fixture
def newer_rules() -> Iterator[NewerRules]:
    newer = NewerRules()
    yield newer
    newer.go()


async def played(house: House, choices: int) -> tuple[str, list[str], Data]:
    """A table at which so many choices have been made, its tokens, and what a player knew last."""
    players = await house.started(GAME, people=2, options={"target": 20})
    await play_on(players, random.Random(1), choices)
    tables: Tables = house.server.tables
    room = tables.rooms[players[0].table]
    whole = (await house.at(room.id, room.token_of(0))).whole
    return room.id, [room.token_of(seat) for seat in range(2)], whole


def test_a_finished_match_keeps_its_log_sheet_and_result(
    file: Path, newer_rules: NewerRules
) -> None:
    async def look() -> None:
        async with serving(file) as house:
            table, tokens, before = await played(house, 1000)
            assert before["phase"] == "over"
        newer_rules.come()
        async with serving(file) as house:
            now = (await house.at(table, tokens[0])).whole
            assert (now["phase"], now["view"], now["former"]["finished"]) == ("over", None, True)
            assert now["former"]["winners"] == before["view"]["winners"]
            assert now["former"]["scores"] == before["view"]["scores"]
            assert now["sheet"] == before["sheet"]
            assert len(now["sheet"]) > 1
            done = [(line.get("seat"), line.get("action")) for line in before["log"]]
            assert [(line.get("seat"), line.get("action")) for line in now["log"]] == done
            assert now["deal"] == before["deal"]
            assert [seat["name"] for seat in now["seats"]] == [s["name"] for s in before["seats"]]
            _, mine = await house.post("/api/mine", {"tokens": tokens})
            assert [match["phase"] for match in mine] == ["over", "over"]

    run(look())


def test_its_file_says_by_which_rules_it_was_played(file: Path, newer_rules: NewerRules) -> None:
    async def look() -> tuple[Data, Data]:
        async with serving(file) as house:
            table, _, _ = await played(house, 1000)
            _, before = await house.get(f"/api/tables/{table}/match")
        newer_rules.come()
        async with serving(file) as house:
            for path in ("history", "history?all=1", "review"):
                status, refused = await house.get(f"/api/tables/{table}/{path}")
                assert (status, "older rules" in refused["text"]) == (409, True)
            _, now = await house.get(f"/api/tables/{table}/match")
            return before, now

    before, now = run(look())
    assert now == before
    with pytest.raises(kibitz.KibitzError, match="rules"):
        kibitz.load(json.dumps(now))


def test_a_running_match_is_ended_with_its_log_and_can_be_played_anew(
    file: Path, newer_rules: NewerRules
) -> None:
    async def look() -> None:
        async with serving(file) as house:
            table, tokens, before = await played(house, 2)
            assert before["phase"] == "playing"
        newer_rules.come()
        async with serving(file) as house:
            me, other = await house.at(table, tokens[0]), await house.at(table, tokens[1])
            former = {"rules": newer_rules.older, "finished": False, "winners": [], "scores": []}
            assert (me.whole["phase"], me.whole["former"]) == ("over", former)
            assert len(me.whole["log"]) >= len(before["log"])
            for do in ("play", "preview"):
                assert (await me.ask(do, actions=["kol r1"]))["error"] == "phase"
            assert (await me.ask("say", text="what now?"))["t"] == "ok"
            again = await me.ask("rematch")
            assert again["t"] == "ok"
            seat = await other.hears("rematch")
            new = await house.at(seat["next"], seat["token"])
            assert (new.whole["phase"], new.whole["former"]) == ("gathering", None)

    run(look())


def test_matches_that_ended_before_results_were_kept_can_be_read_too(
    file: Path, newer_rules: NewerRules
) -> None:
    async def look() -> None:
        async with serving(file) as house:
            table, tokens, _ = await played(house, 1000)
            store = house.server.store
            (last,) = [entry for entry in await store.entries(table) if entry.kind == LAST]
            body = {"actions": json.loads(last.body)["actions"]}
            await store.rewrite(table, [replace(last, body=json.dumps(body))])
        newer_rules.come()
        async with serving(file) as house:
            former = (await house.at(table, tokens[0])).whole["former"]
            assert (former["finished"], former["winners"]) == (True, [])

    run(look())
