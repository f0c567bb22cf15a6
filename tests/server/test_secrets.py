"""Secret, seed and key are in no frame, answer, error or log until the match is over."""

import json
import logging
import random
from pathlib import Path
from typing import Any

import pytest

from kibitz.engine.match import Match
from kibitz.server import deal
from server.guests import AtTable, House, play_on, run, serving
from short import of_some_rounds


class Ears(logging.Handler):
    """Keeps whatever anything in this process logs."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.heard.append(logging.Formatter().format(record))


async def everything_said(house: House, players: list[AtTable], watcher: AtTable) -> bytes:
    """All that the server has sent so far, and its answers to all that can be asked."""
    table = players[0].table
    told = [frame for guest in [*players, watcher] for frame in guest.guest.frames]
    paths = ["", "/history", "/history?all=1", "/match", "/review"]
    for path in [f"/api/tables/{table}{rest}" for rest in paths] + ["/metrics", "/health"]:
        for token in (None, "forged.0.1.x"):
            told.append(repr(await house.get(path, token)).encode())
    told.append((await house.figures()).encode())
    told.append(repr(await house.post("/api/mine", {"tokens": ["x"]})).encode())
    for player in (*players, watcher):
        for wrong in (["kol joker of the moon"], ["draw", "draw"], ["\u0000"]):
            answer = await player.ask("play", actions=wrong)
            assert answer["t"] == "no"
            told.append(json.dumps(answer).encode())
    return b"\n".join(told)


@pytest.mark.parametrize("game", ["kolpa", "kiza"])
def test_secret_and_seed_are_nowhere_until_the_match_is_over(game: str, file: Path) -> None:
    ears = Ears()
    logging.getLogger().addHandler(ears)
    level = logging.getLogger().level
    logging.getLogger().setLevel(logging.DEBUG)

    async def listen() -> None:
        async with serving(file) as house:
            players = await house.started(game, people=2, options=of_some_rounds(game))
            watcher = await house.at(players[0].table)
            room = house.server.tables.rooms[players[0].table]
            rng = random.Random(1)
            secret, match = room.table.stored.secret, room.table.match
            assert match is not None
            key = (await house.server.store.key()).hex()
            for _ in range(3):
                await play_on(players, rng, 4)
                said = await everything_said(house, players, watcher)
                said += "\n".join(ears.heard).encode()
                for word in (secret, match.seed, key, '"rng"'):  # bare, it may stand in any token
                    assert word.encode() not in said
            await play_on(players, rng)
            last = await watcher.hears("moved", phase="over")
            assert last["deal"]["secret"] == secret
            assert deal.keeps(secret, watcher.whole["commitment"])
            texts = last["deal"]["contributions"]
            assert deal.seed(deal.PROMISED, players[0].table, secret, texts) == match.seed

    try:
        run(listen())
    finally:
        logging.getLogger().removeHandler(ears)
        logging.getLogger().setLevel(level)


def fail(*_: Any) -> None:
    raise RuntimeError("a fault in the rules")


def test_a_fault_of_the_server_is_answered_and_logged_without_secrets(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def break_it() -> None:
        async with serving(file) as house:
            players = await house.started("lantern", people=2)
            due = next(player for player in players if player.now().get("legal"))
            room = house.server.tables.rooms[due.table]
            assert room.table.match is not None
            with monkeypatch.context() as patch:
                patch.setattr(Match, "try_choice", fail)
                answer = await due.ask("play", actions=[due.now()["legal"][0]])
            assert (answer["t"], answer["error"]) == ("no", "busy")
            assert "rules" not in answer["text"]
            assert room.table.stored.secret not in caplog.text
            assert room.table.match.seed not in caplog.text
            assert (await due.choose(random.Random(1)))["t"] == "moved"

    run(break_it())
    assert "a fault in the rules" in caplog.text


def test_a_fault_after_the_disk_has_a_choice_does_not_lose_it(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """It is on disk, so it has happened: sent again it counts once, and everyone hears of it."""

    async def break_it() -> None:
        async with serving(file) as house:
            players = await house.started("lantern", people=2)
            due = next(player for player in players if player.now().get("legal"))
            seq, action = due.now()["seq"], due.now()["legal"][0]
            with monkeypatch.context() as patch:
                patch.setattr(Match, "adopt", fail)
                answer = await due.ask("play", actions=[action], id="once")
            assert (answer["t"], answer["error"]) == ("no", "busy")
            again = await due.ask("play", actions=[action], id="once")
            assert again == {"t": "ok", "re": "once", "seq": seq + 1}
            for player in players:
                moved = await player.hears("moved", seq=seq + 1)
                assert [line["action"] for line in moved["lines"]] == [action]
            assert len(await house.server.store.entries(due.table)) == seq + 1
            await play_on(players, random.Random(1))

    run(break_it())
    assert "a fault in the rules" in caplog.text
