"""The client for programs: the example of the docs, and what it says when something is wrong."""

import asyncio
import contextlib
import os
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from aiohttp import web

from kibitz import client
from kibitz.client import Refusal, Seat, Unreachable
from kibitz.engine.errors import KibitzError
from kibitz.server.static import Static
from server.guests import Data, House, any_of, run, serving
from server.process import ServerProcess
from short import short

DOCS = Path(__file__).parents[2] / "docs" / "protocol.md"
NOWHERE = "http://127.0.0.1:9"


async def play_out(seat: Seat, rng: random.Random) -> None:
    async for turn in seat.turns():
        now, steps = turn, [any_of(turn.legal, rng)]
        while steps[-1] in now.continues:
            now = await seat.preview(*steps)
            steps.append(any_of(now.legal, rng))
        await seat.play(*steps)


@contextlib.contextmanager
def bots_of_the_docs(program: Path, link: str) -> Iterator[list["subprocess.Popen[str]"]]:
    """Two of them, each in a process of its own; none is left behind."""
    words, out = [sys.executable, str(program), link], subprocess.PIPE
    bots = [
        subprocess.Popen(words, stdout=out, stderr=subprocess.STDOUT, text=True, env=os.environ)
        for _ in range(2)
    ]
    try:
        yield bots
    finally:
        for bot in bots:
            bot.kill()
            bot.communicate()


def test_the_bot_of_the_docs_sits_down_and_plays(file: Path, tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert "kibitz.client" in program
    (tmp_path / "bot.py").write_text(program)

    async def play(server: ServerProcess) -> tuple[str, list[int]]:
        wish: Data = {"players": 3, "options": short("zocken")}
        async with Seat.make(server.base, "zocken", **wish) as seat:
            with bots_of_the_docs(tmp_path / "bot.py", seat.join_link) as bots:
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
            wish = {"players": 2, "options": short("kiza")}
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


# ---- from round to round


@pytest.mark.parametrize("people", [1, 2])
def test_turns_go_on_from_round_to_round_by_themselves(people: int, file: Path) -> None:
    """They wait for nobody but people, and not for the pause to end."""

    async def play() -> None:
        wish: Data = {"players": 3, "options": {"rounds": 3}, "bots": [None, "easy"]}
        async with (
            serving(file, round_pause=3600, games_offered=["lantern"]) as house,
            Seat.make(house.base, "lantern", name="Ada", **wish) as ada,
            contextlib.AsyncExitStack() as stack,
        ):
            seats = [ada]
            if people == 2:
                seats.append(await stack.enter_async_context(Seat.join(ada.join_link)))
            await ada.start()
            async with asyncio.timeout(20):
                await asyncio.gather(*(play_out(seat, random.Random(1)) for seat in seats))
            for seat in seats:
                assert seat.over
                assert seat.view["round"] == 3

    run(play())


def test_who_watches_asks_for_no_round_and_sees_them_all(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int | None] = []
    go_on = Seat.next_round

    async def noted(seat: Seat) -> None:
        asked.append(seat.number)
        await go_on(seat)

    monkeypatch.setattr(Seat, "next_round", noted)

    async def play() -> None:
        async with (
            serving(file, games_offered=["lantern"]) as house,
            Seat.make(house.base, "lantern", players=2, options={"rounds": 3}) as ada,
            Seat.watch(f"{house.base}/t/{ada.table}") as watcher,
        ):
            await ada.start()

            async def watch() -> None:
                async for _ in watcher.turns():
                    raise AssertionError("who watches has no turn")

            async with asyncio.timeout(20):
                await asyncio.gather(play_out(ada, random.Random(1)), watch())
            assert watcher.view["round"] == 3
            assert set(asked) == {0}

    run(play())


def test_a_program_can_look_at_the_table_before_it_goes_on(file: Path) -> None:
    async def play() -> None:
        wish: Data = {"players": 2, "bots": [None, "easy"], "options": {"rounds": 2}}
        async with (
            serving(file, round_pause=3600, games_offered=["lantern"]) as house,
            Seat.make(house.base, "lantern", **wish) as seat,
        ):
            await seat.start()
            with pytest.raises(Refusal) as no:
                await seat.next_round()
            assert no.value.error == "phase"
            while seat.state["rest"] is None:
                if seat.state.get("legal"):
                    await seat.play(seat.state["legal"][0])
                await asyncio.sleep(0.01)
            assert seat.view["round_over"]
            assert (seat.view["round"], seat.state["rest"]["ready"]) == (1, [])
            await seat.next_round()
            assert seat.state["rest"] is None
            assert (seat.view["round"], seat.view["round_over"]) == (2, False)

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


def test_a_server_that_goes_away_while_a_seat_is_taken_is_asked_again(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, about = 0, Static.game

    async def cut(self: Static, request: web.Request) -> web.Response:
        nonlocal asked
        asked += 1
        if asked <= 3:
            assert request.transport is not None
            request.transport.abort()
        return await about(self, request)

    monkeypatch.setattr(Static, "game", cut)

    async def play() -> None:
        async with (
            serving(file, games_offered=["lantern"]) as house,
            Seat.make(house.base, "lantern", players=2, bots=[None, "easy"]) as seat,
        ):
            await seat.start()
            await play_out(seat, random.Random(1))
            assert seat.over

    run(play())
    assert asked == 4


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
