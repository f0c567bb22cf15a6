"""The load test plays on servers of its own, and leaves nothing behind."""

import os

import pytest

from kibitz.cli import main
from kibitz.engine.errors import KibitzError
from kibitz.server import loadtest as server_loadtest
from kibitz.server.loadtest import Wish, loadtest
from kibitz.server.tokens import Signer
from server.guests import run
from server.test_many import NO_SERVERS

TABLES, SECONDS = 12, 1.0


def check(found: dict[str, float], servers: int) -> None:
    """Moves were made in both loops, and everyone stayed to see them."""
    assert found["servers"] == servers
    assert found["moves_per_s"] > 0
    assert found["cpu_us_per_move"] > 0
    assert found["open_moves_per_s"] > 0
    assert found["server_cpu"] > 0
    assert found["players_cpu"] > 0
    assert 0 < found["p50_ms"] <= found["p99_ms"]
    assert found["connections"] == 4 * found["tables"]
    assert (found["refused"], found["lost"]) == (0, 0)


def test_one_server() -> None:
    told: list[str] = []
    check(loadtest(Wish("kolpa", TABLES, SECONDS), told.append), servers=1)
    assert told[0] == f"dealing {TABLES} tables"


def test_a_server_that_only_hands_moves_on_is_measured_beside_it() -> None:
    told: list[str] = []
    found = loadtest(Wish("kolpa", TABLES, SECONDS, bare=True), told.append)
    check(found, servers=1)
    assert told[-1] == "a server that only hands moves on"
    assert found["bare_us_per_move"] > 0
    assert found["times_bare"] > 1  # there is nothing that a real move does not need besides


def test_a_player_who_is_refused_ends_it_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those who were let in leave; nobody waits for the one who was not."""
    deal = server_loadtest._deal

    async def with_another_key(store: str, game: str, tables: int) -> tuple[list[str], Signer]:
        names, _ = await deal(store, game, tables)
        return names, Signer(bytes(32))

    monkeypatch.setattr(server_loadtest, "_deal", with_another_key)
    with pytest.raises(KibitzError, match="the server refused a player"):
        loadtest(Wish("kolpa", TABLES, SECONDS), lambda _: None)


def test_two_servers_with_players_of_each_table_at_both(postgres: str) -> None:
    bus = os.environ.get("KIBITZ_TEST_REDIS")
    if not bus:
        pytest.skip(NO_SERVERS)
    wish = Wish("kolpa", TABLES, SECONDS, servers=2, store=postgres, bus=bus)
    check(loadtest(wish, lambda _: None), servers=2)
    assert run(tables_in(postgres)) == 0


async def tables_in(store: str) -> int:
    """How many tables there are in a PostgreSQL."""
    import asyncpg

    db = await asyncpg.connect(store)
    found: int = await db.fetchval("SELECT count(*) FROM kibitz_match")
    await db.close()
    return found


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["--tables", "1"], "give at least two tables, some seconds and one server"),
        (["--seconds", "0"], "give at least two tables, some seconds and one server"),
        (["--servers", "0"], "give at least two tables, some seconds and one server"),
        (["--servers", "2"], "several servers share a store and a bus: give --store postgresql://"),
        (["--store", "tables.db"], "a store to be measured is postgresql://…, not 'tables.db'"),
        (["--bus", "here"], "a bus is redis://HOST:PORT, not 'here'"),
        (["--game", "kiza"], "kiza has choices of several steps; measure a game without"),
    ],
)
def test_what_cannot_be_measured_is_refused_in_one_line(
    words: list[str], answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["loadtest", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"kibitz: {answer}")
