"""What is kept, for how long, and how somebody is forgotten."""

import asyncio
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.cli import main
from kibitz.server import entries
from kibitz.server.entries import LAST, SAY, SIT, START, Entry
from kibitz.server.proof import faults
from kibitz.server.retention import BATCH, DAY, UNBEGUN_DAYS, Retention
from kibitz.server.settings import Settings
from kibitz.server.store import Store, now_ms
from server.conftest import Open
from server.guests import House, play_on, run, serving
from server.rows import table

QUICK: dict[str, Any] = {"games_offered": ["lantern"]}


async def aged(store: Store, days: float, *kinds: str) -> str:
    """A table made so many days ago, with entries of these kinds."""
    from msgspec.structs import replace

    at = now_ms() - int(days * DAY)
    made = replace(table(is_open=True), at=at)
    body = json.dumps({"name": "Ada", "text": "my address is …"})
    await store.add(made, [Entry(n, at, kind, 0, body, None) for n, kind in enumerate(kinds, 1)])
    return made.id


async def swept(store: Store, attended: tuple[str, ...] = (), **settings: Any) -> None:
    keeping = Retention(store, Settings(**settings), lambda name: name not in attended)
    await keeping.sweep()


def test_by_default_what_was_played_is_kept_for_ever(opened: Open) -> None:
    async def keep() -> None:
        async with opened() as store:
            over = await aged(store, 9999, SIT, START, SAY, LAST)
            playing = await aged(store, 9999, SIT, START)
            await swept(store)
            assert [e.kind for e in await store.entries(over)] == [SIT, START, SAY, LAST]
            assert await store.table(over)
            assert await store.table(playing)

    run(keep())


def test_finished_tables_go_after_some_days_and_others_do_not(opened: Open) -> None:
    async def keep() -> None:
        async with opened() as store:
            old = [await aged(store, 31, SIT, START, LAST) for _ in range(2 * BATCH + 3)]
            looked_at = await aged(store, 31, SIT, START, LAST)
            young = await aged(store, 29, SIT, START, LAST)
            playing = await aged(store, 31, SIT, START)
            await swept(store, (looked_at,), keep_days=30)
            assert await store.tables_of(old) == {}
            for name in old[:3]:
                assert await store.entries(name) == []
            assert set(await store.tables_of([young, playing, looked_at])) == {
                young, playing, looked_at,
            }  # fmt: skip

    run(keep())


def test_a_table_at_which_nobody_ever_began_goes_after_a_while(opened: Open) -> None:
    async def keep() -> None:
        async with opened() as store:
            forgotten = await aged(store, UNBEGUN_DAYS + 1, SIT)
            waiting = await aged(store, UNBEGUN_DAYS - 1, SIT)
            begun = await aged(store, UNBEGUN_DAYS + 1, SIT, START)
            await swept(store)
            assert await store.table(forgotten) is None
            assert await store.entries(forgotten) == []
            assert set(await store.tables_of([waiting, begun])) == {waiting, begun}
            assert await store.gathering(0) == [waiting]

    run(keep())


def test_what_was_said_can_go_sooner_and_leaves_no_gap(opened: Open) -> None:
    async def keep() -> None:
        async with opened() as store:
            old = await aged(store, 8, SIT, *[SAY] * (BATCH + 5), START, SAY, LAST)
            young = await aged(store, 6, SIT, SAY, START)
            await swept(store, keep_chat_days=7)
            kept = await store.entries(old)
            assert [e.seq for e in kept] == list(range(1, BATCH + 10))
            assert {e.kind for e in kept} == {SIT, START, LAST, entries.GONE}
            assert sum("my address" in e.body for e in kept) == 3  # as they are no chat lines
            assert [e.kind for e in await store.entries(young)] == [SIT, SAY, START]

    run(keep())


def test_a_server_sweeps_by_itself(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.server.app.SWEEP_SECONDS", 0.05)

    async def keep() -> None:
        async with serving(file, keep_days=30, **QUICK) as house:
            old = await aged(house.server.store, 31, SIT, START, LAST)
            async with asyncio.timeout(5):
                while await house.server.store.table(old) is not None:
                    await asyncio.sleep(0.05)

    run(keep())


# ---- forgetting somebody


async def finished(house: House) -> tuple[str, list[str]]:
    """A finished match of two people who have talked; its table, and their tokens."""
    players = await house.started("lantern", people=2)
    for n, player in enumerate(players):
        assert (await player.ask("say", text=f"I am number {n}"))["t"] == "ok"
    await play_on(players, random.Random(1))
    room = house.server.tables.rooms[players[0].table]
    return room.id, [room.token_of(n) for n in range(2)]


@pytest.mark.parametrize("how", ["token", "seat"])
@pytest.mark.parametrize("while_it_runs", [False, True])
def test_somebody_is_forgotten_and_the_match_can_still_be_checked(
    file: Path, how: str, while_it_runs: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    async def play() -> tuple[str, list[str]]:
        async with serving(file, **QUICK) as house:
            name, tokens = await finished(house)
            if while_it_runs:
                await asyncio.to_thread(forget, name, tokens)
            return name, tokens

    def forget(name: str, tokens: list[str]) -> None:
        who = [tokens[1]] if how == "token" else ["--table", name, "--seat", "1"]
        assert main(["forget", *who, "--store", str(file)]) == 0

    async def look(name: str, tokens: list[str]) -> None:
        async with serving(file, **QUICK) as house:
            _, about = await house.get(f"/api/tables/{name}")
            assert [seat["name"] for seat in about["seats"]] == ["Ada", "?"]
            watcher = await house.at(name)
            assert [line["text"] for line in watcher.whole["chat"]] == ["I am number 0"]
            _, saved = await house.get(f"/api/tables/{name}/match")
            assert faults(saved, kibitz.load(json.dumps(saved))) == []
            _, mine = await house.post("/api/mine", {"tokens": tokens})
            assert [m["names"] for m in mine] == [["Ada", "?"]] * 2

    name, tokens = run(play())
    if not while_it_runs:
        forget(name, tokens)
    assert "Removed: 1 name, 1 chat line." in capsys.readouterr().out
    run(look(name, tokens))
    content = file.read_bytes()
    assert b"I am number 0" in content
    assert b"I am number 1" not in content
    assert b"Guest 1" not in content


def test_a_token_forgets_its_owner_and_not_who_had_the_seat_before() -> None:
    from kibitz.server.forget import without

    def happened(seq: int, kind: str, **body: Any) -> Entry:
        return Entry(seq, 1, kind, 1, json.dumps(body), None)

    rows = [
        happened(1, SIT, name="Bo"),
        happened(2, SAY, name="Bo", text="hello"),
        happened(3, entries.STAND),
        happened(4, SIT, name="Cy", contribution="mine"),
        happened(5, SAY, name="Cy", text="hi"),
        Entry(6, 1, SAY, 0, '{"name": "Ada", "text": "ho"}', None),
    ]
    changed = without(rows, 1, 4)
    assert [(e.seq, e.kind) for e in changed] == [(4, SIT), (5, entries.GONE)]
    assert changed[0].read() == entries.Sat("?", contribution="mine")
    assert [e.seq for e in without(rows, 1, None)] == [1, 2, 4, 5]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "say whom to forget"),
        (["--table", "x"], "say whom to forget"),
        (["--seat", "0"], "say whom to forget"),
        (["a.0.1.x", "--table", "x", "--seat", "0"], "say whom to forget"),
        (["a.0.1.x"], "was not made with the key"),
        (["x"], "was not made with the key"),
        (["--table", "nosuch", "--seat", "0"], "there is no table 'nosuch'"),
    ],
)
def test_bad_input_is_told_in_one_line(file: Path, words: list[str], said: str) -> None:
    async def make() -> None:
        async with serving(file, **QUICK):
            pass

    run(make())
    done = subprocess.run(
        [sys.executable, "-m", "kibitz.cli", "forget", "--store", str(file), *words],
        capture_output=True, text=True, check=False, env=dict(os.environ),
    )  # fmt: skip
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    assert said in done.stderr


def test_forgetting_makes_no_store_where_there_is_none(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["forget", "a.0.1.x", "--store", str(file)]) == 2
    assert str(file) in capsys.readouterr().err
    assert not file.exists()
