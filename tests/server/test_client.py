"""The client for programs: the example of the docs, and what it says when something is wrong."""

import asyncio
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kibitz import client
from kibitz.client import Refusal, Seat, Unreachable
from kibitz.engine.errors import KibitzError
from server.guests import House, any_of, run, serving
from server.memory import SHORT
from server.process import ServerProcess

DOCS = Path(__file__).parents[2] / "docs" / "protocol.md"
NOWHERE = "http://127.0.0.1:9"


async def play_out(seat: Seat, rng: random.Random) -> None:
    async for turn in seat.turns():
        now, steps = turn, [any_of(turn.legal, rng)]
        while steps[-1] in now.held:
            now = await seat.preview(*steps)
            steps.append(any_of(now.legal, rng))
        await seat.play(*steps)


def test_the_bot_of_the_docs_sits_down_and_plays(file: Path, tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert "kibitz.client" in program
    (tmp_path / "bot.py").write_text(program)

    async def play(server: ServerProcess) -> tuple[str, list[int]]:
        async with Seat.make(server.base, "zocken", players=3, options=SHORT["zocken"]) as seat:
            bots = [
                subprocess.Popen(
                    [sys.executable, str(tmp_path / "bot.py"), seat.join_link],
                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=os.environ,
                )
                for _ in range(2)
            ]  # fmt: skip
            async with asyncio.timeout(30):
                while sum(s["kind"] == "person" for s in seat.state["seats"]) < 3:
                    await asyncio.sleep(0.05)
            await seat.start()
            await play_out(seat, random.Random(1))
            said = [await asyncio.to_thread(bot.communicate, timeout=20) for bot in bots]
            assert [bot.returncode for bot in bots] == [0, 0], said
            assert said[0] == said[1]
            return said[0][0], seat.view["winners"]

    with ServerProcess(file, games="zocken") as server:
        said, winners = run(play(server))
    assert said.startswith(f"won by {winners} with ")


def test_a_seat_is_made_joined_watched_and_come_back_to(file: Path) -> None:
    async def play() -> None:
        async with serving(file) as house:
            wish = {"players": 2, "options": SHORT["kiza"]}
            async with (
                Seat.make(house.base + "/", "kiza", name="Ada", **wish) as ada,
                Seat.join(ada.join_link, name="Bo") as bo,
                Seat.watch(f"{house.base}/t/{ada.table}") as watcher,
            ):
                assert (ada.number, bo.number, watcher.number) == (0, 1, None)
                await ada.start()
                rngs = [random.Random(1), random.Random(2)]
                await asyncio.gather(play_out(ada, rngs[0]), play_out(bo, rngs[1]))
                assert ada.over
                assert ada.view["scores"] == bo.view["scores"]
                async with asyncio.timeout(5):
                    async for _ in watcher.turns():
                        raise AssertionError("who watches has no turn")
                assert watcher.view["winners"] == ada.view["winners"]
                assert bo.token is not None
                async with Seat.again(house.base, bo.table, bo.token) as back:
                    assert (back.number, back.over) == (1, True)

    run(play())


# ---- when something is wrong


async def refused(house: House, **wrong: str) -> str:
    made = await house.make("lantern", players=2, bots=[None, "easy"])
    link = "{base}/t/{table}/{key}".format(
        base=house.base, table=wrong.get("table", made["table"]), key=wrong.get("key", made["join"])
    )
    with pytest.raises(Refusal) as no:
        async with Seat.join(link, name=wrong.get("name", "Bo")):
            pass
    assert str(no.value)
    return no.value.error


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"table": "nosuch"}, "no_table"),
        ({"key": "wrong"}, "bad_join"),
        ({"name": "x" * 25}, "bad_name"),
        ({}, "full"),
    ],
)
def test_a_refusal_says_why(wrong: dict[str, str], error: str, file: Path) -> None:
    async def ask() -> str:
        async with serving(file, games_offered=["lantern"]) as house:
            return await refused(house, **wrong)

    assert run(ask()) == error


def test_an_illegal_choice_is_a_refusal_with_its_rule(file: Path) -> None:
    async def play() -> Refusal:
        async with (
            serving(file) as house,
            Seat.make(house.base, "kiza", players=2, bots=[None, "easy"]) as seat,
        ):
            await seat.start()
            with pytest.raises(Refusal) as no:
                await seat.play("ready")
            return no.value

    no = run(play())
    assert (no.error, no.rule) == ("illegal", "KIZA-R1")


def test_a_link_that_is_none_is_told_before_anything_is_sent() -> None:
    async def join() -> None:
        with pytest.raises(KibitzError, match="no link to join"):
            async with Seat.join(f"{NOWHERE}/t/abc"):
                pass

    run(join())


def test_a_server_that_is_not_there_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "PATIENCE", 0.5)

    async def knock() -> None:
        for seat in (
            Seat.make(NOWHERE, "kolpa"),
            Seat.join(f"{NOWHERE}/t/abc/key"),
            Seat.watch(f"{NOWHERE}/t/abc"),
            Seat.again(NOWHERE, "abc", "token"),
        ):
            with pytest.raises(Unreachable, match=r"127\.0\.0\.1:9"):
                async with seat:
                    pass

    run(knock())


def test_a_server_that_went_away_is_unreachable(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(server: ServerProcess) -> None:
        async with Seat.make(server.base, "kolpa", players=2, bots=[None, "easy"]) as seat:
            await seat.start()
            monkeypatch.setattr(client, "PATIENCE", 1.0)
            server.kill()
            began = time.monotonic()
            with pytest.raises(Unreachable):
                await seat.ask("ping")
            assert time.monotonic() - began < 6

    with ServerProcess(file) as server:
        run(play(server))


def test_a_seat_that_was_given_away_ends_the_turns(file: Path) -> None:
    """Who comes back to a token that is worth nothing any more is told, and does not wait."""

    async def play() -> None:
        async with serving(file, games_offered=["lantern"]) as house:
            made = await house.make("lantern", players=2)
            taken = await house.sit(made, "Bo")
            async with Seat.again(house.base, made["table"], taken["token"]) as seat:
                window = await house.at(made["table"], taken["token"])
                await window.ask("leave")
                assert seat._socket is not None
                await seat._socket.close()
                async with asyncio.timeout(5):
                    with pytest.raises(Refusal) as no:
                        async for _ in seat.turns():
                            pass
                assert no.value.error == "bad_token"

    run(play())


def test_too_fast_is_waited_for(file: Path) -> None:
    async def talk() -> None:
        async with (
            serving(file, games_offered=["lantern"], messages_per_second=10) as house,
            Seat.make(house.base, "lantern") as seat,
        ):
            answers = await asyncio.gather(*(seat.ask("ping") for _ in range(40)))
            assert [a["t"] for a in answers] == ["ok"] * 40

    run(talk())
