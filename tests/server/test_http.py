"""What is asked and answered over HTTP: as the protocol says, and no more."""

import asyncio
import gzip
import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

import kibitz
from kibitz.games import find
from kibitz.server import protocol as p
from kibitz.server.app import SAFETY
from kibitz.server.protocol import encode
from kibitz.server.static import PAGE
from kibitz.texts import LANGUAGES
from server.guests import Data, House, play_on, run, serving
from short import short

QUICK: Data = {"games_offered": ["lantern"]}


def fits(body: Any, kind: Any) -> Any:
    """An answer read as a struct of the protocol, which must say all of it."""
    found = msgspec.json.decode(json.dumps(body), type=kind)
    assert json.loads(encode(found)) == body
    return found


# ---- games


@pytest.mark.parametrize("game", kibitz.games())
def test_a_game_is_described_by_the_protocol(game: str, file: Path) -> None:
    async def ask() -> None:
        async with serving(file) as house:
            fits((await house.get("/api/games"))[1], p.Games)
            fits((await house.get(f"/api/games/{game}"))[1], p.Description)
            for lang in LANGUAGES:
                fits((await house.get(f"/api/games/{game}/rules/{lang}"))[1], p.Rulebook)
                _, texts = await house.get(f"/api/games/{game}/texts/{lang}")
                assert set(texts["cards"]) == set(find(game).layout.deck.codes)

    run(ask())


@pytest.mark.parametrize("game", kibitz.games())
def test_a_description_has_every_action_as_the_rules_have_it(game: str, file: Path) -> None:
    async def ask() -> Data:
        async with serving(file) as house:
            return dict((await house.get(f"/api/games/{game}"))[1])

    about, rules = run(ask()), find(game)
    verbs = {verb.name: verb for verb in rules.actions.verbs}
    assert [verb["name"] for verb in about["verbs"]] == list(verbs)
    for verb in about["verbs"]:
        known = verbs[verb["name"]]
        assert verb["words"] == list(known.words)
        assert (verb["secrecy"], verb["continues"]) == (known.secrecy.value, known.continues)
    described = {text: (verb, words) for text, verb, words, _ in about["actions"]}
    for text, (verb, words) in described.items():
        action = rules.actions.all[rules.actions.read(text) or 0]
        assert (action.text, action.verb.name) == (text, about["verbs"][verb]["name"])
        assert list(action.words.values()) == words
    for players in rules.identity.seats:
        for text in reachable(game, players):
            assert text in described
    assert [event["name"] for event in about["events"]] == [e.name for e in rules.events.kinds]
    families = {family["name"] for family in about["families"]}
    assert families == set(rules.layout.zones.families)
    assert {f["part_of"] for f in about["families"]} <= {None, *families}


def reachable(game: str, players: int) -> set[str]:
    """What is legal at some point of a match at random."""
    match, rng = kibitz.new(game, players=players, seed=1), random.Random(1)
    found: set[str] = set()
    for _ in range(200):
        if match.over:
            break
        if match.round_over:
            match.next_round()
        seat = rng.choice(sorted(match.to_act))
        found |= set(match.legal(seat))
        match.play(seat, rng.choice(match.legal(seat)))
    return found


# ---- tables and matches


async def finished(house: House, game: str) -> tuple[str, list[str]]:
    """A match that was played to its end, and the tokens of its players."""
    players = await house.started(game, people=2, options=short(game))
    table = players[0].table
    tokens = [house.server.tables.rooms[table].token_of(n) for n in range(2)]
    await fits_while_it_runs(house, table, tokens)
    await play_on(players, random.Random(1))
    return table, tokens


async def fits_while_it_runs(house: House, table: str, tokens: list[str]) -> None:
    for token in (None, *tokens):
        fits((await house.get(f"/api/tables/{table}/history", token))[1], p.HistoryData)
    for path in ("match", "review", "history?all=1"):
        status, refused = await house.get(f"/api/tables/{table}/{path}")
        assert (status, fits(refused, p.RefusalData).error) == (409, "phase")


@pytest.mark.parametrize("game", ["lantern", "kiza"])
def test_answers_about_tables_and_matches_are_of_the_protocol(game: str, file: Path) -> None:
    async def ask() -> None:
        async with serving(file) as house:
            made = fits(await house.make(game, players=2), p.MadeTable)
            fits(await house.sit({"table": made.table, "join": made.join}), p.TakenSeat)
            about = fits((await house.get(f"/api/tables/{made.table}"))[1], p.TableInfo)
            assert [seat.kind for seat in about.seats] == ["person", "person"]
            table, tokens = await finished(house, game)
            _, mine = await house.post("/api/mine", {"tokens": [made.token, *tokens]})
            assert len(fits(mine, list[p.Mine])) == 3
            for path in ("history", "history?all=1"):
                _, back = await house.get(f"/api/tables/{table}/{path}", tokens[0])
                assert fits(back, p.HistoryData).moves
            fits((await house.get("/health"))[1], p.Health)
            status, review = await house.get(f"/api/tables/{table}/review")
            while status == 202:
                fits(review, p.Progress)
                await asyncio.sleep(0.1)
                status, review = await house.get(f"/api/tables/{table}/review")
            assert fits(review, p.ReviewData).game == game

    run(ask())


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("/api/tables/nosuch", 404, "no_table"),
        ("/api/games/chess", 404, "no_game"),
        ("/api/games/lantern/texts/xx", 404, "not_found"),
        ("/art/lantern/en/zz.svg", 404, "not_found"),
        ("/api/nothing", 404, "not_found"),
        ("/ws", 400, "malformed"),
    ],
)
def test_a_refusal_is_of_the_protocol(path: str, status: int, error: str, file: Path) -> None:
    async def ask() -> tuple[int, Any]:
        async with serving(file, **QUICK) as house:
            return await house.get(path)

    found, refused = run(ask())
    assert (found, fits(refused, p.RefusalData).error) == (status, error)
    assert refused["text"]


# ---- what need not be fetched twice


@pytest.mark.parametrize(
    "path",
    ["/api/games", "/api/games/lantern", "/api/games/lantern/texts/en", "/art/lantern/en/back.svg"],
)
def test_what_a_browser_has_is_not_sent_again(path: str, file: Path) -> None:
    async def ask() -> None:
        async with serving(file, **QUICK) as house:
            async with house.session.get(house.base + path) as first:
                assert (first.status, first.headers["Cache-Control"]) == (200, "no-cache")
                tag, body = first.headers["ETag"], await first.read()
            headers = {"If-None-Match": tag}
            async with house.session.get(house.base + path, headers=headers) as again:
                assert (again.status, await again.read()) == (304, b"")
            headers = {"If-None-Match": '"another"'}
            async with house.session.get(house.base + path, headers=headers) as other:
                assert (other.status, await other.read()) == (200, body)

    run(ask())


@pytest.mark.skipif(not (PAGE / "index.html").is_file(), reason="no page: make web")
def test_the_files_of_the_page_are_sent_compressed_and_once(file: Path) -> None:
    assets = [f"/assets/{asset.name}" for asset in (PAGE / "assets").iterdir()]
    packed = [path for path in assets if f"{path}.gz" in assets]
    assert packed

    async def ask() -> None:
        async with serving(file, **QUICK) as house:
            for path in ("/", "/t/abc", *packed):
                await sent_compressed_and_once(house, path)
                forever = path.startswith("/assets/")
                async with house.session.get(house.base + path) as answer:
                    assert ("immutable" in answer.headers["Cache-Control"]) == forever

    run(ask())


async def sent_compressed_and_once(house: House, path: str) -> None:
    on_disk = PAGE / (path[1:] if path.startswith("/assets/") else "index.html")
    plain = {"Accept-Encoding": "identity"}
    async with house.session.get(house.base + path, headers=plain) as answer:
        assert "Content-Encoding" not in answer.headers
        assert await answer.read() == on_disk.read_bytes()
    packed = {"Accept-Encoding": "gzip"}
    async with house.session.get(
        house.base + path, headers=packed, auto_decompress=False
    ) as answer:
        assert answer.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(await answer.read()) == on_disk.read_bytes()
        tag = answer.headers["ETag"]
    headers = {"If-None-Match": tag, **packed}
    async with house.session.get(house.base + path, headers=headers) as again:
        assert again.status == 304
        assert SAFETY.items() <= dict(again.headers).items()
